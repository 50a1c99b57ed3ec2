#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The physical limit: no library at all.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command gcc gcc
    compile gcc raw_bench c/raw_bench.c c/samples.c
}

run() {
    [ "$1" = pingpong ] || return 0
    "$BENCH_BUILD/raw_bench" pingpong --ms "$BENCH_MS"
    "$BENCH_BUILD/raw_bench" pull --bytes "$3" --ms "$((BENCH_MS / 4 + 1))"
    "$BENCH_BUILD/raw_bench" memcpy --bytes "$3" --ms "$((BENCH_MS / 4 + 1))"
    # Containers may forbid it; the reason is in the log and the other figures stand.
    "$BENCH_BUILD/raw_bench" cma --bytes "$3" --ms "$((BENCH_MS / 4 + 1))" || true
}

dispatch "$@"
