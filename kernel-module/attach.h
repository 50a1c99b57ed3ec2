/* SPDX-License-Identifier: GPL-2.0 */
/* Attaching: a peer's access to a segment, as a file whose mappings are the owner's pages. */
#ifndef HY_ATTACH_H
#define HY_ATTACH_H

#include <uapi/hayate.h>

struct hy_member;

int hy_attach_get(struct hy_member *member, struct hayate_get *get, void __user *answer);

#endif
