/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduce-scatter, linear: every rank folds its own block from the input of all ranks. One phase;
 * straight gets read each block of each input exactly once and store nothing in between. A long
 * block is processed in parts, so that the sum stays in the cache while all parts are added.
 *
 *   T = (P - 1) (o(n) + R(n)) + flight + E V + C(n),  V = hy_formula_all();
 *       with barriers: 2 d S + (P - 1) R(n) + C(n)
 */
#include "sched/algorithms/folding.h"
#include "sched/algorithms/slices.h"

static hy_block block_of(const hy_schedule *s, int peer)
{
    return hy_in_block(&s->shape, peer);
}

/* Where others find the block for `peer`. */
static hy_place offered(const hy_schedule *s, int peer)
{
    uint64_t off = block_of(s, peer).off;
    return hy_staged(s, HY_AT(HY_IN, off), off);
}

static void stage_all(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    if (!shape->uneven) {
        hy_stage(s, HY_AT(HY_IN, 0), 0, shape->bytes * (uint64_t)shape->size);
        return;
    }
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        hy_block b = block_of(s, hy_next_rank(shape, i));
        hy_stage(s, HY_AT(HY_IN, b.off), b.off, b.len);
    }
}

/* To and from the rank `distance` above. A rank's straight puts arrive in the order in which it
 * counts them. */
static hy_flow flow_to(const hy_schedule *s, int distance)
{
    int peer = hy_next_rank(&s->shape, distance);
    uint64_t len = block_of(s, peer).len, index = (uint64_t)(s->shape.size - distance - 1);
    return (hy_flow){peer, offered(s, peer), HY_AT(HY_TMP, index * len), len};
}

static hy_flow flow_from(const hy_schedule *s, int distance)
{
    return (hy_flow){hy_next_rank(&s->shape, distance), offered(s, s->shape.rank), HY_AT(HY_OUT, 0),
                     s->shape.bytes};
}

static hy_place landing(const hy_schedule *s, int distance)
{
    return HY_AT(HY_TMP, (uint64_t)(distance - 1) * s->shape.bytes);
}

static void push_all(hy_schedule *s, uint64_t off, uint64_t part)
{
    for (int i = 1; i < s->shape.size && !hy_emit_enough(s); i++) {
        const hy_flow out = flow_to(s, i);
        if (out.len && off == 0) hy_stream_await(s, out.peer, HY_TMP);
        hy_flow_push(s, &out, off, part);
    }
}

static void fold_all(hy_schedule *s, uint64_t off, uint64_t part)
{
    for (int i = 1; i < s->shape.size && !hy_emit_enough(s); i++) {
        const hy_flow in = flow_from(s, i);
        hy_flow_fold(s, &in, landing(s, i), off, part);
    }
}

/* Payloads: as much as may be under way at once. */
static void by_parts(hy_schedule *s)
{
    uint64_t part = hy_exchange_part(s), longest = 0;
    for (int i = 0; i < s->shape.size; i++)
        if (block_of(s, i).len > longest) longest = block_of(s, i).len;
    for (uint64_t off = 0; off < longest && !hy_emit_enough(s); off += part) {
        push_all(s, off, part);
        fold_all(s, off, part);
    }
}

/* Folds the rest of what the signals of the first part announced. */
static void fold_rest(hy_schedule *s, uint64_t off, uint64_t len)
{
    for (int i = 1; i < s->shape.size && !hy_emit_enough(s); i++) {
        const hy_flow in = flow_from(s, i);
        bool gets = hy_way_gets(s);
        hy_emit_reduce(s, gets ? in.peer : s->shape.rank,
                       hy_further(gets ? in.from : landing(s, i), off), hy_further(in.to, off),
                       len);
    }
}

static void at_once(hy_schedule *s)
{
    uint64_t bytes = s->shape.bytes, block = hy_block_bytes(&s->shape);
    push_all(s, 0, UINT64_MAX);
    if (!hy_way_gets(s)) hy_round(s);
    fold_all(s, 0, block);
    for (uint64_t off = block; off < bytes && !hy_emit_enough(s); off += block)
        fold_rest(s, off, hy_min(block, bytes - off));
    if (hy_way_gets(s)) hy_round(s);
}

static void reduce_scatter_linear_begin(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    bool lands = !hy_way_gets(s) && !hy_way_prepared(s);
    if (lands) hy_emit_tmp(s, shape->bytes * (uint64_t)(shape->size - 1));
    for (int i = 1; shape->bytes && i < shape->size && !hy_emit_enough(s); i++)
        hy_stream_ready(s, hy_next_rank(shape, i), HY_TMP);
    stage_all(s);
    hy_round(s);
}

static void reduce_scatter_linear_end(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    for (int i = 1; shape->bytes && i < shape->size && !hy_emit_enough(s); i++)
        hy_stream_finish(s, hy_next_rank(shape, i));
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++)
        if (block_of(s, hy_next_rank(shape, i)).len) hy_stream_drain(s, hy_next_rank(shape, i));
}

static int reduce_scatter_linear_build(hy_schedule *s)
{
    hy_block own = block_of(s, s->shape.rank);
    reduce_scatter_linear_begin(s);
    hy_emit_copy(s, HY_AT(HY_IN, own.off), HY_AT(HY_OUT, 0), own.len);
    if (hy_way_prepared(s) && !hy_way_gets(s)) by_parts(s);
    else at_once(s);
    reduce_scatter_linear_end(s);
    return hy_emit_end(s);
}

static double reduce_scatter_linear_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    double others = s->size - 1, fold = others * hy_formula_fold(m, w, s->bytes);
    double all = hy_formula_all(m, s, w), own = hy_curve_at(&m->copy, s->bytes);
    if (w->sync == HY_SYNC_BARRIER) return 2 * all + fold + own;
    return others * hy_formula_signals(m, s, w, s->bytes) + m->flight + fold + own +
           hy_formula_extra(w) * all;
}

const hy_algorithm hy_reduce_scatter_linear = {
    .name = "linear",
    .title = "every rank folds its block from all others",
    .coll = HY_COLL_REDUCE_SCATTER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_UNEVEN | HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = reduce_scatter_linear_build,
    .formula = reduce_scatter_linear_formula,
};
