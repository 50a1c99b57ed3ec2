/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduce-scatter, recursive halving: partners at distances P/2, P/4 ... 1, exchange: each gives the
 * other one the blocks of the other one's half and folds those of its own half. It has the fewest
 * levels and the fewest bytes. Thakur, Rabenseifner, Gropp, "Optimization of collective
 * communication operations in MPICH", 2005.
 *
 * IN must not be written: the half that a rank keeps is copied to TMP first (all of it to BOX, if
 * others fetch from it), and processed there; the last step works in OUT. Straight puts arrive
 * behind it, in the order of the steps.
 *
 *   T = (d + E) S + sum over i < d of o(2^i n) + R(2^i n) + C(P/2 n);
 *       with barriers: (d + 1) d S, no o
 */
#include "sched/algorithms/folding.h"

/* Where a rank has the block from the second step on. */
static hy_place reduce_scatter_halving_work(const hy_schedule *s, int rank, int block)
{
    uint64_t bytes = s->shape.bytes;
    int first = rank & (s->shape.size / 2);
    return hy_staged(s, HY_AT(HY_TMP, (uint64_t)(block - first) * bytes), (uint64_t)block * bytes);
}

/* Where a rank has the data for the step over that distance. */
static hy_place reduce_scatter_halving_source(const hy_schedule *s, int rank, int block,
                                              int distance)
{
    if (distance < s->shape.size / 2) return reduce_scatter_halving_work(s, rank, block);
    return hy_staged(s, HY_AT(HY_IN, (uint64_t)block * s->shape.bytes),
                     (uint64_t)block * s->shape.bytes);
}

static hy_place landing(const hy_schedule *s, int distance)
{
    int half = s->shape.size / 2, before = s->shape.size - 2 * distance;
    return HY_AT(HY_TMP, (uint64_t)(half + before) * s->shape.bytes);
}

static void halve(hy_schedule *s, int distance)
{
    int rank = s->shape.rank, peer = rank ^ distance;
    int keep = rank & ~(distance - 1), give = peer & ~(distance - 1);
    uint64_t len = (uint64_t)distance * s->shape.bytes;
    hy_place into = distance == 1 ? HY_AT(HY_OUT, 0) : reduce_scatter_halving_work(s, rank, keep);
    const hy_flow out = {peer, reduce_scatter_halving_source(s, rank, give, distance),
                         landing(s, distance), len};
    const hy_flow in = {peer, reduce_scatter_halving_source(s, peer, keep, distance), into, len};
    hy_emit_copy(s, reduce_scatter_halving_source(s, rank, keep, distance), into, len);
    hy_stream_await(s, peer, HY_TMP);
    hy_exchange_fold(s, &out, &in, landing(s, distance));
    hy_stream_finish(s, peer);
}

static void reduce_scatter_halving_reserve(hy_schedule *s)
{
    uint64_t bytes = s->shape.bytes, half = (uint64_t)s->shape.size / 2;
    if (hy_way_boxed(s)) return;
    if (hy_way_gets(s) || hy_way_prepared(s)) hy_emit_tmp(s, half * bytes);
    else hy_emit_tmp(s, (half + 2 * half - 1) * bytes);
}

static int reduce_scatter_halving_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    int half = shape->size / 2;
    reduce_scatter_halving_reserve(s);
    for (int distance = half; distance > 0; distance /= 2)
        hy_stream_ready(s, shape->rank ^ distance, HY_TMP);
    hy_stage(s, HY_AT(HY_IN, 0), 0, shape->bytes * (uint64_t)shape->size);
    hy_round(s);
    for (int distance = half; distance > 0; distance /= 2) halve(s, distance);
    for (int distance = half; distance > 0; distance /= 2)
        hy_stream_drain(s, shape->rank ^ distance);
    return hy_emit_end(s);
}

static bool reduce_scatter_halving_applies(const hy_shape *s)
{
    return hy_is_power_of_two(s->size);
}

static double reduce_scatter_halving_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    uint64_t half = (uint64_t)s->size / 2 * s->bytes;
    double moves = hy_curve_at(&m->copy, half);
    for (uint64_t bytes = half; bytes >= s->bytes; bytes /= 2)
        moves += hy_formula_signals(m, s, w, bytes) + hy_formula_fold(m, w, bytes);
    return hy_formula_levels(m, s, w, hy_log2_ceil(s->size)) + moves;
}

const hy_algorithm hy_reduce_scatter_halving = {
    .name = "halving",
    .title = "half of the blocks to half of the ranks, and so on",
    .coll = HY_COLL_REDUCE_SCATTER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_ALIKE,
    .applies = reduce_scatter_halving_applies,
    .needs = "a power of two of ranks",
    .build = reduce_scatter_halving_build,
    .formula = reduce_scatter_halving_formula,
};
