#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures a farm that receives from any source beside Open MPI's, and a gather in one call beside a
# persistent one. Writes a table of ratios.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/farm.sh [--rounds R] [--ms MS] [--out DIR] [--no-install] [--no-build]

  --rounds R     of everything, default 5; ratios are taken within each, the middle one counts
  --ms MS        for the samples of a case, default 500
  --out DIR      where the results go, default target/bench-farm
  --no-install   do not install missing Debian packages, even as root
  --no-build     measure Hayate as it is in target/, if it is there

farm    8 ranks: rank 0 receives 8 bytes from whichever rank has sent them, and answers with 8
        bytes; the time for one answer. AnySource in Java beside MPI_ANY_SOURCE in C (Open MPI)
gather  4 ranks, 8 bytes of each: Communicator.gather beside a persistent gather, in Java

The data change with every message, and are checked. What is not installed is skipped.

writes DIR/farm.md, results.jsonl, environment.txt, skipped.txt, failed.txt and log.txt.
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ADAPTERS="farm-hayate farm-openmpi"
ROUNDS=5 BENCH_MS=500 OUT="$ROOT/target/bench-farm" INSTALL=1 BUILD=1
PACKAGES="gcc openmpi-bin libopenmpi-dev maven openjdk-17-jdk-headless"
LIMIT=60 # seconds; a measurement takes a few
. "$BENCH_SRC/lib/session.sh"

parse() {
    option --rounds ROUNDS "$UP_TO_99" a number from 1 to 99
    option --ms BENCH_MS "$A_NUMBER" a number
    flag --no-install INSTALL 0
    parse_options "$@"
}

measure() { # ROUND ADAPTER BENCH RANKS
    local code=0
    timeout -k 5 "$LIMIT" "$BENCH_SRC/adapters/$2.sh" run "$3" "$4" 8 \
        >"$OUT/lines" 2>>"$OUT/log.txt" </dev/null || code=$?
    [ "$code" = 0 ] || fail "$2 $3, round $1 (code $code)"
    sed -n "s/^{/{\"round\":$1,/p" "$OUT/lines" >>"$OUT/results.jsonl"
    rm -f "$OUT/lines"
}

# The order changes from round to round.
rounds() {
    local round adapter order
    for round in $(seq "$ROUNDS"); do
        say "round $round of $ROUNDS:$READY"
        order="$READY"
        [ $((round % 2)) = 1 ] || order="$(printf '%s\n' $READY | tac)"
        for adapter in $order; do
            measure "$round" "$adapter" farm 8
            measure "$round" "$adapter" gather 4
        done
    done
}

table() {
    awk -f "$BENCH_SRC/tables/farm.awk" "$OUT/results.jsonl"
    echo
    echo "Loads: $(sed -n 's/^load_/load_/p' "$OUT/environment.txt" | paste -sd' ')."
    [ ! -s "$OUT/skipped.txt" ] || sed 's/^/Skipped: /' "$OUT/skipped.txt"
    [ ! -s "$OUT/failed.txt" ] || sed 's/^/Failed: /' "$OUT/failed.txt"
}

main() {
    local FAILED=0
    parse "$@"
    open_session
    export BENCH_MS
    rm -f "$OUT"/{results.jsonl,farm.md,failed.txt,log.txt}
    touch "$OUT/results.jsonl"
    install_packages
    build_hayate
    environment >"$OUT/environment.txt"
    prepare
    rounds
    echo "load_at_end=$(cut -d' ' -f1-3 /proc/loadavg)" >>"$OUT/environment.txt"
    table >"$OUT/farm.md"
    cat "$OUT/farm.md"
    say "$(wc -w <<<"$READY") adapters measured, $SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
