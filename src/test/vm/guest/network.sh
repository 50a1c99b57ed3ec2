# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Soft-RoCE devices, as the host has asked for in /lab/network; sourced by main.sh.
#   cable  rxe0 with the address 10.7.0.1 and rxe1 with 10.7.0.2, at the ends of one cable. What
#          they send each other goes through it, though both addresses are of this machine:
#          soft-RoCE looks for a way out of its own device.
#   0, 1   rxe0 at the cable to the other machine; this one is called hayate-0 or hayate-1
modprobe -a veth virtio_net rdma_rxe ib_uverbs rdma_ucm crc32_generic
network=$(cat /lab/network)

# Retries are limited, so soft-RoCE wants a network that loses nothing and keeps the order. A cable
# inside a machine drops what is more than the backlog of a processor, as the answer to one read of
# 1 MB is; and each processor has a backlog of its own. Here it is long, and the packets of a queue
# pair share one.
sysctl -qw net.core.netdev_max_backlog=100000

# The first entry of the device's GID table is of the link, the second of the address: -g 1.
device() { # device NUMBER ADDRESS
    sysctl -qw "net.ipv6.conf.eth$1.disable_ipv6=1" "net.ipv4.conf.eth$1.accept_local=1" \
        "net.ipv4.conf.eth$1.rp_filter=0" "net.ipv4.conf.eth$1.arp_ignore=1"
    ip addr add "$2/24" dev "eth$1"
    echo 3 >"/sys/class/net/eth$1/queues/rx-0/rps_cpus"
    ip link set "eth$1" up
    rdma link add "rxe$1" type rxe netdev "eth$1"
}

# libfabric asks the name of the host for the address of its device.
echo "127.0.0.1 localhost" >/etc/hosts
if [ "$network" = cable ]; then
    ip link add eth0 type veth peer name eth1
    device 0 10.7.0.1
    device 1 10.7.0.2
    echo "10.7.0.1 hayate-vm" >>/etc/hosts
else
    device 0 "10.7.0.$((network + 1))"
    hostname "hayate-$network"
    printf '10.7.0.1 hayate-0\n10.7.0.2 hayate-1\n' >>/etc/hosts
fi

# What it went through, for the log of a command that failed.
network_report() {
    echo "Lost on the way, by processor: $(cut -d ' ' -f 2 /proc/net/softnet_stat | paste -sd ' ')"
    (cd /sys/class/infiniband && grep -H '[1-9]' rxe*/ports/1/hw_counters/*err*) |
        sed 's#/ports/1/hw_counters/# #' | paste -sd ,
    dmesg | tail -n 5
}
