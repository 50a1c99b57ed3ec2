#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures one figure of a paper with Hayate alone, as a table, as JSON (--json), or as a picture.
# Usage: figure.sh FIGURE [OPTION...]    figure.sh FIGURE --help lists the options. Figures:
#   footprint    memory and page tables of ranks as processes and as tasks
#   threads      put and flag against the number of threads
#   tables       what processes and nodes keep of jobs of many ranks, which are simulated
#   delegation   messages, alltoalls, overlap and bursts between nodes with and without delegatees
#   overlap      how much of a communication is hidden behind other work of a rank
#   bursts       messages that come in bursts
# In a rank it measures in that job, if the figure can; otherwise it starts ranks itself.
set -euo pipefail
directory=$PWD
source "$(dirname "$0")/../lib/setup.sh"
hy_help "$@"
case ${1:-} in
footprint | threads | tables | delegation | overlap | bursts) ;;
*) hy_refuse "expected a figure, not '${1:-}'" ;;
esac
JAVA_HOME=$(hy_find_jdk)
[ -n "$JAVA_HOME" ] && [ -e "$HY_JAR" ] && [ -e target/bench-classpath.txt ] ||
    { hy_need; hy_build; }
export HAYATE_RUN="$HY_ROOT/target/hayate-run"
classpath=$(hy_bench_classpath)
cd "$directory"
exec "$JAVA_HOME/bin/java" $(hy_java_options) -Djava.awt.headless=true -cp "$classpath" \
    io.hayate.bench.figures.Figures "$@"
