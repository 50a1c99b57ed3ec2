#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.mpich libmpich-dev
    need_command mpirun.mpich mpich
    compile mpicc.mpich mpich_footprint mpi/mpi_footprint.c
}

run() { # run BENCH RANKS BYTES ROUNDS
    mpirun.mpich -n "$2" -bind-to "$(binding "$2")" "$BENCH_BUILD/mpich_footprint" "$3" "$4"
}

dispatch "$@"
