/* SPDX-License-Identifier: Apache-2.0 */
/* Copies by the kernel's module, from and into any memory of a peer: one system call each. */
#include "base/status.h"
#include "path/kmod/kmod.h"

static int copy_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    return hy_kmod_copy(ep, true, remote, local, len);
}

static int copy_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    return hy_kmod_copy(ep, false, remote, local, len);
}

static int copy_flush(hy_ep *ep)
{
    (void)ep; /* the kernel's copy is complete when the call returns */
    return HAYATE_OK;
}

static int copy_progress(hy_ep *ep)
{
    (void)ep;
    return 0;
}

const hy_path_ops hy_path_copy = {
    .name = "copy",
    .caps = HY_CAP_PROCESS,
    .put = copy_put,
    .get = copy_get,
    .flush = copy_flush,
    .progress = copy_progress,
    .probe = hy_kmod_probe,
};
