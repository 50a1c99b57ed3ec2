/* SPDX-License-Identifier: Apache-2.0 */
/* What reductions by slices share: OUT is cut into P slices, everybody exposes it to the owners of
 * slices, and takes it back when they are finished. A rank without a slice (fewer elements than
 * ranks) reads nobody's memory and is not told to. */
#ifndef HY_SCHED_SLICES_H
#define HY_SCHED_SLICES_H

#include "sched/builder.h"

static inline bool hy_has_slice(const hy_shape *s, int rank)
{
    uint64_t off, len;
    hy_slice(s->bytes, s->unit, s->size, rank, &off, &len);
    return len > 0;
}

static inline void hy_slices_open(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    for (int i = 1; i < shape->size; i++)
        if (hy_has_slice(shape, hy_next_rank(shape, i)))
            hy_emit_expose(s, hy_next_rank(shape, i), HY_OUT);
    for (int i = 1; hy_has_slice(shape, shape->rank) && i < shape->size; i++)
        hy_emit_learn(s, hy_next_rank(shape, i), HY_OUT);
}

static inline void hy_slices_close(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    for (int i = 1; hy_has_slice(shape, shape->rank) && i < shape->size; i++)
        hy_emit_signal(s, hy_next_rank(shape, i));
    for (int i = 1; i < shape->size; i++)
        if (hy_has_slice(shape, hy_next_rank(shape, i))) hy_emit_wait(s, hy_next_rank(shape, i));
}

#endif
