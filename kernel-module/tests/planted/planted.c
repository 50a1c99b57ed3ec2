// SPDX-License-Identifier: GPL-2.0
/* Bugs on purpose, one for each load: insmod planted.ko bug=NAME. A debug kernel must report it. */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

static char *bug = "none";
module_param(bug, charp, 0444);
MODULE_PARM_DESC(bug, "use-after-free, inversion, leak or shift");

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static volatile int large = 40; /* volatile: the compiler must not see that it is too large */

static void planted_use_after_free(void)
{
	volatile char *memory = kmalloc(100, GFP_KERNEL);

	kfree((void *)memory);
	pr_info("planted: %d\n", memory[50]);
}

static void planted_inversion(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);
	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

static void planted_leak(void)
{
	int i;

	for (i = 0; i < 16; i++)
		pr_info("planted: %d\n", !!kmalloc(1000 + i, GFP_KERNEL));
}

static void planted_shift(void)
{
	pr_info("planted: %d\n", 1 << large);
}

static const struct {
	const char *name;
	void (*plant)(void);
} bugs[] = {
	{ "use-after-free", planted_use_after_free },
	{ "inversion", planted_inversion },
	{ "leak", planted_leak },
	{ "shift", planted_shift },
};

static int __init planted_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(bugs); i++) {
		if (strcmp(bugs[i].name, bug))
			continue;
		bugs[i].plant();
		return 0;
	}
	return -EINVAL;
}

static void __exit planted_exit(void)
{
}

module_init(planted_init);
module_exit(planted_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Bugs on purpose");
