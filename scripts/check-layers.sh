#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks that rooms use lower rooms only (docs/layers.txt): what each room of src/main/c includes,
# which Java package touches native code, and who loads libraries.
# Usage: check-layers.sh [--self-test | DIRECTORY]
set -euo pipefail
export LC_ALL=C
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"
table=$PWD/docs/layers.txt

# Prints "file:line: what is wrong" for every include of the C tree $1 that breaks a rule.
check_c() {
    [ -d "$1" ] || return 0
    (cd "$1" && find . -name '*.[ch]' | sed 's#^\./##' | sort | xargs -r awk -v table="$table" '
    BEGIN {
        while ((getline line <table) > 0) {
            if (line ~ /^#/ || split(line, column, /[ \t]+/) < 4 || column[3] == "java") continue
            rank[column[2]] = column[1] + 0
        }
    }
    function bad(text) { printf "%s:%d: %s\n", FILENAME, FNR, text }
    function layer_of(name) { sub(/\/.*/, "", name); return name }
    function quoted(to,    mine, its, my_row, its_row) {
        if (to !~ /\//) {
            if (mine_layer != "jni" || to !~ /^io_hayate_internal_.*\.h$/)
                bad("include \"" to "\": write it \"layer/file.h\", from src/main/c")
            return
        }
        if (to ~ /(^|\/)\.\.?\//) { bad("include \"" to "\": no . or .. in an include"); return }
        mine = mine_layer; its = layer_of(to)
        if (its == "hayate") { bad("include \"" to "\": write <" to ">, it is public"); return }
        if (!(its in rank)) { bad("include \"" to "\": there is no layer " its); return }
        if (mine == "include") {
            bad("include \"" to "\": a public header includes <hayate/...> only")
            return
        }
        if (mine == "launch" && its !~ /^(base|boot|pvas|launch)$/ &&
            to != "net/delegated/delegation.h")
            bad("launch includes " to ": only base, boot, pvas and net/delegated/delegation.h " \
                "are linked into the launcher")
        else if (its == "launch" && mine != "launch")
            bad(mine " includes launch, which is not in the library")
        else if (its == "delegatee" && mine != "delegatee")
            bad(mine " includes delegatee, which is not in the library")
        else if (mine == "delegatee" && its !~ /^(base|boot|deleg|delegatee)$/ &&
            to != "net/delegated/delegation.h")
            bad("delegatee includes " to ": what it serves with is in deleg")
        else if (mine == "explain" && its !~ /^(base|choose|explain|sched)$/)
            bad("explain includes " its ": only base, sched and choose are linked into its library")
        else if (its ~ /^(explain|observe|tune)$/ && mine != its)
            bad(mine " includes " its ", which is in the library of tools")
        else if (mine == "netlib" && its !~ /^(base|blacs|netlib)$/)
            bad("netlib includes " its ": its library calls what blacs/blacs.h exports")
        else if (its == "netlib" && mine != "netlib")
            bad(mine " includes netlib, which is a library of its own")
        else if (its == "pvas" && mine !~ /^(pvas|launch|jni)$/)
            bad(mine " includes pvas: base/task.h is what a task knows of itself")
        else if (rank[its] > rank[mine])
            bad(mine " includes " its ", a layer above it")
        else if (rank[its] == rank[mine] && mine != its)
            bad(mine " includes its sibling " its)
        if (mine == its && mine ~ /^(path|net)$/) {
            my_row = row_of(FILENAME); its_row = row_of(to)
            if (my_row != "" && its_row != "" && my_row != its_row)
                bad(mine "/" my_row " includes its sibling " its "/" its_row)
        }
    }
    function row_of(name,    part) { return split(name, part, "/") > 2 ? part[2] : "" }
    function angled(to) {
        if (to ~ /^infiniband\// && FILENAME !~ /^net\/verbs\//)
            bad("<" to ">: only net/verbs sees it")
        if (to ~ /^rdma\// && FILENAME !~ /^net\/ofi\//)
            bad("<" to ">: only net/ofi sees it")
        if (to ~ /^jni(_md)?\.h$/ && mine_layer != "jni")
            bad("<" to ">: only jni sees it")
        if (to ~ /uapi\//) uapi(to)
    }
    function uapi(to) {
        if (FILENAME !~ /^path\/kmod\//)
            bad(to ": only path/kmod sees the header of the module")
    }
    FNR == 1 {
        mine_layer = layer_of(FILENAME)
        if (!(mine_layer in rank) && mine_layer != "include") bad("no such layer: " mine_layer)
    }
    # A library may take the signal handlers of the JVM.
    /(^|[^A-Za-z0-9_])dlm?open\(/ && !/^ *(\/\*|\*)/ && FILENAME != "base/library.c" {
        bad("dlopen(): only base/library.c loads libraries")
    }
    match($0, /^[ \t]*#[ \t]*include[ \t]*/) {
        rest = substr($0, RLENGTH + 1)
        if (rest ~ /^"/) {
            sub(/^"/, "", rest); sub(/".*/, "", rest)
            if (rest ~ /uapi\//) uapi(rest); else quoted(rest)
        } else if (rest ~ /^</) {
            sub(/^</, "", rest); sub(/>.*/, "", rest)
            angled(rest)
        } else bad("include of a macro hides the layer")
    }' | sed "s#^#$1/#")
}

# The same for the Java tree $1. In io.hayate.internal the lowest rooms are errors, natives,
# bindings, lifetime and netlib. Above them is what is behind the public types: job is below fmpl,
# ompl, blacs, scalapack and pvas, fmpl below pcoll. They know exceptions and records of io.hayate,
# but none of the types that are built on them.
check_java() {
    [ -d "$1" ] || return 0
    find "$1" -name '*.java' | sort | xargs -r awk '
    BEGIN {
        low = "errors|natives|bindings|lifetime|netlib"
        below["errors"] = "^errors$"; below["natives"] = "^(natives|errors)$"
        below["bindings"] = "^(bindings|natives|errors)$"
        below["lifetime"] = "^(lifetime|bindings|natives|errors)$"
        below["netlib"] = "^(netlib|bindings|natives|errors)$"
        below["jfr"] = "^(jfr|" low ")$"
        below["store"] = "^(store|bindings|natives|errors)$"
        below["job"] = "^(job|store|jfr|" low ")$"
        below["fmpl"] = "^(fmpl|job|jfr|" low ")$"
        below["ompl"] = "^(ompl|job|jfr|" low ")$"
        below["blacs"] = "^(blacs|job|" low ")$"
        below["scalapack"] = "^(scalapack|job|" low ")$"
        below["pvas"] = "^(pvas|job|" low ")$"
        below["pcoll"] = "^(pcoll|fmpl|job|jfr|" low ")$"
        below["grid"] = "^(grid|fmpl|job|" low ")$"
        below["tagged"] = "^(tagged|fmpl|job|jfr|" low ")$"
        below["windows"] = "^(windows|fmpl|job|jfr|" low ")$"
        shared["command"] = 1; shared["draw"] = 2; shared["output"] = 2
        shared["job"] = 3; shared["machine"] = 3; shared["run"] = 4
        facade = "^(Hayate|HeapSpan|Span|Segments|Fmpl|Communicator|Request|Reduction|Ompl|" \
            "OmplPiece|CollOptions|Persistent(Coll|Operation)|Blacs(Grid)?|Section|" \
            "Cartesian|HaloExchange|Values|" \
            "Pvas(Self|Task|Program|Memory|Segments)?)$"
    }
    function bad(text) { printf "%s:%d: %s\n", FILENAME, FNR, text }
    FNR == 1 {
        comment = 0; internal = FILENAME ~ /\/io\/hayate\/internal\//
        bindings = FILENAME ~ /\/io\/hayate\/internal\/(bindings|errors|natives|netlib)\//
        inner = match(FILENAME, /\/io\/hayate\/internal\/[a-z]+\//) ? room(FILENAME, "/") : ""
        before = pending = ""
        mine = match(FILENAME, /\/io\/hayate\/cli\/[a-z]+\//) ? room(FILENAME, "/") : ""
    }
    # A package of io.hayate.cli uses those that commands share.
    function rank_of(part) { return part in shared ? shared[part] : 9 }
    function room(name, separator,    part) {
        name = substr(name, RSTART, RLENGTH)
        return part[split(name, part, separator) - 1]
    }
    FILENAME ~ /module-info\.java$/ { next }
    {
        line = $0
        if (comment) { if (!sub(/^.*\*\//, "", line)) next; comment = 0 }
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
        gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
        sub(/\/\/.*/, "", line)
        if (sub(/\/\*.*/, "", line)) comment = 1
        if (line ~ /(^|[^A-Za-z0-9_.])native[ \t]/ && !bindings)
            bad("a native method outside io.hayate.internal")
        if (line ~ /com\.sun\.jna/ && !bindings)
            bad("JNA outside io.hayate.internal")
        if (internal && match(line, /io\.hayate\.internal\.[a-z]+\./)) {
            its = room(line, ".")
            if (inner == "" || !(inner in below) || its !~ below[inner])
                bad("internal" (inner == "" ? "" : "/" inner) " uses internal/" its)
        }
        if (internal && match(line, /io\.hayate\.[A-Z][A-Za-z]*/)) {
            its = substr(line, RSTART + 10, RLENGTH - 10)
            if (its ~ facade) bad("io.hayate.internal uses " its ", which is built on it")
        }
        if (line ~ /io\.hayate\.cli/ && internal)
            bad("io.hayate.internal uses io.hayate.cli")
        if (mine != "" && line ~ /io\.hayate\.cli\.[A-Z]/)
            bad("cli/" mine " uses the command line itself")
        if (mine != "" && match(line, /io\.hayate\.cli\.[a-z]+\./)) {
            its = room(line, ".")
            if (its != mine && rank_of(its) >= rank_of(mine))
                bad("cli/" mine " uses cli/" its ", which is not below it")
        }
        if (line ~ /System\.load(Library)?[ \t]*\(/ && !bindings)
            bad("loads a library outside io.hayate.internal")
        if (line ~ /(System|Native)\.load(Library)?[ \t]*\(|NativeLibrary\.getInstance[ \t]*\(/ &&
            bindings && FILENAME !~ /\/(Native(Loader|File)|ForeignLibrary)\.java$/)
            bad("loads a library: ForeignLibrary keeps the signal handlers then")
        # The reason of a failure is that of the last call on this thread of the system.
        binding = line ~ /[A-Za-z]Binding\./
        if (pending != "" && !binding)
            printf "%s: reads the reason of a failure, but not right at the native call\n", pending
        pending = ""
        if (line ~ /Errors\.(check|failure(IfRoom)?)\(/ && !binding &&
            before !~ /[A-Za-z]Binding\./)
            pending = FILENAME ":" FNR
        if (line ~ /ErrorBinding\./ &&
            FILENAME !~ /\/(internal\/(errors|natives)\/[A-Za-z]+|cli\/.*)\.java$/)
            bad("the reason of a failure is for Errors to read")
        before = line
    }'
}

check() {
    local found
    found=$(check_c "$1/src/main/c"; check_java "$1/src/main/java"; check_java "$1/src/main/java22")
    [ -z "$found" ] && return 0
    printf '%s\n' "$found" | sed 's#^\./##'
    return 1
}

# self_test NAME FILE TEXT FILE2 TEXT2..: a tree with these files must be refused (or, when NAME
# starts with "accept", accepted).
self_test() {
    local name=$1 tree rc=0
    tree=$(mktemp -d)
    shift
    while (($#)); do
        mkdir -p "$tree/$(dirname "$1")"
        printf '%s\n' "$2" >"$tree/$1"
        shift 2
    done
    check "$tree" >"$tree/out" || rc=1
    if [[ $name == accept* && $rc == 0 || $name == refuse* && $rc == 1 ]]; then
        echo "ok - layers: $name"
    else
        echo "not ok - layers: $name"
        sed 's/^/  # /' "$tree/out"
    fi
    rm -rf "$tree"
}

self_tests() {
    local c=src/main/c j=src/main/java/io/hayate
    self_test "accept what points down" $c/exec/a.c '#include "sched/b.h"
#include <stdio.h>' $c/path/shm/a.c '#include "path/path.h"' \
        $c/path/table.c '#include "path/shm/a.h"' \
        $c/jni/a.c '#include "io_hayate_internal_Native.h"' \
        $c/launch/a.c '#include "boot/b.h"' \
        $c/launch/d.c '#include "net/delegated/delegation.h"' \
        $c/delegatee/a.c '#include "deleg/b.h"' \
        $c/launch/b.c '#include "pvas/b.h"' $c/pvas/a.c '#include "base/b.h"' \
        $c/jni/b.c '#include "pvas/b.h"' \
        $c/tune/a.c '#include "pcoll/b.h"' \
        $c/explain/a.c '#include "choose/b.h"' \
        $j/A.java '/* native int x(); */ // com.sun.jna
    String native_ = "native int x()";' \
        $j/internal/bindings/N.java 'static native int x(); import com.sun.jna.Native;' \
        $j/internal/pcoll/P.java 'import io.hayate.internal.fmpl.A;
import io.hayate.internal.errors.A;
import io.hayate.HayateException;' \
        $j/cli/perf/A.java 'import io.hayate.cli.draw.Svg; import io.hayate.cli.perf.B;'
    self_test "refuse a layer above" $c/base/a.c '#include "boot/boot.h"'
    self_test "refuse a facade that includes its sibling" $c/fmpl/a.c '#include "pcoll/a.h"'
    self_test "refuse a facade that includes tune" $c/pcoll/a.c '#include "tune/tune.h"'
    self_test "refuse choose that knows of a job" $c/choose/a.c '#include "job/job.h"'
    self_test "refuse sched that knows of a choice" $c/sched/a.c '#include "choose/choose.h"'
    self_test "refuse a path that includes its sibling" $c/path/shm/a.c '#include "path/cma/a.h"'
    self_test "refuse launch that includes job" $c/launch/a.c '#include "job/job.h"'
    self_test "refuse path that includes net" $c/path/a.c '#include "net/net.h"'
    self_test "refuse a network that includes its sibling" $c/net/ofi/a.c \
        '#include "net/delegated/a.h"'
    self_test "refuse launch that includes a path" $c/launch/a.c '#include "path/path.h"'
    self_test "refuse delegatee that includes a network" $c/delegatee/a.c '#include "net/net.h"'
    self_test "refuse deleg that includes delegatee" $c/deleg/a.c '#include "delegatee/a.h"'
    self_test "refuse explain that includes coll" $c/explain/a.c '#include "coll/comm.h"'
    self_test "refuse tune that includes explain" $c/tune/a.c '#include "explain/a.h"'
    self_test "refuse a binding that includes observe" $c/jni/a.c '#include "observe/a.h"'
    self_test "refuse pvas that includes boot" $c/pvas/a.c '#include "boot/boot.h"'
    self_test "refuse boot that includes pvas" $c/boot/a.c '#include "pvas/a.h"'
    self_test "refuse path that includes pvas" $c/path/direct/a.c '#include "pvas/a.h"'
    self_test "refuse job that includes launch" $c/job/a.c '#include "launch/a.h"'
    self_test "refuse verbs outside net/verbs" $c/net/ofi/a.c '#include <infiniband/verbs.h>'
    self_test "refuse libfabric outside net/ofi" $c/job/a.c '#  include <rdma/fabric.h>'
    self_test "refuse the uapi header outside path/kmod" $c/path/cma/a.c '#include "uapi/hayate.h"'
    self_test "refuse jni.h outside jni" $c/fmpl/a.c '#include <jni.h>'
    self_test "refuse a library loaded outside base" $c/net/ofi/a.c \
        '    void *a = dlopen(name, 2);'
    self_test "accept base/library.c that loads" $c/base/library.c \
        '    void *a = dlopen(name, 2);'
    self_test "refuse an include without its layer" $c/base/a.c '#include "status.h"'
    self_test "refuse an include through .." $c/base/a.c '#include "base/../job/job.h"'
    self_test "refuse an unknown layer" $c/misc/a.c 'int a;'
    self_test "refuse a native method outside internal" \
        $j/A.java '    private static native int x();'
    self_test "refuse JNA outside internal" $j/A.java 'import com.sun.jna.Native;'
    self_test "refuse a native method in a room of internal" \
        $j/internal/job/A.java '    private static native int x();'
    self_test "refuse JNA in a room of internal" $j/internal/job/A.java 'import com.sun.jna.Native;'
    self_test "refuse bindings that use job" $j/internal/bindings/A.java \
        'import io.hayate.internal.job.B;'
    self_test "refuse job that uses fmpl in Java" $j/internal/job/A.java \
        'import io.hayate.internal.fmpl.B;'
    self_test "refuse internal that uses what is built on it" $j/internal/fmpl/A.java \
        'import io.hayate.Communicator;'
    self_test "refuse internal that uses cli" $j/internal/A.java 'import io.hayate.cli.Main;'
    self_test "refuse what commands share that uses a command" $j/cli/output/A.java \
        'import io.hayate.cli.perf.B;'
    self_test "refuse a command that uses Main" $j/cli/perf/A.java 'import io.hayate.cli.Main;'
    self_test "refuse a room of cli that uses its sibling" $j/cli/perf/A.java \
        'import io.hayate.cli.explain.B;'
    self_test "accept a reason that is read at the native call" $j/A.java \
        '    int a = Errors.check(FmplBinding.x());
    int b = Errors.check(array == null
            ? FmplBinding.x() : FmplBinding.y());
    long c = FmplBinding.x();
    HayateException d = Errors.failure(c);'
    self_test "refuse a reason that is read later" $j/A.java '    int rc = FmplBinding.x();
    leave();
    Errors.check(rc);
    leave();'
    self_test "refuse a reason that is read by others" $j/A.java \
        '    String why = ErrorBinding.text();'
    self_test "refuse a library loaded outside internal" $j/A.java 'System.loadLibrary("x");'
    self_test "refuse a binding that loads a library" $j/internal/bindings/Hwloc.java \
        'NativeLibrary a = NativeLibrary.getInstance("x");'
    self_test "accept ForeignLibrary that loads" $j/internal/natives/ForeignLibrary.java \
        'NativeLibrary a = NativeLibrary.getInstance("x");'
}

case "${1:-}" in
--self-test)
    results=$(self_tests)
    printf '%s\n' "$results"
    ! grep -q '^not ok' <<<"$results"
    ;;
-*) hy_refuse "unknown option $1" ;;
*)
    check "${1:-.}" || { echo "check-layers: see docs/ARCHITECTURE.md for the layers" >&2; exit 1; }
    scripts/draw-layers.sh --check
    ;;
esac
