#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `run SERIES THREADS`: thread (an endpoint for each), a number (a free list of so many), processes.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_hayate
    need_nodes
    compile_hayate hayate_threads -pthread c/hayate_threads.c c/threads.c c/samples.c
}

run() {
    local ranks=2 bind=none options=(--threads "$2" --bytes "$BENCH_BYTES" --ms "$BENCH_MS")
    case "$1" in
        processes) ranks=$((2 * $2)); options+=(--processes) ;;
        thread) export HAYATE_ENDPOINTS=auto ;;
        [1-9]*) export HAYATE_ENDPOINTS="$1" ;;
        *) return 0 ;;
    esac
    [ "$BENCH_PATH" = shm ] ||
        hydra_nodes "$ranks" "$BENCH_BUILD/hayate_threads" "${options[@]}"
    [ "$2" != 1 ] || [ "$(cpus)" -lt 2 ] || bind=core
    exec "$ROOT/target/hayate-run" -n "$ranks" --bind "$bind" -- \
        "$BENCH_BUILD/hayate_threads" "${options[@]}"
}

dispatch "$@"
