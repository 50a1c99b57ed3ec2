/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A share: what a member gives to its job under a cookie, which is a segment.
 *
 * Lifetime: a share starts with one reference, which the table of cookies owns from publishing to
 * withdrawing. Finding a share takes another one. A share is withdrawn once, by the first of
 * REMOVE and the end of the member, which then calls ops->retire and drops the table's reference.
 * The last reference calls ops->free, in a context that may sleep.
 */
#ifndef HY_SHARE_H
#define HY_SHARE_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <uapi/hayate.h>

struct hy_member;
struct hy_share;
struct hy_user;

struct hy_share_ops {
	/*
	 * Ends its use; it can no longer be found. -EINTR if the caller was killed before the last
	 * user left.
	 */
	int (*retire)(struct hy_share *share, bool wait);
	/* Frees what belongs to it, and itself with kfree_rcu(), because look-ups run under RCU. */
	void (*free)(struct hy_share *share);
};

struct hy_share {
	const struct hy_share_ops *ops;
	struct kref refs;
	struct rcu_head rcu;
	struct hlist_node by_cookie;  /* written under the table's lock, read under RCU */
	struct list_head of_member;   /* under the table's lock */
	struct hy_member *member;     /* under the table's lock; NULL if not published */
	u64 cookie;
	u8 token[HAYATE_TOKEN_BYTES];
	struct mm_struct *mm;         /* held by mmgrab(), not by mmget(): its memory may be gone */
	struct pid *owner;            /* the process (its thread group), which may have ended */
	struct hy_user *user;
};

/* Initialises a share of "member" with one reference; ops->free must call hy_share_fini(). */
void hy_share_init(struct hy_share *share, struct hy_member *member,
		   const struct hy_share_ops *ops);
void hy_share_fini(struct hy_share *share);

/* Gives it a cookie and makes it visible; the table takes over the reference. */
void hy_share_publish(struct hy_share *share, struct hy_member *member);

/*
 * The share with that cookie and kind in the member's job, with a reference; -ESRCH if there is
 * none or its address space is gone; -EPERM.
 */
struct hy_share *hy_share_find(const struct hy_member *member, u64 cookie,
			       const struct hy_share_ops *ops);
void hy_share_get(struct hy_share *share);
void hy_share_put(struct hy_share *share);

/*
 * Withdraws and retires the share with that cookie, which "member" published, and waits until it is
 * used no more; -ESRCH if there is none.
 */
int hy_share_remove(struct hy_member *member, u64 cookie);
/* Does the same for all shares of the member, without waiting. */
void hy_share_end_all(struct hy_member *member);

#endif
