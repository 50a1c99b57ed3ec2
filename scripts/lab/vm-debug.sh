# shellcheck shell=bash disable=SC2016,SC2034 # text for other shells, variables for callers
# SPDX-License-Identifier: Apache-2.0
# A kernel that looks for bugs in what runs on it; sourced after vm-image.sh.
#   hy_vm_debug_tools   what building it needs beyond hy_vm_tools, in the same way
#   hy_vm_debug         builds it once, from Debian 12's linux-source-6.1 and debug.config, and has
#                       the machine booted with it, and modules built for it
#       bzImage         has all drivers of the machine built in
#       base.cpio       initramfs without /init
#       headers/        of this kernel
# It takes 10 minutes and more, and 2 GB while it is made, 0.1 GB afterwards.
HY_VM_DEBUG_CONFIG=src/test/vm/debug.config

hy_vm_debug_tools() {
    local missing=()
    command -v flex >/dev/null || missing+=(flex)
    command -v bison >/dev/null || missing+=(bison)
    command -v bc >/dev/null || missing+=(bc)
    command -v make >/dev/null || missing+=(make)
    hy_has_header gelf.h || missing+=(libelf-dev)
    ((${#missing[@]})) || return 0
    if ! hy_can_install || ! hy_install "${missing[@]}"; then
        HY_WHY="missing: ${missing[*]} (sudo apt-get install -y ${missing[*]})"
        return 2
    fi
}

hy_vm_debug() {
    hy_vm_keep "a debug kernel, in 10 minutes or more" hy_vm_debug_make \
        "$(grep -v '^#' $HY_VM_DEBUG_CONFIG)
        $(declare -f hy_vm_debug_make hy_vm_debug_unpack hy_vm_debug_configure hy_vm_debug_keep)"
    HY_VM_KERNEL=$HY_VM_KEPT/bzImage HY_VM_INITRAMFS=$HY_VM_KEPT/base.cpio
    HY_VM_HEADERS=$HY_VM_KEPT/headers
    HY_VM_MACHINE+=(-m 1536) # kmemleak reads all there is
}

hy_vm_debug_make() { # hy_vm_debug_make DIRECTORY
    hy_vm_debug_unpack "$1"
    hy_vm_debug_configure "$1/source"
    make -s -C "$1/source" -j"$(nproc)" bzImage modules >&2
    hy_vm_debug_keep "$1"
    rm -rf "$1/source"
}

# The package is fetched as a root file system is, so that the host may be of another release.
hy_vm_debug_unpack() { # hy_vm_debug_unpack DIRECTORY
    mkdir "$1/source"
    mmdebstrap --quiet --variant=extract --include=linux-source-6.1 bookworm "$1/packages.tar" >&2
    tar -xf "$1/packages.tar" -O ./usr/src/linux-source-6.1.tar.xz |
        tar -xJ --strip-components=1 -C "$1/source"
    rm "$1/packages.tar"
}

# An option that had no effect would be a check that is not made.
hy_vm_debug_configure() { # hy_vm_debug_configure SOURCE
    local line lost=''
    make -s -C "$1" KCONFIG_ALLCONFIG="$PWD/$HY_VM_DEBUG_CONFIG" allnoconfig >&2
    while read -r line; do
        case $line in
        CONFIG_*=n) ! grep -q "^${line%n}" "$1/.config" || lost+=" $line" ;;
        CONFIG_*) grep -qx -- "$line" "$1/.config" || lost+=" $line" ;;
        esac
    done <"$HY_VM_DEBUG_CONFIG"
    [ -z "$lost" ] || hy_die "the debug kernel cannot be configured: without effect:$lost"
}

# What modules are built with, as in Debian's linux-headers, and a root for the initramfs.
hy_vm_debug_keep() { # hy_vm_debug_keep DIRECTORY
    local release in=$1/initramfs from=$1/source PATH=$PATH:/sbin:/usr/sbin
    cp "$from/arch/x86/boot/bzImage" "$1/bzImage"
    release=$(cat "$from/include/config/kernel.release")
    mkdir -p "$in/bin" "$in/lib/modules/$release" "$1/headers"
    (cd "$in" && cpio -idm --quiet bin/busybox) <"$HY_VM/base.cpio"
    cp "$from"/modules.{order,builtin,builtin.modinfo} "$in/lib/modules/$release"
    depmod -b "$in" "$release"
    (cd "$in" && find . | cpio -o -H newc --quiet) >"$1/base.cpio"
    (cd "$from" && tar -c --exclude='*.[oacS]' --exclude='*.cmd' --exclude=arch/x86/boot Makefile \
        Kbuild .config Module.symvers include scripts arch/x86 tools/objtool/objtool) |
        tar -x -C "$1/headers"
    rm -rf "$in"
}
