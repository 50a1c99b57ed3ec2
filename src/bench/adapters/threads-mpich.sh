#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `run SERIES THREADS`: send, put (both of threads), processes (send).
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.mpich libmpich-dev
    need_command mpirun.mpich mpich
    [ "$BENCH_PATH" = shm ] || mpichversion | grep -q ch4:ucx ||
        skip "MPICH is not built with UCX, by which it is told to use the network alone"
    compile mpicc.mpich mpich_threads -pthread mpi/mpi_threads.c c/threads.c c/samples.c
}

run() {
    local ranks=2 bind="" options=(--threads "$2" --bytes "$BENCH_BYTES" --ms "$BENCH_MS")
    case "$1" in
        processes) ranks=$((2 * $2)); options+=(--processes) ;;
        put) export MPI_THREADS_RMA=1 ;;
        send) ;;
        *) return 0 ;;
    esac
    [ "$BENCH_PATH" = shm ] || hydra_nodes "$ranks" "$BENCH_BUILD/mpich_threads" "${options[@]}"
    [ "$2" != 1 ] || bind="-bind-to core"
    # shellcheck disable=SC2086
    exec mpirun.mpich -n "$ranks" $bind "$BENCH_BUILD/mpich_threads" "${options[@]}"
}

dispatch "$@"
