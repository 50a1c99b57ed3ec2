#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Inside the machine: loads a module, runs a command, and takes the module out again. It fails when
# the command does, when the module stays in use, when memory does not come back, and when the
# kernel complains: in its log or, where it has kmemleak, of a leak. What the command says comes
# last.
# Usage: guest.sh "MODULE [PARAMETER=VALUE]" COMMAND [ARGUMENT..]
#   HY_LOST_MB, HY_LOST_SLAB_MB   what memory, and memory of the kernel, may be less afterwards
set -u
read -ra module <<<"$1"
shift
name=$(basename "${module[0]}" .ko) failed=0
complaints='BUG:|WARNING:|Call Trace|refcount_t|KASAN|UBSAN|INFO: (task|rcu)|blocked for more'
kmemleak=/sys/kernel/debug/kmemleak

fail() {
    echo "$1"
    failed=1
}

# In MB: memory, and memory of the kernel. What is freed after a grace period, or by a worker, is
# waited for.
memory() {
    for _ in 1 2 3 4 5; do
        sync
        echo 3 >/proc/sys/vm/drop_caches
        sleep 0.5
    done
    awk '{ mb[$1] = int($2 / 1024) } END { print mb["MemAvailable:"], mb["SUnreclaim:"] }' \
        /proc/meminfo
}

# It reports what was lost for five seconds, and what two looks in turn find.
leaks() {
    sleep 6
    echo scan >$kmemleak
    echo scan >$kmemleak
    cat $kmemleak
}

[ -d /sys/kernel/debug/tracing ] || mount -t debugfs debugfs /sys/kernel/debug
[ ! -e $kmemleak ] || echo clear >$kmemleak
dmesg -C
insmod "${module[@]}" || exit
read -r available slab < <(memory)
"$@" >/tmp/said 2>&1
rc=$?
rmmod "$name" || fail "the module is still in use"
read -r available_after slab_after < <(memory)
lost=$((available - available_after)) grown=$((slab_after - slab))
((lost <= ${HY_LOST_MB:-64})) || fail "$lost MB of memory did not come back"
((grown <= ${HY_LOST_SLAB_MB:-16})) || fail "memory of the kernel grew by $grown MB"
if [ -e $kmemleak ] && found=$(leaks) && [ -n "$found" ]; then
    fail "kmemleak: $found"
fi
dmesg >/tmp/dmesg
if grep -A 40 -E "$complaints" /tmp/dmesg; then
    fail "the kernel complains, see above"
fi
echo "# memory: $lost MB less than before, of the kernel $grown MB more"
cat /tmp/said
((failed)) && exit 1
exit $rc
