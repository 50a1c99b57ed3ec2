// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a function of the kernel slow, before and after what it does, so that whatever may happen
 * at the same time does: insmod slow.ko function=NAME us=MICROSECONDS.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static char *function = "vmf_insert_pfn";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "that can be probed");

static unsigned int us = 300;
module_param(us, uint, 0444);
MODULE_PARM_DESC(us, "microseconds, up to 1000, before and after it");

static int wait(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	udelay(us);
	return 0;
}

static struct kretprobe probe = {
	.entry_handler = wait,
	.handler = wait,
};

static int __init slow_init(void)
{
	if (us > 1000)
		return -EINVAL;
	probe.kp.symbol_name = function;
	return register_kretprobe(&probe);
}

static void __exit slow_exit(void)
{
	unregister_kretprobe(&probe);
}

module_init(slow_init);
module_exit(slow_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Makes a function slow, for tests");
