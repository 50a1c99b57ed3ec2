/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks that travel around a ring and are processed on their way. Unit u of the pipeline is part u
 * mod k of the block of step u / k; what arrives from the left neighbour in a step is passed on to
 * the right one in the next step, each part as soon as it has arrived. At most HY_EXCHANGE_PIECES
 * more parts are pushed than pulled, because all ranks begin with pushing.
 */
#ifndef HY_SCHED_RING_H
#define HY_SCHED_RING_H

#include "sched/algorithms/exchange.h"

typedef struct hy_ring {
    int left, right;
    uint64_t segment;
    uint64_t parts; /* k */
    uint64_t units;
} hy_ring;

/* longest: bytes of the longest block, at least one. */
static inline hy_ring hy_ring_of(const hy_schedule *s, uint64_t longest, int steps)
{
    const hy_shape *shape = &s->shape;
    uint64_t segment = hy_segment(s, longest);
    /* Payloads consist of pieces anyway, so each piece is passed on separately. */
    if (hy_way_prepared(s) && !hy_way_gets(s)) segment = hy_min(segment, hy_piece(shape));
    uint64_t parts = (longest + segment - 1) / segment;
    return (hy_ring){.left = hy_next_rank(shape, shape->size - 1),
                     .right = hy_next_rank(shape, 1),
                     .segment = segment,
                     .parts = parts,
                     .units = (uint64_t)steps * parts};
}

static inline int hy_ring_step(const hy_ring *r, uint64_t unit)
{
    return (int)(unit / r->parts);
}

/* The unit's part of its block; shorter blocks have fewer. */
static inline hy_block hy_ring_part(const hy_ring *r, uint64_t unit, hy_block block)
{
    uint64_t from = unit % r->parts * r->segment;
    if (from >= block.len) return (hy_block){block.off, 0};
    return (hy_block){block.off + from, hy_min(r->segment, block.len - from)};
}

typedef void (*hy_ring_move)(hy_schedule *s, const hy_ring *r, uint64_t unit);

static inline void hy_ring_run(hy_schedule *s, const hy_ring *r, hy_ring_move push,
                               hy_ring_move pull)
{
    uint64_t ahead = hy_min(r->parts, HY_EXCHANGE_PIECES);
    for (uint64_t unit = 0; unit < ahead; unit++) push(s, r, unit);
    for (uint64_t unit = 0; unit < r->units && !hy_emit_enough(s); unit++) {
        pull(s, r, unit);
        if (unit + ahead < r->units) push(s, r, unit + ahead);
    }
}

/* The rank `distance` places to the left. */
static inline int hy_ring_behind(const hy_shape *s, int distance)
{
    return hy_next_rank(s, s->size - distance % s->size);
}

#endif
