#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures data and a flag between two ranks against the number of their threads: the global
# space beside MPI under MPI_THREAD_MULTIPLE, UCX, and as many processes; inside of a node or
# between two that are both this machine.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/threads.sh [--path shm|tcp|verbs] [--rounds R] [--bytes LIST]
                                [--threads LIST] [--ms MS] [--out DIR] [--no-install] [--no-build]

  --path PATH      shm (default): inside of a node; tcp: between two nodes, over loopback; verbs:
                   between two nodes of the virtual machine (scripts/lab/vm.sh), over soft-RoCE
  --rounds R       of everything, default 5; ratios are taken within each, the middle one counts
  --bytes LIST     of a put or message, multiples of 8 up to 65536, default 8
  --threads LIST   of each rank, default 1,2,4,8
  --ms MS          for the samples of a case, default 100
  --out DIR        where the results go, default target/bench-threads/PATH
  --no-install     do not install missing Debian packages, even as root
  --no-build       measure Hayate as it is in target/, if it is there

All series take turns in every round. Ranks are bound to a core each with one thread inside of a
node, and free otherwise, for all libraries alike. What is not installed, or has no such path, is
skipped, and the table says so.

writes DIR/threads.md, short.md (medians only), threads.png, threads-*.svg, results.jsonl,
environment.txt, failed.txt and log.txt.
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ADAPTERS="threads-raw threads-ucx threads-hayate threads-java threads-openmpi threads-mpich"
BENCH_PATH=shm ROUNDS=5 BYTES=8 THREADS="1 2 4 8" BENCH_MS=100 OUT="" INSTALL=1 BUILD=1
PACKAGES="gcc openmpi-bin libopenmpi-dev mpich libmpich-dev ucx-utils maven openjdk-17-jdk-headless"
LIMIT=120
. "$BENCH_SRC/lib/session.sh"

parse() {
    local one='([1-9]|[1-5][0-9]|6[0-4])'
    option --path BENCH_PATH '^(shm|tcp|verbs)$' shm, tcp or verbs
    option --rounds ROUNDS "$UP_TO_99" a number from 1 to 99
    option --bytes BYTES . numbers
    option --threads THREADS "^$one([ ,]$one)*\$" numbers from 1 to 64
    option --ms BENCH_MS "$A_NUMBER" a number
    flag --no-install INSTALL 0
    parse_options "$@"
    BYTES="${BYTES//,/ }" THREADS="${THREADS//,/ }"
    check_bytes
    OUT="${OUT:-$ROOT/target/bench-threads/$BENCH_PATH}"
}

check_bytes() {
    local each
    [[ "$BYTES" =~ ^[1-9][0-9]{0,4}( [1-9][0-9]{0,4})*$ ]] ||
        { echo "--bytes: numbers, not '$BYTES'" >&2; exit 2; }
    for each in $BYTES; do
        [ "$each" -le 65536 ] && [ $((each % 8)) = 0 ] ||
            { echo "--bytes: multiples of 8 up to 65536, not '$each'" >&2; exit 2; }
    done
}

# In the virtual machine this checkout is /hayate, and what is written goes to /share.
measure() {
    local rounds=(env "READY=$READY" "ROUNDS=$ROUNDS" "BYTES=$BYTES" "THREADS=$THREADS"
        "LIMIT=$LIMIT")
    if [ "$BENCH_PATH" != verbs ]; then
        "${rounds[@]}" OUT="$OUT" bash "$BENCH_SRC/lib/threads-rounds.sh"
        return
    fi
    "$ROOT/scripts/lab/vm.sh" run --rdma --limit $((ROUNDS * 3600)) --share "$OUT" -- \
        "${rounds[@]}" OUT=/share ROOT=/hayate BENCH_SRC=/hayate/src/bench \
        BENCH_BUILD=/share/build BENCH_PATH=verbs "BENCH_MS=$BENCH_MS" \
        bash /hayate/src/bench/lib/threads-rounds.sh
}

# One row a series, size and number of threads: medians over rounds of the figures; how many times
# longer than the global space with an endpoint for each thread.
table() { # table SHORT
    awk -v short="$1" -f "$BENCH_SRC/tables/threads.awk" "$OUT/results.jsonl"
    echo
    echo "Loads: $(sed -n 's/^load_/load_/p' "$OUT/environment.txt" | paste -sd' ')."
    [ ! -s "$OUT/skipped.txt" ] || sed 's/^/Skipped: /' "$OUT/skipped.txt"
    [ ! -s "$OUT/failed.txt" ] || sed 's/^/Failed: /' "$OUT/failed.txt"
}

main() {
    local FAILED=0
    parse "$@"
    open_session
    export BENCH_MS BENCH_PATH
    rm -f "$OUT"/{results.jsonl,threads.md,short.md,failed.txt,log.txt} "$OUT"/threads*.{png,svg}
    touch "$OUT/results.jsonl" "$OUT/failed.txt"
    install_packages
    build_hayate
    {
        environment
        printf '%s\n' "path=$BENCH_PATH" "rounds=$ROUNDS" "sample_ms=$BENCH_MS"
    } >"$OUT/environment.txt"
    prepare
    measure || fail "the rounds ended early (code $?)"
    FAILED=$((FAILED + $(wc -l <"$OUT/failed.txt")))
    echo "load_at_end=$(cut -d' ' -f1-3 /proc/loadavg)" >>"$OUT/environment.txt"
    summarise Threads
    table 0 >"$OUT/threads.md"
    table 1 >"$OUT/short.md"
    cat "$OUT/threads.md"
    say "$(wc -w <<<"$READY") adapters measured, $SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
