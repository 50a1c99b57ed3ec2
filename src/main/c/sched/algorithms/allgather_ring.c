/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allgather, ring: in each of P - 1 steps a rank passes on to its right neighbour the block that it
 * received from its left one in the step before, its own block first; with segments, each as soon
 * as it has arrived. Every rank communicates with two others only. Thakur, Rabenseifner, Gropp,
 * "Optimization of collective communication operations in MPICH", 2005.
 *
 * If others fetch from BOX, a rank pulls the blocks there, so that the next rank can fetch them at
 * once, and then copies them into OUT. They lie in BOX in the order of their arrival: block `rank`
 * first, then `rank - 1`, and so on.
 *
 *   T = (P - 1 + E) S + (P - 1) (o(n) + M(n)) + C(n);  with barriers: P d S + (P - 1) M(n) + C(n)
 */
#include "sched/algorithms/exchange.h"

static int owner(const hy_schedule *s, int step)
{
    return hy_next_rank(&s->shape, s->shape.size - step);
}

static hy_block block_at(const hy_schedule *s, int step)
{
    return hy_out_block(&s->shape, owner(s, step));
}

static uint64_t allgather_ring_longest(const hy_shape *shape, uint64_t *total)
{
    uint64_t most = 0;
    *total = shape->bytes * (uint64_t)shape->size;
    if (!shape->uneven) return shape->bytes;
    *total = 0;
    for (int i = 0; i < shape->size; i++) {
        uint64_t len = hy_out_block(shape, i).len;
        if (len > most) most = len;
        *total += len;
    }
    return most;
}

/* Passes on the block of `step` while the next one arrives. box: where the former is. */
static void pass(hy_schedule *s, int step, uint64_t box, uint64_t part)
{
    hy_block have = block_at(s, step), next = block_at(s, step + 1);
    bool keep = hy_way_boxed(s) && step < s->shape.size - 2;
    /* Before `next`, the left neighbour had everything that lies here, except this rank's own
     * block. */
    uint64_t box_next = box + have.len, box_left = box_next - s->shape.bytes;
    hy_place place = HY_AT(HY_OUT, next.off);
    const hy_flow out = {hy_next_rank(&s->shape, 1), hy_staged(s, HY_AT(HY_OUT, have.off), box),
                         HY_AT(HY_OUT, have.off), have.len};
    const hy_flow in = {owner(s, 1), hy_staged(s, place, box_left),
                        keep ? HY_AT(HY_BOX, box_next) : place, next.len};
    hy_exchange(s, &out, &in, part);
    if (hy_way_boxed(s) && step > 0)
        hy_emit_copy(s, HY_AT(HY_BOX, box), HY_AT(HY_OUT, have.off), have.len);
    hy_round(s);
}

static int allgather_ring_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t total, most = allgather_ring_longest(shape, &total), box = 0;
    uint64_t part = hy_min(hy_exchange_part(s), hy_segment(s, most));
    int left = owner(s, 1), right = hy_next_rank(shape, 1);
    if (total == 0) return hy_emit_end(s);
    if (hy_way_boxed(s)) hy_emit_box(s, total - block_at(s, shape->size - 1).len);
    hy_stream_ready(s, left, HY_OUT);
    hy_emit_copy(s, HY_AT(HY_IN, 0), HY_AT(HY_OUT, block_at(s, 0).off), shape->bytes);
    hy_stage(s, HY_AT(HY_IN, 0), 0, shape->bytes);
    hy_round(s);
    hy_stream_await(s, right, HY_OUT);
    for (int step = 0; step < shape->size - 1 && !hy_emit_enough(s); step++) {
        pass(s, step, box, part);
        box += block_at(s, step).len;
    }
    hy_stream_finish(s, left);
    hy_stream_drain(s, right);
    return hy_emit_end(s);
}

static double allgather_ring_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    double one = hy_formula_signals(m, s, w, s->bytes) + hy_formula_move(m, w, s->bytes);
    return hy_formula_levels(m, s, w, s->size - 1) + (s->size - 1) * one +
           hy_curve_at(&m->copy, s->bytes);
}

const hy_algorithm hy_allgather_ring = {
    .name = "ring",
    .title = "blocks travel around the ring, from neighbour to neighbour",
    .coll = HY_COLL_ALLGATHER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS | HY_TRAIT_UNEVEN | HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = allgather_ring_build,
    .formula = allgather_ring_formula,
};
