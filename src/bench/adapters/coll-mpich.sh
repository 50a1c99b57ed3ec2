#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Only with a core for each rank: MPICH spins, and takes milliseconds for a call otherwise.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.mpich libmpich-dev
    need_command mpirun.mpich mpich
    compile mpicc.mpich mpich_player mpi/mpi_player.c \
        mpi/mpi_player_messages.c c/player.c c/player_data.c c/samples.c
}

play() {
    exec mpirun.mpich -n "$1" -bind-to "$(binding "$1")" "$BENCH_BUILD/mpich_player" "$2" "$3"
}

dispatch "$@"
