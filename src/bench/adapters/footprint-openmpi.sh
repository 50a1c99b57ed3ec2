#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.openmpi libopenmpi-dev
    need_command mpirun.openmpi openmpi-bin
    compile mpicc.openmpi openmpi_footprint mpi/mpi_footprint.c
}

run() { # run BENCH RANKS BYTES ROUNDS
    # shellcheck disable=SC2046
    mpirun.openmpi $(openmpi_options "$2") "$BENCH_BUILD/openmpi_footprint" "$3" "$4"
}

dispatch "$@"
