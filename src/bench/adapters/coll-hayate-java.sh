#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

# Prints what `hayate` itself would run with: classpath and options of the JVM.
java_options() {
    # shellcheck disable=SC1091
    (. "$ROOT/scripts/lib/setup.sh" && JAVA_HOME="$(hy_find_jdk)" &&
        echo "$(hy_java_options) -XX:+UseSerialGC -cp $(hy_classpath):$BENCH_BUILD/hayate-java")
}

prepare() {
    need_command javac openjdk-17-jdk-headless
    [ -x "$ROOT/target/hayate-run" ] && [ -f "$ROOT/target/classpath.txt" ] ||
        skip "Hayate is not built (scripts/build.sh)"
    mkdir -p "$BENCH_BUILD/hayate-java"
    java_options >"$BENCH_BUILD/hayate-java/options"
    # shellcheck disable=SC2046
    javac -cp "$(sed 's/.*-cp //' "$BENCH_BUILD/hayate-java/options")" \
        -d "$BENCH_BUILD/hayate-java" "$BENCH_SRC/java/HayatePlayer.java"
}

play() {
    # shellcheck disable=SC2046
    hayate_run "$1" java $(cat "$BENCH_BUILD/hayate-java/options") HayatePlayer "$2" "$3"
}

dispatch "$@"
