#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `run line 1`: a cache line handed to and fro, which nothing can beat.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    [ "$BENCH_PATH" = shm ] || skip "a cache line is of one node"
    need_command gcc gcc
    compile gcc raw_bench c/raw_bench.c c/samples.c
}

run() {
    [ "$1 $2" = "line 1" ] || return 0
    "$BENCH_BUILD/raw_bench" pingpong --ms "$BENCH_MS" |
        sed 's/"ranks":2,"path":"cacheline"/"path":"line","as":"threads","threads":1/'
}

dispatch "$@"
