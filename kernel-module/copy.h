/* SPDX-License-Identifier: GPL-2.0 */
/* Copies between the caller's memory and segments. */
#ifndef HY_COPY_H
#define HY_COPY_H

#include <uapi/hayate.h>

struct hy_member;

int hy_copy_run(struct hy_member *member, struct hayate_copy *copy);

#endif
