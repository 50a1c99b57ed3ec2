#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same sources as mpi-hayate.sh.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/openmpi-jar.sh"

prepare() {
    prepare_openmpi_java
    mkdir -p "$BENCH_BUILD/mpi-openmpi-java"
    (cd "$BENCH_SRC/java" && javac -cp "$(jar_file)" -d "$BENCH_BUILD/mpi-openmpi-java" \
        MpiPlayer.java MpiCalls.java LineData.java Player.java)
}

play() {
    # shellcheck disable=SC2046
    exec mpirun.openmpi $(openmpi_options "$1") java -XX:-UsePerfData -XX:+UseSerialGC \
        -cp "$(jar_file):$BENCH_BUILD/mpi-openmpi-java" \
        -Djava.library.path="$(library_folder)" MpiPlayer openmpi-java "$2" "$3"
}

dispatch "$@"
