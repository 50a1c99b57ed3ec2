/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allreduce, slices: rank r reduces slice r of all ranks, and all ranks get the result. Each slice
 * is computed once, so all results are bitwise identical. Reduce-scatter + allgather of
 * Rabenseifner, "Optimization of collective reduction operations", 2004, in one step each: every
 * rank communicates with every other.
 *
 *   put straight   r folds its slice straight from all others and puts the outcome straight into
 *                  them, block by block, which stay in cache between the two. Two phases.
 *   get straight   The others fetch it, which needs a phase of its own for the end.
 *   get prepared   All is staged in BOX and fetched from there, in two phases. Reads from all ranks
 *                  are then within the heap, wherever the data of the caller are.
 *   put prepared   Payloads both ways, in windows that fit into the channels.
 *
 * From 4 KB to 256 KB on 2 to 8 cores, these formulas with the default model prefer put straight to
 * the other methods (and to the other algorithms); get prepared takes 1.2 to 1.7 times as long
 * because it copies all data, which pays only if the caller's memory is not in the heap. Putting
 * the result of staged data straight into OUT would save nothing: the number of phases is the same,
 * and the copy remains.
 *
 *   T = 2 V + (P - 1) (Rg(m) + put(m)),  m = n/P, V = hy_formula_all(), Rg = reduce_get
 *   get straight: 3 V + (P - 1) (Rg(m) + get(m));  get prepared: 2 V + C(n + m) + the same
 *   put prepared: 2 V + (P - 1) (2 o(m) + R(m) + M(m))
 */
#include "sched/algorithms/folding.h"
#include "sched/algorithms/slices.h"

/* ---- straight and boxed ---- */

static void put_to_all(hy_schedule *s, hy_place out, uint64_t len)
{
    for (int i = 1; i < s->shape.size && !hy_emit_enough(s); i++)
        hy_emit_put(s, hy_next_rank(&s->shape, i), out, out, len);
}

static void allreduce_slices_work(hy_schedule *s)
{
    hy_block own = hy_slice_of(&s->shape, s->shape.rank);
    uint64_t block = hy_block_bytes(&s->shape), end = own.off + own.len;
    for (uint64_t off = own.off; off < end && !hy_emit_enough(s); off += block) {
        uint64_t len = hy_min(block, end - off);
        hy_place at = hy_staged(s, HY_AT(HY_OUT, off), off);
        hy_slices_fold(s, at, at, len);
        if (!hy_way_gets(s)) put_to_all(s, at, len);
    }
}

static void fetch_others(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    hy_block own = hy_slice_of(shape, shape->rank);
    hy_place mine = hy_staged(s, HY_AT(HY_OUT, own.off), own.off);
    hy_round(s);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++)
        hy_stream_push(s, hy_next_rank(shape, i), mine, mine, own.len);
    hy_emit_copy(s, mine, HY_AT(HY_OUT, own.off), own.len);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        int peer = hy_next_rank(shape, i);
        hy_block b = hy_slice_of(shape, peer);
        hy_place out = HY_AT(HY_OUT, b.off);
        hy_stream_pull(s, peer, hy_staged(s, out, b.off), out, b.len);
        if (b.len) hy_stream_finish(s, peer);
    }
    for (int i = 1; own.len && i < shape->size && !hy_emit_enough(s); i++)
        hy_stream_drain(s, hy_next_rank(shape, i));
    hy_round(s);
}

/* ---- payloads ---- */

static hy_flow flow_of(const hy_schedule *s, int peer, int slice)
{
    hy_block b = hy_slice_of(&s->shape, slice);
    hy_place out = HY_AT(HY_OUT, b.off);
    return (hy_flow){peer, out, out, b.len};
}

static void scatter_window(hy_schedule *s, uint64_t off, uint64_t window)
{
    const hy_shape *shape = &s->shape;
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        const hy_flow out = flow_of(s, hy_next_rank(shape, i), hy_next_rank(shape, i));
        hy_flow_push(s, &out, off, window);
    }
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        const hy_flow in = flow_of(s, hy_next_rank(shape, i), shape->rank);
        hy_flow_fold(s, &in, in.to, off, window);
    }
}

static void gather_window(hy_schedule *s, uint64_t off, uint64_t window)
{
    const hy_shape *shape = &s->shape;
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        const hy_flow out = flow_of(s, hy_next_rank(shape, i), shape->rank);
        hy_flow_push(s, &out, off, window);
    }
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        const hy_flow in = flow_of(s, hy_next_rank(shape, i), hy_next_rank(shape, i));
        hy_flow_pull(s, &in, off, window);
    }
}

/* A peer may still have to take the results of one window and the data of the next one: two windows
 * fit into a channel. */
static void payloads(hy_schedule *s)
{
    uint64_t window = hy_exchange_part(s), longest = hy_slice_of(&s->shape, 0).len;
    for (uint64_t off = 0; off < longest && !hy_emit_enough(s); off += window) {
        scatter_window(s, off, window);
        gather_window(s, off, window);
    }
}

static int allreduce_slices_build(hy_schedule *s)
{
    if (hy_way_prepared(s) && !hy_way_gets(s)) {
        payloads(s);
        return hy_emit_end(s);
    }
    hy_slices_open(s);
    allreduce_slices_work(s);
    if (hy_way_gets(s)) fetch_others(s);
    else hy_slices_close(s);
    return hy_emit_end(s);
}

static double allreduce_slices_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    uint64_t slice = hy_slice_of(s, 0).len; /* the longest one */
    double others = s->size - 1, all = hy_formula_all(m, s, w);
    double fold = hy_curve_at(&m->reduce_get, slice), get = hy_curve_at(&m->get, slice);
    switch (hy_way_bit(w)) {
    case HY_WAY_PUT_PREPARED:
        return 2 * all + others * (2 * hy_formula_signals(m, s, w, slice) +
                                   hy_formula_fold(m, w, slice) + hy_formula_move(m, w, slice));
    case HY_WAY_GET_PREPARED:
        return 2 * all + hy_curve_at(&m->copy, s->bytes + slice) + others * (fold + get);
    case HY_WAY_GET_STRAIGHT:
    case HY_WAY_GET_BARRIER: return 3 * all + others * (fold + get);
    default: return 2 * all + others * (fold + hy_curve_at(&m->put, slice));
    }
}

const hy_algorithm hy_allreduce_slices = {
    .name = "slices",
    .title = "every rank reduces one slice for all",
    .coll = HY_COLL_ALLREDUCE,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = allreduce_slices_build,
    .formula = allreduce_slices_formula,
};
