/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A segment: a range of its owner's addresses that others may copy and, optionally, attach, and
 * which they find by its cookie.
 *
 * Lifetime: a segment starts with one reference, which the table of cookies owns from publishing to
 * withdrawing. Finding a segment takes another one. It is withdrawn at the end of the member that
 * made it. The last reference frees it, in a context that may sleep.
 */
#ifndef HY_SEGMENT_H
#define HY_SEGMENT_H

#include <linux/compiler.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <uapi/hayate.h>

struct hy_member;
struct hy_user;
struct hy_window;

struct hy_segment {
	struct kref refs;
	struct rcu_head rcu;
	struct hlist_node by_cookie;  /* written under the table's lock, read under RCU */
	struct list_head of_member;   /* under the table's lock */
	struct hy_member *member;     /* changed under the table's lock; NULL if not published */
	u64 cookie;
	u8 token[HAYATE_TOKEN_BYTES];
	struct mm_struct *mm;         /* held by mmgrab(), not by mmget(): its memory may be gone */
	struct pid *owner;            /* the process (its thread group), which may have ended */
	struct hy_user *user;
	u32 rights;
	u64 start, length;
	struct hy_window *window;     /* NULL if it cannot be attached */
};

int hy_segment_make(struct hy_member *member, struct hayate_make *make, void __user *answer);

/*
 * The segment with that cookie in the member's job, with a reference; -ESRCH if there is none or
 * its address space is gone; -EPERM.
 */
struct hy_segment *hy_segment_find(const struct hy_member *member, u64 cookie);
void hy_segment_put(struct hy_segment *segment);

/* Whether it has been withdrawn: what finds that out late ends with the step that it has begun. */
static inline bool hy_segment_is_over(const struct hy_segment *segment)
{
	return !READ_ONCE(segment->member);
}

/* Withdraws all segments of the member, and takes their pages away from attachers. */
void hy_segment_end_all(struct hy_member *member);

#endif
