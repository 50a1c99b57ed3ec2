/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allgather, Bruck: a rank collects its own block, that of the next rank, and so on modulo P, in
 * this order: in step i it sends the first 2^i blocks (in the last step, those that are missing) to
 * the rank 2^i below and receives as many from the rank 2^i above. At the end it rotates them into
 * their places. Works for any number of ranks with the fewest steps; because of the copy at the end
 * it suits short blocks. Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all
 * communications in multiport message-passing systems", 1997.
 *
 *    T = (d + E) S + sum over i < d of (o(m_i n) + M(m_i n)) + C(n) + C(P n),
 *        m_i = min(2^i, P - 2^i);  with barriers: T = (d + 1) d S + the same without o
 */
#include "sched/algorithms/exchange.h"

/* TMP or, if others fetch from it, BOX. */
static hy_place collected(const hy_schedule *s, uint64_t blocks)
{
    uint64_t off = blocks * s->shape.bytes;
    return hy_staged(s, HY_AT(HY_TMP, off), off);
}

static int above(const hy_schedule *s, int step)
{
    return hy_next_rank(&s->shape, 1 << step);
}

static int below(const hy_schedule *s, int step)
{
    return hy_next_rank(&s->shape, s->shape.size - (1 << step));
}

static uint64_t blocks_of(const hy_shape *shape, int step)
{
    uint64_t have = UINT64_C(1) << step;
    return hy_min(have, (uint64_t)shape->size - have);
}

static void allgather_bruck_collect(hy_schedule *s, int step)
{
    hy_place first = collected(s, 0), next = collected(s, UINT64_C(1) << step);
    uint64_t len = blocks_of(&s->shape, step) * s->shape.bytes;
    const hy_flow out = {below(s, step), first, next, len};
    const hy_flow in = {above(s, step), first, next, len};
    hy_exchange(s, &out, &in, hy_exchange_part(s));
    hy_round(s);
}

/* Two copies on all ranks, so that they take equally long: rank 0, which has nothing to rotate,
 * splits behind its own block. */
static void turn(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t size = (uint64_t)shape->size, rank = (uint64_t)shape->rank, bytes = shape->bytes;
    uint64_t first = rank ? size - rank : 1;
    hy_emit_copy(s, collected(s, 0), HY_AT(HY_OUT, rank * bytes), first * bytes);
    hy_emit_copy(s, collected(s, first), HY_AT(HY_OUT, (rank + first) % size * bytes),
                 (size - first) * bytes);
}

/* A rank may be above in one step and below in another, so only data are signalled between the
 * steps: then both ends agree on the order of their signals. */
static int allgather_bruck_build(hy_schedule *s)
{
    int steps = hy_log2_ceil(s->shape.size);
    uint64_t all = s->shape.bytes * (uint64_t)s->shape.size;
    if (hy_way_boxed(s)) hy_emit_box(s, all);
    else hy_emit_tmp(s, all);
    for (int i = 0; i < steps; i++) hy_stream_ready(s, above(s, i), HY_TMP);
    hy_emit_copy(s, HY_AT(HY_IN, 0), collected(s, 0), s->shape.bytes);
    hy_round(s);
    for (int i = 0; i < steps; i++) hy_stream_await(s, below(s, i), HY_TMP);
    for (int i = 0; i < steps; i++) allgather_bruck_collect(s, i);
    for (int i = 0; i < steps; i++) hy_stream_finish(s, above(s, i));
    turn(s);
    for (int i = 0; i < steps; i++) hy_stream_drain(s, below(s, i));
    return hy_emit_end(s);
}

static double allgather_bruck_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    int steps = hy_log2_ceil(s->size);
    double sum = hy_formula_levels(m, s, w, steps) + hy_curve_at(&m->copy, s->bytes) +
                 hy_curve_at(&m->copy, s->bytes * (uint64_t)s->size);
    for (int i = 0; i < steps; i++) {
        uint64_t len = blocks_of(s, i) * s->bytes;
        sum += hy_formula_signals(m, s, w, len) + hy_formula_move(m, w, len);
    }
    return sum;
}

const hy_algorithm hy_allgather_bruck = {
    .name = "bruck",
    .title = "collected blocks go down over doubling distances, then are rotated into place",
    .coll = HY_COLL_ALLGATHER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = allgather_bruck_build,
    .formula = allgather_bruck_formula,
};
