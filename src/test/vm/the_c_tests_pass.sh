#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: guest
# What depends most on the kernel: memory of other processes, and what ranks start from.
set -uo pipefail
bin=/hayate/target/ctest/plain/bin
export HAYATE_TEST_BIN=$bin HAYATE_RUN=/hayate/target/ctest/plain/hayate-run
export CMOCKA_MESSAGE_OUTPUT=TAP
passed=0 failed=0 skipped=0
cd /tmp || exit
for test in "$bin"/{path/*,boot}/*_test; do
    if ldd "$test" | grep 'not found'; then
        skipped=$((skipped + 1)) # a newer host's libraries
        continue
    fi
    rc=0
    out=$(timeout 100 "$test" 2>&1) || rc=$?
    # cmocka says "not ok" of what was skipped.
    skip=$(grep -cE '^(not )?ok .*# SKIP' <<<"$out")
    bad=$(grep '^not ok' <<<"$out" | grep -vc '# SKIP')
    passed=$((passed + $(grep '^ok' <<<"$out" | grep -vc '# SKIP'))) skipped=$((skipped + skip))
    ((rc == 0 || bad)) || bad=1
    failed=$((failed + bad))
    echo "${test#"$bin/"}: exit $rc"
    ((bad == 0)) || echo "$out"
done
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
