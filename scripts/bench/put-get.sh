#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures put against get in a persistent binomial broadcast, beside the estimate of the paper.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/put-get.sh [--ranks LIST] [--rounds R] [--ms MS] [--out DIR] [--no-build]

  --ranks LIST   default "4 16"; 2 ranks are always measured, because the estimate needs them
  --rounds R     of everything, default 5; the middle one counts
  --ms MS        for a size, default 200
  --out DIR      where the results go, default target/bench-put-get
  --no-build     measure Hayate as it is in target/, if it is there

Each call broadcasts data that the root has just written and that the others read. With more ranks
than CPUs the ranks block while they wait (HAYATE_WAIT=block).

writes DIR/put-get.md, put-get-N.png and .svg, results.jsonl and log.txt.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
RANKS="4 16" ROUNDS=5 MS=200 OUT="$ROOT/target/bench-put-get" INSTALL=0 BUILD=1 PACKAGES=""
SIZES=4,64,1024,4096,8192,16384,65536,262144,1048576,4194304
LIMIT=600 # seconds
. "$BENCH_SRC/lib/session.sh"
. "$BENCH_SRC/adapters/common.sh"

parse() {
    option --ranks RANKS '^[0-9]+( [0-9]+)*$' numbers
    option --rounds ROUNDS "$UP_TO_99" a number from 1 to 99
    option --ms MS "$A_NUMBER" a number
    parse_options "$@"
}

measure() { # RANKS
    local wait=adaptive
    [ "$1" -le "$(cpus)" ] || wait=block
    (HAYATE_WAIT=$wait java_run "$1" put-get PutGetBench "$SIZES" "$MS") \
        >>"$OUT/results.jsonl" 2>>"$OUT/log.txt" </dev/null || fail "$1 ranks"
}

FAILED=0
parse "$@"
open_session
: >"$OUT/results.jsonl"
: >"$OUT/log.txt"
: >"$OUT/failed.txt"
build_hayate
compile_java put-get PutGetBench.java
for round in $(seq "$ROUNDS"); do
    say "round $round of $ROUNDS: 2 $RANKS ranks"
    for ranks in 2 $RANKS; do
        measure "$ranks"
    done
done
summarise PutGet
cat "$OUT/put-get.md"
say "$FAILED failures; see $OUT"
[ "$FAILED" = 0 ]
