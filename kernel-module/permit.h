/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the caller may access what another process shares. The rule is in uapi/hayate.h, WHO MAY.
 */
#ifndef HY_PERMIT_H
#define HY_PERMIT_H

#include <linux/mm_types.h>
#include <linux/pid.h>

/*
 * 0, -EPERM, or -ESRCH: the owner has ended. "owner": the process that shares (its thread group);
 * "mm": the address space that it shared.
 */
int hy_permit(struct pid *owner, struct mm_struct *mm);

#endif
