#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.openmpi libopenmpi-dev
    need_command mpirun.openmpi openmpi-bin
    compile mpicc.openmpi openmpi_bench mpi/mpi_bench.c c/harness.c c/samples.c
}

run() {
    case "$1" in pingpong|bcast|reduce|allreduce|barrier|blocked) ;; *) return 0 ;; esac
    # shellcheck disable=SC2046
    mpirun.openmpi $(openmpi_options "$2") "$BENCH_BUILD/openmpi_bench" "$1" --bytes "$3" \
        --ms "$BENCH_MS"
}

dispatch "$@"
