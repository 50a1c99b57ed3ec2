# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The conformance suite from Java, for tests that source this: a JVM per rank runs all scenarios.
#   run_suite RANKS COMMAND..  COMMAND is followed by that of a rank; prints what each scenario did
# and adds to passed and failed, which are printed by
#   end_suites
# With share=I/N before it, only that part of the cases of the largest scenarios (class Share). The
# tests over verbs take different parts, the rest is left to other networks: all cases run on the
# host.
passed=0 failed=0 share=0/1
# A device asks again for 7.5 s instead of 2 until a connection is lost: the machine is slow, and
# others use its processors.
export HAYATE_NET_SILENCE=60

run_suite() { # run_suite RANKS CLASS,.. COMMAND..
    local ranks=$1 classes=${2//,/ } out=/tmp/out rc good begun
    # shellcheck disable=SC2086 # several words
    "${@:3}" java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
        -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1 \
        -Dhayate.test.share="$share" \
        -cp "/hayate/target/test-classes:/hayate/target/vm/lib/*" \
        io.hayate.conformance.RankMain $classes | tee $out
    rc=${PIPESTATUS[0]}
    good=$(awk -v ranks="$ranks" '$1 == "@hayate" && $4 == "PASSED" && ++seen[$3] == ranks' \
        $out | wc -l)
    begun=$(awk '$1 == "@hayate" && !seen[$3]++' $out | wc -l)
    passed=$((passed + good)) failed=$((failed + begun - good))
    ((rc == 0 || begun > good)) || failed=$((failed + 1))
    ((good)) || failed=$((failed + 1))
    echo "$ranks ranks: exit $rc, $good of $begun scenarios passed"
}

end_suites() {
    echo
    echo "$passed passed, $failed failed, 0 skipped"
    ((failed == 0 && passed > 0))
}
