#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What starting costs: an empty Java program under `hayate run`, and the same JVMs on their own.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command javac openjdk-17-jdk-headless
    mkdir -p "$BENCH_BUILD/empty"
    javac -d "$BENCH_BUILD/empty" "$BENCH_SRC/java/EmptyProgram.java"
}

jvms_alone() {
    local rank
    for rank in $(seq "$1"); do
        java -cp "$BENCH_BUILD/empty" EmptyProgram &
    done
    wait
}

under_hayate() {
    "$BENCH_HAYATE" run -n "$1" --bind none -- java -cp "$BENCH_BUILD/empty" EmptyProgram
}

# times RANKS FUNCTION: microseconds of seven runs, one a line.
times() {
    local try start
    for try in $(seq 7); do
        start="$(date +%s%N)"
        "$2" "$1" || return 1
        echo $((($(date +%s%N) - start) / 1000))
    done
}

# timed NAME RANKS FUNCTION: least, median and greatest; no figure when one of the runs failed.
timed() {
    local all
    all="$(times "$2" "$3")" || { echo "$1 failed" >&2; return 1; }
    sort -n <<<"$all" | awk -v impl="$1" -v ranks="$2" '
        { us[NR] = $1 }
        END {
            printf "{\"impl\":\"%s\",\"bench\":\"launch\",\"bytes\":0,\"ranks\":%d,", impl, ranks
            printf "\"path\":\"process\",\"buffers\":\"none\",\"min_us\":%d,", us[1]
            printf "\"median_us\":%d,", us[4]
            printf "\"p99_us\":%d,\"mb_per_s\":0}\n", us[7]
        }'
}

run() {
    [ "$1" = launch ] || return 0
    timed jvms-alone "$2" jvms_alone
    [ ! -x "$ROOT/target/hayate-run" ] || timed hayate-run "$2" under_hayate
}

dispatch "$@"
