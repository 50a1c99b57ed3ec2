#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A virtual machine with a stock Debian kernel, for what the host's kernel may not have: soft-RoCE,
# modules. It is emulated (QEMU's tcg), needs no rights, and is made and kept by vm-image.sh.
# Usage: vm.sh build [--debug]
#        vm.sh headers [--debug | --backport RELEASE]
#        vm.sh run [--debug] [--rdma] [--count] [--share DIR] [--limit SECONDS] --
#              COMMAND [ARGUMENT..]
#        vm.sh pair [--share DIR] [--limit SECONDS] -- COMMAND [ARGUMENT..] -- COMMAND [ARGUMENT..]
#        vm.sh test [--quick | --debug | --stress] [PATTERN]
#        vm.sh bench
#   build    makes it, which the others do as well when there is none
#     --debug  with a kernel that has KASAN, lockdep, kmemleak, UBSAN and fault injection, which is
#              built once, in 10 minutes or more
#   headers  prints the folder to build modules of its kernel in (make -C)
#     --backport  of the kernel in the backports of this Debian release; it is not booted
#   run      boots it and runs COMMAND as root, with this checkout in /hayate, read-only. The exit
#            code is COMMAND's; 125: the machine ended before COMMAND; 124: no end in time (600 s);
#            123: its kernel hung, without a module that does not belong to it
#     --rdma   with two soft-RoCE devices, rxe0 at 10.7.0.1 and rxe1 at 10.7.0.2
#     --count  time there is instructions: one processor that runs one in a nanosecond
#     --share  DIR is /share, where COMMAND is started
#   pair     two of them, joined by a network: hayate-0 and hayate-1, each with rxe0, at 10.7.0.1
#            and 10.7.0.2. The exit code is that of the first command that fails
#   test     runs src/test/vm/*.sh whose names match; last line "N passed, N failed, N skipped"
#     --quick  without those that have a line "# slow"
#     --debug  those in src/test/vm/debug, with the debug kernel
#     --stress those in src/test/vm/stress, which take many minutes
#   bench    the kernel module against process_vm_readv and memcpy, by the clock and in instructions
set -euo pipefail
caller=$PWD
# shellcheck source=scripts/lib/setup.sh
source "$(dirname "$0")/../lib/setup.sh"
hy_help "$@"
source scripts/lab/vm-image.sh
source scripts/lab/vm-debug.sh
source scripts/lab/vm-headers.sh
source scripts/lab/vm-run.sh
source scripts/lib/pool.sh
source scripts/lab/vm-test.sh

prepare() {
    if ! hy_vm_tools || ! hy_vm_source; then
        hy_die "no virtual machine: $HY_WHY"
    fi
    hy_vm_image
    [ -z "$debug" ] || { hy_vm_debug_tools || hy_die "no debug kernel: $HY_WHY"; hy_vm_debug; }
}

# Takes --debug off the arguments of build and headers.
only_debug() {
    [ "${1:-}" != --debug ] || { debug=yes; shift; }
    (($# == 0)) || hy_die "vm.sh: unknown option $1: --debug"
}

# Options of run and pair, up to --. Sets left, too: the number of words behind.
options() {
    while (($#)); do
        case $1 in
        --rdma) network=cable ;;
        --debug) debug=yes ;;
        --count) HY_VM_MACHINE+=(-smp 1 -icount "shift=0,sleep=off") ;;
        --share) share=$(cd "$caller" && realpath "${2:-}") ;;
        --limit) limit=${2:-} ;;
        --node) network=$2 ;; # this and the next are for pair
        --wire) HY_VM_WIRE=$2 ;;
        --) break ;;
        *) hy_die "vm.sh: unknown option $1: --debug, --rdma, --count, --share DIR," \
            "--limit SECONDS, --" ;;
        esac
        [[ $1 =~ ^--(rdma|debug|count)$ ]] || shift
        shift
    done
    [ -z "$share" ] || [ -d "$share" ] || hy_die "vm.sh: --share $share is not a folder"
    [[ $limit =~ ^[0-9]+$ ]] || hy_die "vm.sh: --limit $limit is not a number of seconds"
    (($# > 1)) || hy_die "vm.sh: no command after --"
    left=$(($# - 1))
}

network='' share='' limit=600 debug=''
case ${1:-} in
build) only_debug "${@:2}"; prepare; dirname "$HY_VM_KERNEL" ;;
headers)
    if [ "${2:-}" = --backport ] && (($# == 3)); then
        hy_vm_tools || hy_die "no headers: $HY_WHY"
        hy_vm_backport "$3" || exit
    else
        only_debug "${@:2}"
        prepare
    fi
    echo "$HY_VM_HEADERS"
    ;;
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
test)
    folder= quick=
    case ${2:-} in
    --quick) quick=1; shift ;;
    --debug | --stress) folder=${2#--}; shift ;;
    esac
    hy_vm_tests "$folder" "${2:-}" $quick
    ;;
bench) bash src/test/vm/module/bench.sh ;;
*) hy_refuse "expected build, headers, run, pair, test or bench" ;;
esac
