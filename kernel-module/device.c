// SPDX-License-Identifier: GPL-2.0
/*
 * Dispatches the commands of /dev/hayate by a table: size of the argument, function, and whether
 * the caller must have joined.
 */
#include "device.h"

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "attach.h"
#include "copy.h"
#include "member.h"
#include "segment.h"

/* The argument of a command: copied in before it, and copied back after it, also after an error. */
union argument {
	struct hayate_info info;
	struct hayate_join join;
	struct hayate_make make;
	struct hayate_copy copy;
	struct hayate_get get;
	u64 words[6];
};

#define HY_WHOLE_WORDS(type) static_assert(!(sizeof(type) % 8 || sizeof(type) > 6 * 8))
HY_WHOLE_WORDS(struct hayate_info);
HY_WHOLE_WORDS(struct hayate_join);
HY_WHOLE_WORDS(struct hayate_make);
HY_WHOLE_WORDS(struct hayate_copy);
HY_WHOLE_WORDS(struct hayate_get);

static int info(struct hy_member *member, union argument *a)
{
	a->info = (struct hayate_info){
		.abi = HAYATE_ABI,
		.page_bytes = PAGE_SIZE,
	};
	return 0;
}

static int join(struct hy_member *member, union argument *a)
{
	int rc = hy_member_join(member, a->join.token);

	memzero_explicit(a, sizeof(*a));
	return rc;
}

/* Every message passes here, so only what changed is written. */
static int copy(struct hy_member *member, union argument *a, void __user *user)
{
	struct hayate_copy __user *answer = user;
	int rc = hy_copy_run(member, &a->copy);

	return put_user(a->copy.copied, &answer->copied) ? -EFAULT : rc;
}

/*
 * Commands that create something lasting write their answer themselves: if it cannot be written, no
 * segment or descriptor that the caller does not know of may stay behind.
 */
static int make(struct hy_member *member, union argument *a, void __user *user)
{
	return hy_segment_make(member, &a->make, user);
}

static int get(struct hy_member *member, union argument *a, void __user *user)
{
	return hy_attach_get(member, &a->get, user);
}

#define ANYBODY 1U /* also members that have not joined */

static const struct command {
	unsigned int number;
	unsigned int flags;
	int (*run)(struct hy_member *member, union argument *a);
	int (*give)(struct hy_member *member, union argument *a, void __user *user); /* answers */
} commands[] = {
	[_IOC_NR(HAYATE_IOC_INFO)] = { HAYATE_IOC_INFO, ANYBODY, .run = info },
	[_IOC_NR(HAYATE_IOC_JOIN)] = { HAYATE_IOC_JOIN, ANYBODY, .run = join },
	[_IOC_NR(HAYATE_IOC_MAKE)] = { HAYATE_IOC_MAKE, .give = make },
	[_IOC_NR(HAYATE_IOC_COPY)] = { HAYATE_IOC_COPY, .give = copy },
	[_IOC_NR(HAYATE_IOC_GET)] = { HAYATE_IOC_GET, .give = get },
};

static const struct command *command_of(unsigned int number)
{
	unsigned int row = _IOC_NR(number);

	if (row >= ARRAY_SIZE(commands))
		return NULL;
	row = array_index_nospec(row, ARRAY_SIZE(commands));
	return commands[row].number == number ? &commands[row] : NULL;
}

/* By a few loads at once, which is cheaper than a general user copy. */
static int read_words(u64 *to, const u64 __user *from, unsigned int bytes)
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

static int run(const struct command *command, struct hy_member *member, void __user *user)
{
	unsigned int bytes = _IOC_SIZE(command->number);
	union argument a;
	int rc;

	if ((_IOC_DIR(command->number) & _IOC_WRITE) && read_words(a.words, user, bytes))
		return -EFAULT;
	if (command->give)
		return command->give(member, &a, user);
	rc = command->run(member, &a);
	if ((_IOC_DIR(command->number) & _IOC_READ) && copy_to_user(user, &a, bytes))
		return -EFAULT;
	return rc;
}

static long device_ioctl(struct file *file, unsigned int number, unsigned long address)
{
	const struct command *command = command_of(number);
	struct hy_member *member = file->private_data;
	int rc;

	if (!command)
		return -ENOTTY;
	rc = command->flags & ANYBODY ? 0 : hy_member_check(member);
	return rc ? rc : run(command, member, (void __user *)address);
}

static int device_open(struct inode *inode, struct file *file)
{
	file->private_data = hy_member_new();
	return file->private_data ? nonseekable_open(inode, file) : -ENOMEM;
}

static int device_release(struct inode *inode, struct file *file)
{
	hy_member_free(file->private_data);
	return 0;
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/* Any user may open it: hy_permit() decides what the user can do there. */
static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "hayate",
	.mode = 0666,
	.fops = &device_operations,
};

int hy_device_start(void)
{
	return misc_register(&device);
}

void hy_device_stop(void)
{
	misc_deregister(&device);
}
