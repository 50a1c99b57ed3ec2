#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds everything into target/: jars (with sources and javadoc), library, launcher. Runs no test.
# Says what it does, with the time since it began. Usage: build.sh [Maven options]
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"
hy_need
hy_mvn_steps package -DskipTests "$@"
touch "$HY_JAR"
ls -l target/hayate-*.jar target/libhayate.so target/hayate-run
