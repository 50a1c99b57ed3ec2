/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR Apache-2.0 */
/*
 * /dev/hayate: memory between the processes of one job on one node.
 *
 * THE MODEL
 *
 * A *descriptor* is what open("/dev/hayate", O_RDWR | O_CLOEXEC) returns. HAYATE_IOC_JOIN makes it
 * a member of a *job*: of all descriptors that joined with the same 128-bit token. The descriptor
 * then belongs to the address space that joined: threads, and tasks that share it, use one
 * descriptor; a child of fork() inherits the number but not the right to use it, and must open its
 * own.
 *
 * An owner *makes a segment* out of its own memory and tells its peers the 64-bit cookie. A peer
 *   - *copies* from it or into it: any part, one system call per message; or
 *   - *gets* access to it as a file descriptor, and *attaches* (mmap) any part of that: the owner's
 *     pages appear in its own address space when they are first touched, and using them again costs
 *     no system call.      detach = munmap,  release = close
 *
 * WHO MAY
 *
 * Only members of the job in which a cookie was made find it; for all others it does not exist
 * (ESRCH). A member may use what it finds if ptrace(2) would let it attach to the owner:
 *   - its real user id is the owner's real, effective and saved one, the same for the group; it is
 *     in the owner's user namespace; and it has all capabilities that the owner is permitted; or it
 *     has CAP_SYS_PTRACE in the owner's user namespace; and
 *   - the owner is dumpable (prctl(2), PR_SET_DUMPABLE), or it has CAP_SYS_PTRACE in the user
 *     namespace where the owner's program was started.
 * Else EPERM. Ids are compared as the kernel knows them. No interface here takes or shows a process
 * id, so pid namespaces do not matter. Security modules (Yama, AppArmor) are not asked: making a
 * segment is the owner's consent, and memory that was not made a segment cannot be reached. The
 * protection of the memory itself always applies: copying into memory that the owner may not write
 * is EFAULT, also for root.
 *
 * COPY, GET, and mmap(2) of an access check this for both processes as they are at that
 * moment, not as they were when the segment was made. A mapping stays mapped: an owner that changes
 * its ids and wants to end this must close its descriptor.
 *
 * WHEN THINGS END
 *
 * A segment ends when the last copy of the owner's descriptor is closed, at the latest when the
 * owner exits. On return the cookie can no longer be found, and all attachments have lost their
 * pages. A copy under way is cut short, with ESRCH; it may still move the batch that it has begun,
 * of at most 2 MB. If the process that made the segment has ended, or has another address space
 * (exec), while another process still holds the descriptor, the cookie gives ESRCH as well.
 *
 * LIMITS
 *
 * Limits are per user; they are parameters of the module, which every user can read in
 * /sys/module/hayate/parameters: max_segments, max_accesses. Beyond a limit: ENOSPC.
 *
 * ERRORS OF EVERY ioctl
 *
 *   EFAULT    the argument is not readable, or not writable where an answer is to be put
 *   EINVAL    a reserved field is not 0, an unknown flag is set, a range is wrong
 *   ENOTTY    no such command, or one of another ABI
 *   ENOTCONN  the descriptor has not joined a job         (all but INFO and JOIN)
 *   EBADFD    another address space joined with it: fork  (all but INFO)
 *   ENOMEM    the kernel is out of memory
 * Each command lists further errors. After an error nothing has changed, unless said otherwise.
 *
 * All structures are the same for 32-bit and 64-bit programs. Addresses are given as 64-bit
 * numbers.
 */
#ifndef HAYATE_UAPI_H
#define HAYATE_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define HAYATE_DEVICE "/dev/hayate"
#define HAYATE_ABI 2
#define HAYATE_IOC_MAGIC 0xE7

#define HAYATE_TOKEN_BYTES 16
/*
 * INFO: describes this module. Needs no job.
 * abi: HAYATE_ABI of the module; a program that knows another one should not continue.
 */
struct hayate_info {
	__u32 abi;
	__u32 page_bytes;     /* granularity of attaching */
	__u64 reserved[3];    /* 0 */
};

#define HAYATE_IOC_INFO _IOR(HAYATE_IOC_MAGIC, 0, struct hayate_info)

/*
 * JOIN: become a member of the job of this token, and bind the descriptor to the caller's address
 * space. The token is the job's secret: 16 random bytes (getrandom(2)), made by the launcher and
 * inherited by the ranks.
 *
 *   EINVAL    all bytes are 0
 *   EISCONN   this address space joined with it before
 */
struct hayate_join {
	__u8 token[HAYATE_TOKEN_BYTES];
};

#define HAYATE_IOC_JOIN _IOW(HAYATE_IOC_MAGIC, 1, struct hayate_join)

/*
 * MAKE: make a segment out of memory of the caller.
 *
 * start, length: its addresses. The memory need not be mapped yet, and may be unmapped and mapped
 *     again: a segment is a range of addresses, and the memory that is mapped there at the time of
 *     a copy or an access counts. A length of 0 means the rest of the address space; with a start
 *     of 0, too, one segment serves for all messages of a process, and an offset into it is an
 *     address.
 * rights: HAYATE_READ, HAYATE_WRITE or both: what others may do.
 * flags: HAYATE_ATTACHABLE: others may also attach it. It starts and ends at a page.
 * length: set.
 * cookie: set; never 0, random.
 *
 *   EINVAL    a range outside of the address space of a process, no right, a range that cannot be
 *             attached
 *   ENOSPC    the user has max_segments segments
 */
#define HAYATE_READ 1U
#define HAYATE_WRITE 2U

#define HAYATE_ATTACHABLE 1U

struct hayate_make {
	__u64 start;
	__u64 length;   /* in and out */
	__u32 rights;
	__u32 flags;
	__u64 cookie;   /* out */
};

#define HAYATE_IOC_MAKE _IOWR(HAYATE_IOC_MAGIC, 2, struct hayate_make)

/*
 * COPY: copy between memory of the caller and a segment.
 *
 * direction: HAYATE_READ from the segment into local memory, HAYATE_WRITE from local memory into
 *     the segment.
 * local: address of the caller's memory.
 * offset: into the segment.
 * length: bytes; 0 is permitted.
 * copied: set, also after an error: the number of bytes that were copied, always the first ones.
 *
 * The order in which bytes become visible is undefined; when the call returns, all of them are
 * visible to any thread that learns of the return. While the call waits for memory of the caller,
 * it holds nothing of the owner.
 *
 *   EACCES    the segment was made without the right for this direction
 *   EFAULT    some of the memory is not mapped, or may not be written by its owner: on either side.
 *             "copied" bytes were copied.
 *   EINTR     the caller is being killed
 *   EINVAL    direction is not one of the two, a range outside of the segment or of the address
 *             space of a process
 *   EPERM     see WHO MAY
 *   ESRCH     no such segment in this job; it has ended (maybe meanwhile); or its owner is gone
 */
struct hayate_copy {
	__u64 cookie;
	__u64 local;
	__u64 offset;
	__u64 length;
	__u32 direction;
	__u32 reserved; /* 0 */
	__u64 copied;   /* out */
};

#define HAYATE_IOC_COPY _IOWR(HAYATE_IOC_MAGIC, 3, struct hayate_copy)

/*
 * GET: get access to a segment that is attachable.
 *
 * rights: what the caller requests, a subset of what the owner gave.
 * flags: HAYATE_SURVIVE  no touch raises SIGBUS. Where there is nothing of the owner, the
 *     attachment shows a page of the access's own and counts that as a *loss*: see LOSSES.
 * fd: set; a new file descriptor, close-on-exec.
 * length: set; of the segment.
 *
 * The descriptor is good for
 *     mmap(2): MAP_SHARED; offset = offset into the segment, a multiple of the page. PROT_READ
 *         needs HAYATE_READ, PROT_WRITE both rights; a mapping made without PROT_WRITE never gets
 *         it. Pages come when they are touched, also those that the owner has not touched itself,
 *         and are the owner's very pages. They stay correct when the owner unmaps, remaps or forks,
 *         or when the kernel moves or swaps them: the attachment then loses them, and gets the new
 *         ones at the next access. A touch of what the owner has not mapped (any more), of what it
 *         may not read (write, if the attachment may write), of the owner's own attachments, or of
 *         device memory is SIGBUS, or a loss; also after the end of the segment. No thread ever
 *         sees a stale page: an access that is not a loss reaches the owner's memory. If the kernel
 *         has no memory for an access, it waits for some, as for every access to memory; in a
 *         system call the result is EFAULT. Children do not inherit attachments, core dumps do not
 *         contain them, and the system calls that want pinned pages (O_DIRECT, RDMA registration,
 *         futex) refuse them with EFAULT.
 *             EACCES  a right is missing, or PROT_EXEC
 *             EINVAL  not MAP_SHARED, or outside of the segment
 *             EPERM   see WHO MAY: it is asked again, for a descriptor that was passed on
 *             ESRCH   the segment has ended or its owner is gone
 *     poll(2): POLLHUP when the segment has ended.
 * Closing it leaves attachments in place, as with every file.
 *
 * LOSSES. An access with HAYATE_SURVIVE has one page of its own, which is not the owner's: zeros at
 * first, then whatever was written there, the same at every address of all its attachments. Once a
 * touch has found it, it may stay at that address until the mapping is made anew, also if the owner
 * maps memory there again. So a program that has used an attachment checks afterwards whether it
 * was the owner's memory: by a count of the losses of the access since GET, which is incremented
 * before any thread can see the page. It is a 64-bit word, at the beginning of a page that the same
 * descriptor gives:
 *     mmap(2) of one page at the offset HAYATE_LOSSES_AT, MAP_SHARED and PROT_READ only. Whatever
 *         the rights and whether the owner lives; children inherit it. Programs of 32 bits cannot
 *         reach this offset.
 *             EACCES  PROT_WRITE or PROT_EXEC
 *             EINVAL  not MAP_SHARED, more than a page, no HAYATE_SURVIVE
 * Read the count; map; load or store; fence; read the count again. If it is the same, all loads and
 * stores since the mapping was made reached the owner's memory. Otherwise nothing is known: make a
 * new mapping. The fence is an acquire fence after loads, and a full fence after stores.
 *
 *   EACCES    the segment was made without one of the rights
 *   EINVAL    not attachable, or no right or an unknown one
 *   EMFILE, ENFILE   too many files are open
 *   ENOSPC    the user has max_accesses accesses
 *   EPERM, ESRCH     as COPY
 */
#define HAYATE_SURVIVE 1U

#define HAYATE_LOSSES_AT 0x4000000000000000ULL

struct hayate_get {
	__u64 cookie;
	__u32 rights;
	__u32 flags;
	__s32 fd; /* out */
	__u32 reserved; /* 0 */
	__u64 length;   /* out */
};

#define HAYATE_IOC_GET _IOWR(HAYATE_IOC_MAGIC, 4, struct hayate_get)

#endif
