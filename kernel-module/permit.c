// SPDX-License-Identifier: GPL-2.0
#include "permit.h"

#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/user_namespace.h>

static bool same_user(const struct cred *me, const struct cred *owner)
{
	return uid_eq(me->uid, owner->euid) && uid_eq(me->uid, owner->suid) &&
	       uid_eq(me->uid, owner->uid) && gid_eq(me->gid, owner->egid) &&
	       gid_eq(me->gid, owner->sgid) && gid_eq(me->gid, owner->gid);
}

/*
 * What ptrace_may_access() asks with PTRACE_MODE_ATTACH_REALCREDS; that function is not exported.
 * An owner that changed its ids after sharing is not dumpable any more, and caught by that.
 */
int hy_permit(const struct cred *owner, struct mm_struct *mm)
{
	if (mm == current->mm)
		return 0;
	if (!same_user(current_cred(), owner) && !ns_capable(owner->user_ns, CAP_SYS_PTRACE))
		return -EPERM;
	if (get_dumpable(mm) != SUID_DUMP_USER && !ns_capable(mm->user_ns, CAP_SYS_PTRACE))
		return -EPERM;
	return 0;
}
