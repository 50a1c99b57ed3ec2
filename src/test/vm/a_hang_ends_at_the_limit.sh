#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
set -euo pipefail
rc=0
said=$(scripts/lab/vm.sh run --limit 60 -- sh -c 'echo started; sleep 1000' 2>&1) || rc=$?
echo "$said"
[ $rc = 124 ]
grep -qx started <<<"$said"
grep -q 'did not end within 60 s' <<<"$said"
