#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the test programs of this folder, or those that are named, and adds up their counts.
# A name may have options behind it: run.sh "./fuzz_test --ioctls 1000000"
cd "$(dirname "$0")" || exit 1
[ $# -gt 0 ] || set -- ./*_test
[ -x "${1%% *}" ] || { echo "run.sh: $1 is not there: make tests" >&2; exit 1; }
passed=0 failed=0 skipped=0
for program; do
    # shellcheck disable=SC2086 # options
    output=$($program 2>&1)
    rc=$?
    printf '%s\n' "$output" | sed '$d'
    counts=$(printf '%s\n' "$output" | sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
    # A program that says nothing did not end well.
    [ -n "$counts" ] || { echo "not ok - $program ended with status $rc"; counts="0 1 0"; }
    # shellcheck disable=SC2086 # three words
    set -- $counts
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] || exit 1
[ $passed -gt 0 ] || exit 77
