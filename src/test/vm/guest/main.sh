#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The first process after init.sh: runs what the host has put into /lab, leaves the exit code there,
# and ends the machine.
set -eu
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
mkdir -p /dev/shm /dev/pts
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t tmpfs tmp /tmp
mount -t tmpfs run /run
ln -sf /proc/self/fd /dev/fd
hostname hayate-vm
echo "127.0.0.1 localhost hayate-vm" >/etc/hosts
ip link set lo up
# shellcheck source=src/test/vm/guest/network.sh
[ ! -s /lab/network ] || source /hayate/src/test/vm/guest/network.sh

rc=0
bash /lab/command </dev/null >>/lab/out 2>>/lab/err || rc=$?
((rc == 0)) || [ ! -s /lab/network ] || network_report >>/lab/err || true
echo $rc >/lab/rc.part
sync
mv /lab/rc.part /lab/rc
echo b >/proc/sysrq-trigger # QEMU is told to end instead of starting again
sleep 60
