#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --rdma --limit 900
# As HayateCluster starts its nodes: two containers in a network of their own, with the devices and
# the limit of rdma.properties, and ranks without rights. They are not told to use verbs. Each has a
# device at its end of a cable. The ranks are programs in C, which a file in place of ssh starts:
# emulated, Testcontainers and an image with sshd take too long. The image consists of links, and
# the containers see /usr of this machine.
set -euo pipefail
bin=/hayate/target/ctest/plain/bin
given=/hayate/src/main/resources/io/hayate/testcontainers/rdma.properties
folder=/tmp/containers
devices=$(sed -n 's/^devices=//p' $given) memlock=$(sed -n 's/^memlock=//p' $given)

start_engine() {
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    dockerd --host unix:///run/docker.sock --data-root /tmp/docker --bip 172.17.0.1/16 \
        --iptables=false --ip6tables=false >$folder/engine.txt 2>&1 &
    until docker info >/dev/null 2>&1; do
        kill -0 $! || { tail -n 20 $folder/engine.txt; exit 1; }
        sleep 0.5
    done
}

make_image() {
    local root=$folder/root place
    mkdir -p $root/usr $root/etc $root/hayate
    mkdir -m 1777 $root/tmp
    for place in bin sbin lib lib64; do ln -s usr/$place $root/$place; done
    cp -r /etc/passwd /etc/group /etc/nsswitch.conf /etc/ld.so.cache /etc/libibverbs.d $root/etc
    tar -C $root -c . | docker import - node
}

start_node() { # start_node NAME
    docker run -d --name "$1" --hostname "$1" --device "$devices" --ulimit "memlock=$memlock" \
        -v /usr:/usr:ro -v /hayate:/hayate:ro node sleep 10000
}

sent() { # sent DEVICE: messages
    cat "/sys/class/infiniband/$1/ports/1/hw_counters/rdma_sends"
}

mkdir $folder
start_engine
make_image
start_node node1
start_node node2
cat >$folder/shell <<'END'
#!/bin/sh
# shell OPTION.. HOST COMMAND..
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec docker exec -u 1000:1000 "$host" sh -c "$*"
END
chmod +x $folder/shell
export HAYATE_HEAP=64M HAYATE_NET_SILENCE=60 HAYATE_TUNING=none HAYATE_WAIT=block HOME=/tmp
own_device='[ "$PMI_RANK" = 0 ] && d=rxe0 || d=rxe1; HAYATE_NET_DEVICE=$d exec "$0" "$@"'
timeout -k 5 300 mpiexec.hydra -launcher ssh -launcher-exec $folder/shell -iface docker0 \
    -hosts node1,node2 -ppn 1 -n 2 sh -c "$own_device" $bin/fmpl/conformance_program \
    should_keep_the_order_one_way should_carry_both_ways_at_once </dev/null
echo "sent: $(sent rxe0) and $(sent rxe1) messages"
(($(sent rxe0) >= 300 && $(sent rxe1) >= 50))
