#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.openmpi libopenmpi-dev
    need_command mpirun.openmpi openmpi-bin
    compile mpicc.openmpi openmpi_player mpi/mpi_player.c \
        mpi/mpi_player_messages.c c/player.c c/player_data.c c/samples.c
}

play() {
    # shellcheck disable=SC2046
    exec mpirun.openmpi $(openmpi_options "$1") "$BENCH_BUILD/openmpi_player" "$2" "$3"
}

dispatch "$@"
