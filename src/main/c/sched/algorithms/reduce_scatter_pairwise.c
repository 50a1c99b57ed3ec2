/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduce-scatter, pairwise: in step i of P - 1 a rank sends the rank i above it the block for that
 * rank, receives its own block from the rank i below, and folds it. Each rank works with one other
 * at a time. Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 * MPICH", 2005 (there for long data).
 *
 * Straight puts arrive in one of two places in TMP in turn, so that a rank can tell the peer of the
 * next step that it is ready while that of this step still writes.
 *
 *   T = (P - 1 + E) S + (P - 1) (o(n) + R(n)) + C(n);  with barriers: P d S + (P - 1) R(n) + C(n)
 */
#include "sched/algorithms/folding.h"

static int above(const hy_schedule *s, int step)
{
    return hy_next_rank(&s->shape, step);
}

static int below(const hy_schedule *s, int step)
{
    return hy_next_rank(&s->shape, s->shape.size - step);
}

static hy_place landing(int step, uint64_t len)
{
    return HY_AT(HY_TMP, (uint64_t)(step % 2) * len);
}

static hy_place offered(const hy_schedule *s, int peer, int step)
{
    return hy_staged(s, HY_AT(HY_IN, hy_in_block(&s->shape, peer).off),
                     s->shape.uneven ? hy_in_block(&s->shape, peer).off
                                     : (uint64_t)(step - 1) * s->shape.bytes);
}

static void ready(hy_schedule *s, int step)
{
    if (step < s->shape.size && s->shape.bytes) hy_stream_ready(s, below(s, step), HY_TMP);
}

static void pair(hy_schedule *s, int step)
{
    int to = above(s, step), from = below(s, step);
    hy_block theirs = hy_in_block(&s->shape, to);
    hy_place give = offered(s, to, step), have = offered(s, s->shape.rank, step);
    const hy_flow out = {to, give, landing(step, theirs.len), theirs.len};
    const hy_flow in = {from, have, HY_AT(HY_OUT, 0), s->shape.bytes};
    if (out.len) hy_stream_await(s, to, HY_TMP);
    hy_stage(s, HY_AT(HY_IN, theirs.off), give.off, theirs.len);
    if (hy_way_bit(&s->way) == HY_WAY_PUT_STRAIGHT) {
        hy_flow_push(s, &out, 0, UINT64_MAX);
        ready(s, step + 1);
        hy_flow_fold(s, &in, landing(step, in.len), 0, UINT64_MAX);
    } else {
        hy_exchange_fold(s, &out, &in, landing(step, in.len));
    }
}

/* Two ranks meet twice, in opposite directions, so the end is reported when all data have
 * arrived. */
static void reduce_scatter_pairwise_end(hy_schedule *s)
{
    int size = s->shape.size;
    for (int step = 1; s->shape.bytes && step < size && !hy_emit_enough(s); step++)
        hy_stream_finish(s, below(s, step));
    for (int step = 1; step < size && !hy_emit_enough(s); step++)
        if (hy_in_block(&s->shape, above(s, step)).len) hy_stream_drain(s, above(s, step));
}

static int reduce_scatter_pairwise_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    hy_block own = hy_in_block(shape, shape->rank);
    if (!hy_way_gets(s) && !hy_way_prepared(s)) hy_emit_tmp(s, 2 * own.len);
    ready(s, 1);
    hy_emit_copy(s, HY_AT(HY_IN, own.off), HY_AT(HY_OUT, 0), own.len);
    hy_round(s);
    for (int step = 1; step < shape->size && !hy_emit_enough(s); step++) pair(s, step);
    reduce_scatter_pairwise_end(s);
    return hy_emit_end(s);
}

static double reduce_scatter_pairwise_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    double one = hy_formula_signals(m, s, w, s->bytes) + hy_formula_fold(m, w, s->bytes);
    return hy_formula_levels(m, s, w, s->size - 1) + (s->size - 1) * one +
           hy_curve_at(&m->copy, s->bytes);
}

const hy_algorithm hy_reduce_scatter_pairwise = {
    .name = "pairwise",
    .title = "one partner per step",
    .coll = HY_COLL_REDUCE_SCATTER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_UNEVEN | HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = reduce_scatter_pairwise_build,
    .formula = reduce_scatter_pairwise_formula,
};
