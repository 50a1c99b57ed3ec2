/* SPDX-License-Identifier: Apache-2.0 */
/* Copies through the kernel module, from and into any memory of a peer: one system call each. */
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

const hy_path_ops hy_path_copy = {
    .name = "copy",
    .put = copy_put,
    .get = copy_get,
    .probe = hy_kmod_probe,
};
