#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The first process of the virtual machine. Makes a root file system whose changes are forgotten,
# and goes on in it. Whatever fails here ends the process, and so the machine, without an exit code.
set -eu
/bin/busybox mkdir -p /dev /proc /sys /lower /over /new
/bin/busybox --install -s /bin
export PATH=/bin
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
for module in virtio_pci virtio_blk virtio_rng 9pnet_virtio 9p crc32c_generic ext4 overlay; do
    modprobe "$module"
done
mount -t ext4 -o ro /dev/vda /lower
mount -t tmpfs over /over
mkdir /over/upper /over/work
mount -t overlay -o lowerdir=/lower,upperdir=/over/upper,workdir=/over/work root /new
mkdir -p /new/lib/modules
cp -r /lib/modules/* /new/lib/modules

# Each folder that the host shares has its place as its tag.
for file in /sys/bus/virtio/drivers/9pnet_virtio/virtio*/mount_tag; do
    tag=$(tr -d '\0' <"$file")
    cache=none
    [ "$tag" != hayate ] || cache=loose # it is read-only
    mkdir -p "/new/$tag"
    mount -t 9p -o "trans=virtio,version=9p2000.L,msize=262144,cache=$cache" "$tag" "/new/$tag"
done
for place in dev proc sys; do
    mount --move /$place /new/$place
done
exec switch_root /new /bin/bash /hayate/src/test/vm/guest/main.sh
