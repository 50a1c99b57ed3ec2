#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.openmpi libopenmpi-dev
    need_command mpirun.openmpi openmpi-bin
    compile mpicc.openmpi openmpi_farm mpi/mpi_farm.c c/samples.c
}

run() {
    [ "$1" = farm ] || return 0
    # shellcheck disable=SC2046
    exec mpirun.openmpi $(openmpi_options "$2") "$BENCH_BUILD/openmpi_farm" "$BENCH_MS"
}

dispatch "$@"
