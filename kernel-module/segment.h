/* SPDX-License-Identifier: GPL-2.0 */
/* A segment: memory that its owner lets others copy and, optionally, attach. */
#ifndef HY_SEGMENT_H
#define HY_SEGMENT_H

#include <linux/atomic.h>

#include "share.h"

struct hy_window;

struct hy_segment {
	struct hy_share share;
	bool gone;                /* set once, before retire() waits */
	atomic_t copying;         /* number of copies; each counts itself, then reads "gone" */
	u32 rights;
	u64 length;
	struct hy_window *window; /* NULL if it cannot be attached */
	u32 count;
	struct hayate_vector vectors[];
};

int hy_segment_make(struct hy_member *member, struct hayate_make *make, void __user *answer);

/* The segment with that cookie, with a reference. -ESRCH, -EPERM, like hy_share_find(). */
struct hy_segment *hy_segment_find(struct hy_member *member, u64 cookie);
void hy_segment_put(struct hy_segment *segment);

/*
 * If hy_segment_begin_copy() returns true, the owner's memory may be accessed until
 * hy_segment_end_copy(), for which REMOVE waits. So nothing in between may wait for something that
 * the caller can delay.
 */
bool hy_segment_begin_copy(struct hy_segment *segment);
void hy_segment_end_copy(struct hy_segment *segment);

#endif
