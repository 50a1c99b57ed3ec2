/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a rank, at the start of its part of the segment, which `hayate stat` reads
 * from outside. A thread counts in a private stripe with plain loads and stores: no locked
 * instruction on the hot path, and exact sums. Threads beyond HY_STRIPES share the last stripe
 * and use atomic adds. */
#ifndef HY_JOB_COUNTERS_H
#define HY_JOB_COUNTERS_H

#include <stdbool.h>

#include "base/line.h"

typedef enum hy_counter {
    HY_COUNT_SENT, /* messages of all kinds below; the next counter is their bytes */
    HY_COUNT_BYTES_SENT,
    HY_COUNT_RECEIVED,
    HY_COUNT_BYTES_RECEIVED,
    HY_COUNT_EAGER,    /* messages sent through an eager buffer */
    HY_COUNT_HEAP,     /* rendezvous by loads and stores of the symmetric heap */
    HY_COUNT_CMA,      /* rendezvous by single copy of the kernel */
    HY_COUNT_PIPELINE, /* rendezvous in blocks through shared memory */
    HY_COUNT_BUFFERED, /* sends copied into the send buffer */
    HY_COUNT_COLLECTIVES,
    HY_COUNT_SLEEPS,     /* waits that went to sleep */
    HY_COUNT_DIRECT,     /* rendezvous by loads and stores in one address space */
    HY_COUNT_EAGER_HELD, /* a gauge: bytes of the heap in eager buffers of channels */
    HY_COUNT_PUTS = 16,  /* of the global space, from here on; again followed by bytes */
    HY_COUNT_BYTES_PUT,
    HY_COUNT_GETS,
    HY_COUNT_BYTES_GOT,
    HY_COUNT_FLAGS, /* flags written by put_word, put_flag and put_signal */
    HY_COUNT_ATOMICS,
    HY_COUNT_ENDPOINT_WAITS, /* calls that found no endpoint free */
    HY_COUNT_LANES_HELD,     /* a gauge: bytes for endpoints of remote ranks on further lanes */
    HY_COUNTERS = 32
} hy_counter;

extern const char *const hy_counter_names[HY_COUNTERS]; /* NULL where unused */

#define HY_STRIPES 32

typedef struct hy_counters {
    HY_ALIGNED _Atomic uint64_t stripe[HY_STRIPES][HY_COUNTERS];
} hy_counters;

/* The calling thread's stripe. */
extern _Thread_local int hy_stripe;
int hy_stripe_assign(void);

static inline void hy_stripe_add(_Atomic uint64_t *cell, uint64_t n, bool shared)
{
    if (hy_unlikely(shared)) atomic_fetch_add_explicit(cell, n, memory_order_relaxed);
    else hy_store_relaxed(cell, hy_load_relaxed(cell) + n);
}

static inline int hy_stripe_mine(void)
{
    int mine = hy_stripe;
    return hy_likely(mine >= 0) ? mine : hy_stripe_assign();
}

static inline void hy_count(hy_counters *counters, hy_counter counter, uint64_t n)
{
    int mine = hy_stripe_mine();
    hy_stripe_add(&counters->stripe[mine][counter], n, mine == HY_STRIPES - 1);
}

/* Counts one message and its bytes: `counter` is SENT, RECEIVED, PUTS or GETS. */
static inline void hy_count_message(hy_counters *counters, hy_counter counter, uint64_t bytes)
{
    int mine = hy_stripe_mine();
    _Atomic uint64_t *cells = &counters->stripe[mine][counter];
    hy_stripe_add(&cells[0], 1, mine == HY_STRIPES - 1);
    hy_stripe_add(&cells[1], bytes, mine == HY_STRIPES - 1);
}

/* A gauge goes up and down. It is in one cell, so that a reader never sees only half of a
 * change. */
static inline void hy_gauge_add(hy_counters *counters, hy_counter gauge, uint64_t n)
{
    hy_stripe_add(&counters->stripe[HY_STRIPES - 1][gauge], n, true);
}
static inline void hy_gauge_sub(hy_counters *counters, hy_counter gauge, uint64_t n)
{
    hy_gauge_add(counters, gauge, 0 - n);
}

uint64_t hy_counter_sum(const hy_counters *counters, hy_counter counter);

#endif
