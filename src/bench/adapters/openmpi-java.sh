#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/openmpi-jar.sh"

prepare() {
    prepare_openmpi_java
    mkdir -p "$BENCH_BUILD/openmpi-java"
    javac -cp "$(jar_file)" -d "$BENCH_BUILD/openmpi-java" "$BENCH_SRC/java/OpenMpiBench.java"
}

java_bench() {
    # shellcheck disable=SC2046
    mpirun.openmpi $(openmpi_options 2) java -cp "$(jar_file):$BENCH_BUILD/openmpi-java" \
        -Djava.library.path="$(library_folder)" OpenMpiBench "$@" "$BENCH_MS"
}

run() {
    [ "$1" = pingpong ] || return 0
    java_bench direct "$3"
    java_bench array "$3"
}

dispatch "$@"
