/* SPDX-License-Identifier: GPL-2.0 */
/* A segment: memory that its owner lets others copy and, maybe, attach. */
#ifndef HY_SEGMENT_H
#define HY_SEGMENT_H

#include <linux/atomic.h>

#include "share.h"

struct hy_window;

struct hy_segment {
	struct hy_share share;
	bool gone;                /* set once, before retiring waits */
	atomic_t copying;         /* who copies; each saw "gone" false after counting itself */
	u32 rights;
	u64 length;
	struct hy_window *window; /* NULL when not attachable */
	u32 count;
	struct hayate_vector vectors[];
};

int hy_segment_make(struct hy_member *member, struct hayate_make *make, void __user *answer);

/* The segment of that cookie, with a reference. -ESRCH, -EPERM, as hy_share_find(). */
struct hy_segment *hy_segment_find(struct hy_member *member, u64 cookie);
void hy_segment_put(struct hy_segment *segment);

/*
 * Between them, if the first is true, the owner's memory may be touched: REMOVE waits for the
 * second. So nothing in between may wait for what the caller can hold up.
 */
bool hy_segment_begin_copy(struct hy_segment *segment);
void hy_segment_end_copy(struct hy_segment *segment);

#endif
