# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Tests with the virtual machine; sourced by vm.sh.
#   hy_vm_tests FOLDER [PATTERN [1]]  runs src/test/vm/FOLDER/*.sh and prints what failed; last
#                                 line "N passed, ...". With 1 those with a line "# slow" are left
# A test says in its head where it runs:
#   "# vm: guest [OPTION..]"  inside a machine of its own, with these options of vm.sh run
#   "# vm: host"              outside; it calls scripts/lab/vm.sh itself
# It passes with 0; 77: it is skipped. One that consists of many counts them in its last line.
# If the machine's kernel hangs, the test runs once more; it says so.
# As many run at once as there are pairs of processors and room for machines, or TEST_JOBS.

# hy_vm_tests_of FOLDER [PATTERN [1]]  their files
hy_vm_tests_of() {
    find "src/test/vm${1:+/$1}" -maxdepth 1 -name '*.sh' | LC_ALL=C sort | grep -F -- "${2:-}" |
        if [ -n "${3:-}" ]; then xargs -r grep -LxF '# slow'; else cat; fi || true
}

hy_vm_tests() {
    local test tests folder=src/test/vm${1:+/$1} log=target/vm/log
    mapfile -t tests < <(hy_vm_tests_of "$@")
    TEST_JOBS=${TEST_JOBS:-$(hy_vm_jobs)}
    hy_pool_start target/vm/pool
    ((${#tests[@]})) || hy_die "vm.sh test: $folder has no test whose name has \"$2\""
    if ! hy_vm_tools || ! hy_vm_source || { [ "$1" = debug ] && ! hy_vm_debug_tools; }; then
        echo "SKIPPED tests in a virtual machine: $HY_WHY"
        hy_pool_count 0 0 ${#tests[@]}
    else
        hy_vm_image
        [ -n "$1" ] || hy_vm_programs
        [ "$1" != debug ] || hy_vm_debug
        mkdir -p $log
        for test in "${tests[@]}"; do
            hy_pool_run hy_vm_test "$test" "$log/$(basename "$test" .sh).log"
        done
    fi
    hy_pool_end
}

# Two machines of a test at most, of two processors and 3 GB each.
hy_vm_jobs() {
    awk -v most=$(($(nproc) / 2)) '/^MemAvailable/ { n = int($2 / 1024 / 1024 / 6) }
        END { n = n > most ? most : n; print (n < 1 ? 1 : n) }' /proc/meminfo
}

# What the tests run: the jar, the tests' classes, what both need, and programs in C.
hy_vm_programs() {
    local stamp=target/vm/compiled
    hy_need test
    hy_build
    mkdir -p target/vm/lib
    if [ ! -e $stamp ] || [ -n "$(find src/test/java -newer $stamp -print -quit)" ]; then
        hy_mvn test-compile -Dhayate.checks.skip=true || hy_die "the tests do not compile"
        touch $stamp
    fi
    cp "$HY_JAR" target/vm/lib/hayate.jar
    tr : '\n' <target/classpath.txt | xargs -d '\n' cp -u -t target/vm/lib
    make -s -j2 -f scripts/lib/ctest.mk VARIANT=plain FLAGS=-O2 \
        TESTS="$(find src/test/c/path src/test/c/boot -name '*_test.c' | tr '\n' ' ')" ||
        hy_die "the C tests do not compile"
}

# Notes the elapsed time, and that of the processors, which other work on the host hardly changes.
hy_vm_test() { # hy_vm_test FILE LOG
    local rc try times TIMEFORMAT="%0R s, %0U s of a processor"
    for try in first last; do
        rc=0
        times=$({ time hy_vm_test_run "$@" >"$2" 2>&1 </dev/null; } 2>&1) || rc=$?
        # A command may end with 123, too.
        ((rc == 123)) && [ $try = first ] && grep -q "the machine's kernel hung" "$2" || break
        echo "AGAIN $(basename "$1" .sh): the machine's kernel hung, see $2.hung"
        mv "$2" "$2.hung"
    done
    hy_vm_count "$1" "$2" $rc
    echo "$(basename "$1" .sh): exit $rc, $times" >>target/vm/log/times
}

hy_vm_test_run() { # hy_vm_test_run FILE
    local options
    options=$(sed -n 's/^# vm: //p' "$1")
    case $options in
    host) bash "$1" ;;
    guest*)
        # shellcheck disable=SC2086 # several words
        scripts/lab/vm.sh run ${options#guest} -- bash "$1"
        ;;
    *)
        echo "no line \"# vm: guest\" or \"# vm: host\" in $1"
        return 1
        ;;
    esac
}

hy_vm_count() { # hy_vm_count FILE LOG RC
    local good='' bad=0 skip=0
    if [[ $(tail -n 1 "$2") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
        good=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]} skip=${BASH_REMATCH[3]}
    fi
    if (($3 == 77)); then
        skip=$((skip + 1))
    elif (($3 != 0 && bad == 0)) || [ "$good $bad $skip" = "0 0 0" ]; then
        bad=1
    fi
    [ -n "$good" ] || good=$((!bad && !skip))
    hy_pool_count "$good" "$bad" "$skip"
    ((bad)) || return 0
    echo "FAILED $(basename "$1" .sh): exit $3, see $2"
    tail -n 25 "$2" | sed 's/^/    /'
}
