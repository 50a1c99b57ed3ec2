/* SPDX-License-Identifier: Apache-2.0 */
/* A rate limit, for work that a polling loop must do now and then, but not in every turn because
 * it needs a system call or a lock. It admits one caller per tick of the kernel's clock (1 to 10
 * ms, depending on the kernel), whichever thread comes first. A caller that is not admitted pays
 * two loads. */
#ifndef HY_BASE_RATELIMIT_H
#define HY_BASE_RATELIMIT_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/line.h"

/* All zero: the next caller is admitted. */
typedef struct hy_ratelimit {
    _Atomic uint64_t last; /* the tick in which a caller was last admitted */
} hy_ratelimit;

/* `tick` is hy_tick_ns(); a caller may use it for several limits. Relaxed order: a limit
 * publishes nothing. */
static inline bool hy_ratelimit_pass(hy_ratelimit *limit, uint64_t tick)
{
    uint64_t last = hy_load_relaxed(&limit->last);
    if (hy_likely(last == tick)) return false;
    return atomic_compare_exchange_strong_explicit(&limit->last, &last, tick, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/* Admits the next caller in the same tick, so that every thread finds what this one has found. */
static inline void hy_ratelimit_reset(hy_ratelimit *limit)
{
    hy_store_relaxed(&limit->last, 0);
}

#endif
