// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and unloading: only the device is registered; everything else lives as long as open
 * files.
 */

#include <linux/module.h>

#include "device.h"

static int __init hayate_init(void)
{
	return hy_device_start();
}

/*
 * No file is open, because each holds the module. So no member, segment, window or access is left,
 * and only memory still waits for the end of a grace period (kfree_rcu), which needs no code of
 * this module.
 */
static void __exit hayate_exit(void)
{
	hy_device_stop();
}

module_init(hayate_init);
module_exit(hayate_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Hayate: memory between the processes of a job");
