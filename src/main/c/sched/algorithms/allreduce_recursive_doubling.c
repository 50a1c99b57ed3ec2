/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allreduce, recursive doubling: partners over distances 1, 2, 4 ... exchange what they have so far
 * and fold; both compute the same bits because the operation commutes. Thakur, Rabenseifner, Gropp,
 * "Optimization of collective communication operations in MPICH", 2005; pairs.h for numbers of
 * ranks that are not a power of two. Levels are counted from 1; level 0 is that of the pairs.
 *
 *    put    The partner's data arrive in TMP in one of two places in turn, so that a rank can tell
 *           the partner of the next level that it is ready while that of this level still writes.
 *           OUT has been read by the rank's own put when data are folded into it.
 *    get    The partner reads a rank's data at an unknown time of the level, so the result of the
 *           level goes elsewhere: to TMP and OUT in turn, to OUT in the last one.
 *    boxed  Each level has its own place in BOX.
 *
 *    T = (L + E) S + L (o(n) + R(n)),  L = floor(log2 P) + (2 if P is not a power of two);
 *        get straight: + floor(log2 P) C(n);  with barriers: (L + 1) d S + L R(n)
 */
#include "sched/algorithms/pairs.h"

static int partner(const hy_schedule *s, const hy_pairs *p, int level)
{
    return hy_pairs_rank(s, p, p->place ^ (1 << (level - 1)));
}

/* get straight: where a rank's data are after the level. */
static hy_place outcome(const hy_pairs *p, int level)
{
    return HY_AT((p->log - level) % 2 ? HY_TMP : HY_OUT, 0);
}

static void fetch_level(hy_schedule *s, const hy_pairs *p, int level)
{
    int peer = partner(s, p, level);
    uint64_t bytes = s->shape.bytes;
    hy_place have = outcome(p, level - 1), next = outcome(p, level);
    hy_stream_push(s, peer, have, have, bytes);
    if (level > 1) hy_stream_drain(s, partner(s, p, level - 1));
    /* With an odd number of levels, OUT still contains what the begin function copied from it. */
    if (level > 1 || p->log % 2 == 0 || hy_pairs_takes(p, p->place))
        hy_emit_copy(s, have, next, bytes);
    hy_stream_pull_fold(s, peer, have, next, next, bytes);
    hy_stream_finish(s, peer);
    hy_round(s);
}

static uint64_t place_of_level(const hy_schedule *s, int level)
{
    return hy_way_gets(s) ? (uint64_t)level * s->shape.bytes
                          : (uint64_t)(level % 2) * s->shape.bytes;
}

static void send_level(hy_schedule *s, const hy_pairs *p, int level)
{
    int peer = partner(s, p, level);
    uint64_t bytes = s->shape.bytes, place = place_of_level(s, level);
    hy_place out = HY_AT(HY_OUT, 0), from = hy_staged(s, out, place), via = HY_AT(HY_TMP, place);
    const hy_flow there = {peer, from, via, bytes}, here = {peer, from, out, bytes};
    if (level < p->log) hy_stream_ready(s, partner(s, p, level + 1), HY_TMP);
    hy_stream_await(s, peer, HY_TMP);
    hy_stage(s, out, place, bytes);
    hy_exchange_fold(s, &there, &here, via);
}

static bool fetches(const hy_schedule *s)
{
    return hy_way_gets(s) && !hy_way_prepared(s);
}

static void doubling(hy_schedule *s, const hy_pairs *p)
{
    for (int level = 1; level <= p->log && !hy_emit_enough(s); level++) {
        if (hy_pairs_gives(p)) hy_round(s);
        else if (fetches(s)) fetch_level(s, p, level);
        else send_level(s, p, level);
    }
    if (fetches(s) && !hy_pairs_gives(p)) hy_stream_drain(s, partner(s, p, p->log));
}

/* Where a rank's own data are when the levels begin. */
static hy_place allreduce_recursive_doubling_begin(hy_schedule *s, const hy_pairs *p)
{
    uint64_t bytes = s->shape.bytes;
    hy_place out = HY_AT(HY_OUT, 0), first = fetches(s) ? outcome(p, 0) : out;
    if (hy_pairs_gives(p)) return out;
    if (!hy_way_prepared(s)) hy_emit_tmp(s, hy_way_gets(s) ? bytes : 2 * bytes);
    hy_emit_copy(s, out, first, bytes);
    hy_stream_ready(s, partner(s, p, 1), HY_TMP);
    return first;
}

static int allreduce_recursive_doubling_build(hy_schedule *s)
{
    hy_pairs p = hy_pairs_of(&s->shape, 0);
    uint64_t last = (uint64_t)(p.log + 1) * s->shape.bytes;
    hy_place first = allreduce_recursive_doubling_begin(s, &p);
    hy_round(s);
    hy_pairs_fold(s, &p, HY_AT(HY_TMP, 0), first);
    doubling(s, &p);
    if (hy_pairs_takes(&p, p.place)) hy_stage(s, HY_AT(HY_OUT, 0), last, s->shape.bytes);
    hy_pairs_return(s, &p, last);
    return hy_emit_end(s);
}

static double allreduce_recursive_doubling_formula(const hy_model *m, const hy_shape *s,
                                                   const hy_way *w)
{
    int log = hy_log2_floor(s->size), levels = log + hy_pairs_levels(s->size);
    bool straight = w->transfer == HY_TRANSFER_GET && w->buffers != HY_BUFFERS_PREPARED;
    double copy = straight ? log * hy_curve_at(&m->copy, s->bytes) : 0;
    double one = hy_formula_signals(m, s, w, s->bytes) + hy_formula_fold(m, w, s->bytes);
    return hy_formula_levels(m, s, w, levels) + levels * one + copy;
}

const hy_algorithm hy_allreduce_doubling = {
    .name = "recursive_doubling",
    .title = "exchanges over doubling distances",
    .coll = HY_COLL_ALLREDUCE,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_ALIKE | HY_TRAIT_LARGE_BOX,
    .applies = hy_applies_always,
    .build = allreduce_recursive_doubling_build,
    .formula = allreduce_recursive_doubling_formula,
};
