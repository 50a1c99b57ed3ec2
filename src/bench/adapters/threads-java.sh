#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `run thread THREADS`: `hayate perf threads`.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_hayate
}

run() {
    [ "$1" = thread ] || return 0
    "$BENCH_HAYATE" perf threads --threads "$2" --endpoints thread --min-time "$BENCH_MS" --json |
        sed -n 's/"bench":"threads","endpoints"/"bench":"pingpong","as":"threads","path"/p'
}

dispatch "$@"
