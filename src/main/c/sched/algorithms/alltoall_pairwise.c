/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alltoall, pairwise: P - 1 steps, in each of which every rank sends one block and receives one: to
 * and from the same partner, rank xor i, if P is a power of two, else to rank + i and from rank -
 * i. No rank is ever the target of two. Thakur, Rabenseifner, Gropp, "Optimization of collective
 * communication operations in MPICH", 2005 (for long blocks).
 *
 * A rank is ready for the next step before it pulls in this one. This order matters: if it is `to`
 * in one step and `from` in another, its peer must expect the signals of both in the same order.
 * For the same reason fetches are reported at the end only.
 *
 *   T = (P - 1) (S + o(n) + M(n)) + E S + C(n);  with barriers: T = P d S + (P - 1) M(n) + C(n)
 */
#include "sched/algorithms/exchange.h"

static int to_of(const hy_shape *shape, int step)
{
    if (hy_is_power_of_two(shape->size)) return shape->rank ^ step;
    return hy_next_rank(shape, step);
}

static int from_of(const hy_shape *shape, int step)
{
    if (hy_is_power_of_two(shape->size)) return shape->rank ^ step;
    return hy_next_rank(shape, shape->size - step);
}

static hy_flow outward(const hy_schedule *s, int step)
{
    int peer = to_of(&s->shape, step);
    hy_block block = hy_in_block(&s->shape, peer);
    return (hy_flow){peer, hy_staged(s, HY_AT(HY_IN, block.off), block.off),
                     HY_AT(HY_OUT, hy_my_block_at_peer(&s->shape)), block.len};
}

static hy_flow inward(const hy_schedule *s, int step)
{
    uint64_t off = hy_my_block_at_peer(&s->shape);
    int peer = from_of(&s->shape, step);
    hy_block block = hy_out_block(&s->shape, peer);
    return (hy_flow){peer, hy_staged(s, HY_AT(HY_IN, off), off), HY_AT(HY_OUT, block.off),
                     block.len};
}

static void ready(hy_schedule *s, int step)
{
    if (step < s->shape.size && inward(s, step).len)
        hy_stream_ready(s, inward(s, step).peer, HY_OUT);
}

static void step_through(hy_schedule *s, int step, uint64_t part)
{
    hy_flow out = outward(s, step), in = inward(s, step);
    uint64_t off = hy_in_block(&s->shape, out.peer).off;
    hy_stage(s, HY_AT(HY_IN, off), off, out.len);
    if (out.len) hy_stream_await(s, out.peer, HY_OUT);
    hy_exchange_begin(s, &out, part);
    ready(s, step + 1);
    hy_exchange_end(s, &out, &in, part);
    hy_round(s);
}

static int alltoall_pairwise_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t part = hy_exchange_part(s);
    hy_block in = hy_in_block(shape, shape->rank), out = hy_out_block(shape, shape->rank);
    if (hy_way_boxed(s)) hy_emit_box(s, shape->bytes * (uint64_t)shape->size);
    ready(s, 1);
    hy_emit_copy(s, HY_AT(HY_IN, in.off), HY_AT(HY_OUT, out.off), in.len);
    hy_round(s);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) step_through(s, i, part);
    for (int i = 1; hy_way_tells(s) && i < shape->size && !hy_emit_enough(s); i++)
        if (inward(s, i).len) hy_stream_finish(s, inward(s, i).peer);
    for (int i = 1; hy_way_tells(s) && i < shape->size && !hy_emit_enough(s); i++)
        if (outward(s, i).len) hy_stream_drain(s, outward(s, i).peer);
    return hy_emit_end(s);
}

static double alltoall_pairwise_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    double one = hy_formula_signals(m, s, w, s->bytes) + hy_formula_move(m, w, s->bytes);
    return hy_formula_levels(m, s, w, s->size - 1) + (s->size - 1) * one +
           hy_curve_at(&m->copy, s->bytes);
}

const hy_algorithm hy_alltoall_pairwise = {
    .name = "pairwise",
    .title = "one partner per step: a block to it, a block from it",
    .coll = HY_COLL_ALLTOALL,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_UNEVEN | HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = alltoall_pairwise_build,
    .formula = alltoall_pairwise_formula,
};
