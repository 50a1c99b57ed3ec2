#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures Hayate, its peers and the machine itself in turn, several rounds, and writes a table,
# JSON and plots. How it measures: src/bench/README.md.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench.sh [--rounds R] [--quick] [--only REGEX] [--out DIR]
                        [--no-install] [--no-build] [--no-jmh]
       scripts/bench.sh --guard ...    see scripts/bench/guard.sh --help

  --rounds R     rounds of all measurements, default 5; the median of the rounds counts
  --quick        2 rounds, few sizes, short samples: minutes become one, figures get noisy
  --only REGEX   only what matches, of lines such as "pingpong 2 openmpi-c" (bench ranks impl)
  --out DIR      where the results go, default target/bench
  --no-install   do not install missing Debian packages, even as root
  --no-build     measure Hayate as it is in target/, if it is there
  --no-jmh       leave the micro-benchmarks of scripts/bench/jmh.sh out

BENCH_WITH="chrt -r 10" starts every measurement with this command, here before all other processes:
for a machine that is not idle. SIZES=8,2048 measures other sizes of a ping-pong.

writes DIR/table.md, targets.md, summary.json, results.jsonl, log.txt and plots (png and svg).
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ADAPTERS="raw hayate-java hayate-c openmpi-c openmpi-java mpich-c ucx launch"
ROUNDS="" QUICK=0 ONLY="." OUT="$ROOT/target/bench" INSTALL=1 BUILD=1 JMH=1
PACKAGES="gcc openmpi-bin libopenmpi-dev mpich libmpich-dev ucx-utils maven openjdk-17-jdk-headless
    fontconfig fonts-dejavu-core libfreetype6"
. "$BENCH_SRC/lib/session.sh"

parse() {
    if [ "${1:-}" = --guard ]; then
        exec "$ROOT/scripts/bench/guard.sh" "${@:2}"
    fi
    option --rounds ROUNDS "$UP_TO_99" a number from 1 to 99
    option --only ONLY . a regular expression
    flag --quick QUICK 1
    flag --no-jmh JMH 0
    flag --no-install INSTALL 0
    parse_options "$@"
    if [ "$QUICK" = 1 ]; then
        ROUNDS="${ROUNDS:-2}" BENCH_MS=60
        SIZES=${SIZES:-8,2048,8192,65536,1048576} MANY="4"
    else
        ROUNDS="${ROUNDS:-5}" BENCH_MS=250
        SIZES=${SIZES:-8,128,2048,8192,65536,262144,524288,1048576,8388608} MANY="4 8"
    fi
}

# line_now NAME: what a cache line takes at the moment, as a JSON member; nothing when that cannot
# be told.
line_now() {
    "$BENCH_BUILD/raw_bench" pingpong --ms 10 2>/dev/null |
        sed -n 's/.*"median_us":\([0-9.]*\).*/"'"$1"'":\1,/p'
}

# measure ROUND BENCH RANKS BYTES: every adapter in turn. Virtual CPUs move: each line also says
# what a cache line took just before and just after.
measure() {
    local adapter line limit=120
    [ "$QUICK" = 0 ] || limit=60
    for adapter in $READY; do
        [[ "$2 $3 $adapter" =~ $ONLY ]] || continue
        echo "# round $1: $adapter $2, $3 ranks" >>"$OUT/log.txt"
        line="$(line_now line_us || true)"
        # shellcheck disable=SC2086
        ${BENCH_WITH:-} timeout -k 5 "$limit" "$BENCH_SRC/adapters/$adapter.sh" run "$2" "$3" "$4" \
            >"$OUT/lines" 2>>"$OUT/log.txt" </dev/null ||
            fail "$adapter $2 on $3 ranks, round $1 (code $?)"
        line+="$(line_now line_after_us || true)"
        grep -v '^{' "$OUT/lines" >>"$OUT/log.txt" || true
        sed -n "s/^{/{\"round\":$1,$line/p" "$OUT/lines" >>"$OUT/results.jsonl"
    done
    rm -f "$OUT/lines"
}

one_round() {
    local ranks bytes
    for bytes in ${SIZES//,/ }; do # all take turns within seconds, before the CPUs have moved
        measure "$1" pingpong 2 "$bytes"
    done
    for ranks in 2 $MANY; do
        measure "$1" bcast "$ranks" 8192
        measure "$1" allreduce "$ranks" 8,8192,262144
        measure "$1" barrier "$ranks" 8
    done
    measure "$1" launch 4 0
    [ "$1" != 1 ] || measure "$1" blocked 2 8
}

run_jmh() {
    [ "$JMH" = 1 ] && [ -x "$ROOT/scripts/bench/jmh.sh" ] && [[ "jmh" =~ $ONLY ]] || return 0
    say "micro-benchmarks (scripts/bench/jmh.sh)"
    "$ROOT/scripts/bench/jmh.sh" >"$OUT/jmh.txt" 2>>"$OUT/log.txt" </dev/null ||
        fail "scripts/bench/jmh.sh"
}

main() {
    local round FAILED=0
    parse "$@"
    open_session
    export BENCH_MS
    rm -f "$OUT"/{results.jsonl,table.md,targets.md,summary.json,jmh.txt,failed.txt,log.txt} \
        "$OUT"/*.png "$OUT"/*.svg
    touch "$OUT/results.jsonl" "$OUT/failed.txt"
    install_packages
    build_hayate
    {
        environment
        printf '%s\n' "rounds=$ROUNDS" "sample_ms=$BENCH_MS" "only=$ONLY"
    } >"$OUT/environment.txt"
    prepare
    for round in $(seq "$ROUNDS"); do
        say "round $round of $ROUNDS:$READY"
        one_round "$round"
    done
    echo "load_at_end=$(cut -d' ' -f1-3 /proc/loadavg)" >>"$OUT/environment.txt"
    run_jmh
    summarise Summary
    [ ! -f "$OUT/targets.md" ] || cat "$OUT/table.md" "$OUT/targets.md"
    say "$(wc -w <<<"$READY") adapters measured, $SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
