#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A virtual machine with a stock Debian kernel, for what the host's kernel may not have: soft-RoCE,
# modules. It is emulated (QEMU's tcg), needs no rights, and is made and kept by vm-image.sh.
# Usage: vm.sh build
#        vm.sh headers
#        vm.sh run [--rdma] [--share DIR] [--limit SECONDS] -- COMMAND [ARGUMENT..]
#        vm.sh pair [--share DIR] [--limit SECONDS] -- COMMAND [ARGUMENT..] -- COMMAND [ARGUMENT..]
#        vm.sh test [PATTERN]
#   build    makes it, which the others do as well when there is none
#   headers  prints the folder to build modules of its kernel in (make -C)
#   run      boots it and runs COMMAND as root, with this checkout in /hayate, read-only. The exit
#            code is COMMAND's; 125: the machine ended before COMMAND; 124: no end in time (300 s)
#     --rdma   with two soft-RoCE devices, rxe0 at 10.7.0.1 and rxe1 at 10.7.0.2
#     --share  DIR is /share, where COMMAND is started
#   pair     two of them, joined by a network: hayate-0 and hayate-1, each with rxe0, at 10.7.0.1
#            and 10.7.0.2. The exit code is that of the first command that fails
#   test     runs src/test/vm/*.sh whose names match; last line "N passed, N failed, N skipped"
set -euo pipefail
caller=$PWD
# shellcheck source=scripts/setup.sh
source "$(dirname "$0")/setup.sh"
source scripts/vm-image.sh
source scripts/vm-run.sh
source scripts/vm-test.sh

prepare() {
    if ! hy_vm_tools || ! hy_vm_source; then
        hy_die "no virtual machine: $HY_WHY"
    fi
    hy_vm_image
}

# Options of run and pair, up to --. Sets left, too: the number of words behind.
options() {
    while (($#)); do
        case $1 in
        --rdma) network=cable ;;
        --share) share=$(cd "$caller" && realpath "${2:-}") ;;
        --limit) limit=${2:-} ;;
        --node) network=$2 ;; # this and the next are for pair
        --wire) HY_VM_WIRE=$2 ;;
        --) break ;;
        *) hy_die "vm.sh: unknown option $1: --rdma, --share DIR, --limit SECONDS, --" ;;
        esac
        [ "$1" = --rdma ] || shift
        shift
    done
    [ -z "$share" ] || [ -d "$share" ] || hy_die "vm.sh: --share $share is no folder"
    [[ $limit =~ ^[0-9]+$ ]] || hy_die "vm.sh: --limit $limit is no number of seconds"
    (($# > 1)) || hy_die "vm.sh: no command behind --"
    left=$(($# - 1))
}

network='' share='' limit=300
case ${1:-} in
build) prepare; echo "$HY_VM" ;;
headers) prepare; echo "$HY_VM"/headers/usr/src/linux-headers-*-amd64 ;;
run)
    options "${@:2}"
    prepare
    hy_vm_run "$network" "$share" "$limit" "${@: -left}"
    ;;
pair)
    options "${@:2}"
    prepare
    hy_vm_pair "$share" "$limit" "${@: -left}"
    ;;
test) hy_vm_tests "${2:-}" ;;
*) hy_die "vm.sh: what to do? build, headers, run, pair or test" ;;
esac
