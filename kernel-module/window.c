// SPDX-License-Identifier: GPL-2.0
/*
 * Tracks pages in attachers' page tables by an xarray of marks and an interval notifier, and
 * removes them before the owner's memory changes.
 */
#include "window.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/poll.h>
#include <linux/pseudo_fs.h>
#include <linux/slab.h>

#define MARK xa_mk_value(1)

/*
 * A file system that nobody mounts: it gives each window an inode, and so a list of attachments.
 * Each window pins it; a permanent pin would hold the module.
 */
static struct vfsmount *mount;
static int pins;

static int init_fs(struct fs_context *context)
{
	return init_pseudo(context, 0x68797774) ? 0 : -ENOMEM;
}

static struct file_system_type file_system = {
	.owner = THIS_MODULE,
	.name = "hayate",
	.init_fs_context = init_fs,
	.kill_sb = kill_anon_super,
};

/*
 * Removes the marks from first to last, and returns whether there were any. Under xa_lock, which is
 * released meanwhile.
 */
static bool forget(struct hy_window *window, unsigned long first, unsigned long last)
{
	XA_STATE(xas, &window->present, first);
	unsigned int count = 0;
	void *entry;

	xas_for_each(&xas, entry, last) {
		if (xa_is_zero(entry))
			continue; /* only reserved, see make_room() */
		xas_store(&xas, NULL);
		if (++count % XA_CHECK_SCHED)
			continue;
		xas_pause(&xas);
		xa_unlock(&window->present);
		cond_resched();
		xa_lock(&window->present);
	}
	return count;
}

/*
 * Removing pages from an attacher's table changes the attacher's memory, which calls the attacher's
 * notifiers from within the owner's. Lockdep has one map for all notifiers and would report a
 * recursion. It is none: what attaches can never be attached itself (get_user_pages refuses it), so
 * no page of it is "present" in any window, and the inner callback finds nothing to remove and goes
 * no deeper.
 */
static void take_out(struct hy_window *window, unsigned long first, unsigned long last)
{
	lockdep_off();
	unmap_mapping_pages(window->inode->i_mapping, first, last - first + 1, false);
	lockdep_on();
}

static bool invalidate(struct mmu_interval_notifier *notifier,
		       const struct mmu_notifier_range *range, unsigned long sequence)
{
	struct hy_window *window = container_of(notifier, struct hy_window, notifier);
	unsigned long end = window->start + window->pages * PAGE_SIZE;
	unsigned long first = (max(range->start, window->start) - window->start) >> PAGE_SHIFT;
	unsigned long last = (min(range->end, end) - 1 - window->start) >> PAGE_SHIFT;
	unsigned long found = first;
	bool any;

	xa_lock(&window->present);
	if (!mmu_notifier_range_blockable(range) &&
	    xa_find(&window->present, &found, last, XA_PRESENT)) {
		xa_unlock(&window->present);
		return false;
	}
	mmu_interval_set_seq(notifier, sequence);
	any = forget(window, first, last);
	xa_unlock(&window->present);
	if (any)
		take_out(window, first, last);
	return true;
}

static const struct mmu_interval_notifier_ops notifier_operations = {
	.invalidate = invalidate,
};

static struct inode *new_inode_of_pinned(void)
{
	struct inode *inode;
	int rc = simple_pin_fs(&file_system, &mount, &pins);

	if (rc)
		return ERR_PTR(rc);
	inode = alloc_anon_inode(mount->mnt_sb);
	if (IS_ERR(inode))
		simple_release_fs(&mount, &pins);
	return inode;
}

static struct hy_window *create(unsigned long start, unsigned long bytes)
{
	struct hy_window *window = kzalloc(sizeof(*window), GFP_KERNEL_ACCOUNT);

	if (!window)
		return ERR_PTR(-ENOMEM);
	window->inode = new_inode_of_pinned();
	if (IS_ERR(window->inode)) {
		int rc = PTR_ERR(window->inode);

		kfree(window);
		return ERR_PTR(rc);
	}
	xa_init_flags(&window->present, XA_FLAGS_ACCOUNT);
	init_waitqueue_head(&window->end);
	window->start = start;
	window->pages = bytes >> PAGE_SHIFT;
	return window;
}

static void destroy(struct hy_window *window)
{
	xa_destroy(&window->present);
	iput(window->inode);
	simple_release_fs(&mount, &pins);
	kfree(window);
}

struct hy_window *hy_window_open(struct mm_struct *mm, unsigned long start, unsigned long bytes)
{
	struct hy_window *window = create(start, bytes);
	int rc;

	if (IS_ERR(window))
		return window;
	rc = mmu_interval_notifier_insert(&window->notifier, mm, start, bytes,
					  &notifier_operations);
	if (!rc)
		return window;
	destroy(window);
	return ERR_PTR(rc);
}

/*
 * A page that was put into a table before "closed" was set is removed by the unmapping that
 * follows; a later fault sees "closed" in hy_window_show().
 */
void hy_window_close(struct hy_window *window)
{
	xa_lock(&window->present);
	if (window->closed) {
		xa_unlock(&window->present);
		return;
	}
	window->closed = true;
	xa_unlock(&window->present);
	unmap_mapping_pages(window->inode->i_mapping, 0, window->pages, false);
	mmu_interval_notifier_remove(&window->notifier);
	wake_up_poll(&window->end, EPOLLHUP);
}

void hy_window_free(struct hy_window *window)
{
	hy_window_close(window);
	destroy(window);
}

unsigned long hy_window_begin(struct hy_window *window)
{
	return mmu_interval_read_begin(&window->notifier);
}

/* Under xa_lock, which the callback holds when it changes the sequence. */
static bool is_current(struct hy_window *window, unsigned long sequence)
{
	return !window->closed && !mmu_interval_read_retry(&window->notifier, sequence);
}

/*
 * hy_window_show() must not allocate under the lock: the page table is made before it, and stays
 * because the fault's lock is held; likewise the place for the mark.
 */
static int make_room(struct hy_window *window, struct vm_fault *vmf)
{
	int rc = apply_to_page_range(vmf->vma->vm_mm, vmf->address & PAGE_MASK, PAGE_SIZE, NULL,
				     NULL);

	return rc ? rc : xa_reserve(&window->present, vmf->pgoff, GFP_KERNEL);
}

/*
 * Sets a mark only while the sequence is right: so there is never a mark for an address whose page
 * the owner has lost, which ends the recursion of take_out(). Under xa_lock. Fails if another fault
 * of the same page has given the place back; that fault is then repeated.
 */
static bool mark(struct hy_window *window, unsigned long index, unsigned long sequence)
{
	return is_current(window, sequence) &&
	       !xa_is_err(__xa_store(&window->present, index, MARK, GFP_NOWAIT));
}

vm_fault_t hy_window_show(struct hy_window *window, struct vm_fault *vmf, struct page *page,
			  unsigned long sequence)
{
	vm_fault_t result = VM_FAULT_NOPAGE;
	bool marked;

	if (make_room(window, vmf))
		return VM_FAULT_OOM;
	xa_lock(&window->present);
	marked = mark(window, vmf->pgoff, sequence);
	if (marked)
		result = vmf_insert_pfn(vmf->vma, vmf->address, page_to_pfn(page));
	xa_unlock(&window->present);
	if (!marked)
		xa_release(&window->present, vmf->pgoff);
	return result;
}
