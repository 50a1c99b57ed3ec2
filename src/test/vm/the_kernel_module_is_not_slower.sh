#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
# In instructions: copying takes no more than process_vm_readv and process_vm_writev from 4 KB to
# 8 MB, and an attachment in use at most 5 % more than memory of one's own.
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
src/test/vm/module/build.sh "$build"
scripts/lab/vm.sh run --count --limit 1800 --share "$build" -- \
    sh -c 'insmod hayate.ko && tests/bench --turns 5 --check 1'
