#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures ranks inside Spark beside treeAggregate and MLlib, on a cluster of executors that are
# processes of this machine. Writes a table.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/spark.sh [--executors E] [--rows N] [--features F] [--bytes B] [--memory MB]
                              [--out DIR] [--no-build]

  --executors E  with one core each, default 2
  --rows N       of the logistic regression, default 1000000
  --features F   of each row, default 100
  --bytes B      of a sum of vectors, default 8388608
  --memory MB    of each executor's Java heap, default 3072
  --out DIR      where the results go, default target/bench-spark
  --no-build     measure Hayate as it is in target/, if it is there

join        SparkRanks.join() in the slowest task
sum         a persistent allreduce, treeAggregate, and treeAggregate with a broadcast of the result
regression  one evaluation of loss and gradient, with its sum: by allreduce and by treeAggregate,
            the same code otherwise; MLlib's, with all that it does from one to the next

writes DIR/spark.md, environment.txt, failed.txt and log.txt; ends with 0 if it succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
EXECUTORS=2 ROWS=1000000 FEATURES=100 BYTES=8388608 MEMORY=3072 BUILD=1
OUT="$ROOT/target/bench-spark"
PACKAGES="maven openjdk-17-jdk-headless"
SPARK=4.2.0 SCALA=2.13
. "$BENCH_SRC/lib/session.sh"

parse() {
    local name
    for name in executors rows features bytes memory; do
        option --$name "${name^^}" "$A_NUMBER" a number
    done
    parse_options "$@"
}

# What a distribution of Spark has, by links: HOME/jars.
make_home() {
    local jar
    mvn -B -ntp -q -f "$ROOT/src/spark/cluster/pom.xml" -DskipTests -DskipITs \
        "-Dspark.version=$SPARK" "-Dspark.scala=$SCALA" package >>"$OUT/log.txt" 2>&1 ||
        return
    rm -rf "$OUT/home"
    mkdir -p "$OUT/home/jars"
    for jar in $(tr : ' ' <"$ROOT/target/spark-$SPARK/classpath.txt"); do
        ln -s "$jar" "$OUT/home/jars"
    done
}

measure() {
    local jar package opens=() ours=()
    for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio \
        java.util java.util.concurrent java.util.concurrent.atomic sun.nio.ch sun.nio.cs \
        sun.security.action sun.util.calendar; do
        opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
    done
    for jar in "$ROOT"/target/hayate-{spark-,}[0-9].[0-9].[0-9].jar \
        "$ROOT/target/spark-$SPARK/examples.jar"; do
        ours+=("$jar")
    done
    SPARK_HOME="$OUT/home" SPARK_SCALA_VERSION=$SCALA SPARK_LOCAL_IP=127.0.0.1 \
        java -Xmx2g "${opens[@]}" "-Dspark.master=local-cluster[$EXECUTORS,1,$MEMORY]" \
        -Dspark.app.name=bench -Dspark.ui.enabled=false "-Dspark.executor.memory=${MEMORY}m" \
        "-Dspark.jars=$(IFS=,; echo "${ours[*]}")" -Dspark.driver.maxResultSize=1g \
        -Dspark.executorEnv.HAYATE_HEAP=256M "-Dspark.local.dir=$OUT/local" \
        -cp "$OUT/home/jars/*:$(IFS=:; echo "${ours[*]}")" io.hayate.examples.spark.SparkBench \
        "$EXECUTORS" "$ROWS" "$FEATURES" "$BYTES" 2>>"$OUT/log.txt"
}

main() {
    local FAILED=0
    parse "$@"
    open_session
    : >"$OUT/failed.txt" >"$OUT/log.txt"
    build_hayate
    environment >"$OUT/environment.txt"
    make_home || { fail "getting Spark"; exit 1; }
    {
        echo "Spark $SPARK, $EXECUTORS executors with one core each; $ROWS rows of $FEATURES" \
            "features; sums of $BYTES bytes. Times in ms."
        echo
        echo "| what | least | median | most |"
        echo "| --- | --- | --- | --- |"
        measure || fail "measuring"
    } | tee "$OUT/spark.md"
    rm -rf "$OUT/home" "$OUT/local"
    [ ! -s "$OUT/failed.txt" ]
}

main "$@"
