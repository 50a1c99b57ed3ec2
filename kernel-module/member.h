/* SPDX-License-Identifier: GPL-2.0 */
/* A member: one open descriptor of the device, and the job that it joined. */
#ifndef HY_MEMBER_H
#define HY_MEMBER_H

#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <uapi/hayate.h>

struct hy_user;

/*
 * Owned by its file. What JOIN sets does not change any more, and is read after hy_member_check().
 */
struct hy_member {
	struct mutex joining;  /* covers JOIN */
	bool joined;           /* set last (release), read first (acquire) */
	u8 token[HAYATE_TOKEN_BYTES];
	struct mm_struct *mm;  /* grabbed */
	struct hy_user *user;
	struct list_head shares; /* under the lock of share.c */
};

struct hy_member *hy_member_new(void);
/* Ends all shares of the member, too. */
void hy_member_free(struct hy_member *member);

int hy_member_join(struct hy_member *member, const u8 *token);
/* May the caller use it: 0, -ENOTCONN, -EBADFD. */
int hy_member_check(const struct hy_member *member);

#endif
