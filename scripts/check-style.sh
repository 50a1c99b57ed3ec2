#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks what a reader would trip over: width, blanks, length of functions and files, licence
# headers, guards, head comments, READMEs of rooms, comments of public headers, C file names, and
# the format of C (if clang-format 14 is installed; other versions format differently).
# Usage: check-style.sh [--fix | --self-test | DIRECTORY]    --fix lets clang-format rewrite C.
set -euo pipefail
export LC_ALL=C.UTF-8
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"

clang_format() {
    local tool
    for tool in clang-format-14 clang-format; do
        if command -v $tool >/dev/null && $tool --version | grep -q ' version 14\.'; then
            echo $tool
            return
        fi
    done
}

files() { # files ROOT PATTERN..: below src, scripts
    local root=$1 names=() name
    shift
    for name; do names+=(-o -name "$name"); done
    find "$root/src" "$root/scripts" -type f \( "${names[@]:1}" \) 2>/dev/null | sort
}

check_text() {
    files "$1" '*.c' '*.h' '*.f' '*.f90' '*.fh' '*.java' '*.sh' '*.mk' '*.map' hayate run |
        xargs -r awk '
    function bad(text) { printf "%s:%d: %s\n", FILENAME, FNR, text }
    FNR == 1 { licence = 0 }
    /SPDX-License-Identifier: / && FNR <= 3 { licence = 1 }
    FNR == 3 && !licence { bad("no SPDX-License-Identifier in the first three lines") }
    /\t/ && FILENAME !~ /\.mk$/ { bad("tab") }
    /[ \t]$/ { bad("blank at the end of the line") }
    /\r/ { bad("carriage return") }
    length($0) > 100 { bad("wider than 100 columns") }
    /void should[A-Z]/ && FILENAME ~ /\/src\/test\// { bad("a test is named should_do_this()") }'
}

# A function of C starts with "{" and ends with "}", both in the first column.
check_c() {
    files "$1" '*.c' '*.h' | xargs -r awk '
    function bad(text) { printf "%s:%d: %s\n", FILENAME, FNR, text }
    FNR == 1 { start = 0 }
    /^\{/ { start = FNR }
    /^\}/ && start {
        if (FNR - start - 1 > 80) bad("function of " FNR - start - 1 " lines, 80 are the most")
        start = 0
    }'
    files "$1" '*.h' | xargs -r awk '
    function report() { if (last != "" && !guarded) printf "%s:1: no include guard\n", last }
    FNR == 1 { report(); last = FILENAME; guarded = 0; name = "" }
    /^#ifndef / && name == "" { name = $2 }
    /^#define / && name != "" && $2 == name { guarded = 1 }
    END { report() }'
    # Objects lie flat in one folder: two sources of one name would overwrite each other.
    find "$1/src/main/c" -name '*.c' 2>/dev/null | sed 's#.*/##' | sort | uniq -d |
        sed "s#.*#$1/src/main/c: two files are named &#"
    # A name that many files use says nothing in a stack trace.
    find "$1/src/main/c" -name '*.c' 2>/dev/null | sort | xargs -r awk '
    /^static [^=;]*\(/ && match($0, /[a-z][a-z_0-9]*\(/) {
        name = substr($0, RSTART, RLENGTH - 1)
        if (!seen[FILENAME, name]++ && ++files[name] == 4)
            printf "%s:%d: the fourth file with a function %s(): say more of what it does\n",
                FILENAME, FNR, name
    }'
    # Each file says its idea behind the licence, and each room has a README.
    find "$1/src/main/c" -name '*.[ch]' 2>/dev/null | sort | xargs -r awk '
    FNR == 2 && !/^\/\*/ { printf "%s:2: no head comment with the idea of the file\n", FILENAME }'
    find "$1/src/main/c" -mindepth 1 -maxdepth 1 -type d 2>/dev/null | sort | while read -r room; do
        [ -f "$room/README.md" ] || echo "$room: no README.md"
    done
    # A comment stands above each public function, or above the group it is in.
    find "$1/src/main/c/include" -name '*.h' 2>/dev/null | sort | xargs -r awk '
    FNR == 1 { previous = "" }
    /^HAYATE_API / && previous !~ /(\*\/|;)$/ {
        printf "%s:%d: public and without a comment\n", FILENAME, FNR
    }
    { previous = $0 }'
}

check_format() {
    local tool
    tool=$(clang_format)
    if [ -z "$tool" ]; then
        echo "check-style: clang-format 14 is not installed: format not checked" >&2
        return
    fi
    find "$1/src" -name '*.[ch]' 2>/dev/null | sort |
        xargs -r "$tool" --style=file --dry-run 2>&1 |
        awk -F: '/warning: code should be clang-formatted/ && $1 != last {
            last = $1
            print $1 ":" $2 ": not formatted, scripts/check-style.sh --fix does it"
        }'
}

warn_long() {
    files "$1" '*.c' '*.h' '*.java' | xargs -r wc -l | awk '$2 != "total" && $1 > 500 {
        print "check-style: warning: " $2 " has " $1 " lines, aim at 500"
    }' >&2
}

check() {
    local found
    warn_long "$1"
    found=$(check_text "$1"; check_c "$1"; check_format "$1")
    [ -z "$found" ] && return 0
    printf '%s\n' "$found" | sed 's#^\./##'
    return 1
}

self_test() { # as in check-layers.sh
    local name=$1 tree room rc=0
    tree=$(mktemp -d)
    cp .clang-format "$tree"
    shift
    while (($#)); do
        mkdir -p "$tree/$(dirname "$1")"
        printf '%s\n' "$2" >"$tree/$1"
        shift 2
    done
    for room in "$tree"/src/main/c/*/; do
        [[ $name == *README* || ! -d $room ]] || touch "$room/README.md"
    done
    check "$tree" >"$tree/out" 2>&1 || rc=1
    if [[ $name == accept* && $rc == 0 || $name == refuse* && $rc == 1 ]]; then
        echo "ok - style: $name"
    else
        echo "not ok - style: $name"
        sed 's/^/  # /' "$tree/out"
    fi
    rm -rf "$tree"
}

self_tests() {
    local c=src/main/c licence='/* SPDX-License-Identifier: Apache-2.0 */' spdx
    local guard=$'#ifndef A_H\n#define A_H\n' long
    spdx=$licence$'\n/* The idea. */'
    long=$(printf '    a();\n%.0s' $(seq 81))
    self_test "accept a good file" $c/base/a.c "$spdx"$'\nint a(void)\n{\n    return 1;\n}' \
        $c/include/hayate/a.h "$spdx
$guard
/** Does a. */
HAYATE_API int a(void);
HAYATE_API int b(void);

#endif"
    self_test "refuse a wide line" $c/base/a.c "$spdx
/* $(printf 'x%.0s' $(seq 100)) */"$'\n'
    self_test "refuse a test in camel case" src/test/java/A.java "$spdx"$'\nvoid shouldDo() {\n'
    self_test "refuse a tab" $c/base/a.c "$spdx"$'\n/*\t*/\n'
    self_test "refuse a blank at the end" $c/base/a.c "$spdx"$'\nint a; \n'
    self_test "refuse a function over 80 lines" \
        $c/base/a.c "$spdx"$'\nvoid f(void)\n{\n'"$long"$'\n}'
    self_test "refuse a file without a licence" $c/base/a.c $'int a;\nint b;\nint c;'
    local f="$spdx"$'\nstatic int f(void);\n'
    self_test "refuse a function name of four files" \
        $c/base/a.c "$f" $c/base/b.c "$f" $c/base/c.c "$f" $c/base/d.c "$f"
    self_test "refuse a file without a head comment" $c/base/a.c "$licence"$'\nint a;\n'
    self_test "refuse a room without a README" $c/base/a.c "$spdx"$'\nint a;\n'
    self_test "refuse a header without a guard" $c/base/a.h "$spdx"$'\nint a(void);\n'
    self_test "refuse two C files of one name" \
        $c/base/a.c "$spdx"$'\nint a;\n' $c/job/a.c "$spdx"$'\nint b;\n'
    self_test "refuse a public function without a comment" $c/include/hayate/a.h \
        "$spdx"$'\n'"$guard"$'\nHAYATE_API int a(void);\n\n#endif'
    if [ -n "$(clang_format)" ]; then
        self_test "refuse what clang-format would change" \
            $c/base/a.c "$spdx"$'\nint a( void ) {\n  return 1;\n}'
    else
        echo "ok - style: refuse what clang-format would change # SKIP no clang-format 14"
    fi
}

case "${1:-}" in
--fix)
    tool=$(clang_format)
    [ -n "$tool" ] || { echo "check-style: --fix needs clang-format 14" >&2; exit 1; }
    find src -name '*.[ch]' | xargs -r $tool --style=file -i
    ;;
--self-test)
    results=$(self_tests)
    printf '%s\n' "$results"
    ! grep -q '^not ok' <<<"$results"
    ;;
-*) hy_refuse "unknown option $1" ;;
*)
    check "${1:-.}" || { echo "check-style: see docs/STYLE.md" >&2; exit 1; }
    ;;
esac
