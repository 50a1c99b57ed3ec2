/* SPDX-License-Identifier: Apache-2.0 */
/* Peers in this process's address space: the rank itself, tasks of one partitioned address space,
 * and threads as ranks. Loads and stores reach any memory of such a peer. Nothing checks the
 * addresses, so callers must keep buffers valid until an operation is complete. */
#include "base/status.h"
#include "path/path.h"

static int elsewhere(const hy_ep *ep)
{
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   "rank %d lives in another address space (hayate run --pvas puts all ranks into"
                   " one)",
                   ep->rank);
}

static int direct_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    if (hy_unlikely(!ep->here)) return elsewhere(ep);
    memmove((void *)(uintptr_t)remote, local, len);
    return HAYATE_OK;
}

static int direct_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    if (hy_unlikely(!ep->here)) return elsewhere(ep);
    memmove(local, (const void *)(uintptr_t)remote, len);
    return HAYATE_OK;
}

static int direct_probe(void)
{
    return HAYATE_OK; /* the endpoint knows which peers it reaches */
}

const hy_path_ops hy_path_direct = {
    .name = "direct",
    .caps = HY_CAP_LOADS,
    .put = direct_put,
    .get = direct_get,
    .probe = direct_probe,
};
