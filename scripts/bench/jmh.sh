#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Micro-benchmarks of src/jmh (JMH). Usage: jmh.sh [options of JMH], as: jmh.sh -f 1 Calls
# Runs on JDK 25 where there is one (the FFM benchmarks in src/jmh/java22 need 22), else on 17.
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_help "$@"
hy_need
hy_build
home=$(hy_find_jdk25)
JAVA_HOME=${home:-$JAVA_HOME}
# JDK 24 and later complain about Maven's own libraries without this.
[ -z "$(hy_java_options)" ] || export MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow"
# Only these two steps, so that the jar stays the one that JDK 17 built.
hy_mvn -Pjmh antrun:run@jmh dependency:build-classpath@jmh-classpath
exec "$JAVA_HOME/bin/java" $(hy_java_options) \
    -cp "target/jmh-classes:$HY_JAR:$(cat target/jmh-classpath.txt)" org.openjdk.jmh.Main "$@"
