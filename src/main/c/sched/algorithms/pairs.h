/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions over doubling distances need a power of two of ranks. For other numbers the first 2
 * extra = 2 (P - 2^log) relative ranks form pairs: the odd rank gives its data to the even one
 * before the reduction and, in an allreduce, gets the result from it afterwards. The 2^log other
 * ranks have *places* 0 .. 2^log - 1; the root has place 0. Thakur, Rabenseifner, Gropp, 2005, with
 * the roles in a pair exchanged.
 */
#ifndef HY_SCHED_PAIRS_H
#define HY_SCHED_PAIRS_H

#include "sched/algorithms/folding.h"

typedef struct hy_pairs {
    int root;
    int log, extra;
    int place; /* -1: the rank that gives */
    int other; /* the other rank of the pair, or -1 */
} hy_pairs;

static inline hy_pairs hy_pairs_of(const hy_shape *s, int root)
{
    hy_shape from = *s;
    from.root = root;
    int v = hy_from_root(&from, s->rank), log = hy_log2_floor(s->size);
    int extra = s->size - (1 << log);
    hy_pairs p = {.root = root, .log = log, .extra = extra, .place = v - extra, .other = -1};
    if (v >= 2 * extra) return p;
    p.place = v % 2 ? -1 : v / 2;
    p.other = hy_to_rank(&from, v ^ 1);
    return p;
}

static inline bool hy_pairs_gives(const hy_pairs *p)
{
    return p->place < 0;
}

/* Whether this place starts with the data of two ranks. */
static inline bool hy_pairs_takes(const hy_pairs *p, int place)
{
    return place >= 0 && place < p->extra;
}

static inline int hy_pairs_rank(const hy_schedule *s, const hy_pairs *p, int place)
{
    int64_t v = place < p->extra ? 2 * (int64_t)place : (int64_t)place + p->extra;
    return (int)((v + p->root) % s->shape.size);
}

/* The first level: the rank that gives offers its OUT, at the start of BOX. The rank that takes
 * folds it into `into`; `via` is in its TMP. */
static inline void hy_pairs_fold(hy_schedule *s, const hy_pairs *p, hy_place via, hy_place into)
{
    uint64_t bytes = s->shape.bytes;
    bool gives = hy_pairs_gives(p), takes = hy_pairs_takes(p, p->place);
    hy_place out = HY_AT(HY_OUT, 0), from = hy_staged(s, out, 0);
    const hy_flow there = {p->other, from, via, gives ? bytes : 0};
    const hy_flow here = {p->other, from, into, takes ? bytes : 0};
    if (p->extra == 0) return;
    if (takes) hy_stream_ready(s, p->other, HY_TMP);
    if (gives) {
        hy_stage(s, out, 0, bytes);
        hy_stream_await(s, p->other, HY_TMP);
    }
    hy_exchange_fold(s, &there, &here, via);
    if (takes) hy_stream_finish(s, p->other);
    if (gives) hy_stream_drain(s, p->other);
}

/* The last level: the rank that took has the result in OUT, staged at box_off, for the rank that
 * gave. */
static inline void hy_pairs_return(hy_schedule *s, const hy_pairs *p, uint64_t box_off)
{
    uint64_t bytes = s->shape.bytes;
    bool gave = hy_pairs_gives(p), took = hy_pairs_takes(p, p->place);
    hy_place out = HY_AT(HY_OUT, 0), from = hy_staged(s, out, box_off);
    const hy_flow there = {p->other, from, out, took ? bytes : 0};
    const hy_flow here = {p->other, from, out, gave ? bytes : 0};
    if (p->extra == 0) return;
    if (gave) hy_stream_ready(s, p->other, HY_OUT);
    if (took) hy_stream_await(s, p->other, HY_OUT);
    hy_exchange(s, &there, &here, hy_exchange_part(s));
    if (gave) hy_stream_finish(s, p->other);
    if (took) hy_stream_drain(s, p->other);
    hy_round(s);
}

/* The number of additional levels in an allreduce: 2 if P is not a power of two. */
static inline int hy_pairs_levels(int size)
{
    return hy_is_power_of_two(size) ? 0 : 2;
}

#endif
