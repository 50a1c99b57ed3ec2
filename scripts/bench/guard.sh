#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the speed of two states of Hayate, measured in turn: before a change of the hot path is
# committed, it says what the change costs.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/guard.sh [--minutes M] [--base COMMIT] [--out DIR] [--no-build]

  --minutes M     of measurements, default 5
  --base COMMIT   what this checkout, as it is, is compared with; default HEAD, or the commit before
                  it if nothing has been changed since
  --out DIR       where the results and the base's checkout go, default target/guard
  --no-build      measure both as they are built

Messages of 8 B to 1 MB, 8 B in one direction, an allreduce and a barrier of two ranks, all in Java
on data that change. The two states take turns, A B B A, so that a change of the machine's speed
meets both. The table has the median of the ratios of all turns, with the interval that contains
it with a confidence of 95 %: "slower" and "faster" are said when the whole interval is beyond 2 %.
Where the host moves virtual CPUs, the interval is wide: "fastest" compares the fastest samples of
all turns.

writes DIR/guard.md, results.jsonl and log.txt. Ends with 1 when something became slower.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
MINUTES=5 BASE="" OUT="$ROOT/target/guard" BUILD=1
CASES=("pingpong --bytes 8,128,2K,64K,1M" "rate --bytes 8" "allreduce --bytes 8,8K" "barrier")
MILLIS=60 # of samples for each size; the JVM's own warm-up takes 1.5 s
LIMIT=120 # seconds; a measurement takes some

. "$BENCH_SRC/lib/options.sh"

say() {
    echo "guard: $*" >&2
}

parse() {
    option --minutes MINUTES "$UP_TO_99" a number from 1 to 99
    option --base BASE . a commit
    parse_options "$@"
    [ -n "$BASE" ] || BASE="$(default_base)"
    BASE="$(git -C "$ROOT" rev-parse --verify --quiet "$BASE^{commit}")" ||
        refuse "--base: no such commit"
}

default_base() {
    if [ -n "$(git -C "$ROOT" status --porcelain --untracked-files=no)" ]; then
        echo HEAD
    else
        echo HEAD~1
    fi
}

# The base in a checkout of its own.
check_out() {
    local old="$OUT/base"
    if [ "$(git -C "$old" rev-parse HEAD 2>/dev/null)" != "$BASE" ] || [ ! -e "$old/.git" ]; then
        git -C "$ROOT" worktree remove --force "$old" >>"$OUT/log.txt" 2>&1 || rm -rf "$old"
        git -C "$ROOT" worktree prune
        git -C "$ROOT" worktree add --detach "$old" "$BASE" >>"$OUT/log.txt" 2>&1
    fi
}

build() { # build CHECKOUT
    say "building $1"
    "$1/scripts/build.sh" -Dhayate.checks.skip=true -Dmaven.javadoc.skip >>"$OUT/log.txt" 2>&1 ||
        { say "cannot build $1, see $OUT/log.txt"; exit 2; }
}

# Data are fresh where both states can have them so.
choose_options() {
    STALE=()
    "$OUT/base/scripts/hayate" perf --help 2>/dev/null | grep -q -- --stale || {
        say "the base leaves its data as they are; so do both"
        STALE=(--stale)
    }
}

measure() { # measure TURN STATE CHECKOUT OPTION...
    local one turn=$1 state=$2 checkout=$3
    shift 3
    for one in "${CASES[@]}"; do
        # shellcheck disable=SC2086
        timeout -k 5 "$LIMIT" "$checkout/scripts/hayate" perf $one --json --min-time "$MILLIS" \
            "$@" 2>>"$OUT/log.txt" </dev/null |
            sed -n "s/^{/{\"turn\":$turn,\"state\":\"$state\",/p" >>"$OUT/results.jsonl" ||
            { say "$state: perf $one failed, see $OUT/log.txt"; exit 2; }
    done
}

turns() {
    local turn=0 end=$((SECONDS + 60 * MINUTES))
    while ((SECONDS < end)); do
        turn=$((turn + 1))
        if ((turn % 2)); then
            measure "$turn" base "$OUT/base"
            measure "$turn" new "$ROOT" "${STALE[@]}"
        else
            measure "$turn" new "$ROOT" "${STALE[@]}"
            measure "$turn" base "$OUT/base"
        fi
    done
    say "$turn turns"
}

parse "$@"
mkdir -p "$OUT"
OUT="$(cd "$OUT" && pwd)"
: >"$OUT/log.txt"
: >"$OUT/results.jsonl"
check_out
if [ "$BUILD" = 1 ]; then
    build "$OUT/base"
    build "$ROOT"
fi
choose_options
turns
rc=0
awk -f "$BENCH_SRC/tables/guard.awk" "$OUT/results.jsonl" >"$OUT/guard.md" || rc=$?
cat "$OUT/guard.md"
exit "$rc"
