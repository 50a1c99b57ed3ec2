/* SPDX-License-Identifier: GPL-2.0 */
/* A member: an open file of the device, and the job that it joined. */
#ifndef HY_MEMBER_H
#define HY_MEMBER_H

#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <uapi/hayate.h>

struct hy_user;

/*
 * Owned by its file. What JOIN sets does not change afterwards, and is read after
 * hy_member_check().
 */
struct hy_member {
	struct mutex joining;  /* protects JOIN */
	bool joined;           /* set last (release), read first (acquire) */
	u8 token[HAYATE_TOKEN_BYTES];
	struct mm_struct *mm;  /* held by mmgrab() */
	struct hy_user *user;
	struct list_head segments; /* protected by the lock of segment.c */
};

struct hy_member *hy_member_new(void);
/* Also ends all segments of the member. */
void hy_member_free(struct hy_member *member);

int hy_member_join(struct hy_member *member, const u8 *token);
/* Whether the caller may use the member: 0, -ENOTCONN, -EBADFD. */
int hy_member_check(const struct hy_member *member);

#endif
