/* SPDX-License-Identifier: Apache-2.0 */
/* Peers of the same node: their part of the segment is mapped, so a put is a memcpy. */
#include "base/status.h"
#include "path/path.h"

static int outside(const hy_ep *ep, uint64_t offset, size_t len)
{
    return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                        "rank %d names memory outside of its segment (offset %llu, %zu bytes)",
                        ep->rank, (unsigned long long)offset, len);
}

static int shm_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, len))) return outside(ep, remote, len);
    memcpy(ep->part + remote, local, len);
    return HAYATE_OK;
}

static int shm_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, len))) return outside(ep, remote, len);
    memcpy(local, ep->part + remote, len);
    return HAYATE_OK;
}

static void shm_signal(hy_ep *ep, uint64_t offset, uint64_t head, const void *payload, size_t len)
{
    hy_slot *slot = (hy_slot *)(void *)(ep->part + offset);
    hy_copy_slot(slot->payload, payload, len);
    hy_store_release(&slot->head, head);
    hy_bell_ring(ep->bell);
}

static int shm_flush(hy_ep *ep)
{
    (void)ep;
    atomic_thread_fence(memory_order_release);
    return HAYATE_OK;
}

static int shm_progress(hy_ep *ep)
{
    (void)ep; /* stores arrive by themselves */
    return 0;
}

static int shm_probe(void)
{
    return HAYATE_OK; /* without the mapped segment there is no job */
}

const hy_path_ops hy_path_shm = {
    .name = "shm",
    .caps = HY_CAP_SIGNAL | HY_CAP_PART | HY_CAP_MAPPED,
    .put = shm_put,
    .get = shm_get,
    .signal = shm_signal,
    .flush = shm_flush,
    .progress = shm_progress,
    .probe = shm_probe,
};
