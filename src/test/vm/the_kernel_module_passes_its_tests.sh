#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: host
# Builds kernel-module/ and its tests, runs them as root in the machine, takes the module out again.
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
src/test/vm/module/build.sh "$build"
scripts/lab/vm.sh run --limit 1200 --share "$build" -- \
    bash /hayate/src/test/vm/module/guest.sh hayate.ko tests/run.sh
