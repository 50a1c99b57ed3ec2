/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rate limit: for what a loop that polls has to do now and then, and not in every turn because it
 * costs a system call or a lock. It lets one caller in per tick of the kernel's clock (1 to 10 ms,
 * by how the kernel was built), whichever thread comes first; to be refused costs two loads.
 */
#ifndef HY_BASE_RATELIMIT_H
#define HY_BASE_RATELIMIT_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/line.h"

/* All zero: the next caller is let in. */
typedef struct hy_ratelimit {
    _Atomic uint64_t last; /* the tick in which one was let in */
} hy_ratelimit;

/* `tick` is hy_tick_ns(), which one caller may use for several limits. relaxed: a limit publishes
 * nothing. */
static inline bool hy_ratelimit_pass(hy_ratelimit *limit, uint64_t tick)
{
    uint64_t last = hy_load_relaxed(&limit->last);
    if (hy_likely(last == tick)) return false;
    return atomic_compare_exchange_strong_explicit(&limit->last, &last, tick, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/* Lets the next caller in, in the same tick: what this one found is to be found by all. */
static inline void hy_ratelimit_reset(hy_ratelimit *limit)
{
    hy_store_relaxed(&limit->last, 0);
}

#endif
