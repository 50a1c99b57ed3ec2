#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: host
# Builds the module and loads it in the machine, where guest/with_module.sh uses it.
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cp -r kernel-module/. "$build"
make -s -C "$build" KERNELDIR="$(scripts/lab/vm.sh headers)" CC=gcc module
scripts/lab/vm.sh run --limit 1800 --share "$build" -- bash /hayate/src/test/vm/guest/with_module.sh
