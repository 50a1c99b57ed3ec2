#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tests: checks of the tree, C, Java (unit, several ranks, in containers), and what needs a
# virtual machine. Does its own set-up. The last line is "N passed, N failed, N skipped"; the exit
# code is 1 when a test failed or none ran. CONTRIBUTING.md says what takes how long.
# Usage: test.sh [--quick | --full | --long] [--no-docker] [--no-vm]
#   (neither)    every kind of test once, without those with @Tag("long") in Java
#   --quick      between two edits: no ranks in JVMs (*IT), no containers, no virtual machine, and
#                no test that is marked as slow, either: /* slow */ in C, @Tag("slow") in Java
#   --full       all variants of each: C under ASan+UBSan and TSan, the whole virtual machine, Java
#                with @Tag("long") and once more on JDK 25 (JAVA25_HOME or below /usr/lib/jvm),
#                ScaLAPACK's testers (lab/blacs.sh), aarch64 by emulation (lab/arm64.sh), the site
#                of the documents (site.sh), recipes and signatures (lab/recipes.sh, lab/signed.sh),
#                hayate-spark on clusters of Spark (lab/spark.sh), litmus tests if herd7 is there
#                (lab/litmus.sh)
#   --long       as --full, before a release: tests that usually do a part of their cases do all,
#                and those with seeds or a time take more of it (HAYATE_TEST_LONG=1)
#   --no-docker  skips the tests in containers; they need a Docker engine, see engine.sh
#   --no-vm      skips the tests in a virtual machine, see vm.sh; they need QEMU
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"
source scripts/lab/engine.sh
source scripts/lab/vm-test.sh
quick= full= long= docker=1 vm=1
while (($#)); do
    case $1 in
    --quick) quick=1 ;;
    --full) full=1 ;;
    --long) full=1 long=1 ;;
    --no-docker) docker= ;;
    --no-vm) vm= ;;
    *) hy_refuse "unknown argument $1" ;;
    esac
    shift
done
[ -z "$quick" ] || [ -z "$full" ] || hy_refuse "--quick, or --full or --long, not both"
[ -z "$long" ] || export HAYATE_TEST_LONG=1
hy_need test
hy_want clang-format-14 iproute2 libhwloc15 musl-tools openmpi-bin mpich libpmix2 libpmix-dev \
    libfabric-bin libscalapack-openmpi-dev libscalapack-mpich2.2 gfortran bubblewrap
# Before the build, so that the jar is made for both platforms.
[ -z "$full" ] || hy_want gcc-aarch64-linux-gnu libc6-dev-arm64-cross

passed=0 failed=0 skipped=0 started=$SECONDS

count() { # count WHAT PASSED FAILED SKIPPED
    passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
    echo "== $1: $2 passed, $3 failed, $4 skipped ($((SECONDS - started)) s)"
}

# Sum of attribute $1 of all test suites in the XML reports below $2.
sum_of() {
    { find "$2"/*-reports -name 'TEST-*.xml' 2>/dev/null || true; } |
        xargs -r grep -ho '<testsuite [^>]*' | sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p" |
        awk '{ n += $1 } END { print n + 0 }'
}

# What -Xcheck:jni found in the JVMs of the tests of several ranks, a line "FAILED .." each.
jni_warnings() {
    [ ! -d "$1/failsafe-reports" ] || "$JAVA_HOME/bin/java" -cp target/test-classes \
        io.hayate.conformance.JniWarnings "$1"
}

# Maven's own stack traces help nobody.
less_noise() {
    sed -u '/^\[ERROR\] *.at /d'
}

# count_java WHAT REPORTS RC: a JVM that died leaves no report, only Maven's exit code.
count_java() {
    local all bad skip warnings
    all=$(sum_of tests "$2")
    bad=$(($(sum_of failures "$2") + $(sum_of errors "$2")))
    skip=$(sum_of skipped "$2")
    warnings=$(jni_warnings "$2" || echo "FAILED -Xcheck:jni: the logs cannot be read")
    if [ -n "$warnings" ]; then
        echo "$warnings"
        bad=$((bad + 1)) all=$((all + 1))
    fi
    # Surefire lets a JVM that died or hung pass when failures are to be ignored.
    if grep -qE 'The forked VM terminated|There was a timeout' target/java.txt; then
        echo "FAILED $1: the JVM of the tests died or hung"
        bad=$((bad + 1)) all=$((all + 1))
    fi
    if (($3 != 0 && bad == 0 || all == 0)); then
        echo "FAILED $1: Maven ended with $3 after $all tests"
        bad=$((bad + 1)) all=$((all + 1))
    fi
    count "$1" $((all - bad - skip)) $bad "$skip"
}

run_checks() {
    local out script
    out=$(for script in check-layers check-style draw-layers; do
            scripts/$script.sh --self-test || true
        done
        if scripts/check-layers.sh; then echo "ok - layers"; else echo "not ok - layers"; fi
        if scripts/check-style.sh; then echo "ok - style"; else echo "not ok - style"; fi)
    grep -v '^ok' <<<"$out" || true
    count "checks" "$(grep '^ok' <<<"$out" | grep -vc '# SKIP')" \
        "$(grep -c '^not ok' <<<"$out")" "$(grep -c '# SKIP' <<<"$out")"
}

# count_script WHAT FILE: the file is what a script said whose last line is the count.
count_script() {
    grep -v ' passed, .* skipped$' "$2" || true
    if [[ $(tail -n 1 "$2") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
        count "$1" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
    else
        count "$1" 0 1 0
    fi
}

# In the background, until containers are wanted: what they and the virtual machine start from.
start_images() {
    images=
    [ -z "$quick" ] || return 0
    setpriv --pdeathsig TERM nice scripts/lab/images.sh ${docker:+containers} ${vm:+vm} \
        ${full:+full} >target/images.txt 2>&1 </dev/null &
    images=$!
}

# In the background: Maven waits for downloads, and C tests wait for each other.
start_c() {
    local options=(--variant plain)
    [ -z "$quick" ] || options+=(--quick)
    [ -z "$full" ] || options=()
    setpriv --pdeathsig TERM scripts/ctest.sh "${options[@]}" >target/ctest.txt 2>&1 </dev/null &
    c_tests=$!
}

finish_c() {
    wait $c_tests || true
    count_script "C" target/ctest.txt
}

run_vm() {
    if [ -n "$quick" ]; then
        return
    elif [ -z "$vm" ]; then
        echo "SKIPPED tests in a virtual machine: --no-vm"
        count "VM" 0 0 "$(hy_vm_tests_of "" "" $([ -n "$full" ] || echo 1) | wc -l)"
    else
        # shellcheck disable=SC2046 # none or one word
        scripts/lab/vm.sh test $([ -n "$full" ] || echo --quick) >target/vm.txt 2>&1 </dev/null ||
            true
        count_script "VM" target/vm.txt
    fi
}

# Programs of others over libhayate-blacs.so.
run_blacs() {
    [ -n "$full" ] || return 0
    scripts/lab/blacs.sh >target/blacs.txt 2>&1 </dev/null || true
    count_script "BLACS" target/blacs.txt
}

# The code for the other processor of the jar.
run_aarch64() {
    [ -n "$full" ] || return 0
    scripts/lab/arm64.sh >target/arm64.txt 2>&1 </dev/null || true
    count_script "aarch64" target/arm64.txt
}

# Documents, manual pages and Javadoc as pages: links, and a way back.
run_site() {
    if scripts/site.sh >target/site.txt 2>&1 </dev/null; then
        count "site" 1 0 0
    else
        cat target/site.txt
        count "site" 0 1 0
    fi
}

# An engine and an image for the tests in containers; without HAYATE_TEST_IMAGE they are skipped.
start_docker() {
    local rc=0
    [ -z "$images" ] || wait "$images" || true
    unset HAYATE_TEST_IMAGE
    [ -z "$quick" ] || return 0
    if [ -z "$docker" ]; then
        echo "SKIPPED tests in containers: --no-docker"
        return
    fi
    trap hy_engine_stop EXIT
    hy_engine || rc=$?
    ((rc != 0)) || hy_engine_image || rc=1
    case $rc in
    0) export HAYATE_TEST_IMAGE=$HY_IMAGE HAYATE_TEST_LABEL=$HY_LABEL ;;
    1)
        echo "FAILED tests in containers: $HY_WHY"
        count "engine" 0 1 0
        ;;
    *) echo "SKIPPED tests in containers: $HY_WHY" ;;
    esac
}

# A failed test must not keep others from running.
run_maven() { # run_maven MVN..
    local rc=0
    exec 9>target/.lock
    flock 9
    hy_mvn "$@" -Dhayate.checks.skip=true -Dmaven.test.failure.ignore=true |
        tee -a target/java.txt | less_noise || rc=${PIPESTATUS[0]}
    exec 9>&-
    return $rc
}

# Tags that this level leaves out.
left=long
[ -z "$quick" ] || left+=" | slow"
[ -z "$full" ] || left=nothing

several_ranks=(failsafe:integration-test@beside failsafe:integration-test@alone)

# Builds, and runs the unit tests. The checks have been counted already.
run_units() {
    rm -rf target/surefire-reports target/failsafe-reports target/vm_*.log
    : >target/java.txt
    java_rc=0
    if [ -n "$quick" ]; then
        run_maven package -Dmaven.javadoc.skip "-Dhayate.test.left=$left" || java_rc=$?
    else
        run_maven package "${HY_STAGE[@]}" "-Dhayate.test.left=$left" || java_rc=$?
    fi
    [ ! -e "$HY_JAR" ] || touch "$HY_JAR"
}

run_ranks() {
    [ -n "$quick" ] || ((java_rc)) ||
        run_maven "${several_ranks[@]}" "-Dhayate.test.left=$left" || java_rc=$?
    count_java "Java $(hy_jdk_version "$JAVA_HOME")" "$HY_ROOT/target" $java_rc
}

# The same classes and the same jar again, only the JVM that runs the tests is another.
run_jdk25() {
    local rc=0 home reports=$HY_ROOT/target/jdk25
    [ -n "$full" ] || return 0
    home=$(hy_find_jdk25)
    if [ -z "$home" ]; then
        echo "SKIPPED JDK 25: none in JAVA25_HOME or below /usr/lib/jvm"
        count "Java 25" 0 0 1
        return
    fi
    rm -rf "$reports"
    mkdir "$reports" # JDK 25 aborts at its end if the directory of its -XX:LogFile was missing
    : >target/java.txt
    # What runs in a container has the image's JRE both times; examples, commands and what clusters
    # start use what the other tests run; what is to be run once depends on C alone. The long forms
    # were run on 17.
    HAYATE_TEST_LONG='' run_maven surefire:test "${several_ranks[@]}" \
        -Dhayate.test.java="$home/bin/java" -Dhayate.test.reports="$reports" \
        "-Dhayate.test.left=container | cluster | example | once | slow | long" || rc=$?
    count_java "Java $(hy_jdk_version "$home")" "$reports" $rc
}

# The artefacts as users get them, and with --full what clusters do with them, and the documents.
# Beside each other: each of them starts one program after the other.
run_artefacts() {
    local getting recipes=
    [ -z "$quick" ] || return 0
    setpriv --pdeathsig TERM scripts/lab/getting.sh >target/getting.txt 2>&1 </dev/null &
    getting=$!
    if [ -n "$full" ]; then
        setpriv --pdeathsig TERM scripts/lab/recipes.sh >target/recipes.txt 2>&1 </dev/null &
        recipes=$!
        run_site
    fi
    wait $getting || true
    count_script "Getting it" target/getting.txt
    [ -n "$full" ] || return 0
    wait $recipes || true
    count_script "Recipes" target/recipes.txt
    scripts/lab/signed.sh >target/signed.txt 2>&1 </dev/null || true
    count_script "Signatures" target/signed.txt
}

# On clusters of Spark, whose jars Maven fetches.
run_spark() {
    [ -n "$full" ] || return 0
    scripts/lab/spark.sh >target/spark.txt 2>&1 </dev/null || true
    count_script "Spark" target/spark.txt
}

# Patterns of lock-free code by a memory model.
run_litmus() {
    [ -n "$full" ] || return 0
    scripts/lab/litmus.sh >target/litmus.txt 2>&1 </dev/null || true
    count_script "Litmus" target/litmus.txt
}

mkdir -p target
start_images
run_checks
start_c
run_units
finish_c
run_artefacts
start_docker
run_ranks
hy_engine_stop
run_jdk25
run_blacs
run_aarch64
run_spark
run_litmus
run_vm
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0 && passed > 0))
