// SPDX-License-Identifier: GPL-2.0
/* Creates segments, and ends them without waiting for anything that another user controls. */
#include "segment.h"

#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>
#include <linux/wait_bit.h>

#include "member.h"
#include "user.h"
#include "vector.h"
#include "window.h"

static struct hy_segment *segment_of(struct hy_share *share)
{
	return container_of(share, struct hy_segment, share);
}

/*
 * "gone" and "copying" form a Dekker handshake: a copy counts itself and then reads "gone"; this
 * function sets "gone" and then reads the count, with full barriers in between.
 */
static int retire(struct hy_share *share, bool wait)
{
	struct hy_segment *segment = segment_of(share);

	WRITE_ONCE(segment->gone, true);
	smp_mb(); /* pairs with hy_segment_begin_copy() */
	if (segment->window)
		hy_window_close(segment->window);
	if (!wait || !wait_var_event_killable(&segment->copying, !atomic_read(&segment->copying)))
		return 0;
	return -EINTR;
}

static void free_segment(struct hy_share *share)
{
	struct hy_segment *segment = segment_of(share);

	if (segment->window)
		hy_window_free(segment->window);
	hy_user_uncharge(share->user, HY_SEGMENTS, 1);
	hy_user_uncharge(share->user, HY_VECTORS, segment->count);
	hy_share_fini(share);
	kvfree_rcu(segment, share.rcu);
}

static const struct hy_share_ops segment_operations = {
	.retire = retire,
	.free = free_segment,
};

static int charge(struct hy_user *user, u32 count)
{
	int rc = hy_user_charge(user, HY_SEGMENTS, 1);

	if (rc)
		return rc;
	rc = hy_user_charge(user, HY_VECTORS, count);
	if (rc)
		hy_user_uncharge(user, HY_SEGMENTS, 1);
	return rc;
}

static struct hy_segment *create(struct hy_member *member, const struct hayate_make *make,
				 const struct hy_vectors *vectors)
{
	struct hy_segment *segment;
	int rc = charge(member->user, vectors->count);

	if (rc)
		return ERR_PTR(rc);
	segment = kvzalloc(struct_size(segment, vectors, vectors->count), GFP_KERNEL_ACCOUNT);
	if (!segment) {
		hy_user_uncharge(member->user, HY_SEGMENTS, 1);
		hy_user_uncharge(member->user, HY_VECTORS, vectors->count);
		return ERR_PTR(-ENOMEM);
	}
	hy_share_init(&segment->share, member, &segment_operations);
	segment->rights = make->rights;
	segment->length = vectors->length;
	segment->count = vectors->count;
	memcpy(segment->vectors, vectors->all, vectors->count * sizeof(*vectors->all));
	return segment;
}

static int open_window(struct hy_segment *segment)
{
	struct hy_window *window;

	window = hy_window_open(segment->share.mm, segment->vectors[0].start, segment->length);
	if (IS_ERR(window))
		return PTR_ERR(window);
	segment->window = window;
	return 0;
}

static int read_pieces(const struct hayate_make *make, struct hy_vectors *vectors)
{
	int rc;

	if (make->flags & HAYATE_WHOLE) {
		vectors->all = vectors->few;
		vectors->all[0] = (struct hayate_vector){ 0, TASK_SIZE };
		vectors->count = 1;
		vectors->length = TASK_SIZE;
		return make->count ? -EINVAL : 0;
	}
	rc = hy_vectors_read(vectors, make->vectors, make->count, TASK_SIZE);
	if (rc)
		return rc;
	return vectors->length ? 0 : -EINVAL;
}

static bool may_be_attached(const struct hy_vectors *vectors)
{
	return vectors->count == 1 && PAGE_ALIGNED(vectors->all[0].start) &&
	       PAGE_ALIGNED(vectors->all[0].length);
}

static int check(const struct hayate_make *make)
{
	if (make->flags & ~(HAYATE_WHOLE | HAYATE_ATTACHABLE) || make->reserved)
		return -EINVAL;
	if (!make->rights || make->rights & ~(HAYATE_READ | HAYATE_WRITE))
		return -EINVAL;
	return 0;
}

static int publish(struct hy_member *member, struct hy_segment *segment,
		   struct hayate_make *make, void __user *answer)
{
	make->length = segment->length;
	hy_share_get(&segment->share); /* another thread may guess the cookie and remove it */
	hy_share_publish(&segment->share, member);
	make->cookie = segment->share.cookie;
	hy_share_put(&segment->share);
	if (!copy_to_user(answer, make, sizeof(*make)))
		return 0;
	hy_share_remove(member, make->cookie);
	return -EFAULT;
}

static int make_of(struct hy_member *member, struct hayate_make *make,
		   const struct hy_vectors *vectors, void __user *answer)
{
	bool attachable = make->flags & HAYATE_ATTACHABLE;
	struct hy_segment *segment;
	int rc = 0;

	if (attachable && !may_be_attached(vectors))
		return -EINVAL;
	segment = create(member, make, vectors);
	if (IS_ERR(segment))
		return PTR_ERR(segment);
	if (attachable)
		rc = open_window(segment);
	if (!rc)
		return publish(member, segment, make, answer);
	hy_share_put(&segment->share);
	return rc;
}

int hy_segment_make(struct hy_member *member, struct hayate_make *make, void __user *answer)
{
	struct hy_vectors vectors;
	int rc = check(make);

	if (rc)
		return rc;
	rc = read_pieces(make, &vectors);
	if (!rc)
		rc = make_of(member, make, &vectors, answer);
	hy_vectors_drop(&vectors);
	return rc;
}

struct hy_segment *hy_segment_find(struct hy_member *member, u64 cookie)
{
	struct hy_share *share = hy_share_find(member, cookie, &segment_operations);

	return IS_ERR(share) ? ERR_CAST(share) : segment_of(share);
}

void hy_segment_put(struct hy_segment *segment)
{
	hy_share_put(&segment->share);
}

bool hy_segment_begin_copy(struct hy_segment *segment)
{
	atomic_inc(&segment->copying);
	smp_mb__after_atomic(); /* pairs with retire() */
	if (!READ_ONCE(segment->gone))
		return true;
	hy_segment_end_copy(segment);
	return false;
}

void hy_segment_end_copy(struct hy_segment *segment)
{
	if (atomic_dec_and_test(&segment->copying) && READ_ONCE(segment->gone))
		wake_up_var(&segment->copying);
}
