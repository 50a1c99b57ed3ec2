/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alltoall, linear: every rank sends every other rank its block, all at once, each beginning with
 * another neighbour. One phase for P - 1 transfers. Thakur, Rabenseifner, Gropp, "Optimization of
 * collective communication operations in MPICH", 2005 (for medium-sized blocks).
 *
 *   T = (1 + E) S + (P - 1) (o(n) + M(n)) + C(n);  with barriers: T = 2 d S + (P - 1) M(n) + C(n)
 */
#include "sched/algorithms/exchange.h"

/* The block for the rank `distance` above. */
static hy_flow outward(const hy_schedule *s, int distance)
{
    int peer = hy_next_rank(&s->shape, distance);
    hy_block block = hy_in_block(&s->shape, peer);
    return (hy_flow){peer, hy_staged(s, HY_AT(HY_IN, block.off), block.off),
                     HY_AT(HY_OUT, hy_my_block_at_peer(&s->shape)), block.len};
}

/* The block of the rank `distance` below. */
static hy_flow inward(const hy_schedule *s, int distance)
{
    uint64_t off = hy_my_block_at_peer(&s->shape);
    int peer = hy_next_rank(&s->shape, s->shape.size - distance);
    hy_block block = hy_out_block(&s->shape, peer);
    return (hy_flow){peer, hy_staged(s, HY_AT(HY_IN, off), off), HY_AT(HY_OUT, block.off),
                     block.len};
}

static uint64_t alltoall_linear_longest(const hy_shape *shape)
{
    uint64_t most = shape->bytes;
    for (int i = 0; shape->uneven && i < shape->size; i++) {
        hy_block in = hy_in_block(shape, i), out = hy_out_block(shape, i);
        if (in.len > most) most = in.len;
        if (out.len > most) most = out.len;
    }
    return most;
}

static void copy_own(hy_schedule *s)
{
    hy_block in = hy_in_block(&s->shape, s->shape.rank),
             out = hy_out_block(&s->shape, s->shape.rank);
    hy_emit_copy(s, HY_AT(HY_IN, in.off), HY_AT(HY_OUT, out.off), in.len);
}

static void push_all(hy_schedule *s, uint64_t off, uint64_t part)
{
    for (int i = 1; i < s->shape.size && !hy_emit_enough(s); i++) {
        hy_flow out = outward(s, i);
        if (out.len) hy_stream_await(s, out.peer, HY_OUT);
        hy_flow_push(s, &out, off, part);
    }
}

/* IN as a whole can be fetched from BOX only if the blocks are equal (hy_way_possible()). */
static int alltoall_linear_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t part = hy_exchange_part(s), end = alltoall_linear_longest(shape);
    hy_exchange_ready_all(s, inward);
    hy_stage(s, HY_AT(HY_IN, 0), 0, shape->bytes * (uint64_t)shape->size);
    hy_round(s);
    for (uint64_t off = 0; off < end && !hy_emit_enough(s); off += part) {
        push_all(s, off, part);
        if (off == 0) copy_own(s);
        hy_exchange_pull_all(s, inward, off, part);
    }
    for (int i = 1; hy_way_tells(s) && i < shape->size && !hy_emit_enough(s); i++)
        if (outward(s, i).len) hy_stream_drain(s, outward(s, i).peer);
    hy_round(s);
    return hy_emit_end(s);
}

static double alltoall_linear_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    double one = hy_formula_signals(m, s, w, s->bytes) + hy_formula_move(m, w, s->bytes);
    return hy_formula_levels(m, s, w, 1) + (s->size - 1) * one + hy_curve_at(&m->copy, s->bytes);
}

const hy_algorithm hy_alltoall_linear = {
    .name = "linear",
    .title = "every rank sends every other its block, all at once",
    .coll = HY_COLL_ALLTOALL,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_UNEVEN | HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = alltoall_linear_build,
    .formula = alltoall_linear_formula,
};
