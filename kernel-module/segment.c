// SPDX-License-Identifier: GPL-2.0
/*
 * The table of segments by cookie. Segments end without waiting for anything that another user
 * controls.
 */
#include "segment.h"

#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "member.h"
#include "permit.h"
#include "user.h"
#include "window.h"

/*
 * Cookies are random, so no user can make hash chains long. "table_lock" protects the table, the
 * lists of the members and hy_segment.member; nothing is called while it is held.
 */
static DEFINE_HASHTABLE(table, 12);
static DEFINE_SPINLOCK(table_lock);

static void free_segment(struct kref *refs)
{
	struct hy_segment *segment = container_of(refs, struct hy_segment, refs);

	if (segment->window)
		hy_window_free(segment->window);
	hy_user_uncharge(segment->user, HY_SEGMENTS, 1);
	hy_user_put(segment->user);
	put_pid(segment->owner);
	mmdrop(segment->mm);
	kfree_rcu(segment, rcu); /* look-ups run under RCU */
}

void hy_segment_put(struct hy_segment *segment)
{
	kref_put(&segment->refs, free_segment);
}

static struct hy_segment *by_cookie(u64 cookie)
{
	struct hy_segment *segment;

	hash_for_each_possible_rcu(table, segment, by_cookie, cookie, lockdep_is_held(&table_lock))
		if (segment->cookie == cookie)
			return segment;
	return NULL;
}

/*
 * A cookie of another job must look like no cookie at all. The whole token is compared, so that the
 * time does not reveal how much of a guess was right.
 */
static bool of_job(const struct hy_segment *segment, const struct hy_member *member)
{
	u8 differs = 0;
	int i;

	for (i = 0; i < HAYATE_TOKEN_BYTES; i++)
		differs |= segment->token[i] ^ member->token[i];
	return !differs;
}

struct hy_segment *hy_segment_find(const struct hy_member *member, u64 cookie)
{
	struct hy_segment *segment;
	int rc;

	rcu_read_lock();
	segment = by_cookie(cookie);
	if (segment && (!of_job(segment, member) || !kref_get_unless_zero(&segment->refs)))
		segment = NULL;
	rcu_read_unlock();
	if (!segment)
		return ERR_PTR(-ESRCH);
	rc = hy_permit(segment->owner, segment->mm);
	if (!rc)
		return segment;
	hy_segment_put(segment);
	return ERR_PTR(rc);
}

/* Gives it a cookie and makes it visible; the table takes over the reference. */
static void publish(struct hy_segment *segment, struct hy_member *member)
{
	u64 cookie;

	spin_lock(&table_lock);
	do {
		cookie = get_random_u64();
	} while (!cookie || by_cookie(cookie));
	segment->cookie = cookie;
	WRITE_ONCE(segment->member, member);
	list_add(&segment->of_member, &member->segments);
	hash_add_rcu(table, &segment->by_cookie, cookie);
	spin_unlock(&table_lock);
}

/* The caller holds table_lock, and then owns the table's reference. */
static void withdraw(struct hy_segment *segment)
{
	WRITE_ONCE(segment->member, NULL);
	list_del_init(&segment->of_member);
	hash_del_rcu(&segment->by_cookie);
}

static void retire(struct hy_segment *segment)
{
	if (segment->window)
		hy_window_close(segment->window);
	hy_segment_put(segment);
}

void hy_segment_end_all(struct hy_member *member)
{
	struct hy_segment *segment;

	spin_lock(&table_lock);
	while (!list_empty(&member->segments)) {
		segment = list_first_entry(&member->segments, struct hy_segment, of_member);
		withdraw(segment);
		spin_unlock(&table_lock);
		retire(segment);
		cond_resched();
		spin_lock(&table_lock);
	}
	spin_unlock(&table_lock);
}

static int check(struct hayate_make *make)
{
	if (make->flags & ~HAYATE_ATTACHABLE)
		return -EINVAL;
	if (!make->rights || make->rights & ~(HAYATE_READ | HAYATE_WRITE))
		return -EINVAL;
	if (make->start >= TASK_SIZE || make->length > TASK_SIZE - make->start)
		return -EINVAL;
	if (!make->length)
		make->length = TASK_SIZE - make->start;
	if (make->flags & HAYATE_ATTACHABLE &&
	    !(PAGE_ALIGNED(make->start) && PAGE_ALIGNED(make->length)))
		return -EINVAL;
	return 0;
}

static struct hy_segment *create(struct hy_member *member, const struct hayate_make *make)
{
	struct hy_segment *segment;
	int rc = hy_user_charge(member->user, HY_SEGMENTS, 1);

	if (rc)
		return ERR_PTR(rc);
	segment = kzalloc(sizeof(*segment), GFP_KERNEL_ACCOUNT);
	if (!segment) {
		hy_user_uncharge(member->user, HY_SEGMENTS, 1);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&segment->refs);
	INIT_HLIST_NODE(&segment->by_cookie);
	INIT_LIST_HEAD(&segment->of_member);
	memcpy(segment->token, member->token, sizeof(segment->token));
	segment->mm = member->mm;
	mmgrab(segment->mm);
	segment->owner = get_pid(task_tgid(current));
	segment->user = hy_user_get(member->user);
	segment->rights = make->rights;
	segment->start = make->start;
	segment->length = make->length;
	return segment;
}

static int open_window(struct hy_segment *segment)
{
	struct hy_window *window;

	window = hy_window_open(segment->mm, segment->start, segment->length);
	if (IS_ERR(window))
		return PTR_ERR(window);
	segment->window = window;
	return 0;
}

/*
 * Publishes it and tells the caller. A segment whose cookie cannot be told is withdrawn. Nobody else
 * does so meanwhile, because the call holds the file of the member.
 */
static int publish_to(struct hy_member *member, struct hy_segment *segment,
		      struct hayate_make *make, void __user *answer)
{
	publish(segment, member);
	make->cookie = segment->cookie;
	if (!copy_to_user(answer, make, sizeof(*make)))
		return 0;
	spin_lock(&table_lock);
	withdraw(segment);
	spin_unlock(&table_lock);
	retire(segment);
	return -EFAULT;
}

int hy_segment_make(struct hy_member *member, struct hayate_make *make, void __user *answer)
{
	struct hy_segment *segment;
	int rc = check(make);

	if (rc)
		return rc;
	segment = create(member, make);
	if (IS_ERR(segment))
		return PTR_ERR(segment);
	if (make->flags & HAYATE_ATTACHABLE)
		rc = open_window(segment);
	if (!rc)
		return publish_to(member, segment, make, answer);
	hy_segment_put(segment);
	return rc;
}
