#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# C tests: builds and runs every src/test/c/**/*_test.c plain, under ASan+UBSan, and, where the file
# has a line /* tsan */, under TSan. Prints failures and, last, "N passed, N failed, N skipped".
# Usage: ctest.sh [--quick] [--variant plain|asan|tsan|aarch64] [PATTERN]
#   --quick    plain, and without the tests that have a line /* slow */: some seconds each
#   PATTERN    only tests whose path matches, as sched/verify
# The variant aarch64 is run only if named: those with a line /* aarch64 */, by QEMU; lib/arm64.sh.
# Each test program gets HAYATE_RUN (the launcher of its variant) and HAYATE_TEST_BIN (where the
# *_program are). It passes with 0; 77 is a program skipped as a whole. Limit: TEST_SECONDS (900).
# Three tests run at once for each two processors, or TEST_JOBS: most of them wait much of their
# time. Those that others disturb have a line /* alone */, and run last, one after the other. How
# long each took, and its processor time, is in target/ctest/times.txt.
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"
source scripts/lib/pool.sh
variants=(plain asan tsan)
pattern= quick=
while (($#)); do
    case $1 in
    --quick) quick=1 variants=(plain) ;;
    --variant) shift; variants=("${1:?--variant needs a name}") ;;
    -*) hy_refuse "unknown option $1" ;;
    *) pattern=$1 ;;
    esac
    shift
done
hy_need test

limit=${TEST_SECONDS:-900}
TEST_JOBS=${TEST_JOBS:-$(($(nproc) * 3 / 2))}

# Reports of a sanitizer need lines (-g1), not variables: less to compile and to link.
flags_of() {
    case $1 in
    plain | aarch64) echo "-O2" ;;
    asan) echo "-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all" ;;
    # gcc's TSan knows no fences; lock-free code that needs one says so to TSan itself.
    tsan) echo "-O1 -g1 -fsanitize=thread -Wno-tsan" ;;
    *) hy_die "ctest.sh: unknown variant $1: expected plain, asan, tsan or aarch64" ;;
    esac
}

tests_of() {
    find src/test/c -name '*_test.c' 2>/dev/null | LC_ALL=C sort | grep -F -- "$pattern" |
        if [[ $1 = tsan || $1 = aarch64 ]]; then xargs -r grep -lxF "/* $1 */"; else cat; fi |
        if [ -n "$quick" ]; then xargs -r grep -LxF '/* slow */'; else cat; fi || true
}

# TSan wants its addresses free: without address randomisation they are, on any kernel.
runner_of() {
    if [ "$1" = tsan ] && setarch -R true 2>/dev/null; then echo "setarch -R"; fi
}

# What starts an aarch64 program must find a script of that name: lib/arm64.sh. Not all programs are
# built: only tests, and programs of them, that have the line.
prepare_aarch64() {
    local out=$PWD/target/ctest/aarch64 name
    source scripts/lib/arm64.sh
    if ! hy_arm_tools || ! hy_arm_root; then
        echo "SKIPPED aarch64: $HY_WHY"
        hy_pool_count 0 0 1
        return 1
    fi
    make_options=("${HY_ARM_MAKE[@]}" target/ctest/aarch64/hayate-run)
    hy_arm_wrap "$out/qemu/hayate-run" "$out/hayate-run"
    for name in $(cd src/test/c && grep -rlxF '/* aarch64 */' . | sed 's#^\./##; s#\.c$##'); do
        make_options+=("target/ctest/aarch64/bin/$name")
        hy_arm_wrap "$out/qemu/bin/$name" "$out/bin/$name"
    done
}

# Sum of attribute $1 over the test suites in the files and directories behind it.
sum_of() {
    { grep -rhoa "<testsuite [^>]*" "${@:2}" || true; } | sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p" |
        awk '{ n += $1 } END { print n + 0 }'
}

run_test() { # run_test VARIANT NAME
    local variant=$1 name=$2 out=$PWD/target/ctest/$1 rc=0 all bad skip log xml from
    local TIMEFORMAT="%R %U %S $variant $name"
    log=$out/log/$name.log
    xml=$out/xml/$name
    mkdir -p "$(dirname "$log")" "$xml"
    rm -f "$xml"/*
    from=$out
    [ "$variant" != aarch64 ] || from=$out/qemu
    { time HAYATE_RUN=$from/hayate-run HAYATE_TEST_BIN=$from/bin \
        CMOCKA_MESSAGE_OUTPUT=xml CMOCKA_XML_FILE="$xml/%g.xml" \
        ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:exitcode=99 \
        UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1:exitcode=98 \
        setpriv --pdeathsig TERM timeout -k 10 "$limit" $(runner_of "$variant") "$from/bin/$name" \
        >"$log" 2>&1 </dev/null || rc=$?; } 2>>target/ctest/times.txt
    # A second group of the same name has its report in the log: the file is taken.
    all=$(sum_of tests "$xml" "$log")
    bad=$(($(sum_of failures "$xml" "$log") + $(sum_of errors "$xml" "$log")))
    skip=$(sum_of skipped "$xml" "$log")
    if ((rc == 77 && all == 0)); then
        all=1 skip=1
    elif ((rc != 0 && bad == 0 || all == 0)); then
        all=$((all + 1)) bad=1
    fi
    hy_pool_count $((all - bad - skip)) $bad $skip
    ((bad)) || return 0
    echo "FAILED $variant $name: $(reason_of $rc), see ${log#"$PWD/"}"
    { grep -h -B1 -A4 '<failure\|<error' "$xml"/*.xml || true; tail -n 25 "$log"; } 2>/dev/null |
        sed 's/^/    /'
    echo # what was cut may not end a line
}

reason_of() {
    case $1 in
    124 | 137) echo "did not end within $limit s" ;;
    98) echo "TSan report" ;;
    99) echo "ASan report" ;;
    *) echo "exit $1" ;;
    esac
}

mkdir -p target/ctest
: >target/ctest/times.txt # seconds, those of processors for user and system, variant, test
hy_pool_start target/ctest/pool
alone=()
for variant in "${variants[@]}"; do
    mapfile -t tests < <(tests_of "$variant")
    ((${#tests[@]})) || continue
    make_options=()
    if [ "$variant" = aarch64 ]; then prepare_aarch64 || continue; fi
    if ! make -s -k -j"$(nproc)" -f scripts/lib/ctest.mk VARIANT="$variant" \
        FLAGS="$(flags_of "$variant")" TESTS="${tests[*]}" "${make_options[@]}"; then
        echo "FAILED $variant: does not compile"
        hy_pool_count 0 1 0
    fi
    for test in "${tests[@]}"; do
        name=${test#src/test/c/}
        name=${name%.c}
        if [ ! -x "target/ctest/$variant/bin/$name" ]; then
            continue # it does not compile
        elif grep -qxF '/* alone */' "$test"; then
            alone+=("$variant $name")
        else
            hy_pool_run run_test "$variant" "$name"
        fi
    done
done
hy_pool_alone
for test in "${alone[@]}"; do
    hy_pool_run run_test "${test% *}" "${test#* }"
done
hy_pool_end
