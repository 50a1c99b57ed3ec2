#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `run SERIES THREADS`: send, put (both of threads), processes (send).
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.openmpi libopenmpi-dev
    need_command mpirun.openmpi openmpi-bin
    compile mpicc.openmpi openmpi_threads -pthread mpi/mpi_threads.c c/threads.c c/samples.c
}

run() {
    local ranks=2 start options=(--threads "$2" --ms "$BENCH_MS")
    case "$1" in
        processes) ranks=$((2 * $2)); options+=(--processes) ;;
        put) export MPI_THREADS_RMA=1 ;;
        send) ;;
        *) return 0 ;;
    esac
    start="$(openmpi_options "$ranks")"
    [ "$2" = 1 ] || start="${start/--bind-to core/--bind-to none}"
    # shellcheck disable=SC2086
    exec mpirun.openmpi $start "$BENCH_BUILD/openmpi_threads" "${options[@]}"
}

dispatch "$@"
