// SPDX-License-Identifier: GPL-2.0
/* Creates and frees members, and lets them join a job once. */
#include "member.h"

#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "segment.h"
#include "user.h"

struct hy_member *hy_member_new(void)
{
	struct hy_member *member = kzalloc(sizeof(*member), GFP_KERNEL_ACCOUNT);

	if (!member)
		return NULL;
	mutex_init(&member->joining);
	INIT_LIST_HEAD(&member->segments);
	return member;
}

void hy_member_free(struct hy_member *member)
{
	if (member->joined) {
		hy_segment_end_all(member);
		hy_user_put(member->user);
		mmdrop(member->mm);
	}
	mutex_destroy(&member->joining);
	kfree_sensitive(member);
}

/* The caller holds member->joining. */
static int join(struct hy_member *member, const u8 *token)
{
	if (member->joined)
		return member->mm == current->mm ? -EISCONN : -EBADFD;
	member->user = hy_user_get_current();
	if (!member->user)
		return -ENOMEM;
	memcpy(member->token, token, sizeof(member->token));
	member->mm = current->mm;
	mmgrab(member->mm);
	smp_store_release(&member->joined, true); /* pairs with hy_member_check() */
	return 0;
}

int hy_member_join(struct hy_member *member, const u8 *token)
{
	int rc;

	if (!memchr_inv(token, 0, HAYATE_TOKEN_BYTES))
		return -EINVAL;
	if (!current->mm)
		return -EBADFD;
	mutex_lock(&member->joining);
	rc = join(member, token);
	mutex_unlock(&member->joining);
	return rc;
}

int hy_member_check(const struct hy_member *member)
{
	if (!smp_load_acquire(&member->joined)) /* pairs with join() */
		return -ENOTCONN;
	return member->mm == current->mm ? 0 : -EBADFD;
}
