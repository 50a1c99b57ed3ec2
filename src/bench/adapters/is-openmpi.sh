#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# IS of the examples over Open MPI's Java binding: run is RANKS CLASS REPETITIONS, in place of this
# shell. Hayate's examples must be built.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/openmpi-jar.sh"

classpath() {
    (. "$ROOT/scripts/lib/setup.sh" && echo "$BENCH_BUILD/is-openmpi:$(hy_examples_classpath)")
}

prepare() {
    prepare_openmpi_java
    mkdir -p "$BENCH_BUILD/is-openmpi"
    javac -cp "$(classpath):$(jar_file)" -d "$BENCH_BUILD/is-openmpi" \
        "$BENCH_SRC/java/io/hayate/examples/nas/OpenMpiIs.java"
}

run() {
    [ "$1" = is ] || return 0
    # shellcheck disable=SC2046
    exec mpirun.openmpi $(openmpi_options "$2") java -XX:+UseSerialGC \
        -cp "$(classpath):$(jar_file)" -Djava.library.path="$(library_folder)" \
        io.hayate.examples.nas.OpenMpiIs "$3" "$4"
}

dispatch "$@"
