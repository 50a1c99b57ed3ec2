// SPDX-License-Identifier: GPL-2.0
/*
 * Applies the rule of ptrace attach to the caller and the owner of a segment, with what is exported
 * to modules.
 */
#include "permit.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>

#include "compat/compat.h"

/*
 * A thread of the owner's process that still has this memory, or NULL. The first thread may have
 * ended before the others; after an exec, a process has other memory. Under RCU.
 */
static struct task_struct *owner_of(struct pid *process, struct mm_struct *mm)
{
	struct task_struct *leader = pid_task(process, PIDTYPE_TGID), *task;

	if (!leader)
		return NULL;
	for_each_thread(leader, task)
		if (READ_ONCE(task->mm) == mm)
			return task;
	return NULL;
}

static bool same_user(const struct cred *me, const struct cred *owner)
{
	return uid_eq(me->uid, owner->euid) && uid_eq(me->uid, owner->suid) &&
	       uid_eq(me->uid, owner->uid) && gid_eq(me->gid, owner->egid) &&
	       gid_eq(me->gid, owner->sgid) && gid_eq(me->gid, owner->gid);
}

/*
 * Whether the caller has every capability of the owner: writing into the owner's memory must not
 * gain any.
 */
static bool covers(const struct cred *me, const struct cred *owner)
{
	return me->user_ns == owner->user_ns &&
	       cap_issubset(owner->cap_permitted, me->cap_permitted);
}

static bool may(const struct cred *owner)
{
	const struct cred *me = current_cred();

	if (same_user(me, owner) && covers(me, owner))
		return true;
	return ns_capable(owner->user_ns, CAP_SYS_PTRACE);
}

/*
 * The checks of ptrace_may_access() with PTRACE_MODE_ATTACH_REALCREDS, including the capabilities
 * of commoncap; that function and the hooks of other security modules are not exported. A process
 * that changes its credentials stops being dumpable before they change, so the credentials are read
 * first. Under RCU.
 */
static int permit(struct task_struct *owner, struct mm_struct *mm)
{
	struct user_namespace *started_in;

	if (!may(__task_cred(owner)))
		return -EPERM;
	smp_rmb(); /* pairs with the write barrier in commit_creds() */
	if (hy_dumpable(owner, mm, &started_in) || ns_capable(started_in, CAP_SYS_PTRACE))
		return 0;
	return -EPERM;
}

int hy_permit(struct pid *owner, struct mm_struct *mm)
{
	struct task_struct *task;
	int rc;

	if (mm == current->mm)
		return 0;
	rcu_read_lock();
	task = owner_of(owner, mm);
	rc = task ? permit(task, mm) : -ESRCH;
	rcu_read_unlock();
	return rc;
}
