#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
# QEMU itself ends with 0 here.
set -euo pipefail
rc=0
said=$(scripts/lab/vm.sh run -- sh -c 'echo before; echo c >/proc/sysrq-trigger; sleep 60' 2>&1) ||
    rc=$?
echo "$said"
[ $rc = 125 ]
grep -qx before <<<"$said"
grep -q 'the machine ended before the command did' <<<"$said"
grep -q 'Kernel panic - not syncing: sysrq triggered crash' <<<"$said"
