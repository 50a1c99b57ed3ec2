#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: host
# Builds kernel-module/ and its tests, runs them as root in the machine, takes the module out again.
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cp -r kernel-module/. "$build"
make -s -C "$build" KERNELDIR="$(scripts/vm.sh headers)" CC=gcc module
make -s -C "$build/tests"
# shellcheck disable=SC2016 # expanded inside
scripts/vm.sh run --share "$build" -- sh -c 'insmod hayate.ko || exit
    tests/run.sh >counts
    rc=$?
    rmmod hayate || { echo "the module is still in use after its tests"; rc=1; }
    if dmesg | grep -A 30 -E "BUG:|WARNING:|Call Trace|refcount_t"; then rc=1; fi
    cat counts
    exit $rc'
