/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the caller may access a segment of another process. The rule is in uapi/hayate.h, WHO MAY.
 */
#ifndef HY_PERMIT_H
#define HY_PERMIT_H

#include <linux/mm_types.h>
#include <linux/pid.h>

/*
 * 0, -EPERM, or -ESRCH: the owner has ended. "owner": the process that made the segment (its
 * thread group); "mm": its address space at that time.
 */
int hy_permit(struct pid *owner, struct mm_struct *mm);

#endif
