/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small structures in the caller's memory, read by a few loads at once, which is cheaper than a
 * general user copy.
 */
#ifndef HY_WORDS_H
#define HY_WORDS_H

#include <linux/uaccess.h>

/* All structures of the interface consist of whole words; see the assertion in device.c. */
static inline int hy_words_read(u64 *to, const u64 __user *from, unsigned int bytes)
{
	unsigned int i;

	if (!user_read_access_begin(from, bytes))
		return -EFAULT;
	for (i = 0; i < bytes / sizeof(*to); i++)
		unsafe_get_user(to[i], from + i, fault);
	user_read_access_end();
	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}

#endif
