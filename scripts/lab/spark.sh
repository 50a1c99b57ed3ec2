#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests hayate-spark and its examples on clusters of Spark that it starts on this machine: Master,
# Workers and executors are processes. Maven fetches Spark: the versions below, 250 MB each.
# The last line is "N passed, N failed, N skipped". Usage: spark.sh [PATTERN of classes]
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 1 "$@"
pattern=${1:-*}
hy_need
hy_build
passed=0 failed=0 skipped=0

# The oldest one for Scala 2.12, and the newest.
versions="3.5.9 2.12
4.2.0 2.13"

# Sum of attribute $1 of the reports below $2.
sum_of() {
    cat "$2"/failsafe-reports/TEST-*.xml 2>/dev/null | grep -o '<testsuite [^>]*' |
        sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p" | awk '{ n += $1 } END { print n + 0 }'
}

run() { # run VERSION SCALA
    local all bad skip rc=0 folder=$HY_ROOT/target/spark-$1 log=$HY_ROOT/target/spark-$1.txt
    local project=(-f src/spark/cluster/pom.xml "-Dspark.version=$1" "-Dspark.scala=$2"
        "-Dhayate.version=$HY_VERSION")
    if ! hy_mvn "${project[@]}" dependency:resolve >"$log"; then
        echo "SKIPPED Spark $1: Maven cannot get it: $(grep -m 1 ERROR "$log" | cut -c 1-200)"
        skipped=$((skipped + $(grep -rE '^    @Test' src/spark/cluster/test | wc -l)))
        return
    fi
    rm -rf "$folder"
    hy_mvn "${project[@]}" verify "-Dit.test=$pattern" >"$log" || rc=$?
    all=$(sum_of tests "$folder") skip=$(sum_of skipped "$folder")
    bad=$(($(sum_of failures "$folder") + $(sum_of errors "$folder")))
    if ((rc != 0 && bad == 0 || all == 0)); then
        bad=$((bad + 1)) all=$((all + 1))
    fi
    if ((bad)); then
        echo "FAILED Spark $1: Maven ended with $rc; $folder/failsafe-reports, and it said:"
        tail -n 40 "$log" | sed 's/^/    /'
    else
        rm -rf "$folder"/cluster* # logs and jars of the cluster
    fi
    passed=$((passed + all - bad - skip)) failed=$((failed + bad)) skipped=$((skipped + skip))
}

while read -r version scala; do
    run "$version" "$scala" </dev/null
done <<<"$versions"
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
