#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# MPICH with a thread in each rank that makes progress.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.mpich libmpich-dev
    need_command mpirun.mpich mpich
    compile mpicc.mpich mpich_thread_player -DIMPL='"mpich-thread"' \
        mpi/mpi_player.c \
        mpi/mpi_player_messages.c c/player.c c/player_data.c c/samples.c
}

play() {
    export MPIR_CVAR_ASYNC_PROGRESS=1
    exec mpirun.mpich -n "$1" -bind-to "$(binding "$1")" "$BENCH_BUILD/mpich_thread_player" \
        "$2" "$3"
}

dispatch "$@"
