#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: host
# A page that is lost at each death would be 40 MB, an object of 500 bytes 5 MB.
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
src/test/vm/module/build.sh "$build"
scripts/lab/vm.sh run --limit 5400 --share "$build" -- env HY_LOST_MB=32 HY_LOST_SLAB_MB=4 \
    bash /hayate/src/test/vm/module/guest.sh hayate.ko \
    tests/run.sh "./stress_test --deaths 10000 --seconds 120"
