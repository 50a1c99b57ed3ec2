#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures what docs/PERFORMANCE.md and docs/PAPERS.md show, and puts the figures there. A block,
#     <!-- figures: FILE from COMMAND -->
#     ...
#     <!-- end -->
# is replaced by COMMAND, when and where it was run, and its table: FILE in the directory that
# COMMAND gets as --out, or, if FILE is "-", the end of what it prints, after an empty line. The
# text around the blocks is written by hand: what was wanted, and why what was missed was missed.
# Usage: performance.sh [--list | --again] [REGEX]
#   --list    the commands; nothing is measured
#   --again   nothing is measured: the results of the last runs, from target/performance
#   REGEX     only the blocks whose command matches; the others stay as they are
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"
mode=measure
case ${1:-} in
--list | --again) mode=${1#--}; shift ;;
-*) hy_refuse "unknown option $1" ;;
esac
(($# <= 1)) || hy_refuse "expected one regular expression"
only=${1:-.}
documents=(docs/PERFORMANCE.md docs/PAPERS.md) out=$HY_ROOT/target/performance

# Of each block: the document, FILE and COMMAND.
commands() {
    local document
    for document in "${documents[@]}"; do
        sed -n "s|^<!-- figures: \\([^ ]*\\) from \\(.*\\) -->\$|$document\t\\1\t\\2|p" "$document"
    done | only=$only awk -F'\t' '$3 ~ ENVIRON["only"]'
}

# The directory of a command's results: the command in letters that a name may have.
directory_of() {
    echo "$out/$(tr -cs 'a-zA-Z0-9\n' - <<<"$1")"
}

# Figures mean nothing without it.
machine() {
    echo "$(date -u +%F), commit $(git describe --always --dirty --abbrev=10), $(nproc) CPUs of" \
        "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
}

# measure FILE COMMAND: into the command's directory; what it prints into out.txt.
measure() {
    local words dir
    read -ra words <<<"$2"
    dir=$(directory_of "$2")
    mkdir -p "$dir"
    [ "$1" = - ] || words+=(--out "$dir")
    "${words[@]}" >"$dir/out.txt" 2>"$dir/errors.txt" </dev/null || return
    machine >"$dir/machine.txt"
}

# The block's text.
block() { # block FILE COMMAND
    local dir
    dir=$(directory_of "$2")
    printf '\n`%s` (%s):\n\n' "$2" "$(cat "$dir/machine.txt")"
    if [ "$1" = - ]; then
        printf '```\n%s\n```\n' "$(awk -v RS= 'END { print }' "$dir/out.txt")"
    else
        sed '/^# /d; /^!\[/d; /^    /d; s/^## /#### /' "$dir/$1" | cat -s
    fi
    echo
}

# replace DOCUMENT COMMAND FILE: the block of that command by the file.
replace() {
    command=" from $2 -->" awk -v result="$3" '
        BEGIN { command = ENVIRON["command"] }
        /^<!-- end -->$/ { inside = 0 }
        !inside
        /^<!-- figures: / && substr($0, length($0) - length(command) + 1) == command {
            inside = 1
            while ((getline line < result) > 0) print line
        }' "$1" >"$out/document.md"
    cp "$out/document.md" "$1"
}

[ -n "$(commands)" ] || hy_die "performance.sh: no block's command matches '$only'"
if [ $mode = list ]; then
    commands | cut -f3
    exit
fi
if [ $mode = measure ]; then
    hy_need
    hy_build
fi
mkdir -p "$out"
failed=0
while IFS=$'\t' read -r document file command <&3; do
    if [ $mode = measure ]; then
        hy_say "$command"
        if ! measure "$file" "$command"; then
            hy_say "FAILED: $command; see $(directory_of "$command")"
            failed=1
            continue
        fi
    elif [ ! -e "$(directory_of "$command")/machine.txt" ]; then
        continue
    fi
    block "$file" "$command" >"$out/block.md"
    replace "$document" "$command" "$out/block.md"
done 3< <(commands)
exit $failed
