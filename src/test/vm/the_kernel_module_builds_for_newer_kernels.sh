#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
# Against the headers in Debian's backports, with the warnings of W=1 as errors. Those for Debian 12
# make a whole module. Those for Debian 13 are of a newer kernel, whose tools want newer libraries,
# and whose flags a newer compiler: all but linking.
set -euo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cp -r kernel-module "$build/whole"
cp -r kernel-module "$build/objects"

headers=$(scripts/lab/vm.sh headers --backport bookworm) || exit # 77: without a network
# BTF would want pahole, and the kernel itself.
make -s -C "$build/whole" KERNELDIR="$headers" CC=gcc CONFIG_DEBUG_INFO_BTF_MODULES= module
version=$(strings "$build/whole/hayate.ko" | grep ^vermagic=)
echo "$version"
[[ $version == vermagic=* && $version != vermagic=6.1.* ]]

headers=$(scripts/lab/vm.sh headers --backport trixie) || exit
make -s -C "$headers" M="$build/objects" CC=gcc W=1 KCFLAGS=-Werror objtool=true \
    CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT= hayate.o
exported=$(cut -f 2 "$headers/Module.symvers" | sort)
wanted=$(nm -u "$build/objects/hayate.o" | awk '$2 != "__this_module" { print $2 }' | sort)
echo "${headers##*/}: not exported: $(comm -13 <(echo "$exported") <(echo "$wanted"))"
[ -n "$wanted" ] && [ -z "$(comm -13 <(echo "$exported") <(echo "$wanted"))" ]
