# shellcheck shell=bash disable=SC2016,SC2034 # text for other shells, variables for callers
# SPDX-License-Identifier: Apache-2.0
# What the virtual machine of the tests consists of; sourced after setup.sh.
#   hy_vm_tools      what the host needs: installed when root. 2: cannot be had, HY_WHY says why
#   hy_vm_source     is it there, or can Debian be reached? 2: no, HY_WHY says so
#   hy_vm_image      makes it once, from Debian 12's packages, and sets HY_VM to its folder, and
#                    HY_VM_KERNEL, HY_VM_INITRAMFS, HY_VM_HEADERS to what is booted and built for
#       vmlinux      the stock kernel
#       base.cpio    initramfs without /init: busybox, and the modules below
#       root.ext2    the file system: a JRE, MPI, UCX, Docker, and tools for RDMA and libfabric
#       headers/     of this kernel, for building modules: usr/src/linux-headers-*-amd64
# It is kept in the user's cache under a hash of its recipe.
HY_VM_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/hayate/vm
HY_VM_PACKAGES=openjdk-17-jre-headless,procps,iproute2,kmod,libhwloc15,libcmocka0,libfabric-bin
HY_VM_PACKAGES+=,ibverbs-providers,ibverbs-utils,rdma-core,rdmacm-utils,perftest
HY_VM_PACKAGES+=,mpich,openmpi-bin,scalapack-mpi-test,ucx-utils,docker.io
# Without crc32_generic no soft-RoCE device can be made.
HY_VM_MODULES="virtio_pci virtio_blk virtio_net virtio_rng 9pnet_virtio 9p ext4 overlay veth dummy
    bridge crc32c_generic crc32_generic crc32_pclmul rdma_rxe ib_uverbs ib_umad rdma_ucm"
HY_VM_MIRROR=http://deb.debian.org/debian
HY_VM='' HY_VM_KERNEL='' HY_VM_INITRAMFS='' HY_VM_HEADERS='' HY_VM_KEPT='' HY_WHY=''

hy_vm_tools() {
    local tool missing=()
    [ "$(uname -m)" = x86_64 ] || { HY_WHY="this is no x86_64"; return 2; }
    for tool in qemu-system-x86_64:qemu-system-x86 mmdebstrap:mmdebstrap genext2fs:genext2fs \
        depmod:kmod cpio:cpio xz:xz-utils; do
        PATH=$PATH:/sbin:/usr/sbin command -v "${tool%:*}" >/dev/null || missing+=("${tool#*:}")
    done
    # The headers' objtool wants it.
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep 'libelf\.so\.1 ' >/dev/null || missing+=(libelf1)
    ((${#missing[@]})) || return 0
    if ! hy_can_install || ! hy_install "${missing[@]}"; then
        HY_WHY="missing: ${missing[*]} (sudo apt-get install -y ${missing[*]})"
        return 2
    fi
}

hy_vm_folder() { # hy_vm_folder RECIPE
    echo "$HY_VM_CACHE/$(sha256sum <<<"$1" | cut -c 1-16)"
}

hy_vm_source() { # hy_vm_source [RECIPE]
    local file rc=0
    [ ! -d "$(hy_vm_folder "${1:-$(hy_vm_recipe)}")" ] || return 0
    file=$(mktemp)
    /usr/lib/apt/apt-helper download-file "$HY_VM_MIRROR/dists/bookworm/Release" "$file" \
        >/dev/null 2>&1 || rc=2
    rm -f "$file"
    HY_WHY="none was made yet, and $HY_VM_MIRROR cannot be reached"
    return $rc
}

hy_vm_image() {
    hy_vm_keep "a virtual machine of Debian 12" hy_vm_make "$(hy_vm_recipe)"
    HY_VM=$HY_VM_KEPT HY_VM_KERNEL=$HY_VM_KEPT/vmlinux HY_VM_INITRAMFS=$HY_VM_KEPT/base.cpio
    HY_VM_HEADERS=$(echo "$HY_VM"/headers/usr/src/linux-headers-*-amd64)
}

# Sets HY_VM_KEPT to the folder that "FUNCTION FOLDER" has filled, now or when it was asked before.
hy_vm_keep() { # hy_vm_keep WHAT FUNCTION RECIPE
    local part rc
    HY_VM_KEPT=$(hy_vm_folder "$3")
    mkdir -p "$HY_VM_CACHE"
    exec 8>"$HY_VM_KEPT.lock" # of its own: who wants another one does not wait
    flock 8
    if [ ! -d "$HY_VM_KEPT" ]; then
        hy_say "making $1: $HY_VM_KEPT"
        part=$HY_VM_KEPT.part
        rm -rf "$part"
        mkdir "$part"
        set +e # in a condition, the function would go on after a failure
        (set -e; "$2" "$part")
        rc=$?
        set -e
        ((rc == 0)) || hy_die "$1 cannot be made: see above"
        mv "$part" "$HY_VM_KEPT"
    fi
    touch "$HY_VM_KEPT"
    # What other recipes made, and nobody used for two weeks.
    find "$HY_VM_CACHE" -mindepth 1 -maxdepth 1 -type d -mtime +14 -exec rm -rf {} +
    exec 8>&-
}

hy_vm_recipe() {
    tr -s ' \n' ' ' <<<"$HY_VM_PACKAGES $HY_VM_MODULES"
    declare -f hy_vm_make hy_vm_bootstrap hy_vm_kernel hy_vm_initramfs
}

hy_vm_make() { # hy_vm_make DIRECTORY
    local deb
    hy_vm_bootstrap "$1"
    for deb in "$1"/debs/linux-image-*.deb "$1"/debs/busybox-static*.deb; do
        dpkg -x "$deb" "$1/unpacked"
    done
    for deb in "$1"/debs/linux-headers-*.deb "$1"/debs/linux-kbuild-*.deb; do
        dpkg -x "$deb" "$1/headers"
    done
    hy_vm_kernel "$1"/unpacked/boot/vmlinuz-* >"$1/vmlinux"
    hy_vm_initramfs "$1"
    # The headers expect to lie in /usr/src; so they can be anywhere.
    sed -i 's#^include /usr/src/#include $(dir $(lastword $(MAKEFILE_LIST)))../#' \
        "$1"/headers/usr/src/linux-headers-*-amd64/Makefile
    rm -rf "$1/debs" "$1/unpacked" "$1/initramfs"
}

# Kernel and headers are downloaded inside, where apt is of the same release on every host.
hy_vm_bootstrap() { # hy_vm_bootstrap DIRECTORY
    local path excludes=()
    for path in doc locale man; do
        excludes+=("--dpkgopt=path-exclude=/usr/share/$path/*")
    done
    cat >"$1/download" <<'END'
set -e
mkdir /debs && cd /debs
depends() { apt-cache depends "$@" | sed -n 's/^ *Depends: \(linux-[a-z]*-[0-9].*\)/\1/p'; }
packages=$(depends linux-image-amd64 linux-headers-amd64)
apt-get download -qq -o APT::Sandbox::User=root busybox-static $packages \
    $(depends $packages | grep -E 'common|kbuild' | sort -u)
END
    # The JRE's installation wants the directory of manual pages that minbase leaves out.
    mmdebstrap --quiet --variant=minbase --include=$HY_VM_PACKAGES "${excludes[@]}" \
        --essential-hook='mkdir -p "$1"/usr/share/man/man1' \
        --customize-hook="upload '$1/download' /download" \
        --customize-hook='chroot "$1" sh /download' --customize-hook="copy-out /debs '$1'" \
        --customize-hook='rm -rf "$1"/d[eo][bw][sn]* "$1"/var/lib/apt/lists "$1"/var/cache/apt' \
        bookworm "$1/root.ext2" >&2
    rm "$1/download"
}

# The ELF file inside a compressed kernel: QEMU boots it seconds earlier than the whole.
hy_vm_kernel() { # hy_vm_kernel BZIMAGE
    local setup offset length
    setup=$(od -An -tu1 -j $((0x1f1)) -N 1 "$1")
    offset=$(od -An -tu4 -j $((0x248)) -N 4 "$1")
    length=$(od -An -tu4 -j $((0x24c)) -N 4 "$1") # with four bytes that are no part of the stream
    dd if="$1" bs=1M iflag=skip_bytes,count_bytes skip=$(((setup + 1) * 512 + offset)) \
        count=$((length - 4)) status=none | xz -dc
}

hy_vm_initramfs() { # hy_vm_initramfs DIRECTORY
    local module release in=$1/initramfs from=$1/unpacked PATH=$PATH:/sbin:/usr/sbin
    release=$(ls "$from/lib/modules")
    mkdir -p "$in/bin"
    cp "$from/bin/busybox" "$in/bin"
    depmod -b "$from" "$release"
    for module in $HY_VM_MODULES; do
        modprobe -d "$from" -S "$release" --show-depends "$module"
    done | sed -n "s#^insmod $from/\([^ ]*\).*#\1#p" | sort -u >"$1/modules"
    (cd "$from" && cpio -o -H newc --quiet <"$1/modules") | (cd "$in" && cpio -idm --quiet)
    cp "$from/lib/modules/$release"/modules.{order,builtin*} "$in/lib/modules/$release"
    depmod -b "$in" "$release"
    (cd "$in" && find . | cpio -o -H newc --quiet) >"$1/base.cpio"
    rm "$1/modules"
}
