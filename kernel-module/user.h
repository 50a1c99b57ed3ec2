/* SPDX-License-Identifier: GPL-2.0 */
/* Accounts: what each user has, and may have. */
#ifndef HY_USER_H
#define HY_USER_H

#include <linux/types.h>
#include <linux/uidgid.h>

enum hy_limit { HY_SEGMENTS, HY_ACCESSES, HY_LIMITS };

struct hy_user;

/* The account of the calling user (real id), with a reference; NULL if there is no memory. */
struct hy_user *hy_user_get_current(void);
struct hy_user *hy_user_get(struct hy_user *user);
void hy_user_put(struct hy_user *user);

/* Charges "count" to the user's account: 0, or -ENOSPC and nothing is charged. */
int hy_user_charge(struct hy_user *user, enum hy_limit limit, unsigned int count);
void hy_user_uncharge(struct hy_user *user, enum hy_limit limit, unsigned int count);

#endif
