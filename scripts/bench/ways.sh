#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures messages by each way, from any memory, beside Open MPI and what the machine allows;
# and 8 bytes between processes and between tasks. Writes a table of ratios.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/ways.sh [--rounds R] [--out DIR] [--no-install] [--no-build]

  --rounds R     of everything, default 9; the middle one counts
  --out DIR      where the results go, default target/bench-ways
  --no-install   do not install missing Debian packages, even as root
  --no-build     measure Hayate as it is in target/, if it is there

Two ranks on two CPUs, half round trips, from and to memory outside of the symmetric heap: tasks of
one address space by "direct", processes by "cma" (the kernel copies) and by "pipeline" (blocks
through shared memory); up to 16 KB processes by "eager", which copies into a buffer and does not
wait for the receive (as Hayate does up to 4 KB if nothing is set); Open MPI. Beside them a memcpy
by one core of its own data, and the "handover": a core copies what the other one has, as soon as
it is told by a cache line. Every sender writes its data before it sends them, and every receiver
reads them. Protocols that this machine does not have are left out: tasks need what
hayate-pvas(7) says, "cma" a system that lets processes copy.

writes DIR/ways.md, results.jsonl, environment.txt, skipped.txt, failed.txt and log.txt.
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ADAPTERS="raw hayate-c openmpi-c"
ROUNDS=9 OUT="$ROOT/target/bench-ways" INSTALL=1 BUILD=1
PACKAGES="gcc openmpi-bin libopenmpi-dev maven openjdk-17-jdk-headless"
SIZES="256 1024 4096 16384 32768 65536 131072 262144 524288 1048576 2097152 4194304 8388608"
EAGER=16384 # the longest message without waiting for a receive
MILLIS=60
SECONDS_EACH=60 # a measurement takes less than one
. "$BENCH_SRC/lib/session.sh"
. "$BENCH_SRC/adapters/common.sh"

parse() {
    option --rounds ROUNDS "$UP_TO_99" a number from 1 to 99
    flag --no-install INSTALL 0
    parse_options "$@"
}

limited() { # limited COMMAND...: one that hangs is ended, and has failed
    timeout -k 5 "$SECONDS_EACH" "$@"
}

# hayate BYTES BUFFERS OPTION...: of `hayate run`.
hayate() {
    local bytes="$1" buffers="$2"
    shift 2
    limited "$ROOT/target/hayate-run" -n 2 --bind core "$@" -- \
        "$BENCH_BUILD/hayate_bench" pingpong --bytes "$bytes" --buffers "$buffers" --ms "$MILLIS"
}

open_mpi() { # open_mpi BYTES
    # shellcheck disable=SC2046
    limited mpirun.openmpi $(openmpi_options 2) "$BENCH_BUILD/openmpi_bench" pingpong --bytes "$1" \
        --ms "$MILLIS"
}

run() { # run WAY BYTES: prints JSON
    case "$1" in
        memcpy|handover) limited "$BENCH_BUILD/raw_bench" "$1" --bytes "$2" --ms "$MILLIS" ;;
        direct) hayate "$2" direct --pvas -x HAYATE_RENDEZVOUS=direct -x HAYATE_EAGER_LIMIT=56 ;;
        cma|pipeline) hayate "$2" direct -x HAYATE_RENDEZVOUS="$1" -x HAYATE_EAGER_LIMIT=56 ;;
        eager) hayate "$2" direct -x HAYATE_EAGER_LIMIT="$EAGER" ;;
        processes) hayate "$2" heap ;;
        tasks) hayate "$2" heap --pvas ;;
        openmpi) open_mpi "$2" ;;
    esac
}

# find_ways LIST ADAPTER WAY...: adds those that work to LIST. Tasks and copies by the kernel are
# not everywhere; what every machine has cannot be missing: then something is wrong.
find_ways() {
    local -n found="$1"
    local way
    [[ " $READY " == *" $2 "* ]] || return 0
    for way in "${@:3}"; do
        if run "$way" 65536 >/dev/null 2>"$OUT/reason.txt" </dev/null; then
            found+=("$way")
        elif [[ "$way" =~ ^(direct|cma|tasks)$ ]]; then
            echo "$way: $(head -n 1 "$OUT/reason.txt")" | tee -a "$OUT/skipped.txt" |
                sed 's/^/bench: skipped /' >&2
        else
            fail "trial of $way: $(head -n 1 "$OUT/reason.txt")"
        fi
        cat "$OUT/reason.txt" >>"$OUT/log.txt"
    done
    rm -f "$OUT/reason.txt"
}

measure() { # measure ROUND WAY BYTES
    local line
    line="$(run "$2" "$3" 2>>"$OUT/log.txt" </dev/null | grep -m 1 '^{')" ||
        { fail "round $*"; return 0; }
    echo "{\"round\":$1,\"way\":\"$2\",${line:1}" >>"$OUT/results.jsonl"
}

measure_round() { # measure_round ROUND
    local bytes way
    for bytes in $SIZES; do
        for way in "${WAYS[@]}"; do
            [ "$way" = eager ] && ((bytes > EAGER)) || measure "$1" "$way" "$bytes"
        done
    done
    for way in "${SHORT_WAYS[@]}"; do
        measure "$1" "$way" 8
    done
}

# Ratios are taken within each round; the middle one counts, the least and the most stand behind it.
table() {
    awk -F'[:,]' '
    function sort(list, n,    i, j, t) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
                t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
            }
    }
    function three(value) { # digits or more, without an exponent
        return sprintf(value >= 100 ? "%.0f" : value < 0.001 ? "%.5f" : "%.3g", value)
    }
    function cell(bytes, way, unit,    n, r, list, base) {
        n = 0
        for (r = 1; r <= rounds; r++) {
            base = unit == "" ? 1 : time[bytes, unit, r]
            if (base && (bytes, way, r) in time) list[++n] = time[bytes, way, r] / base
        }
        if (!n) return " - |"
        sort(list, n)
        return " " three(list[int((n + 1) / 2)]) " (" three(list[1]) " .. " three(list[n]) ") |"
    }
    {
        for (i = 1; i < NF; i++) {
            gsub(/[{}"]/, "", $i)
            value[$i] = $(i + 1)
            gsub(/"/, "", value[$i])
        }
        time[value["bytes"], value["way"], value["round"]] = value["median_us"]
        if (value["round"] + 0 > rounds) rounds = value["round"] + 0
    }
    END {
        print "| bytes | direct, us | handover | memcpy | cma | pipeline | eager | Open MPI |"
        print "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        n = split("'"$SIZES"'", sizes, " ")
        for (i = 1; i <= n; i++) {
            b = sizes[i]
            print "| " b " |" cell(b, "direct", "") cell(b, "handover", "direct") \
                cell(b, "memcpy", "direct") cell(b, "cma", "direct") \
                cell(b, "pipeline", "direct") cell(b, "eager", "direct") \
                cell(b, "openmpi", "direct")
        }
        print "\n| 8 bytes, us | processes | tasks through processes |\n| --- | ---: | ---: |"
        print "| |" cell(8, "processes", "") cell(8, "tasks", "processes")
    }' "$OUT/results.jsonl"
}

summary() {
    echo "# Messages by protocols"
    echo
    echo "The time of half a round trip by *direct*, and that of the others through it: above 1"
    echo "*direct* is the faster one. In brackets the least and the most of $ROUNDS rounds."
    echo
    table
    echo
    sed 's/^/    /' "$OUT/environment.txt"
}

main() {
    local round FAILED=0
    parse "$@"
    open_session
    rm -f "$OUT"/{ways.md,results.jsonl,failed.txt,log.txt}
    touch "$OUT"/{results.jsonl,failed.txt,log.txt}
    [ "$INSTALL" = 0 ] || install_packages
    build_hayate
    prepare
    WAYS=() SHORT_WAYS=()
    find_ways WAYS raw memcpy handover
    find_ways WAYS hayate-c direct cma pipeline eager
    find_ways WAYS openmpi-c openmpi
    find_ways SHORT_WAYS hayate-c processes tasks
    { environment; echo "rounds=$ROUNDS"; } >"$OUT/environment.txt"
    for round in $(seq "$ROUNDS"); do
        say "round $round of $ROUNDS: ${WAYS[*]} ${SHORT_WAYS[*]}"
        measure_round "$round"
    done
    summary >"$OUT/ways.md"
    sed '/^    /d' "$OUT/ways.md"
    say "results in $OUT; $FAILED failed, $(wc -l <"$OUT/skipped.txt") skipped"
    [ "$FAILED" = 0 ]
}

main "$@"
