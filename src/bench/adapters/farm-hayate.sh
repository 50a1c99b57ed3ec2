#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    compile_java farm-hayate FarmBench.java GatherBench.java
}

run() {
    case "$1" in
        farm) java_run "$2" farm-hayate FarmBench "$BENCH_MS" ;;
        gather) java_run "$2" farm-hayate GatherBench "$BENCH_MS" ;;
    esac
}

dispatch "$@"
