// SPDX-License-Identifier: GPL-2.0
/*
 * A copy pins a batch of the owner's pages under the owner's mmap lock, releases the owner's
 * memory, moves the bytes between the kernel's mapping of the pages and the caller's memory, and
 * unpins. The caller's side is accessed by plain user copies in the caller's context, so only one
 * side is pinned, and pages that are adjacent in memory are moved by one user copy. No lock is held
 * while bytes move.
 *
 * These user copies take no page faults. A fault may wait forever (userfaultfd, a file system that
 * the caller controls), and the owner's pages would stay pinned that long. If the caller's memory is
 * not present, the batch ends, and the memory is faulted in before the next one, with nothing held.
 */
#include "copy.h"

#include <linux/err.h>
#include <linux/fault-inject-usercopy.h>
#include <linux/instrumented.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/pagemap.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "segment.h"

#define FEW_PAGES 16
#define MANY_PAGES ((unsigned int)(PAGE_SIZE / sizeof(struct page *)))
#define MOST_MISSES 1000 /* consecutive batches that moved nothing although memory was faulted in */

/* The list of pinned pages; on the stack for small messages. */
struct board {
	struct page **pages;
	unsigned int room;
	struct page *few[FEW_PAGES];
};

struct transfer {
	struct hy_segment *segment;
	u64 local;           /* address of the rest */
	bool write;
	u64 copied;
	u64 missed;          /* bytes of the last batch that the caller's memory lacked */
	unsigned int misses; /* batches since one that moved something */
	struct board *board;
};

static void board_init(struct board *board)
{
	board->pages = board->few;
	board->room = FEW_PAGES;
}

static void board_drop(struct board *board)
{
	if (board->pages != board->few)
		kfree(board->pages);
}

/* Makes more room if possible; otherwise batches are smaller. */
static void board_grow(struct board *board, u64 want)
{
	unsigned int room = min_t(u64, want, MANY_PAGES);
	struct page **pages;

	if (room <= board->room)
		return;
	pages = kmalloc_array(room, sizeof(*pages), GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
	if (!pages)
		return;
	board_drop(board);
	board->pages = pages;
	board->room = room;
}

/*
 * Returns the bytes that could not be moved without a page fault. Like copy_to_user() and
 * copy_from_user(), but without their check whether "kernel" lies within one object of the kernel:
 * it is one or several pages of a user, and the check would be the most expensive part per page.
 * Nothing is zeroed after a fault, because that memory is the owner's.
 */
static unsigned long move_some(bool write, void *kernel, u64 start, unsigned long bytes)
{
	void __user *user = u64_to_user_ptr(start);

	if (should_fail_usercopy() || !access_ok(user, bytes))
		return bytes;
	if (write) {
		barrier_nospec(); /* no speculation beyond access_ok(), as in copy_from_user() */
		instrument_write(kernel, bytes);
		return raw_copy_from_user(kernel, user, bytes);
	}
	instrument_read(kernel, bytes);
	return raw_copy_to_user(user, kernel, bytes);
}

/*
 * Moves "bytes" bytes between kernel memory and the rest of the local side, as far as the caller's
 * memory is present. Returns the bytes that could not be moved.
 */
static u64 move(struct transfer *t, void *kernel, u64 bytes)
{
	unsigned long left = move_some(t->write, kernel, t->local, bytes);

	t->local += bytes - left;
	return left;
}

/* The number of pages that are adjacent in the kernel's mapping. */
static unsigned int run_of(struct page **pages, unsigned int count)
{
	unsigned int run = 1;

	while (run < count && page_to_pfn(pages[run]) == page_to_pfn(*pages) + run)
		run++;
	return run;
}

/*
 * Moves "bytes" bytes, starting at "offset" in the first page. Returns the bytes that could not be
 * moved, like move().
 */
static u64 move_pages(struct transfer *t, struct page **pages, unsigned int count, u64 offset,
		      u64 bytes)
{
	while (count) {
		unsigned int run = run_of(pages, count);
		u64 some = min(bytes, run * PAGE_SIZE - offset);
		u64 left = move(t, page_address(*pages) + offset, some);

		bytes -= some - left;
		if (left)
			break;
		offset = 0;
		pages += run;
		count -= run;
	}
	return bytes;
}

/* The caller holds a reference by mmget. */
static long pin_of(struct mm_struct *mm, u64 address, unsigned long want, bool write,
		   struct page **pages)
{
	unsigned int flags = write ? FOLL_WRITE : 0;
	int locked = 1;
	long pinned;

	if (mmap_read_lock_killable(mm))
		return -EINTR;
	pinned = hy_pin_remote(mm, address & PAGE_MASK, want, flags, pages, &locked);
	if (locked)
		mmap_read_unlock(mm);
	if (pinned > 0)
		return pinned;
	if (fatal_signal_pending(current))
		return -EINTR;
	return pinned == -ENOMEM ? -ENOMEM : -EFAULT;
}

/*
 * Pins pages of the owner from "address" on. Returns their number, or an error. The owner's memory
 * is held (mmget) only for this.
 */
static long pin(struct transfer *t, u64 address, unsigned long want)
{
	struct mm_struct *mm = t->segment->mm;
	long pinned;

	if (!mmget_not_zero(mm))
		return -ESRCH;
	pinned = pin_of(mm, address, want, t->write, t->board->pages);
	mmput(mm);
	return pinned;
}

/* Whether to stop between two batches. */
static int pause(void)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	cond_resched();
	return 0;
}

/* Moves one batch. Returns the number of bytes moved, or an error. Sets t->missed. */
static s64 move_batch(struct transfer *t, u64 address, u64 bytes)
{
	u64 offset = offset_in_page(address);
	u64 want = DIV_ROUND_UP(offset + bytes, PAGE_SIZE);
	long pinned;

	pinned = pin(t, address, min_t(u64, want, t->board->room));
	if (pinned < 0)
		return pinned;
	bytes = min(bytes, pinned * PAGE_SIZE - offset);
	pagefault_disable();
	t->missed = move_pages(t, t->board->pages, pinned, offset, bytes);
	pagefault_enable();
	if (t->write)
		unpin_user_pages_dirty_lock(t->board->pages, pinned, true);
	else
		unpin_user_pages(t->board->pages, pinned);
	return bytes - t->missed;
}

static s64 copy_batch_of_pages(struct transfer *t, u64 address, u64 bytes)
{
	s64 some;

	if (hy_segment_is_over(t->segment))
		return -ESRCH;
	board_grow(t->board, DIV_ROUND_UP(offset_in_page(address) + bytes, PAGE_SIZE));
	some = move_batch(t, address, bytes);
	if (some > 0) {
		t->copied += some;
		t->misses = 0;
	}
	return some;
}

/*
 * Faults in the caller's memory that the last batch lacked. Stores nothing there: what is behind
 * "copied" does not change. Some memory can be faulted in but not written, such as shadow stacks:
 * hence MOST_MISSES.
 */
static int fetch_missed(struct transfer *t)
{
	void __user *user = u64_to_user_ptr(t->local);
	size_t bytes = t->missed, left = bytes;

	if (access_ok(user, bytes) && t->misses++ < MOST_MISSES)
		left = t->write ? fault_in_readable(user, bytes) :
				  fault_in_safe_writeable(user, bytes);
	if (left < bytes)
		return 0;
	return fatal_signal_pending(current) ? -EINTR : -EFAULT;
}

static int transfer(struct transfer *t, u64 address, u64 bytes)
{
	while (bytes) {
		s64 some = copy_batch_of_pages(t, address, bytes);
		int rc;

		if (some < 0)
			return some;
		address += some;
		bytes -= some;
		rc = t->missed ? fetch_missed(t) : 0;
		if (!rc && bytes)
			rc = pause();
		if (rc)
			return rc;
	}
	return 0;
}

static bool is_within(u64 start, u64 length, u64 end)
{
	return start <= end && length <= end - start;
}

static int copy_of(struct hy_segment *segment, struct hayate_copy *copy)
{
	struct board board;
	struct transfer t = {
		.segment = segment,
		.local = copy->local,
		.write = copy->direction == HAYATE_WRITE,
		.board = &board,
	};
	int rc;

	if (!is_within(copy->local, copy->length, TASK_SIZE) ||
	    !is_within(copy->offset, copy->length, segment->length))
		return -EINVAL;
	board_init(&board);
	rc = transfer(&t, segment->start + copy->offset, copy->length);
	board_drop(&board);
	copy->copied = t.copied;
	return rc;
}

int hy_copy_run(struct hy_member *member, struct hayate_copy *copy)
{
	struct hy_segment *segment;
	int rc = -EACCES;

	copy->copied = 0;
	if (copy->reserved)
		return -EINVAL;
	if (copy->direction != HAYATE_READ && copy->direction != HAYATE_WRITE)
		return -EINVAL;
	segment = hy_segment_find(member, copy->cookie);
	if (IS_ERR(segment))
		return PTR_ERR(segment);
	if (segment->rights & copy->direction)
		rc = copy_of(segment, copy);
	hy_segment_put(segment);
	return rc;
}
