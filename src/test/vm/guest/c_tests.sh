#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs programs of C tests inside the machine: c_tests.sh PATTERN.., below the folder of programs.
# Last line: "N passed, N failed, N skipped".
set -uo pipefail
bin=/hayate/target/ctest/plain/bin
export HAYATE_TEST_BIN=$bin HAYATE_RUN=/hayate/target/ctest/plain/hayate-run
export CMOCKA_MESSAGE_OUTPUT=TAP
passed=0 failed=0 skipped=0
cd /tmp || exit
# shellcheck disable=SC2068 # they are patterns
for test in $(cd $bin && ls -d $@); do
    if ldd "$bin/$test" | grep 'not found'; then
        skipped=$((skipped + 1)) # a newer host's libraries
        continue
    fi
    rc=0
    out=$(timeout 560 "$bin/$test" 2>&1) || rc=$?
    # cmocka says "not ok" of what was skipped.
    skip=$(grep -cE '^(not )?ok .*# SKIP' <<<"$out")
    bad=$(grep '^not ok' <<<"$out" | grep -vc '# SKIP')
    if ((rc == 77)) && ! grep -q '^ok' <<<"$out"; then
        rc=0 skip=1 # as a whole
        echo "$out"
    fi
    passed=$((passed + $(grep '^ok' <<<"$out" | grep -vc '# SKIP'))) skipped=$((skipped + skip))
    ((rc == 0 || bad)) || bad=1
    failed=$((failed + bad))
    echo "$test: exit $rc"
    ((bad == 0)) || echo "$out"
done
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0 && passed > 0))
