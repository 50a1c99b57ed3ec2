/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A window: the owner's side of attaching. It knows which of the owner's pages are in the page
 * tables of attachers, and takes them out before the owner's memory changes.
 *
 * The pages in attachers' page tables are not pinned and not counted. They are safe because Linux
 * tells us (mmu notifier) before it takes a page out of the owner's page table, for whatever
 * reason: unmapping, moving, copy on write, fork, migration, reclaim, exit. The window then takes
 * the page out of all attachers' tables first. A fault that races with that is decided by the
 * sequence number of the notifier (begin, then show), as in kernel/Documentation/mm/hmm.
 *
 * Locks, outer to inner: attacher's lock of the fault (his mmap lock or the mapping's own), owner's
 * mmap lock (only ever tried, never waited for, with the first one held), locks of the owner's
 * memory, the i_mmap lock of the window's inode, xa_lock of "present", page table locks. Notifier
 * callbacks come with any of the owner's locks held, so what they take must never be held while
 * memory is allocated.
 */
#ifndef HY_WINDOW_H
#define HY_WINDOW_H

#include <linux/mm_types.h>
#include <linux/mmu_notifier.h>
#include <linux/wait.h>
#include <linux/xarray.h>

struct inode;
struct page;
struct vm_fault;

struct hy_window {
	struct mmu_interval_notifier notifier;
	/*
	 * Offsets (pages) that may be in page tables. Its xa_lock covers "closed", the
	 * sequence, and putting pages into page tables.
	 */
	struct xarray present;
	bool closed;
	struct inode *inode;    /* its i_mapping lists the attachments */
	unsigned long start;    /* address of the owner's memory, of a page */
	unsigned long pages;
	wait_queue_head_t end;  /* woken when closed */
};

/* Opens one on memory of the calling process. Errors as pointers. */
struct hy_window *hy_window_open(struct mm_struct *mm, unsigned long start, unsigned long bytes);
/* Takes all pages away from attachers; none comes back. Waits for nothing that users do. */
void hy_window_close(struct hy_window *window);
/* After close, when no attachment is left, or right after an open that was in vain. */
void hy_window_free(struct hy_window *window);

/*
 * A fault: begin; get the owner's page, with a reference; hy_window_show() puts it into the page
 * table if it is still the right one. If not, nothing is put there, and the fault is taken again.
 * No thread ever sees a page that the owner has lost: show holds the lock that the notifier wants,
 * so that the owner's change begins before it, and show is told, or after it, and takes the page
 * out.
 */
unsigned long hy_window_begin(struct hy_window *window);
vm_fault_t hy_window_show(struct hy_window *window, struct vm_fault *vmf, struct page *page,
			  unsigned long sequence);

static inline bool hy_window_closed(const struct hy_window *window)
{
	return READ_ONCE(window->closed);
}

#endif
