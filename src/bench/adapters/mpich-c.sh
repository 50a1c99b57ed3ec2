#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# With more ranks than cores MPICH spins and a call takes milliseconds: the harness then takes its
# least number of samples, and bench.sh limits the time.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command mpicc.mpich libmpich-dev
    need_command mpirun.mpich mpich
    compile mpicc.mpich mpich_bench mpi/mpi_bench.c c/harness.c c/samples.c
}

run() {
    local bind=""
    case "$1" in pingpong|bcast|reduce|allreduce|barrier) ;; *) return 0 ;; esac
    [ "$2" -gt "$(cpus)" ] || bind="-bind-to core"
    # shellcheck disable=SC2086
    mpirun.mpich -n "$2" $bind "$BENCH_BUILD/mpich_bench" "$1" --bytes "$3" --ms "$BENCH_MS"
}

dispatch "$@"
