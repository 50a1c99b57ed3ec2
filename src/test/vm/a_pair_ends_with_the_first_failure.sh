#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
# One machine of a pair that fails is not waited for by the other. That they reach each other, the
# tests between machines show.
set -euo pipefail
rc=0
scripts/lab/vm.sh pair -- sh -c 'exit 3' -- sleep 1000 || rc=$?
[ $rc = 3 ]
