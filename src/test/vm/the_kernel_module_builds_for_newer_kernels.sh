#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
# Against the headers in Debian's backports, with the warnings of W=1 as errors.
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
headers=$(scripts/vm.sh headers --backport) || exit # 77: without a network
cp -r kernel-module/. "$build"
# BTF would want pahole, and the kernel itself.
make -s -C "$build" KERNELDIR="$headers" CC=gcc CONFIG_DEBUG_INFO_BTF_MODULES= module
version=$(strings "$build/hayate.ko" | grep ^vermagic=)
echo "$version"
[[ $version == vermagic=* && $version != vermagic=6.1.* ]]
