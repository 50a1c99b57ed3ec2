#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures what grows with ranks, bytes, threads, communicators and persistent operations, and how
# fast.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/growth.sh [--only REGEX] [--ms MS] [--most-ranks N] [--out DIR] [--no-build]

  --only REGEX     some of ranks, bytes, threads, communicators, operations
  --ms MS          for each figure, default 200
  --most-ranks N   2, 4, 8 .. N processes, default 128, each a JVM of 60 MB or so
  --out DIR        where the results go, default target/bench-growth
  --no-build       measure Hayate as it is in target/, if it is there

Threads, communicators and operations are measured five times, and the fastest counts. Ranks beyond
the number of CPUs block while they wait (HAYATE_WAIT=block), and only C1 compiles their methods, or
128 JVMs would compile for minutes. The table has the exponent k of value ~ n^k, and what it must be
at most.

writes DIR/growth.md, growth.tsv and log.txt.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ONLY=. MS=200 MOST_RANKS=128 TURNS=5 OUT="$ROOT/target/bench-growth" INSTALL=0 BUILD=1 PACKAGES=""
. "$BENCH_SRC/lib/session.sh"
. "$BENCH_SRC/adapters/common.sh"

parse() {
    option --only ONLY . a regular expression
    option --ms MS "$A_NUMBER" a number
    option --most-ranks MOST_RANKS "$A_NUMBER" a number
    parse_options "$@"
}

wanted() {
    [[ $1 =~ $ONLY ]]
}

# series NAME COMMAND..: its lines, with the name before each.
series() {
    local name=$1
    shift
    ("$@") 2>>"$OUT/log.txt" </dev/null | sed "s/^/$name\t/" >>"$OUT/growth.tsv" || fail "$name"
}

growth() { # growth RANKS ARGUMENT...
    local ranks=$1 tier=4
    shift
    if [ "$ranks" -gt "$(cpus)" ]; then
        export HAYATE_WAIT=block
        tier=1
    fi
    HAYATE_HEAP=64M java_run "$ranks" growth "-XX:TieredStopAtLevel=$tier" GrowthBench "$@"
}

# perf FIELD COMMAND..: lines "message us<TAB>FIELD<TAB>median".
perf() {
    local field=$1
    shift
    "$ROOT/scripts/hayate" perf "$@" --min-time "$MS" --json | awk -v field="$field" '
        function of(name) {
            if (!match($0, "\"" name "\":[0-9.e-]+")) exit 1
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
        }
        { print "message us\t" of(field) "\t" of("median_us") }'
}

FAILED=0
parse "$@"
open_session
: >"$OUT/growth.tsv"
: >"$OUT/log.txt"
: >"$OUT/failed.txt"
build_hayate
compile_java growth GrowthBench.java
if wanted ranks; then
    for ((ranks = 2; ranks <= MOST_RANKS; ranks *= 2)); do
        say "$ranks ranks"
        series ranks growth $ranks ranks "$MS"
    done
fi
if wanted bytes; then
    say "messages of 8 B to 64 MB"
    series bytes perf bytes pingpong --bytes 8,64,512,4K,32K,256K,2M,16M,64M
fi
# Series of short times on two ranks: the distance of two virtual CPUs changes within seconds.
for ((turn = 1; turn <= TURNS; turn++)); do
    if wanted threads; then
        for ((threads = 1; threads <= 64; threads *= 2)); do
            say "$threads threads"
            series threads perf threads rate --threads $threads
        done
    fi
    if wanted communicators; then
        say "1 to 64 communicators"
        series communicators growth 2 communicators "$MS" 1,2,4,8,16,32,64
    fi
    if wanted operations; then
        say "1 to 1000 persistent operations"
        series operations growth 2 operations "$MS" 1,3,10,32,100,320,1000
    fi
done
awk -f "$BENCH_SRC/tables/growth.awk" "$BENCH_SRC/tables/growth-expected.tsv" "$OUT/growth.tsv" |
    tee "$OUT/growth.md"
say "$FAILED failures; see $OUT"
[ "$FAILED" = 0 ]
