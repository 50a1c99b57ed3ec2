#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/greeting.c" <<'END'
#include <linux/module.h>
static int __init greeting_init(void)
{
    pr_info("greeting is here\n");
    return 0;
}
static void __exit greeting_exit(void)
{
}
module_init(greeting_init);
module_exit(greeting_exit);
MODULE_LICENSE("GPL");
END
echo "obj-m := greeting.o" >"$folder/Kbuild"
make -s -C "$(scripts/lab/vm.sh headers)" M="$folder" CC=gcc modules
scripts/lab/vm.sh run --share "$folder" -- sh -ec 'insmod greeting.ko
    dmesg | grep "greeting is here"
    rmmod greeting
    ! grep greeting /proc/modules'
