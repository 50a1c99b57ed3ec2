/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A window: the owner's side of attaching. It knows which of the owner's pages are in the page
 * tables of attachers, and removes them before the owner's memory changes.
 *
 * The pages in attachers' page tables are not pinned and not counted. They are safe because Linux
 * calls the mmu notifier before it removes a page from the owner's page table, for any reason:
 * unmapping, moving, copy on write, fork, migration, reclaim, exit. The window then first removes
 * the page from all attachers' tables. The sequence number of the notifier decides races with a
 * fault (begin, then show), as in kernel/Documentation/mm/hmm.
 *
 * Locks, outer to inner: the attacher's lock of the fault (its mmap lock or that of the mapping),
 * the owner's mmap lock (only tried, never waited for, while the first one is held), locks of the
 * owner's memory, the i_mmap lock of the window's inode, xa_lock of "present", page table locks.
 * Notifier callbacks may run with any of the owner's locks held, so the locks that they take must
 * never be held while memory is allocated.
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
	 * Offsets (in pages) that may be in page tables. Its xa_lock protects "closed", the
	 * sequence, and putting pages into page tables.
	 */
	struct xarray present;
	bool closed;
	struct inode *inode;    /* its i_mapping lists the attachments */
	unsigned long start;    /* page-aligned address in the owner's memory */
	unsigned long pages;
	wait_queue_head_t end;  /* woken when closed */
};

/* Opens a window on memory of the calling process. Errors as pointers. */
struct hy_window *hy_window_open(struct mm_struct *mm, unsigned long start, unsigned long bytes);
/* Takes all pages away from attachers, for good. Does not wait for anything that users do. */
void hy_window_close(struct hy_window *window);
/*
 * Called after closing, when no attachment is left, or directly after opening if the window is not
 * used.
 */
void hy_window_free(struct hy_window *window);

/*
 * In a fault: call hy_window_begin(); get the owner's page, with a reference; hy_window_show() puts
 * it into the page table if it is still the right one. If not, nothing is put there, and the fault
 * is repeated. No thread ever sees a page that the owner has lost: hy_window_show() holds the lock
 * that the notifier takes, so the owner's change either begins before it, and hy_window_show()
 * notices, or after it, and removes the page.
 */
unsigned long hy_window_begin(struct hy_window *window);
vm_fault_t hy_window_show(struct hy_window *window, struct vm_fault *vmf, struct page *page,
			  unsigned long sequence);

static inline bool hy_window_closed(const struct hy_window *window)
{
	return READ_ONCE(window->closed);
}

#endif
