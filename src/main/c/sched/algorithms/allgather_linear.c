/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allgather, linear: every rank sends its block to every other rank in one phase, each beginning
 * with another neighbour, so that no rank is the first target of all. Chan, Heimlich, Purkayastha,
 * van de Geijn, "Collective communication: theory, practice, and experience", 2007, call it the
 * flat algorithm.
 *
 *   T = (1 + E) S + (P - 1) (o(n) + M(n)) + C(n)
 *   fetched from BOX: staged once, T = S + (P - 1) (o(n) + get(n)) + 2 C(n)
 *   with barriers: T = 2 d S + (P - 1) M(n) + C(n)
 */
#include "sched/algorithms/exchange.h"

/* This rank's block, to the rank `distance` above. */
static hy_flow outward(const hy_schedule *s, int distance)
{
    const hy_shape *shape = &s->shape;
    return (hy_flow){hy_next_rank(shape, distance), hy_staged(s, HY_AT(HY_IN, 0), 0),
                     HY_AT(HY_OUT, hy_out_block(shape, shape->rank).off), shape->bytes};
}

/* The block of the rank `distance` below. */
static hy_flow inward(const hy_schedule *s, int distance)
{
    int peer = hy_next_rank(&s->shape, s->shape.size - distance);
    hy_block block = hy_out_block(&s->shape, peer);
    return (hy_flow){peer, hy_staged(s, HY_AT(HY_IN, 0), 0), HY_AT(HY_OUT, block.off), block.len};
}

static uint64_t allgather_linear_longest(const hy_shape *shape)
{
    uint64_t most = shape->bytes;
    for (int i = 0; shape->uneven && i < shape->size; i++)
        if (hy_out_block(shape, i).len > most) most = hy_out_block(shape, i).len;
    return most;
}

static void push_all(hy_schedule *s, uint64_t off, uint64_t part)
{
    for (int i = 1; s->shape.bytes && i < s->shape.size && !hy_emit_enough(s); i++) {
        hy_flow out = outward(s, i);
        hy_stream_await(s, out.peer, HY_OUT);
        hy_flow_push(s, &out, off, part);
    }
}

static int allgather_linear_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t part = hy_exchange_part(s), end = allgather_linear_longest(shape);
    hy_exchange_ready_all(s, inward);
    hy_stage(s, HY_AT(HY_IN, 0), 0, shape->bytes);
    hy_round(s);
    for (uint64_t off = 0; off < end && !hy_emit_enough(s); off += part) {
        push_all(s, off, part);
        if (off == 0) hy_emit_copy(s, HY_AT(HY_IN, 0), outward(s, 0).to, shape->bytes);
        hy_exchange_pull_all(s, inward, off, part);
    }
    for (int i = 1; hy_way_tells(s) && i < shape->size && !hy_emit_enough(s); i++)
        if (shape->bytes) hy_stream_drain(s, hy_next_rank(shape, i));
    hy_round(s);
    return hy_emit_end(s);
}

static double allgather_linear_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    bool boxed = w->transfer == HY_TRANSFER_GET && w->buffers == HY_BUFFERS_PREPARED;
    double copy = hy_curve_at(&m->copy, s->bytes);
    double one = boxed ? hy_curve_at(&m->get, s->bytes) : hy_formula_move(m, w, s->bytes);
    return hy_formula_levels(m, s, w, 1) + (boxed ? 2 : 1) * copy +
           (s->size - 1) * (hy_formula_signals(m, s, w, s->bytes) + one);
}

const hy_algorithm hy_allgather_linear = {
    .name = "linear",
    .title = "every rank sends its block to every other",
    .coll = HY_COLL_ALLGATHER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_UNEVEN | HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = allgather_linear_build,
    .formula = allgather_linear_formula,
};
