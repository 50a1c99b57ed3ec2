/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A share: what one member gives to its job under a cookie, a segment or a bell.
 *
 * Lifetime: a share is born with one reference, which the table of cookies owns from publish to
 * withdraw. Finders take another. Withdrawing happens once, whoever comes first of REMOVE, the
 * member's end and the bell's end; the winner calls ops->retire and drops the table's reference.
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
	/* Nobody finds it any more: end its use. -EINTR when killed before the last user left. */
	int (*retire)(struct hy_share *share, bool wait);
	/* Gives back what hangs on it, and itself: with kfree_rcu(), as finders look under RCU. */
	void (*free)(struct hy_share *share);
};

struct hy_share {
	const struct hy_share_ops *ops;
	struct kref refs;
	struct rcu_head rcu;
	struct hlist_node by_cookie;  /* written under the table's lock, read under RCU */
	struct list_head of_member;   /* under the table's lock */
	struct hy_member *member;     /* under the table's lock; NULL when not published */
	u64 cookie;
	u8 token[HAYATE_TOKEN_BYTES];
	struct mm_struct *mm;         /* grabbed (mmgrab), not used (mmget): it may be gone */
	struct pid *owner;            /* the process: its thread group, which may be gone as well */
	struct hy_user *user;
};

/* Fills in a share of "member", with one reference; ops->free must call hy_share_fini(). */
void hy_share_init(struct hy_share *share, struct hy_member *member,
		   const struct hy_share_ops *ops);
void hy_share_fini(struct hy_share *share);

/* Gives it a cookie and lets it be found; the reference goes to the table. */
void hy_share_publish(struct hy_share *share, struct hy_member *member);

/*
 * The share of that cookie and kind in the member's job, with a reference; -ESRCH if there is
 * none, or its address space is gone; -EPERM.
 */
struct hy_share *hy_share_find(const struct hy_member *member, u64 cookie,
			       const struct hy_share_ops *ops);
void hy_share_get(struct hy_share *share);
void hy_share_put(struct hy_share *share);

/* Withdraws and retires it, if nobody has yet. */
int hy_share_end(struct hy_share *share, bool wait);
/* The same for the one of that cookie, which "member" published: -ESRCH if there is none. */
int hy_share_remove(struct hy_member *member, u64 cookie);
/* The same for all of the member's. */
void hy_share_end_all(struct hy_member *member);

#endif
