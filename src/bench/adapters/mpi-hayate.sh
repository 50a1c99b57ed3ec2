#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hayate's package mpi.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    BENCH_CLASSES="$ROOT/target/mpi-classes" compile_java mpi-hayate \
        MpiPlayer.java MpiCalls.java LineData.java Player.java
}

play() {
    java_run "$1" mpi-hayate MpiPlayer mpi "$2" "$3"
}

dispatch "$@"
