#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds kernel-module/, its tests and their modules in a folder, for the stock kernel of the
# virtual machine or the debug kernel, without a warning.
# Usage: build.sh FOLDER [--debug]
set -euo pipefail
headers=$(scripts/lab/vm.sh headers "${@:2}")
# What is outside of the kernel's own tree asks for UBSAN itself.
checks=(${2:+UBSAN_SANITIZE=y})
cp -r kernel-module/. "$1"
make -s -C "$1" KERNELDIR="$headers" CC=gcc "${checks[@]}" module
make -s -C "$1/tests" -j2
make -s -C "$headers" M="$1/tests/slow" CC=gcc modules
[ -z "${2:-}" ] || make -s -C "$headers" M="$1/tests/planted" CC=gcc "${checks[@]}" modules
