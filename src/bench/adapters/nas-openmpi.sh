#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The NAS Parallel Benchmarks of the examples over Open MPI's Java binding: run is BENCHMARK RANKS
# OPTION..., in place of this shell. Hayate must be built. The class is the one that runs over
# Hayate's package mpi.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/openmpi-jar.sh"

prepare() {
    prepare_openmpi_java
    [ -f "$ROOT/target/bench-classes/io/hayate/examples/nas/OverMpi.class" ] ||
        skip "Hayate is not built (scripts/build.sh)"
}

classpath() {
    (. "$ROOT/scripts/lib/setup.sh" &&
        echo "$(jar_file):$ROOT/target/bench-classes:$(hy_examples_classpath)")
}

run() {
    local benchmark="$1" ranks="$2"
    shift 2
    # shellcheck disable=SC2046
    exec mpirun.openmpi $(openmpi_options "$ranks") java -XX:+UseSerialGC -cp "$(classpath)" \
        -Djava.library.path="$(library_folder)" io.hayate.examples.nas.OverMpi "$benchmark" "$@"
}

dispatch "$@"
