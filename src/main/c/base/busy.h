/* SPDX-License-Identifier: Apache-2.0 */
/* A word that tells who may use an object. An *owner* takes it for an operation; a second one
 * does not wait, but gets an error, because that is a mistake of the program. A *visitor* is the
 * library itself: it enters only if there is no owner, and stays briefly; an owner waits for it,
 * so that the program never notices a visitor. It yields, because here is no job to wait with
 * (job/await.h). */
#ifndef HY_BASE_BUSY_H
#define HY_BASE_BUSY_H

#include <sched.h>
#include <stdbool.h>

#include "base/line.h"

enum { HY_BUSY_FREE, HY_BUSY_OWNED, HY_BUSY_VISITED };

/* False: it has an owner. Acquire order: after what the one before did. No fence: on aarch64, a
 * load behind it may be earlier than its store. */
static inline bool hy_busy_take(_Atomic uint32_t *busy)
{
    uint32_t was = HY_BUSY_FREE;
    while (hy_unlikely(!atomic_compare_exchange_strong(busy, &was, HY_BUSY_OWNED))) {
        if (was == HY_BUSY_OWNED) return false;
        if (was == HY_BUSY_VISITED) sched_yield();
        was = HY_BUSY_FREE;
    }
    return true;
}

/* False: it has an owner, or already a visitor. Acquire order: after what they did. */
static inline bool hy_busy_visit(_Atomic uint32_t *busy)
{
    uint32_t was = HY_BUSY_FREE;
    return atomic_compare_exchange_strong_explicit(busy, &was, HY_BUSY_VISITED,
                                                   memory_order_acquire, memory_order_relaxed);
}

/* Called by an owner or a visitor. */
static inline void hy_busy_leave(_Atomic uint32_t *busy)
{
    hy_store_release(busy, HY_BUSY_FREE);
}

static inline bool hy_busy_owned(const _Atomic uint32_t *busy)
{
    return hy_load_acquire(busy) == HY_BUSY_OWNED;
}

#endif
