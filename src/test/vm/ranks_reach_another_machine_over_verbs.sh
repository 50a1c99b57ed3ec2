#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
# One rank on each of two machines; in the end one of them dies, and the other is told.
set -uo pipefail
program=/hayate/target/ctest/plain/bin/net/verbs/verbs_pair_program
said=$(scripts/lab/vm.sh pair --limit 1200 -- $program 0 10.7.0.1 -- $program 1 10.7.0.1 2>&1)
rc=$?
echo "$said"
passed=$(grep -cE '^[01]: ok ' <<<"$said")
failed=$(grep -cE '^[01]: not ok ' <<<"$said")
((failed || rc == 0)) || failed=1
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0 && passed > 0))
