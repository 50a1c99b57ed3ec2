/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allreduce, ring: P slices travel around the ring twice, all at the same time. In the first P - 1
 * steps a rank folds the slice that arrives from its left neighbour into its own and passes it on;
 * in the other P - 1 steps the finished slices travel around. Every rank sends 2 n (P - 1) / P
 * bytes, which is the minimum, to one neighbour only; each slice is computed once, so all results
 * are bitwise identical. Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", 2009. With segments, each is passed on as soon as it is folded.
 *
 * Ranks work in OUT, or in BOX if others fetch from it; straight puts of the first round arrive in
 * TMP. What a rank has passed on comes back only through all others, so it has been read by then.
 *
 *   T = (2 (P - 1) + E) S + (P - 1) (2 o(m) + R(m) + M(m)),  m = n/P; segments
 *   let a step begin when the first one of the step before is there, which is not counted here
 */
#include "sched/algorithms/ring.h"
#include "sched/algorithms/slices.h"

static hy_place allreduce_ring_work(const hy_schedule *s, uint64_t off)
{
    return hy_staged(s, HY_AT(HY_OUT, off), off);
}

static bool folds(const hy_schedule *s, const hy_ring *r, uint64_t unit)
{
    return hy_ring_step(r, unit) < s->shape.size - 1;
}

/* What this rank passes on in the step, and its left neighbour in the step before. */
static hy_block passed(const hy_schedule *s, const hy_ring *r, uint64_t unit)
{
    int slice = hy_ring_behind(&s->shape, hy_ring_step(r, unit));
    return hy_ring_part(r, unit, hy_slice_of(&s->shape, slice));
}

static void allreduce_ring_push(hy_schedule *s, const hy_ring *r, uint64_t unit)
{
    hy_block b = passed(s, r, unit);
    if (unit < r->parts) hy_stage(s, HY_AT(HY_OUT, b.off), b.off, b.len);
    hy_place to = HY_AT(folds(s, r, unit) ? HY_TMP : HY_OUT, b.off);
    hy_stream_push(s, r->right, allreduce_ring_work(s, b.off), to, b.len);
}

/* What this rank takes in the step, to pass it on in the next one. */
static void allreduce_ring_pull(hy_schedule *s, const hy_ring *r, uint64_t unit)
{
    hy_block b = passed(s, r, unit + r->parts);
    hy_place at = allreduce_ring_work(s, b.off), out = HY_AT(HY_OUT, b.off);
    if (folds(s, r, unit)) {
        hy_stage(s, out, b.off, b.len);
        hy_stream_pull_fold(s, r->left, at, HY_AT(HY_TMP, b.off), at, b.len);
    } else {
        hy_stream_pull(s, r->left, at, at, b.len);
    }
    /* Final from the last step of the first round on. */
    if (!folds(s, r, unit + r->parts)) hy_emit_copy(s, at, out, b.len);
}

static int allreduce_ring_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    hy_ring r = hy_ring_of(s, hy_slice_of(shape, 0).len, 2 * (shape->size - 1));
    if (!hy_way_gets(s) && !hy_way_prepared(s)) hy_emit_tmp(s, shape->bytes);
    if (hy_way_boxed(s)) hy_emit_box(s, shape->bytes);
    hy_stream_ready(s, r.left, HY_TMP);
    hy_stream_ready(s, r.left, HY_OUT);
    hy_stream_await(s, r.right, HY_TMP);
    hy_stream_await(s, r.right, HY_OUT);
    hy_ring_run(s, &r, allreduce_ring_push, allreduce_ring_pull);
    hy_stream_finish(s, r.left);
    hy_stream_drain(s, r.right);
    return hy_emit_end(s);
}

static double allreduce_ring_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    uint64_t slice = s->bytes / (uint64_t)s->size;
    double one = 2 * hy_formula_signals(m, s, w, slice) + hy_formula_fold(m, w, slice) +
                 hy_formula_move(m, w, slice);
    return hy_formula_levels(m, s, w, 2.0 * (s->size - 1)) + (s->size - 1) * one;
}

const hy_algorithm hy_allreduce_ring = {
    .name = "ring",
    .title = "slices travel around the ring, first to be folded, then finished",
    .coll = HY_COLL_ALLREDUCE,
    .ways = HY_WAYS_COUNTED,
    .traits = HY_TRAIT_SEGMENTS | HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = allreduce_ring_build,
    .formula = allreduce_ring_formula,
};
