#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `run thread THREADS`: the figure `threads`.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_hayate
    need_nodes
    mkdir -p "$BENCH_BUILD/lib"
    tr : '\n' <"$ROOT/target/bench-classpath.txt" | xargs -d '\n' cp -u -t "$BENCH_BUILD/lib"
    find "$ROOT/target" -maxdepth 1 -regex '.*/hayate-[0-9.]+\.jar' \
        -exec cp {} "$BENCH_BUILD/lib/hayate.jar" \;
}

figure() {
    if [ "$BENCH_PATH" = shm ]; then
        "$ROOT/scripts/bench/figure.sh" "$@"
    else
        hydra_nodes 2 java -cp "$BENCH_BUILD/lib/*:$ROOT/target/bench-classes" \
            io.hayate.bench.figures.Figures "$@"
    fi
}

run() {
    [ "$1" = thread ] || return 0
    figure threads --threads "$2" --endpoints thread --bytes "$BENCH_BYTES" \
        --min-time "$BENCH_MS" --json | to_json
}

# Its line has both: half round trips and, in windows, the rate.
to_json() {
    sed -n '/"bench":"threads"/ {
        s/"threads","endpoints"/"pingpong","as":"threads","path"/
        h
        s/"messages_per_s":[^,]*,//p
        g
        s/"pingpong"/"rate"/
        s/"min_us":.*\("messages_per_s"\)/\1/p
    }'
}

dispatch "$@"
