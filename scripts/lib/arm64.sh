# shellcheck shell=bash disable=SC2034 # variables for callers
# SPDX-License-Identifier: Apache-2.0
# aarch64 on x86-64: a cross compiler, QEMU for user programs, and a root file system with a JRE;
# sourced after setup.sh.
#   hy_arm_tools    what the host needs: installed when root. 2: cannot be had, HY_WHY says why
#   hy_arm_root     makes the file system once, from Debian 12's packages, and sets HY_ARM_ROOT;
#                   2 as before
#   hy_arm_wrap FILE PROGRAM   FILE becomes a script that runs the aarch64 PROGRAM: what starts it
#                         need not know, and no binfmt_misc of the kernel is needed
#   HY_ARM_MAKE     options of make for scripts/lib/ctest.mk; after hy_arm_root
# The file system lies where those of virtual machines do: lab/vm-image.sh.
source scripts/lab/vm-image.sh
HY_ARM_PACKAGES=openjdk-17-jre-headless,libcmocka-dev
HY_ARM_CC=aarch64-linux-gnu-gcc HY_ARM_ROOT=''
HY_ARM_MAKE=()

hy_arm_tools() {
    local missing=()
    [ "$(uname -m)" = x86_64 ] || { HY_WHY="this is no x86_64"; return 2; }
    command -v $HY_ARM_CC >/dev/null || missing+=(gcc-aarch64-linux-gnu)
    [ -e /usr/aarch64-linux-gnu/include/stdio.h ] || missing+=(libc6-dev-arm64-cross)
    command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
    command -v mmdebstrap >/dev/null || missing+=(mmdebstrap)
    ((${#missing[@]})) || return 0
    if ! hy_can_install || ! hy_install "${missing[@]}"; then
        HY_WHY="missing: ${missing[*]} (sudo apt-get install -y ${missing[*]})"
        return 2
    fi
}

hy_arm_recipe() {
    echo "$HY_ARM_PACKAGES"
    declare -f hy_arm_make
}

# Unpacked only: nothing of it has to run for that.
hy_arm_make() { # hy_arm_make DIRECTORY
    mmdebstrap --quiet --variant=extract --arch=arm64 --include=$HY_ARM_PACKAGES \
        bookworm "$1/root" "deb $HY_VM_MIRROR bookworm main" >&2
}

hy_arm_root() {
    local recipe
    recipe=$(hy_arm_recipe)
    hy_vm_source "$recipe" || return 2
    hy_vm_keep "a file system of Debian 12 for aarch64" hy_arm_make "$recipe"
    HY_ARM_ROOT=$HY_VM_KEPT/root
    HY_ARM_MAKE=(CC=$HY_ARM_CC AR=aarch64-linux-gnu-ar
        LIBS_IN="$HY_ARM_ROOT/usr/lib/aarch64-linux-gnu")
}

hy_arm_wrap() { # hy_arm_wrap FILE PROGRAM
    mkdir -p "$(dirname "$1")"
    printf '#!/bin/sh\nexec qemu-aarch64-static -L "%s" "%s" "$@"\n' "$HY_ARM_ROOT" "$2" >"$1"
    chmod +x "$1"
}
