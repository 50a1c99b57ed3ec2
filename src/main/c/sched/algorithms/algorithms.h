/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generators, one a file, and the small terms that their cost formulas share:
 *   P ranks, n bytes, k payload pieces of n, W = phase of waiting (hy_cost_phase), o overhead,
 *   Gp, Gd, Gr, Gl = byte_payload, byte_direct, byte_reduce, byte_local; c cpus, [x] = x * P / c
 *   when ranks share cpus, else x (hy_cost_parallel). d = ceil(log2 P).
 * hy_schedule_build() calls a generator only for P > 1 and, but for barriers, n > 0.
 */
#ifndef HY_SCHED_ALGORITHMS_H
#define HY_SCHED_ALGORITHMS_H

#include "sched/builder.h"
#include "sched/cost.h"

extern const hy_algorithm hy_barrier_flat;
extern const hy_algorithm hy_barrier_dissemination;
extern const hy_algorithm hy_bcast_flat;
extern const hy_algorithm hy_bcast_binomial;
extern const hy_algorithm hy_bcast_flat_get;
extern const hy_algorithm hy_bcast_scatter_get;
extern const hy_algorithm hy_reduce_flat;
extern const hy_algorithm hy_reduce_binomial;
extern const hy_algorithm hy_reduce_slices;
extern const hy_algorithm hy_allreduce_exchange;
extern const hy_algorithm hy_allreduce_doubling;
extern const hy_algorithm hy_allreduce_slices;

/* A slice is worked on in blocks of about this, so that what was just reduced is still in cache
 * when it is passed on. */
#define HY_SCHED_BLOCK 32768

static inline bool hy_applies_always(const hy_shape *s)
{
    (void)s;
    return true;
}

/* Payloads carry whole elements. */
static inline bool hy_applies_payload(const hy_shape *s)
{
    return s->unit <= HY_SCHED_PAYLOAD;
}

static inline bool hy_no_work(const hy_shape *s)
{
    return s->size == 1 || (s->coll != HY_COLL_BARRIER && s->bytes == 0);
}

static inline double hy_pieces(const hy_shape *s)
{
    uint64_t piece = hy_piece(s);
    return (double)(s->bytes / piece + (s->bytes % piece != 0));
}

static inline int hy_log2_ceil(int n)
{
    int log = 0;
    while ((INT64_C(1) << log) < n) log++;
    return log;
}

static inline uint64_t hy_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t hy_block(const hy_shape *s)
{
    return s->unit > HY_SCHED_BLOCK ? s->unit : HY_SCHED_BLOCK / s->unit * s->unit;
}

#endif
