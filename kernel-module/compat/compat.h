/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only file that checks the version of the kernel: 6.1 and later. All other files are written
 * for the newest kernel; this one defines what older kernels name differently.
 */
#ifndef HY_COMPAT_H
#define HY_COMPAT_H

#include <linux/mm.h>
#include <linux/sched/coredump.h>
#include <linux/version.h>
#ifndef SUID_DUMP_USER
#include <linux/sched/exec_state.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "hayate.ko needs Linux 6.1 or later"
#endif
#ifndef CONFIG_64BIT
#error "hayate.ko needs a 64-bit kernel: it reaches every page through the kernel's own mapping"
#endif
#ifndef CONFIG_MMU_NOTIFIER
#error "hayate.ko needs a kernel with CONFIG_MMU_NOTIFIER (KVM and others select it)"
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#define hy_pin_remote(mm, start, count, flags, pages, locked) \
	pin_user_pages_remote(mm, start, count, flags, pages, NULL, locked)
#define hy_get_remote(mm, start, count, flags, pages, locked) \
	get_user_pages_remote(mm, start, count, flags, pages, NULL, locked)
#else
#define hy_pin_remote pin_user_pages_remote
#define hy_get_remote get_user_pages_remote
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void hy_vma_flags(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags & ~clear) | set;
}
#else
#define hy_vma_flags vm_flags_mod
#endif

/*
 * Whether processes with the ids of "task" may trace it, and the user namespace where its program
 * was started. Older kernels store both with its memory, "mm". Under RCU.
 */
#ifndef SUID_DUMP_USER
static inline bool hy_dumpable(struct task_struct *task, struct mm_struct *mm,
			       struct user_namespace **started_in)
{
	struct task_exec_state *state = rcu_dereference(task->exec_state);

	*started_in = state->user_ns;
	return READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
}
#else
static inline bool hy_dumpable(struct task_struct *task, struct mm_struct *mm,
			       struct user_namespace **started_in)
{
	*started_in = mm->user_ns;
	return get_dumpable(mm) == SUID_DUMP_USER;
}
#endif

/*
 * Releases the lock under which a fault is handled, before VM_FAULT_RETRY: the mmap lock, or from
 * 6.4 on that of the mapping (FAULT_FLAG_VMA_LOCK). Kernels so far call drivers without map_pages
 * under the former only (vmf_can_call_fault() in mm/memory.c); nothing here relies on it. For a
 * kernel without release_fault_lock() this must be checked again: it does not compile.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0) || !defined(CONFIG_PER_VMA_LOCK)
static inline void hy_fault_unlock(struct vm_fault *vmf)
{
	mmap_read_unlock(vmf->vma->vm_mm);
}
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
static inline void hy_fault_unlock(struct vm_fault *vmf)
{
	if (vmf->flags & FAULT_FLAG_VMA_LOCK)
		vma_end_read(vmf->vma);
	else
		mmap_read_unlock(vmf->vma->vm_mm);
}
#else
#define hy_fault_unlock release_fault_lock
#endif

#endif
