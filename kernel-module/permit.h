/* SPDX-License-Identifier: GPL-2.0 */
/* May the caller touch what somebody shares? The rule is in uapi/hayate.h, WHO MAY. */
#ifndef HY_PERMIT_H
#define HY_PERMIT_H

#include <linux/cred.h>
#include <linux/mm_types.h>

/* 0 or -EPERM. "owner": the credentials when it was shared; "mm": the owner's address space. */
int hy_permit(const struct cred *owner, struct mm_struct *mm);

#endif
