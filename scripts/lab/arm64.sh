#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests the jar's code for aarch64 on x86-64, emulated by QEMU: the C tests that have a line
# /* aarch64 */, and scenarios of the Java conformance suite in a JVM for aarch64, between threads
# and between processes. QEMU shows that the code works there, and neither its speed nor a missing
# barrier, as the host orders stores: docs/MEMORY-ORDER.md. Not chosen are tests of what QEMU does
# not emulate (names of processes in /proc, MADV_WIPEONFORK, process_vm_readv in part), of tasks
# (x86-64 only), of networks and the kernel module, and tests that take long.
# Prints failures and, last, "N passed, N failed, N skipped". Usage: arm64.sh [c | java]
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 1 "$@"
source scripts/lib/pool.sh
source scripts/lib/arm64.sh
what=${1:-both}
[[ $what =~ ^(c|java|both)$ ]] || hy_refuse "unknown argument $what"
hy_need test
out=$HY_ROOT/target/arm64
# A part of the cases of the largest scenarios: class Share.
share=0/12
scenarios=(MessageScenarios.should_carry_every_size_between_every_kind_of_buffer
    MessageScenarios.should_exchange_long_messages_in_both_directions_at_once
    MessageScenarios.should_keep_order_of_messages_of_one_mai
    MessageScenarios.should_pass_a_token_round_the_ring
    RequestScenarios OmplFlagScenarios)

skip() {
    echo "SKIPPED tests on aarch64: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

# count_of FILE NAME: adds the last line of what a script said.
count_of() {
    if [[ $(tail -n 1 "$1") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
        grep -v ' passed, .* skipped$' "$1" || true
        hy_pool_count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
    else
        tail -n 25 "$1"
        echo "FAILED $2: no result"
        hy_pool_count 0 1 0
    fi
}

run_c() {
    local others
    others=$(find src/test/c -name '*_test.c' -print0 | xargs -0 grep -LxF '/* aarch64 */' | wc -l)
    echo "SKIPPED $others C test programs on aarch64: they have no line /* aarch64 */, see arm64.sh"
    hy_pool_count 0 0 1
    TEST_SECONDS=120 scripts/ctest.sh --variant aarch64 >"$out/c.txt" 2>&1 </dev/null || true
    count_of "$out/c.txt" "C tests"
}

# run_java NAME COMMAND..: COMMAND is followed by that of a JVM of two ranks, or of one each.
run_java() {
    local name=$1 log=$out/$1.txt rc=0 good begun
    shift
    setpriv --pdeathsig TERM timeout -k 5 400 "$@" -Xmx256m -XX:+UseSerialGC \
        -XX:TieredStopAtLevel=1 -Dhayate.test.share=$share \
        -cp "$HY_ROOT/target/test-classes:$(hy_classpath)" \
        io.hayate.conformance.RankMain "${scenarios[@]}" >"$log" 2>&1 </dev/null || rc=$?
    good=$(awk '$1 == "@hayate" && $4 == "PASSED" && ++seen[$3] == 2' "$log" | wc -l)
    begun=$(awk '$1 == "@hayate" && !seen[$3]++' "$log" | wc -l)
    if ((rc == 0 && begun == good && good > 0)); then
        hy_pool_count "$good" 0 0
    else
        hy_pool_count "$good" $((begun > good ? begun - good : 1)) 0
        echo "FAILED $name: exit $rc, $good of $begun scenarios passed, see ${log#"$HY_ROOT/"}"
        tail -n 25 "$log" | sed 's/^/    /'
    fi
}

# The jar of an earlier build may be without it.
build() {
    hy_build
    if ! "$JAVA_HOME/bin/jar" tf "$HY_JAR" | grep -x META-INF/native/linux-aarch64/hayate-run \
        >/dev/null; then
        hy_mvn package -DskipTests -Dmaven.javadoc.skip -Dmaven.source.skip -Dnative.other=always ||
            hy_die "the build failed"
        touch "$HY_JAR"
    fi
}

hy_arm_tools || skip "$HY_WHY"
hy_arm_root || skip "$HY_WHY"
hy_pool_start target/arm64/pool
if [ "$what" != java ]; then run_c; fi
if [ "$what" != c ]; then
    build
    hy_arm_wrap "$out/java" "$HY_ARM_ROOT/usr/lib/jvm/java-17-openjdk-arm64/bin/java"
    launcher=$out/bin/hayate-run
    mkdir -p "$out/bin"
    cp target/linux-aarch64/hayate-run.bin "$launcher"
    hy_arm_wrap "$out/hayate-run" "$launcher"
    hy_pool_run run_java threads "$out/java" -Dhayate.test.threads=2
    hy_pool_run run_java processes "$out/hayate-run" -n 2 -- "$out/java"
fi
hy_pool_end
