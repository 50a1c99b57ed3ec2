/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device file /dev/hayate: joins the job, publishes this process's memory, copies, and maps
 * windows of peers' memory.
 */
#include "path/kmod/kmod.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "uapi/hayate.h"

_Static_assert(HY_KMOD_TOKEN_BYTES == HAYATE_TOKEN_BYTES, "a token of ours is one of the module");

/* The access to the memory of a rank, made at the first attach. All zero until then, so that ranks
 * of other nodes use no memory. */
typedef struct access_of {
    int fd;
    bool refused;
    uint64_t length;
    const _Atomic uint64_t *losses; /* mapped while fd is open */
} access_of;

struct hy_kmod {
    int fd; /* -1: not used; `why` has the reason */
    int ranks;
    uint64_t segment;
    uint64_t most_windows;
    bool at_once;
    hy_windows *windows; /* NULL: nothing can be attached */
    char why[160];
    access_of accesses[];
};

int hy_kmod_check_abi(uint32_t abi)
{
    if (abi == HAYATE_ABI) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   HAYATE_DEVICE " is of interface version %u, this library knows version %d: load"
                                 " the module that comes with it (kernel-module/)",
                   abi, HAYATE_ABI);
}

static int no_device(void)
{
    if (errno == ENOENT || errno == ENXIO || errno == ENODEV)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, HAYATE_DEVICE " does not exist: the module hayate is"
                                                             " not loaded (kernel-module/)");
    if (errno == EACCES || errno == EPERM)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, HAYATE_DEVICE ": this user may not open it:"
                                                             " permit reading and writing it;"
                                                             " in a container, add the device");
    return hy_fail(HAYATE_ERR_UNSUPPORTED, HAYATE_DEVICE " cannot be opened: %s", strerror(errno));
}

static int open_device(int *fd)
{
    struct hayate_info info = {0};
    *fd = open(HAYATE_DEVICE, O_RDWR | O_CLOEXEC);
    if (*fd < 0) return no_device();
    int rc = ioctl(*fd, HAYATE_IOC_INFO, &info) ? hy_kmod_check_abi(0)
                                                : hy_kmod_check_abi(info.abi);
    if (!rc) return HAYATE_OK;
    close(*fd);
    *fd = -1;
    return rc;
}

int hy_kmod_probe(void)
{
    int fd, rc = open_device(&fd);
    if (!rc) close(fd);
    return rc;
}

/* ---- attachments ---- */

static bool map_losses(access_of *access)
{
    void *at = mmap(NULL, sizeof *access->losses, PROT_READ, MAP_SHARED, access->fd,
                    (off_t)HAYATE_LOSSES_AT);
    access->losses = at == MAP_FAILED ? NULL : at;
    return access->losses != NULL;
}

static void end_access(access_of *access)
{
    if (!access->losses) return;
    munmap((void *)(uintptr_t)access->losses, sizeof *access->losses);
    close(access->fd);
    access->losses = NULL;
}

/* A rank's number in the module comes from its record and cannot be trusted. */
static bool get_access(hy_kmod *kmod, const hy_ep *ep, access_of *access)
{
    struct hayate_get get = {
        .cookie = ep->segment,
        .rights = HAYATE_READ | HAYATE_WRITE,
        .flags = HAYATE_SURVIVE,
    };
    if (access->refused) return false;
    if (access->losses) return true;
    access->refused = true;
    if (ioctl(kmod->fd, HAYATE_IOC_GET, &get)) return false;
    access->fd = get.fd;
    access->length = get.length;
    access->refused = !map_losses(access);
    if (access->refused) close(access->fd);
    return !access->refused;
}

/* Maps the window read-only unless it is to be written: then memory that its owner cannot write can
 * be attached as well. */
static bool attach(void *context, const void *peer, uint64_t key, hy_window *window)
{
    hy_kmod *kmod = context;
    const hy_ep *ep = peer;
    access_of *access = &kmod->accesses[ep->rank];
    uint64_t from = hy_window_key_address(key);
    if (!get_access(kmod, ep, access) || from >= access->length) return false;
    uint64_t left = access->length - from;
    window->bytes = left < HY_WINDOW_BYTES ? left : HY_WINDOW_BYTES;
    window->losses = access->losses;
    window->losses_before = hy_load_acquire(access->losses);
    int protection = PROT_READ | (hy_window_key_writes(key) ? PROT_WRITE : 0);
    void *start = mmap(NULL, window->bytes, protection, MAP_SHARED, access->fd, (off_t)from);
    window->start = start == MAP_FAILED ? NULL : start;
    return window->start != NULL;
}

static void detach(void *context, const hy_window *window)
{
    (void)context;
    munmap(window->start, window->bytes);
}

hy_window *hy_kmod_window(const hy_ep *ep, bool write, uint64_t remote)
{
    hy_kmod *kmod = ep->kmod;
    if (remote >= HY_WINDOWS_ADDRESSES) return NULL;
    uint64_t key = hy_window_key((uint32_t)ep->rank, write, remote);
    return hy_windows_take(kmod->windows, key, kmod->at_once, ep);
}

void hy_kmod_drop(const hy_ep *ep, hy_window *window)
{
    hy_windows_drop(ep->kmod->windows, window);
}

/* The module increments the count before it shows another page instead of the peer's: a thread that
 * has used such a page finds the count changed. A store could pass the load behind it, and reach
 * its page after the count was read. */
bool hy_kmod_was_there(const hy_window *window, bool wrote)
{
    atomic_thread_fence(wrote ? memory_order_seq_cst : memory_order_acquire);
    return hy_load_relaxed(window->losses) == window->losses_before;
}

uint64_t hy_kmod_most_windows(const hy_kmod *kmod)
{
    return kmod->most_windows;
}

/* ---- membership ---- */

static int join(hy_kmod *kmod, const uint8_t *token)
{
    struct hayate_join argument;
    memcpy(argument.token, token, sizeof argument.token);
    if (ioctl(kmod->fd, HAYATE_IOC_JOIN, &argument))
        return hy_fail(HAYATE_ERR_UNSUPPORTED, HAYATE_DEVICE ": cannot join the job: %s",
                       strerror(errno));
    return HAYATE_OK;
}

/* All of the address space. */
static int give(hy_kmod *kmod)
{
    struct hayate_make make = {
        .rights = HAYATE_READ | HAYATE_WRITE,
        .flags = kmod->most_windows ? HAYATE_ATTACHABLE : 0,
    };
    if (ioctl(kmod->fd, HAYATE_IOC_MAKE, &make))
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       HAYATE_DEVICE ": cannot publish this process's memory: %s%s",
                       strerror(errno),
                       errno == ENOSPC ? " (/sys/module/hayate/parameters/max_segments)" : "");
    kmod->segment = make.cookie;
    return HAYATE_OK;
}

static int open_windows(hy_kmod *kmod)
{
    static const hy_windows_ops ops = {attach, detach};
    if (!kmod->most_windows) return HAYATE_OK;
    kmod->windows = hy_windows_open(kmod->most_windows, &ops, kmod);
    return kmod->windows ? HAYATE_OK : hy_fail_errno("mmap");
}

static void kmod_leave(hy_kmod *kmod)
{
    hy_windows_close(kmod->windows);
    kmod->windows = NULL;
    for (int rank = 0; rank < kmod->ranks; rank++) end_access(&kmod->accesses[rank]);
    if (kmod->fd >= 0) close(kmod->fd); /* closing it withdraws the published memory */
    kmod->fd = -1;
    kmod->segment = 0;
}

static int not_used(void)
{
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   HAYATE_DEVICE " is not used: the ranks of this job share an"
                                 " address space, or another protocol is forced");
}

static int kmod_enter(hy_kmod *kmod, const hy_kmod_use *use)
{
    static const uint8_t none[HY_KMOD_TOKEN_BYTES];
    if (memcmp(use->token, none, sizeof none) == 0) return not_used();
    int rc = open_device(&kmod->fd);
    if (!rc) rc = join(kmod, use->token);
    if (!rc) rc = open_windows(kmod);
    if (!rc) rc = give(kmod);
    return rc;
}

hy_kmod *hy_kmod_open(const hy_kmod_use *use)
{
    hy_kmod *kmod = calloc(1, sizeof *kmod + sizeof(access_of) * (size_t)use->ranks);
    if (!kmod) return NULL;
    kmod->fd = -1;
    kmod->ranks = use->ranks;
    kmod->at_once = use->at_once;
    uint64_t windows = use->attach_bytes / HY_WINDOW_BYTES;
    kmod->most_windows = windows < HY_WINDOWS_MOST ? windows : HY_WINDOWS_MOST;
    if (kmod_enter(kmod, use)) {
        snprintf(kmod->why, sizeof kmod->why, "%s", hayate_error());
        kmod_leave(kmod);
    }
    return kmod;
}

void hy_kmod_close(hy_kmod *kmod)
{
    if (!kmod) return;
    kmod_leave(kmod);
    free(kmod);
}

uint64_t hy_kmod_segment(const hy_kmod *kmod)
{
    return kmod->segment;
}

int hy_kmod_usable(const hy_ep *ep)
{
    const hy_kmod *kmod = ep->kmod;
    if (!kmod) return not_used();
    if (kmod->fd < 0) return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s", kmod->why);
    if (!ep->segment || ep->rank < 0 || ep->rank >= kmod->ranks)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "rank %d does not use " HAYATE_DEVICE, ep->rank);
    return HAYATE_OK;
}

/* ---- copies ---- */

static int copy_failed(const hy_ep *ep)
{
    switch (errno) {
    case ESRCH:
        return hy_fail_peer(
            HAYATE_ERR_PEER_FAILED, ep->rank,
            "rank %d (pid %d) has ended, or belongs to another job on " HAYATE_DEVICE, ep->rank,
            (int)ep->pid);
    case EPERM:
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       HAYATE_DEVICE ": rank %d runs as another user, or may not be debugged"
                                     " (prctl PR_SET_DUMPABLE)",
                       ep->rank);
    case EFAULT:
    case EINVAL:
        return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                            HAYATE_DEVICE
                            ": rank %d announced memory that it does not have, or freed"
                            " a buffer before its operation was complete",
                            ep->rank);
    case EBADFD:
        return hy_fail(HAYATE_ERR_STATE, "this process is a child of fork(), not the rank itself");
    default: return hy_fail_errno(HAYATE_DEVICE ": cannot copy from or to rank %d", ep->rank);
    }
}

int hy_kmod_copy(const hy_ep *ep, bool write, uint64_t remote, const void *local, size_t len)
{
    struct hayate_copy copy = {
        .cookie = ep->segment,
        .local = (uintptr_t)local,
        .offset = remote,
        .length = len,
        .direction = write ? HAYATE_WRITE : HAYATE_READ,
    };
    int rc = hy_kmod_usable(ep);
    if (rc || !len) return rc;
    return ioctl(ep->kmod->fd, HAYATE_IOC_COPY, &copy) ? copy_failed(ep) : HAYATE_OK;
}
