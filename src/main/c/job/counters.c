/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the counters, and the stripes that threads take and return at their end. */
#include "job/counters.h"

#include <pthread.h>

const char *const hy_counter_names[HY_COUNTERS] = {
    [HY_COUNT_SENT] = "sent",
    [HY_COUNT_RECEIVED] = "received",
    [HY_COUNT_BYTES_SENT] = "bytes_sent",
    [HY_COUNT_BYTES_RECEIVED] = "bytes_received",
    [HY_COUNT_EAGER] = "eager",
    [HY_COUNT_HEAP] = "heap",
    [HY_COUNT_CMA] = "cma",
    [HY_COUNT_DIRECT] = "direct",
    [HY_COUNT_PIPELINE] = "pipeline",
    [HY_COUNT_BUFFERED] = "buffered",
    [HY_COUNT_COLLECTIVES] = "collectives",
    [HY_COUNT_SLEEPS] = "sleeps",
    [HY_COUNT_EAGER_HELD] = "eager_held",
    [HY_COUNT_PUTS] = "puts",
    [HY_COUNT_BYTES_PUT] = "bytes_put",
    [HY_COUNT_GETS] = "gets",
    [HY_COUNT_BYTES_GOT] = "bytes_got",
    [HY_COUNT_FLAGS] = "flags",
    [HY_COUNT_ATOMICS] = "atomics",
    [HY_COUNT_ENDPOINT_WAITS] = "endpoint_waits",
    [HY_COUNT_LANES_HELD] = "lanes_held",
};

_Thread_local int hy_stripe = -1;

/* One bit for each stripe in use; the last stripe is shared and never returned. */
static _Atomic uint32_t taken = UINT32_C(1) << (HY_STRIPES - 1);
static pthread_key_t at_exit;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Release order: the next owner's counts must follow ours, or additions would get lost. */
static void counters_give_back(void *stripe)
{
    uint32_t bit = UINT32_C(1) << ((uintptr_t)stripe - 1);
    hy_stripe = HY_STRIPES - 1;
    atomic_fetch_and_explicit(&taken, ~bit, memory_order_release);
}

static void make_key(void)
{
    if (pthread_key_create(&at_exit, counters_give_back) != 0) atomic_store(&taken, UINT32_MAX);
}

int hy_stripe_assign(void)
{
    pthread_once(&once, make_key);
    uint32_t seen = hy_load_relaxed(&taken);
    int mine = HY_STRIPES - 1;
    while (seen != UINT32_MAX) {
        int lowest = __builtin_ctz(~seen);
        if (atomic_compare_exchange_weak_explicit(&taken, &seen, seen | UINT32_C(1) << lowest,
                                                  memory_order_acquire, memory_order_relaxed)) {
            mine = lowest;
            pthread_setspecific(at_exit, (void *)(uintptr_t)(lowest + 1));
            break;
        }
    }
    return hy_stripe = mine;
}

uint64_t hy_counter_sum(const hy_counters *counters, hy_counter counter)
{
    uint64_t sum = 0;
    for (int i = 0; i < HY_STRIPES; i++) sum += hy_load_relaxed(&counters->stripe[i][counter]);
    return sum;
}
