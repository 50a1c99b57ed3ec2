/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scan and exclusive scan, recursive doubling: at level k every rank passes what it has, the sum of
 * the 2^k ranks up to itself, to the rank 2^k above, and folds it behind what it receives from the
 * rank 2^k below. After ceil(log2 P) levels all have their prefix. Any number of ranks; the fewest
 * steps, so it suits short data. Hillis, Steele, "Data parallel algorithms", 1986.
 *
 * The exclusive scan first passes each rank's data to the next rank, and is then the scan of what
 * the ranks from 1 on have received.
 *
 * What a rank receives at different levels goes to different places, the last of it to OUT, so
 * nothing is overwritten that a peer may still read, and no level waits for the end of another one.
 *
 *   T = (L + E) S + L (M(n) + F(n)),  L = ceil(log2 P), for the exclusive scan ceil(log2(P - 1)) +
 * 1
 */
#include "sched/algorithms/algorithms.h"

/* A rank among those that take part in the levels. */
typedef struct scan {
    int shift; /* 1: rank 0 does not take part */
    int number;
    int mine; /* levels at which it receives */
} scan;

static scan scan_of(const hy_schedule *s, int rank)
{
    int shift = s->shape.coll == HY_COLL_EXSCAN, number = rank - shift;
    return (scan){shift, number, number > 0 ? hy_log2_floor(number) + 1 : 0};
}

static int levels_of(const hy_schedule *s)
{
    return hy_log2_ceil(s->shape.size - (s->shape.coll == HY_COLL_EXSCAN));
}

/* What a rank has when a level begins. What it began with: its own data, or what was shifted to
 * it. */
static hy_place had(const hy_schedule *s, int rank, int level)
{
    const scan at = scan_of(s, rank);
    int received = level < at.mine ? level : at.mine;
    if (received == at.mine && (received || at.shift)) return HY_AT(HY_OUT, 0);
    if (received == 0 && !at.shift) return HY_AT(HY_IN, 0);
    return HY_AT(HY_TMP, (uint64_t)(received - !at.shift) * s->shape.bytes);
}

/* The same, as the source of a push: each level has its own place in BOX. */
static hy_place scan_source(const hy_schedule *s, int rank, int level)
{
    return hy_staged(s, had(s, rank, level), (uint64_t)(level + 1) * s->shape.bytes);
}

static void scan_push(hy_schedule *s, int peer, int level)
{
    uint64_t bytes = s->shape.bytes;
    hy_place to = had(s, peer, level + 1);
    hy_stream_await(s, peer, to.region);
    hy_stage(s, had(s, s->shape.rank, level), (uint64_t)(level + 1) * bytes, bytes);
    hy_stream_push(s, peer, scan_source(s, s->shape.rank, level), to, bytes);
}

static void scan_level(hy_schedule *s, int level)
{
    const scan own = scan_of(s, s->shape.rank);
    int rank = s->shape.rank, distance = 1 << level;
    hy_place have = had(s, rank, level), next = had(s, rank, level + 1);
    if (own.number < 0) return;
    if (rank + distance < s->shape.size) scan_push(s, rank + distance, level);
    if (level >= own.mine) return;
    hy_stream_pull(s, rank - distance, scan_source(s, rank - distance, level), next,
                   s->shape.bytes);
    hy_emit_reduce(s, rank, have, next, s->shape.bytes);
    hy_stream_finish(s, rank - distance);
}

/* From IN of each rank to what the next one begins with. */
static void scan_shift(hy_schedule *s)
{
    int rank = s->shape.rank;
    uint64_t bytes = s->shape.bytes;
    hy_place in = HY_AT(HY_IN, 0);
    if (rank + 1 < s->shape.size) {
        hy_place to = had(s, rank + 1, 0);
        hy_stream_await(s, rank + 1, to.region);
        hy_stage(s, in, 0, bytes);
        hy_stream_push(s, rank + 1, hy_staged(s, in, 0), to, bytes);
    }
    if (rank == 0) return;
    hy_stream_pull(s, rank - 1, hy_staged(s, in, 0), had(s, rank, 0), bytes);
    hy_stream_finish(s, rank - 1);
}

static void scan_ready(hy_schedule *s, const scan *own)
{
    int rank = s->shape.rank;
    if (own->shift && rank > 0) hy_stream_ready(s, rank - 1, had(s, rank, 0).region);
    for (int level = 0; level < own->mine; level++)
        hy_stream_ready(s, rank - (1 << level), had(s, rank, level + 1).region);
}

static void scan_drain(hy_schedule *s, const scan *own)
{
    int rank = s->shape.rank;
    if (own->shift && rank + 1 < s->shape.size) hy_stream_drain(s, rank + 1);
    for (int level = 0; level < levels_of(s) && own->number >= 0; level++)
        if (rank + (1 << level) < s->shape.size) hy_stream_drain(s, rank + (1 << level));
}

static int scan_doubling_build(hy_schedule *s)
{
    const scan own = scan_of(s, s->shape.rank);
    uint64_t places = own.mine > 0 ? (uint64_t)(own.mine - !own.shift) : 0;
    hy_emit_tmp(s, places * s->shape.bytes);
    scan_ready(s, &own);
    if (own.shift) scan_shift(s);
    else if (own.number == 0) hy_emit_copy(s, HY_AT(HY_IN, 0), HY_AT(HY_OUT, 0), s->shape.bytes);
    for (int level = 0; level < levels_of(s) && !hy_emit_enough(s); level++) scan_level(s, level);
    scan_drain(s, &own);
    return hy_emit_end(s);
}

static double scan_doubling_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    int shift = s->coll == HY_COLL_EXSCAN, levels = hy_log2_ceil(s->size - shift);
    double move = hy_formula_move(m, w, s->bytes);
    return (levels + shift + hy_formula_extra(w)) * hy_formula_signal(m) +
           levels * (move + hy_curve_at(&m->reduce, s->bytes)) + shift * move;
}

#define DOUBLING(name_, coll_) \
    const hy_algorithm name_ = { \
        .name = "recursive_doubling", \
        .title = "prefixes go up over doubling distances", \
        .coll = coll_, \
        .ways = HY_WAYS_COUNTED, \
        .traits = HY_TRAIT_LARGE_BOX, \
        .applies = hy_applies_always, \
        .build = scan_doubling_build, \
        .formula = scan_doubling_formula, \
    }

DOUBLING(hy_scan_doubling, HY_COLL_SCAN);
DOUBLING(hy_exscan_doubling, HY_COLL_EXSCAN);
