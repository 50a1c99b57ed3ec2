#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: host
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
src/test/vm/module/build.sh "$build"
scripts/lab/vm.sh run --limit 3600 --share "$build" -- \
    bash /hayate/src/test/vm/module/guest.sh hayate.ko \
    tests/run.sh "./fuzz_test --ioctls 1000000"
