/* SPDX-License-Identifier: GPL-2.0 */
/* Bells: how a process of a job wakes another one. */
#ifndef HY_NOTIFY_H
#define HY_NOTIFY_H

#include <uapi/hayate.h>

struct hy_member;

int hy_bell_make(struct hy_member *member, struct hayate_bell *bell, void __user *answer);
int hy_bell_open(struct hy_member *member, struct hayate_bell *bell, void __user *answer);

#endif
