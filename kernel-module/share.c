// SPDX-License-Identifier: GPL-2.0
/* The table of shares by cookie. */
#include "share.h"

#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "member.h"
#include "permit.h"
#include "user.h"

/*
 * Cookies are random, so no user can make hash chains long. "table_lock" protects the table, the
 * lists of the members and hy_share.member; nothing is called while it is held.
 */
static DEFINE_HASHTABLE(table, 12);
static DEFINE_SPINLOCK(table_lock);

void hy_share_init(struct hy_share *share, struct hy_member *member,
		   const struct hy_share_ops *ops)
{
	share->ops = ops;
	kref_init(&share->refs);
	INIT_HLIST_NODE(&share->by_cookie);
	INIT_LIST_HEAD(&share->of_member);
	memcpy(share->token, member->token, sizeof(share->token));
	share->mm = member->mm;
	mmgrab(share->mm);
	share->owner = get_pid(task_tgid(current));
	share->user = hy_user_get(member->user);
}

void hy_share_fini(struct hy_share *share)
{
	hy_user_put(share->user);
	put_pid(share->owner);
	mmdrop(share->mm);
}

static struct hy_share *by_cookie(u64 cookie)
{
	struct hy_share *share;

	hash_for_each_possible_rcu(table, share, by_cookie, cookie, lockdep_is_held(&table_lock))
		if (share->cookie == cookie)
			return share;
	return NULL;
}

void hy_share_publish(struct hy_share *share, struct hy_member *member)
{
	u64 cookie;

	spin_lock(&table_lock);
	do {
		cookie = get_random_u64();
	} while (!cookie || by_cookie(cookie));
	share->cookie = cookie;
	share->member = member;
	list_add(&share->of_member, &member->shares);
	hash_add_rcu(table, &share->by_cookie, cookie);
	spin_unlock(&table_lock);
}

/*
 * A cookie of another job must look like no cookie at all. The whole token is compared, so that the
 * time does not reveal how much of a guess was right.
 */
static bool of_job(const struct hy_share *share, const struct hy_member *member)
{
	u8 differs = 0;
	int i;

	for (i = 0; i < HAYATE_TOKEN_BYTES; i++)
		differs |= share->token[i] ^ member->token[i];
	return !differs;
}

struct hy_share *hy_share_find(const struct hy_member *member, u64 cookie,
			       const struct hy_share_ops *ops)
{
	struct hy_share *share;
	int rc;

	rcu_read_lock();
	share = by_cookie(cookie);
	if (share && (share->ops != ops || !of_job(share, member) ||
		      !kref_get_unless_zero(&share->refs)))
		share = NULL;
	rcu_read_unlock();
	if (!share)
		return ERR_PTR(-ESRCH);
	rc = hy_permit(share->owner, share->mm);
	if (!rc)
		return share;
	hy_share_put(share);
	return ERR_PTR(rc);
}

void hy_share_get(struct hy_share *share)
{
	kref_get(&share->refs);
}

static void free_share(struct kref *refs)
{
	struct hy_share *share = container_of(refs, struct hy_share, refs);

	share->ops->free(share);
}

void hy_share_put(struct hy_share *share)
{
	kref_put(&share->refs, free_share);
}

/*
 * Returns true to the caller that withdrew it, which then owns the table's reference. The caller
 * holds table_lock.
 */
static bool withdraw(struct hy_share *share)
{
	if (!share->member)
		return false;
	share->member = NULL;
	list_del_init(&share->of_member);
	hash_del_rcu(&share->by_cookie);
	return true;
}

static int retire(struct hy_share *share, bool wait)
{
	int rc = share->ops->retire(share, wait);

	hy_share_put(share);
	return rc;
}

int hy_share_remove(struct hy_member *member, u64 cookie)
{
	struct hy_share *share;

	spin_lock(&table_lock);
	share = by_cookie(cookie);
	if (!share || share->member != member || !withdraw(share))
		share = NULL;
	spin_unlock(&table_lock);
	return share ? retire(share, true) : -ESRCH;
}

void hy_share_end_all(struct hy_member *member)
{
	struct hy_share *share;

	spin_lock(&table_lock);
	while (!list_empty(&member->shares)) {
		share = list_first_entry(&member->shares, struct hy_share, of_member);
		withdraw(share);
		spin_unlock(&table_lock);
		retire(share, false);
		cond_resched();
		spin_lock(&table_lock);
	}
	spin_unlock(&table_lock);
}
