#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs and makes ahead what the tests below start from, while others run: mostly downloads.
# Whatever fails here is tried again by the test that needs it, which then says why.
# Usage: images.sh [containers] [vm] [full]
#   containers  a Docker engine, and the image of the tests (engine.sh)
#   vm          QEMU, and the virtual machine (vm.sh)
#   full        what only test.sh --full wants: the testers of netlib, headers of newer kernels
set -uo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 3 "$@"
source scripts/lab/engine.sh
want=" $* "
[[ $want != *" full "* ]] || hy_want scalapack-mpi-test
[[ $want != *" containers "* ]] || hy_engine_prepare
[[ $want != *" vm "* ]] || scripts/lab/vm.sh build
if [[ $want == *" vm "* && $want == *" full "* ]]; then
    for release in bookworm trixie; do
        scripts/lab/vm.sh headers --backport $release
    done
fi
exit 0
