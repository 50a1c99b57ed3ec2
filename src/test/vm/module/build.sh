#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds kernel-module/ and its tests in a folder, for the stock kernel of the virtual machine or
# the debug kernel, without a warning.
# Usage: build.sh FOLDER [--debug]
set -euo pipefail
headers=$(scripts/vm.sh headers "${@:2}")
cp -r kernel-module/. "$1"
make -s -C "$1" KERNELDIR="$headers" CC=gcc module
make -s -C "$1/tests" -j2
[ -z "${2:-}" ] || make -s -C "$headers" M="$1/tests/planted" CC=gcc modules
