/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives a file to the caller as a descriptor. This is the last step of a command, because it cannot
 * be undone.
 */
#ifndef HY_GRANT_H
#define HY_GRANT_H

#include <linux/file.h>
#include <linux/uaccess.h>

/*
 * Takes over "file". Sets *fd, which is a member of "argument", writes the argument to the caller,
 * and only then installs the descriptor.
 */
static inline int hy_grant(struct file *file, __s32 *fd, const void *argument, size_t bytes,
			   void __user *answer)
{
	int number = get_unused_fd_flags(O_CLOEXEC);
	int rc = number;

	if (number >= 0) {
		*fd = number;
		rc = copy_to_user(answer, argument, bytes) ? -EFAULT : 0;
	}
	if (!rc) {
		fd_install(number, file);
		return 0;
	}
	if (number >= 0)
		put_unused_fd(number);
	fput(file);
	return rc;
}

#endif
