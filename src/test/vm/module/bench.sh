#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The kernel module's bench in the virtual machine. By the clock of an emulated machine only ratios
# mean something, and they are noisy where others use the host. In instructions they are the same
# every time; there a byte is not one, as it would be with "rep movsb".
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
src/test/vm/module/build.sh "$build"
bench() { # bench LIMIT TURNS [OPTION]
    scripts/lab/vm.sh run "${@:3}" --limit "$1" --share "$build" -- \
        sh -c "insmod hayate.ko && tests/bench --turns $2"
}
echo "By the clock:"
bench 1200 201
echo "In instructions (its us are thousands of instructions):"
bench 1800 5 --count
