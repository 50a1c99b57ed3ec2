// SPDX-License-Identifier: GPL-2.0
/* Accounts of users, and the limits, which are parameters of the module. */
#include "user.h"

#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/slab.h>

static unsigned int maximum[HY_LIMITS] = {
	[HY_SEGMENTS] = 16384,
	[HY_ACCESSES] = 65536,
};

module_param_named(max_segments, maximum[HY_SEGMENTS], uint, 0644);
MODULE_PARM_DESC(max_segments, "maximum number of segments of a user");
module_param_named(max_accesses, maximum[HY_ACCESSES], uint, 0644);
MODULE_PARM_DESC(max_accesses, "maximum number of accesses to segments of a user");

struct hy_user {
	struct list_head among; /* in "users"; under users_lock */
	refcount_t refs;
	kuid_t uid;
	atomic_t used[HY_LIMITS];
};

static LIST_HEAD(users);
static DEFINE_MUTEX(users_lock);

static struct hy_user *find(kuid_t uid)
{
	struct hy_user *user;

	list_for_each_entry(user, &users, among)
		if (uid_eq(user->uid, uid))
			return hy_user_get(user);
	return NULL;
}

static struct hy_user *create(kuid_t uid)
{
	struct hy_user *user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);

	if (!user)
		return NULL;
	refcount_set(&user->refs, 1);
	user->uid = uid;
	list_add(&user->among, &users);
	return user;
}

struct hy_user *hy_user_get_current(void)
{
	struct hy_user *user;

	mutex_lock(&users_lock);
	user = find(current_uid());
	if (!user)
		user = create(current_uid());
	mutex_unlock(&users_lock);
	return user;
}

struct hy_user *hy_user_get(struct hy_user *user)
{
	refcount_inc(&user->refs);
	return user;
}

/*
 * The count drops to 0 only under users_lock, so that find() never finds an account that is being
 * freed.
 */
void hy_user_put(struct hy_user *user)
{
	if (!refcount_dec_and_mutex_lock(&user->refs, &users_lock))
		return;
	list_del(&user->among);
	mutex_unlock(&users_lock);
	kfree(user);
}

int hy_user_charge(struct hy_user *user, enum hy_limit limit, unsigned int count)
{
	unsigned int most = min_t(unsigned int, READ_ONCE(maximum[limit]), INT_MAX);
	int used = atomic_read(&user->used[limit]);

	do {
		if (count > most || (unsigned int)used > most - count)
			return -ENOSPC;
	} while (!atomic_try_cmpxchg(&user->used[limit], &used, used + count));
	return 0;
}

void hy_user_uncharge(struct hy_user *user, enum hy_limit limit, unsigned int count)
{
	atomic_sub(count, &user->used[limit]);
}
