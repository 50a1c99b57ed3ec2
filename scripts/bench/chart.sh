#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws docs/pictures/pingpong.svg, the chart of the README, from docs/pictures/pingpong.jsonl.
# New figures come from scripts/bench.sh:
#   SIZES=8,128,2048,16384,131072,1048576 scripts/bench.sh --no-jmh \
#       --only '^pingpong 2 (hayate-java|openmpi-c|openmpi-java|mpich-c)$'
#   cp target/bench/results.jsonl docs/pictures/pingpong.jsonl
# Usage: scripts/bench/chart.sh
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 0 "$@"
hy_need
hy_build
"$JAVA_HOME/bin/java" -Djava.awt.headless=true -cp "$(hy_bench_classpath)" \
    io.hayate.bench.ReadmeChart docs/pictures/pingpong.jsonl docs/pictures/pingpong
echo docs/pictures/pingpong.svg
