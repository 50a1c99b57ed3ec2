// SPDX-License-Identifier: GPL-2.0
/*
 * The file of an access: its mappings are filled by page faults, which find the owner's page and
 * hand it to the window.
 */
#include "attach.h"

#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "member.h"
#include "permit.h"
#include "segment.h"
#include "user.h"
#include "window.h"

/* Owned by its file, which every attachment holds. */
struct access {
	struct hy_segment *segment; /* a reference */
	struct hy_user *user;
	u32 rights;
	/* NULL without HAYATE_SURVIVE: */
	struct page *own;           /* shown where the owner has no page */
	struct page *losses;        /* begins with the number of times that "own" was shown */
};

static bool over(const struct access *access)
{
	return hy_window_closed(access->segment->window);
}

/*
 * The owner has no page to show. This is counted even if the owner gets a page there meanwhile:
 * programs that read the count must see one page too many rather than one too few.
 */
static vm_fault_t show_own(const struct access *access, struct vm_fault *vmf)
{
	if (!access->own)
		return VM_FAULT_SIGBUS;
	atomic64_inc(page_address(access->losses));
	/*
	 * Counts first, because another thread may use the page as soon as it is in the table.
	 * Pairs with the fence of programs between their access and their reading of the count.
	 */
	smp_mb__after_atomic();
	return vmf_insert_pfn(vmf->vma, vmf->address, page_to_pfn(access->own));
}

/*
 * Requests write access whenever the attachment could ever write: mprotect() could make an entry
 * that was made for reading writable without another fault, and the page may be one that the owner
 * shares copy-on-write.
 */
static unsigned int access_flags(const struct vm_fault *vmf)
{
	return vmf->vma->vm_flags & VM_MAYWRITE ? FOLL_WRITE : 0;
}

/*
 * The fault must wait for the owner's page or mmap lock. It does so without the caller's own lock
 * (of its mmap or of the mapping), because two processes that attach each other would otherwise
 * wait for each other. The page is fetched, and the fault is then repeated.
 */
static vm_fault_t wait_for_page(struct vm_fault *vmf, struct mm_struct *owner,
				unsigned long address)
{
	unsigned int flags = access_flags(vmf);
	struct file *file = get_file(vmf->vma->vm_file);
	struct page *page;
	int locked = 1;

	hy_fault_unlock(vmf); /* from here on vmf->vma may be gone */
	if (!mmap_read_lock_killable(owner)) {
		if (hy_get_remote(owner, address, 1, flags, &page, &locked) == 1)
			put_page(page);
		if (locked)
			mmap_read_unlock(owner);
	}
	fput(file);
	return VM_FAULT_RETRY;
}

static vm_fault_t wait_or_fail(const struct access *access, struct vm_fault *vmf,
			       struct mm_struct *owner, unsigned long address)
{
	if (!(vmf->flags & FAULT_FLAG_ALLOW_RETRY))
		return show_own(access, vmf);
	if (vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return VM_FAULT_RETRY;
	return wait_for_page(vmf, owner, address);
}

/*
 * Gets the owner's page if it is present and the owner's lock is free. Returns 1, 0 (wait for it),
 * or an error.
 */
static long try_page(struct mm_struct *owner, unsigned long address, unsigned int flags,
		     struct page **page)
{
	long got;

	if (!mmap_read_trylock(owner))
		return 0;
	got = hy_get_remote(owner, address, 1, flags | FOLL_NOWAIT, page, NULL);
	mmap_read_unlock(owner);
	return got == -EAGAIN || got == -EBUSY ? 0 : got;
}

static vm_fault_t show_page_of(const struct access *access, struct vm_fault *vmf,
			       struct mm_struct *owner)
{
	struct hy_window *window = access->segment->window;
	unsigned long address = window->start + (vmf->pgoff << PAGE_SHIFT);
	unsigned long sequence = hy_window_begin(window);
	struct page *page;
	vm_fault_t result;
	long got = try_page(owner, address, access_flags(vmf), &page);

	if (!got)
		return wait_or_fail(access, vmf, owner, address);
	if (got < 0)
		return got == -ENOMEM ? VM_FAULT_OOM : show_own(access, vmf);
	result = hy_window_show(window, vmf, page, sequence);
	put_page(page);
	return result;
}

static vm_fault_t fault(struct vm_fault *vmf)
{
	struct access *access = vmf->vma->vm_file->private_data;
	struct mm_struct *owner = access->segment->mm;
	vm_fault_t result;

	if (over(access) || !mmget_not_zero(owner))
		return show_own(access, vmf);
	result = show_page_of(access, vmf, owner);
	mmput_async(owner); /* not mmput(): it may tear down memory under our mmap lock */
	return result;
}

static const struct vm_operations_struct attachment_operations = {
	.fault = fault,
};

static int check_mapping(const struct access *access, struct vm_area_struct *vma)
{
	u32 wanted = HAYATE_READ | (vma->vm_flags & VM_WRITE ? HAYATE_WRITE : 0);
	unsigned long pages = access->segment->window->pages;

	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (vma->vm_flags & VM_EXEC || wanted & ~access->rights)
		return -EACCES;
	if (vma->vm_pgoff > pages || vma_pages(vma) > pages - vma->vm_pgoff)
		return -EINVAL;
	if (over(access))
		return -ESRCH;
	return hy_permit(access->segment->owner, access->segment->mm);
}

/*
 * This mapping does not touch the owner, so the owner's permissions and end do not matter. The
 * mapping holds the file, and so the page.
 */
static int map_losses(const struct access *access, struct vm_area_struct *vma)
{
	if (!access->losses || !(vma->vm_flags & VM_SHARED) || vma_pages(vma) != 1)
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	hy_vma_flags(vma, 0, VM_MAYWRITE | VM_MAYEXEC);
	return remap_pfn_range(vma, vma->vm_start, page_to_pfn(access->losses), PAGE_SIZE,
			       vma->vm_page_prot);
}

static int map_window(const struct access *access, struct vm_area_struct *vma)
{
	vm_flags_t clear = VM_MAYEXEC | (vma->vm_flags & VM_WRITE ? 0 : VM_MAYWRITE);
	int rc = check_mapping(access, vma);

	if (rc)
		return rc;
	hy_vma_flags(vma, VM_PFNMAP | VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, clear);
	vma->vm_ops = &attachment_operations;
	return 0;
}

static int access_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (vma->vm_pgoff == HAYATE_LOSSES_AT >> PAGE_SHIFT)
		return map_losses(file->private_data, vma);
	return map_window(file->private_data, vma);
}

static __poll_t access_poll(struct file *file, poll_table *table)
{
	struct access *access = file->private_data;

	poll_wait(file, &access->segment->window->end, table);
	return over(access) ? EPOLLHUP : 0;
}

static int alloc_pages_of(struct access *access)
{
	access->own = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	access->losses = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	return access->own && access->losses ? 0 : -ENOMEM;
}

static void free_pages_of(struct access *access)
{
	if (access->own)
		__free_page(access->own);
	if (access->losses)
		__free_page(access->losses);
}

static void free_access(struct access *access)
{
	free_pages_of(access);
	hy_segment_put(access->segment);
	hy_user_uncharge(access->user, HY_ACCESSES, 1);
	hy_user_put(access->user);
	kfree(access);
}

static int access_release(struct inode *inode, struct file *file)
{
	free_access(file->private_data);
	return 0;
}

static const struct file_operations access_operations = {
	.owner = THIS_MODULE,
	.mmap = access_mmap,
	.poll = access_poll,
	.release = access_release,
	.llseek = noop_llseek,
};

/* On success, takes over the reference to the segment and the charge to the account. */
static struct access *create(struct hy_segment *segment, struct hy_user *user,
			     const struct hayate_get *get)
{
	struct access *access = kzalloc(sizeof(*access), GFP_KERNEL_ACCOUNT);

	if (!access)
		return ERR_PTR(-ENOMEM);
	if (get->flags & HAYATE_SURVIVE && alloc_pages_of(access)) {
		free_pages_of(access);
		kfree(access);
		return ERR_PTR(-ENOMEM);
	}
	access->segment = segment;
	access->user = hy_user_get(user);
	access->rights = get->rights;
	return access;
}

static struct access *charge_and_create(struct hy_segment *segment, struct hy_user *user,
					const struct hayate_get *get)
{
	struct access *access;
	int rc = hy_user_charge(user, HY_ACCESSES, 1);

	if (rc)
		return ERR_PTR(rc);
	access = create(segment, user, get);
	if (IS_ERR(access))
		hy_user_uncharge(user, HY_ACCESSES, 1);
	return access;
}

/* Its mappings are listed at the window's inode, where take_out() finds them. */
static struct file *file_of(struct access *access)
{
	struct file *file;

	file = anon_inode_getfile("[hayate-access]", &access_operations, access,
				  O_RDWR | O_CLOEXEC);
	if (IS_ERR(file))
		free_access(access);
	else
		file->f_mapping = access->segment->window->inode->i_mapping;
	return file;
}

static int check(const struct hayate_get *get)
{
	if (get->reserved || get->flags & ~HAYATE_SURVIVE)
		return -EINVAL;
	if (!get->rights || get->rights & ~(HAYATE_READ | HAYATE_WRITE))
		return -EINVAL;
	return 0;
}

/*
 * Takes over "file". Sets get->fd, writes the answer to the caller, and only then installs the
 * descriptor, because that cannot be undone.
 */
static int grant(struct file *file, struct hayate_get *get, void __user *answer)
{
	int number = get_unused_fd_flags(O_CLOEXEC);
	int rc = number;

	if (number >= 0) {
		get->fd = number;
		rc = copy_to_user(answer, get, sizeof(*get)) ? -EFAULT : 0;
	}
	if (!rc) {
		fd_install(number, file);
		return 0;
	}
	if (number >= 0)
		put_unused_fd(number);
	fput(file);
	return rc;
}

static int give(struct hy_member *member, struct hy_segment *segment, struct hayate_get *get,
		void __user *answer)
{
	struct access *access = charge_and_create(segment, member->user, get);
	struct file *file;

	if (IS_ERR(access)) {
		hy_segment_put(segment);
		return PTR_ERR(access);
	}
	get->length = segment->length;
	file = file_of(access);
	if (IS_ERR(file))
		return PTR_ERR(file);
	return grant(file, get, answer);
}

int hy_attach_get(struct hy_member *member, struct hayate_get *get, void __user *answer)
{
	struct hy_segment *segment;
	int rc = check(get);

	if (rc)
		return rc;
	segment = hy_segment_find(member, get->cookie);
	if (IS_ERR(segment))
		return PTR_ERR(segment);
	if (!segment->window)
		rc = -EINVAL;
	else if (get->rights & ~segment->rights)
		rc = -EACCES;
	if (!rc)
		return give(member, segment, get, answer);
	hy_segment_put(segment);
	return rc;
}
