/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduce-scatter, ring: P sums travel around the ring at the same time, each starting right of the
 * rank that it is for; a rank adds its own part and passes the sum on. Every rank communicates with
 * its two neighbours only. This is the first half of the ring of Patarasuk, Yuan, "Bandwidth
 * optimal all-reduce algorithms for clusters of workstations", 2009. With segments, each is passed
 * on as soon as it has arrived.
 *
 * The sum arrives in TMP (BOX, if others fetch from it), at the place that its block has in IN, and
 * the rank's own part is added there: IN must not be written. The last sum is folded into OUT,
 * which contains the rank's own part already.
 *
 *   T = (P - 1 + E) S + (P - 1) (o(n) + M(n) + R'(n)) + C(n),  R' = reduce within a rank
 */
#include "sched/algorithms/ring.h"

static bool is_last(const hy_schedule *s, const hy_ring *r, uint64_t unit)
{
    return hy_ring_step(r, unit) == s->shape.size - 2;
}

/* What this rank passes on in the step, and its left neighbour in the step before. */
static hy_block passed(const hy_schedule *s, const hy_ring *r, uint64_t unit)
{
    int block = hy_ring_behind(&s->shape, 1 + hy_ring_step(r, unit));
    return hy_ring_part(r, unit, hy_in_block(&s->shape, block));
}

/* Where a rank has what it passes on in that step. */
static hy_place reduce_scatter_ring_source(const hy_schedule *s, const hy_ring *r, uint64_t unit,
                                           uint64_t off)
{
    return hy_staged(s, HY_AT(unit < r->parts ? HY_IN : HY_TMP, off), off);
}

static void reduce_scatter_ring_push(hy_schedule *s, const hy_ring *r, uint64_t unit)
{
    hy_block b = passed(s, r, unit);
    if (unit < r->parts) hy_stage(s, HY_AT(HY_IN, b.off), b.off, b.len);
    hy_stream_push(s, r->right, reduce_scatter_ring_source(s, r, unit, b.off), HY_AT(HY_TMP, b.off),
                   b.len);
}

static void reduce_scatter_ring_pull(hy_schedule *s, const hy_ring *r, uint64_t unit)
{
    hy_block b = passed(s, r, unit + r->parts);
    hy_place from = reduce_scatter_ring_source(s, r, unit, b.off),
             to = reduce_scatter_ring_source(s, r, unit + r->parts, b.off);
    if (is_last(s, r, unit)) {
        hy_place out = HY_AT(HY_OUT, b.off - hy_in_block(&s->shape, s->shape.rank).off);
        hy_stream_pull_fold(s, r->left, from, HY_AT(HY_TMP, b.off), out, b.len);
    } else {
        hy_stream_pull(s, r->left, from, to, b.len);
        hy_emit_reduce(s, s->shape.rank, HY_AT(HY_IN, b.off), to, b.len);
    }
}

static uint64_t reduce_scatter_ring_longest(const hy_shape *shape)
{
    uint64_t most = shape->bytes;
    for (int i = 0; shape->uneven && i < shape->size; i++)
        if (hy_in_block(shape, i).len > most) most = hy_in_block(shape, i).len;
    return most;
}

static int reduce_scatter_ring_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t most = reduce_scatter_ring_longest(shape), all = hy_region_bytes(shape, HY_IN);
    hy_block own = hy_in_block(shape, shape->rank);
    if (most == 0) return hy_emit_end(s);
    hy_ring r = hy_ring_of(s, most, shape->size - 1);
    if (hy_way_boxed(s)) hy_emit_box(s, all);
    else hy_emit_tmp(s, all);
    hy_stream_ready(s, r.left, HY_TMP);
    hy_emit_copy(s, HY_AT(HY_IN, own.off), HY_AT(HY_OUT, 0), own.len);
    hy_stream_await(s, r.right, HY_TMP);
    hy_ring_run(s, &r, reduce_scatter_ring_push, reduce_scatter_ring_pull);
    hy_stream_finish(s, r.left);
    hy_stream_drain(s, r.right);
    return hy_emit_end(s);
}

static double reduce_scatter_ring_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    double one = hy_formula_signals(m, s, w, s->bytes) + hy_formula_move(m, w, s->bytes) +
                 hy_curve_at(&m->reduce, s->bytes);
    return hy_formula_levels(m, s, w, s->size - 1) + (s->size - 1) * one +
           hy_curve_at(&m->copy, s->bytes);
}

const hy_algorithm hy_reduce_scatter_ring = {
    .name = "ring",
    .title = "sums travel around the ring",
    .coll = HY_COLL_REDUCE_SCATTER,
    .ways = HY_WAYS_COUNTED,
    .traits = HY_TRAIT_SEGMENTS | HY_TRAIT_UNEVEN | HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = reduce_scatter_ring_build,
    .formula = reduce_scatter_ring_formula,
};
