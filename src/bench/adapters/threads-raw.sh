#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `run line 1`: a cache line handed to and fro, and above 8 bytes data that one core writes and the
# other reads from where they are, which nothing can beat.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    [ "$BENCH_PATH" = shm ] || skip "a cache line is of one node"
    need_command gcc gcc
    compile gcc raw_bench c/raw_bench.c c/samples.c
}

run() {
    local bench=pull
    [ "$1 $2" = "line 1" ] || return 0
    [ "$BENCH_BYTES" != 8 ] || bench=pingpong
    "$BENCH_BUILD/raw_bench" "$bench" --bytes "$BENCH_BYTES" --ms "$BENCH_MS" |
        sed -E -e 's/"ranks":2,"path":"[a-z]*"/"path":"line","as":"threads","threads":1/' \
            -e 's/"bench":"pull"/"bench":"pingpong"/'
}

dispatch "$@"
