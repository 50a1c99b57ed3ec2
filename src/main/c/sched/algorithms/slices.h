/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of reductions by slices: the data are split into P slices, every rank exposes its
 * data (OUT, or BOX in which they are staged) to the owners of slices, and an owner folds its slice
 * straight from all of them. A rank without a slice (fewer elements than ranks) reads nobody's
 * memory and gets no signal. Only rank r touches slice r of each rank until it has finished, so r
 * may work in place.
 */
#ifndef HY_SCHED_SLICES_H
#define HY_SCHED_SLICES_H

#include "sched/algorithms/exchange.h"

static inline hy_block hy_slice_of(const hy_shape *s, int rank)
{
    hy_block b;
    hy_slice(s->bytes, s->unit, s->size, rank, &b.off, &b.len);
    return b;
}

static inline bool hy_has_slice(const hy_shape *s, int rank)
{
    return hy_slice_of(s, rank).len > 0;
}

static inline void hy_slices_open(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    bool mine = hy_has_slice(shape, shape->rank);
    hy_region region = hy_staged(s, HY_AT(HY_OUT, 0), 0).region;
    hy_stage(s, HY_AT(HY_OUT, 0), 0, shape->bytes);
    hy_round(s);
    if (hy_way_barriers(s)) return;
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++)
        if (hy_has_slice(shape, hy_next_rank(shape, i)))
            hy_emit_expose(s, hy_next_rank(shape, i), region);
    for (int i = 1; mine && i < shape->size && !hy_emit_enough(s); i++)
        hy_emit_learn(s, hy_next_rank(shape, i), region);
}

/* Folds `from` of all other ranks into this rank's `into`. */
static inline void hy_slices_fold(hy_schedule *s, hy_place from, hy_place into, uint64_t len)
{
    for (int i = 1; i < s->shape.size && !hy_emit_enough(s); i++)
        hy_emit_reduce(s, hy_next_rank(&s->shape, i), from, into, len);
}

/* The owners have finished with the exposed memory, and have put their results there. */
static inline void hy_slices_close(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    bool mine = hy_has_slice(shape, shape->rank);
    hy_round(s);
    if (hy_way_barriers(s)) return;
    for (int i = 1; mine && i < shape->size && !hy_emit_enough(s); i++)
        hy_emit_signal(s, hy_next_rank(shape, i));
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++)
        if (hy_has_slice(shape, hy_next_rank(shape, i))) hy_emit_wait(s, hy_next_rank(shape, i));
}

/* V: every rank signals every other, (P - 1) (signal + take) + flight; by a barrier: d S. */
static inline double hy_formula_all(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    if (w->sync == HY_SYNC_BARRIER) return hy_log2_ceil(s->size) * hy_formula_signal(m);
    return (s->size - 1) * (m->signal + m->take) + m->flight;
}

#endif
