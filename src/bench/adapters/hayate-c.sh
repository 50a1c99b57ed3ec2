#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_hayate
    compile_hayate hayate_bench c/hayate_bench.c c/harness.c c/samples.c
}

bench() {
    local ranks="$1"
    shift
    (hayate_run "$ranks" -- "$BENCH_BUILD/hayate_bench" "$@" --ms "$BENCH_MS")
}

run() {
    case "$1" in
        pingpong)
            bench "$2" pingpong --bytes "$3" --buffers heap
            bench "$2" pingpong --bytes "$3" --buffers direct ;;
        bcast|reduce|allreduce|barrier|blocked)
            bench "$2" "$1" --bytes "$3" --buffers heap ;;
    esac
}

dispatch "$@"
