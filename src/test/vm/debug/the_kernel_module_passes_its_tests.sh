#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: host
# As on the stock kernel, in less rounds, and with a fault injected at each place: no report is
# allowed. What was freed stays in KASAN's quarantine for a while.
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
src/test/vm/module/build.sh "$build" --debug
scripts/lab/vm.sh run --debug --limit 1500 --share "$build" -- \
    env HAYATE_ROUNDS=5 HY_LOST_MB=400 HY_LOST_SLAB_MB=400 \
    bash /hayate/src/test/vm/module/guest.sh hayate.ko tests/run.sh
