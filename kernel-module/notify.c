// SPDX-License-Identifier: GPL-2.0
/* A bell is a counter with a wait queue, and two kinds of files: one to listen, and one to ring. */
/*
 * The lock of the queue "heard" protects "value" and "dead", so that no ring is lost for a sleeper.
 */
#include "notify.h"

#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "grant.h"
#include "member.h"
#include "share.h"
#include "user.h"

struct bell {
	struct hy_share share;
	u32 mode;
	u64 value;
	bool dead;
	wait_queue_head_t heard;
};

/* Owned by the file of BELL_OPEN; the maker's file owns a reference to the bell itself. */
struct ringer {
	struct bell *bell;
	struct hy_user *user;
};

static struct bell *bell_of(struct hy_share *share)
{
	return container_of(share, struct bell, share);
}

static int retire(struct hy_share *share, bool wait)
{
	struct bell *bell = bell_of(share);

	spin_lock_irq(&bell->heard.lock);
	bell->dead = true;
	wake_up_locked_poll(&bell->heard, EPOLLIN | EPOLLHUP | EPOLLERR);
	spin_unlock_irq(&bell->heard.lock);
	return 0;
}

static void free_bell(struct hy_share *share)
{
	hy_user_uncharge(share->user, HY_BELLS, 1);
	hy_share_fini(share);
	kfree_rcu(bell_of(share), share.rcu);
}

static const struct hy_share_ops bell_operations = {
	.retire = retire,
	.free = free_bell,
};

/* Returns the new value, or an error if nothing was changed. The caller holds the lock. */
static int add(struct bell *bell, u64 rings)
{
	if (bell->dead)
		return -EPIPE;
	if (bell->mode == HAYATE_BELL_COUNT) {
		if (rings > U64_MAX - 1 - bell->value)
			return -EAGAIN;
		bell->value += rings;
	} else if (bell->mode == HAYATE_BELL_LEVEL || rings) {
		bell->value = !!rings;
	}
	return 0;
}

static ssize_t ring(struct bell *bell, const char __user *buffer, size_t bytes)
{
	u64 rings;
	int rc;

	if (bytes != sizeof(rings))
		return -EINVAL;
	if (copy_from_user(&rings, buffer, sizeof(rings)))
		return -EFAULT;
	if (rings == U64_MAX)
		return -EINVAL;
	spin_lock_irq(&bell->heard.lock);
	rc = add(bell, rings);
	if (!rc && bell->value)
		wake_up_locked_poll(&bell->heard, EPOLLIN);
	spin_unlock_irq(&bell->heard.lock);
	return rc ? rc : (ssize_t)sizeof(rings);
}

/* The caller holds the lock, which is released while it sleeps. */
static int wait_for_ring(struct bell *bell, bool now)
{
	if (bell->value)
		return 0;
	if (bell->dead)
		return -EPIPE;
	if (now)
		return -EAGAIN;
	if (wait_event_interruptible_locked_irq(bell->heard, bell->value || bell->dead))
		return -EINTR;
	return bell->value ? 0 : -EPIPE;
}

static ssize_t listen_read(struct file *file, char __user *buffer, size_t bytes, loff_t *at)
{
	struct bell *bell = file->private_data;
	u64 value = 0;
	int rc;

	if (bytes < sizeof(value))
		return -EINVAL;
	spin_lock_irq(&bell->heard.lock);
	rc = wait_for_ring(bell, file->f_flags & O_NONBLOCK);
	if (!rc) {
		value = bell->value;
		if (bell->mode != HAYATE_BELL_LEVEL)
			bell->value = 0;
	}
	spin_unlock_irq(&bell->heard.lock);
	if (rc)
		return rc;
	return copy_to_user(buffer, &value, sizeof(value)) ? -EFAULT : (ssize_t)sizeof(value);
}

static ssize_t listen_write(struct file *file, const char __user *buffer, size_t bytes,
			    loff_t *at)
{
	return ring(file->private_data, buffer, bytes);
}

static __poll_t ended(const struct bell *bell)
{
	return READ_ONCE(bell->dead) ? EPOLLHUP | EPOLLERR : 0;
}

static __poll_t listen_poll(struct file *file, poll_table *table)
{
	struct bell *bell = file->private_data;

	poll_wait(file, &bell->heard, table);
	return EPOLLOUT | ended(bell) | (READ_ONCE(bell->value) ? EPOLLIN : 0);
}

static int listen_release(struct inode *inode, struct file *file)
{
	struct bell *bell = file->private_data;

	hy_share_end(&bell->share, false);
	hy_share_put(&bell->share);
	return 0;
}

static const struct file_operations listen_operations = {
	.owner = THIS_MODULE,
	.read = listen_read,
	.write = listen_write,
	.poll = listen_poll,
	.release = listen_release,
	.llseek = noop_llseek,
};

static ssize_t ringer_write(struct file *file, const char __user *buffer, size_t bytes,
			    loff_t *at)
{
	struct ringer *ringer = file->private_data;

	return ring(ringer->bell, buffer, bytes);
}

static __poll_t ringer_poll(struct file *file, poll_table *table)
{
	struct ringer *ringer = file->private_data;

	poll_wait(file, &ringer->bell->heard, table);
	return EPOLLOUT | ended(ringer->bell);
}

static void free_ringer(struct ringer *ringer)
{
	hy_share_put(&ringer->bell->share);
	hy_user_uncharge(ringer->user, HY_ACCESSES, 1);
	hy_user_put(ringer->user);
	kfree(ringer);
}

static int ringer_release(struct inode *inode, struct file *file)
{
	free_ringer(file->private_data);
	return 0;
}

static const struct file_operations ringer_operations = {
	.owner = THIS_MODULE,
	.write = ringer_write,
	.poll = ringer_poll,
	.release = ringer_release,
	.llseek = noop_llseek,
};

static int check(const struct hayate_bell *argument)
{
	if (argument->reserved || argument->flags & ~HAYATE_BELL_NONBLOCK)
		return -EINVAL;
	return 0;
}

static int file_flags(const struct hayate_bell *argument, int mode)
{
	return mode | O_CLOEXEC | (argument->flags & HAYATE_BELL_NONBLOCK ? O_NONBLOCK : 0);
}

static struct bell *create(struct hy_member *member, u32 mode)
{
	struct bell *bell;
	int rc = hy_user_charge(member->user, HY_BELLS, 1);

	if (rc)
		return ERR_PTR(rc);
	bell = kzalloc(sizeof(*bell), GFP_KERNEL_ACCOUNT);
	if (!bell) {
		hy_user_uncharge(member->user, HY_BELLS, 1);
		return ERR_PTR(-ENOMEM);
	}
	hy_share_init(&bell->share, member, &bell_operations);
	bell->mode = mode;
	init_waitqueue_head(&bell->heard);
	return bell;
}

int hy_bell_make(struct hy_member *member, struct hayate_bell *argument, void __user *answer)
{
	struct bell *bell;
	struct file *file;

	if (check(argument) || argument->mode > HAYATE_BELL_LEVEL)
		return -EINVAL;
	bell = create(member, argument->mode);
	if (IS_ERR(bell))
		return PTR_ERR(bell);
	file = anon_inode_getfile("[hayate-bell]", &listen_operations, bell,
				  file_flags(argument, O_RDWR));
	if (IS_ERR(file)) {
		hy_share_put(&bell->share);
		return PTR_ERR(file);
	}
	hy_share_get(&bell->share); /* for the file; the first reference becomes the table's */
	hy_share_publish(&bell->share, member);
	argument->cookie = bell->share.cookie;
	return hy_grant(file, &argument->fd, argument, sizeof(*argument), answer);
}

static struct ringer *create_ringer(struct hy_user *user, struct bell *bell)
{
	struct ringer *ringer;
	int rc = hy_user_charge(user, HY_ACCESSES, 1);

	if (rc)
		return ERR_PTR(rc);
	ringer = kzalloc(sizeof(*ringer), GFP_KERNEL_ACCOUNT);
	if (!ringer) {
		hy_user_uncharge(user, HY_ACCESSES, 1);
		return ERR_PTR(-ENOMEM);
	}
	ringer->bell = bell;
	ringer->user = hy_user_get(user);
	return ringer;
}

/* Takes over the reference to the bell. */
static int open_bell(struct hy_member *member, struct bell *bell, struct hayate_bell *argument,
		     void __user *answer)
{
	struct ringer *ringer = create_ringer(member->user, bell);
	struct file *file;

	if (IS_ERR(ringer)) {
		hy_share_put(&bell->share);
		return PTR_ERR(ringer);
	}
	file = anon_inode_getfile("[hayate-ringer]", &ringer_operations, ringer,
				  file_flags(argument, O_WRONLY));
	if (IS_ERR(file)) {
		free_ringer(ringer);
		return PTR_ERR(file);
	}
	argument->mode = bell->mode;
	return hy_grant(file, &argument->fd, argument, sizeof(*argument), answer);
}

int hy_bell_open(struct hy_member *member, struct hayate_bell *argument, void __user *answer)
{
	struct hy_share *share;

	if (check(argument))
		return -EINVAL;
	share = hy_share_find(member, argument->cookie, &bell_operations);
	if (IS_ERR(share))
		return PTR_ERR(share);
	return open_bell(member, bell_of(share), argument, answer);
}
