/* SPDX-License-Identifier: Apache-2.0 */
/* Cross memory attach (process_vm_readv and process_vm_writev): the kernel copies, once, with one
 * system call per block. Docker's default seccomp profile and Yama can refuse it with EPERM. */
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/status.h"
#include "path/path.h"

typedef ssize_t transfer(pid_t, const struct iovec *, unsigned long, const struct iovec *,
                         unsigned long, unsigned long);

static int refused(const hy_ep *ep, const char *call)
{
    if (errno == ESRCH)
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, ep->rank, "rank %d (pid %d) has ended",
                            ep->rank, (int)ep->pid);
    if (errno == EPERM || errno == ENOSYS)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "%s on rank %d: not permitted (seccomp profile or kernel.yama.ptrace_scope);"
                       " in a container add --cap-add SYS_PTRACE",
                       call, ep->rank);
    if (errno == EFAULT)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                            "%s: rank %d announced memory that it does not have, or freed a buffer"
                            " before its operation was complete",
                            call, ep->rank);
    return hy_fail_errno("%s on rank %d", call, ep->rank);
}

static int cma_path_move(hy_ep *ep, uint64_t remote, void *local, size_t len, transfer *call,
                         const char *name)
{
    while (len > 0) {
        struct iovec mine = {local, len}, theirs = {(void *)(uintptr_t)remote, len};
        ssize_t moved = call(ep->pid, &mine, 1, &theirs, 1, 0);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) return refused(ep, name);
        remote += (size_t)moved;
        local = (uint8_t *)local + moved;
        len -= (size_t)moved;
    }
    return HAYATE_OK;
}

static int cma_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    return cma_path_move(ep, remote, (void *)(uintptr_t)local, len, process_vm_writev,
                         "process_vm_writev");
}

static int cma_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    return cma_path_move(ep, remote, local, len, process_vm_readv, "process_vm_readv");
}

/* Takes away the first bytes, which have been moved. */
static void skip(struct iovec **pieces, size_t *count, size_t bytes)
{
    while (*count && bytes >= (*pieces)->iov_len) {
        bytes -= (*pieces)->iov_len;
        (*pieces)++, (*count)--;
    }
    if (*count == 0) return;
    (*pieces)->iov_base = (uint8_t *)(*pieces)->iov_base + bytes;
    (*pieces)->iov_len -= bytes;
}

static int cma_move_pieces(hy_ep *ep, bool put, struct iovec *local, size_t locals,
                           struct iovec *remote, size_t remotes)
{
    transfer *call = put ? process_vm_writev : process_vm_readv;
    while (locals && remotes) {
        ssize_t moved = call(ep->pid, local, locals, remote, remotes, 0);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) return refused(ep, put ? "process_vm_writev" : "process_vm_readv");
        skip(&local, &locals, (size_t)moved);
        skip(&remote, &remotes, (size_t)moved);
    }
    return HAYATE_OK;
}

static int cma_probe(void)
{
    uint64_t from = 1, to = 0;
    struct iovec mine = {&to, sizeof to}, theirs = {&from, sizeof from};
    if (process_vm_readv(getpid(), &mine, 1, &theirs, 1, 0) == sizeof to) return HAYATE_OK;
    hy_ep me = {.rank = 0, .pid = getpid()};
    return refused(&me, "process_vm_readv");
}

const hy_path_ops hy_path_cma = {
    .name = "cma",
    .put = cma_put,
    .get = cma_get,
    .move_pieces = cma_move_pieces,
    .probe = cma_probe,
};
