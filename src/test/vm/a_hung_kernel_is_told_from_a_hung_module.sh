#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
# A hang of the emulated kernel is nobody's fault, and the test runs again; that of a module is.
# A module that claims to be part of the kernel's source stands for the kernel.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in theirs ours; do
    cat >"$folder/$name.c" <<'END'
#include <linux/module.h>
#include <linux/preempt.h>
static int __init spin(void)
{
    preempt_disable();
    for (;;) cpu_relax();
    return 0;
}
module_init(spin);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("never returns");
END
done
echo 'MODULE_INFO(intree, "Y");' >>"$folder/theirs.c"
echo 'obj-m := theirs.o ours.o' >"$folder/Makefile"
make -s -C "$(scripts/lab/vm.sh headers)" M="$folder" CC=gcc modules

hang() { # hang MODULE RC
    local rc=0 said
    said=$(scripts/lab/vm.sh run --share "$folder" --limit 120 -- \
        sh -c "echo 1 >/proc/sys/kernel/watchdog_thresh; insmod $1.ko" 2>&1) || rc=$?
    echo "$said"
    grep -q 'Kernel panic - not syncing: softlockup' <<<"$said"
    [ $rc = "$2" ]
}

hang theirs 123
hang ours 125
