/* SPDX-License-Identifier: Apache-2.0 */
/* Peers on the same node: their part of the segment is mapped, so a put is a copy. */
#include "path/memory.h"

#include "base/copy.h"

static int shm_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, len))) return hy_fail_outside(ep, remote, len);
    if (len <= HY_SLOT_PAYLOAD) hy_copy_slot(ep->part + remote, local, len);
    else hy_copy(ep->part + remote, local, len);
    return HAYATE_OK;
}

static int shm_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, len))) return hy_fail_outside(ep, remote, len);
    hy_copy(local, ep->part + remote, len);
    return HAYATE_OK;
}

static void shm_signal(hy_ep *ep, uint64_t offset, uint64_t head, const void *payload, size_t len)
{
    hy_slot *slot = (hy_slot *)(void *)(ep->part + offset);
    hy_copy_slot(slot->payload, payload, len);
    hy_store_release(&slot->head, head);
    hy_bell_ring(ep->bell);
}

/* The data are stored with relaxed atomics: two threads that write one flag at once are an error of
 * the program, but must not be a data race in the library. */
static int shm_put_flag(hy_ep *ep, uint64_t remote, const hy_flag *flag)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, sizeof *flag)))
        return hy_fail_outside(ep, remote, sizeof *flag);
    _Atomic uint64_t *to = (_Atomic uint64_t *)(void *)(ep->part + remote);
    for (int i = 0; i < 3; i++) hy_store_relaxed(&to[i + 1], flag->data[i]);
    hy_store_release(&to[0], flag->value);
    hy_bell_ring(ep->bell);
    return HAYATE_OK;
}

static int shm_atomic(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand,
                      uint64_t expected, uint64_t *before)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, sizeof operand)))
        return hy_fail_outside(ep, remote, sizeof operand);
    *before = hy_atomic_apply((_Atomic uint64_t *)(void *)(ep->part + remote), what, operand,
                              expected);
    if (what != HY_ATOMIC_FETCH) hy_bell_ring(ep->bell);
    return HAYATE_OK;
}

static int shm_flush(hy_ep *ep)
{
    (void)ep;
    atomic_thread_fence(memory_order_release);
    return HAYATE_OK;
}

static int shm_probe(void)
{
    return HAYATE_OK; /* there is no job without the mapped segment */
}

const hy_path_ops hy_path_shm = {
    .name = "shm",
    .caps = HY_CAP_MAPPED,
    .put = shm_put,
    .get = shm_get,
    .signal = shm_signal,
    .put_start = shm_put, /* complete on return */
    .get_start = shm_get,
    .put_flag = shm_put_flag,
    .atomic = shm_atomic,
    .flush = shm_flush,
    .probe = shm_probe,
};
