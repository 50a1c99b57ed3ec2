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

# Its one-sided calls go over a network by UCX alone, where threads are allowed; its messages do so
# over verbs, and over tcp by its own transport.
parts() { # parts SERIES
    echo --bind-to none --oversubscribe
    [ "$(id -u)" -ne 0 ] || echo --allow-run-as-root
    if [ "$BENCH_PATH $1" = "tcp put" ] || [ "$BENCH_PATH" = verbs ]; then
        echo --mca pml ucx --mca osc ucx --mca pml_ucx_tls any --mca pml_ucx_devices any
    else
        echo --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include lo
    fi
}

run() {
    local ranks=2 start options=(--threads "$2" --bytes "$BENCH_BYTES" --ms "$BENCH_MS")
    case "$1" in
        processes) ranks=$((2 * $2)); options+=(--processes) ;;
        put) export MPI_THREADS_RMA=1 ;;
        send) ;;
        *) return 0 ;;
    esac
    # shellcheck disable=SC2046
    [ "$BENCH_PATH" = shm ] || on_nodes "$ranks" mpirun.openmpi $(parts "$1") -- \
        "$BENCH_BUILD/openmpi_threads" "${options[@]}"
    start="$(openmpi_options "$ranks")"
    [ "$2" = 1 ] || start="${start/--bind-to core/--bind-to none}"
    # shellcheck disable=SC2086
    exec mpirun.openmpi $start "$BENCH_BUILD/openmpi_threads" "${options[@]}"
}

dispatch "$@"
