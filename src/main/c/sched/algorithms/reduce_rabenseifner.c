/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, Rabenseifner: reduce-scatter by recursive halving, then the slices are gathered to the
 * root up a binomial tree. All ranks compute: for long data. Thakur, Rabenseifner, Gropp,
 * "Optimization of collective communication operations in MPICH", 2005; pairs.h for numbers of
 * ranks that are not a power of two.
 *
 * The root works in OUT, the others, whose OUT must not change, in TMP: a rank outside of a pair
 * gives the half that it does not keep straight from OUT and has only the other half in TMP. All
 * ranks work in BOX if others fetch from it.
 *
 *   T = (L + E) S + H(R) + H(M) + C(n/2) + [P no power of two: o(n) + R(n)],
 *   L = 2 floor(log2 P) + [1], H = sum over i = 1 .. floor(log2 P) of o(n/2^i) + R or M(n/2^i);
 *   with barriers: (L + 1) d S, no o
 */
#include "sched/algorithms/halving.h"

/* Where a place has its data while it works. */
static hy_place reduce_rabenseifner_work(const hy_schedule *s, int place)
{
    return hy_staged(s, HY_AT(place == 0 ? HY_OUT : HY_TMP, 0), 0);
}

/* Where a place has its data at first. */
static hy_place reduce_rabenseifner_source(const hy_schedule *s, const hy_pairs *p, int place,
                                           int distance)
{
    bool first = distance == 1 << p->log >> 1;
    if (!first || hy_pairs_takes(p, place)) return reduce_rabenseifner_work(s, place);
    return hy_staged(s, HY_AT(HY_OUT, 0), 0);
}

/* Straight puts of a pair arrive behind the work area, those of the halving behind these. */
static uint64_t landings(const hy_schedule *s, const hy_pairs *p)
{
    return p->extra ? 2 * s->shape.bytes : s->shape.bytes;
}

static void reduce_rabenseifner_begin(hy_schedule *s, const hy_pairs *p)
{
    uint64_t bytes = s->shape.bytes;
    if (hy_pairs_gives(p)) return;
    if (!hy_way_gets(s) && !hy_way_prepared(s))
        hy_emit_tmp(s, landings(s, p) + hy_halving_landing(&s->shape, p, p->place, 0));
    else if (p->place > 0 && !hy_way_boxed(s)) hy_emit_tmp(s, bytes);
    hy_halving_ready(s, p);
    hy_block have = {0, bytes};
    if (hy_way_boxed(s)) hy_emit_box(s, bytes);
    else if (!hy_pairs_takes(p, p->place))
        have = hy_halving_kept(&s->shape, p, p->place, 1 << p->log >> 1);
    hy_emit_copy(s, HY_AT(HY_OUT, have.off),
                 hy_further(reduce_rabenseifner_work(s, p->place), have.off), have.len);
}

static void halve(hy_schedule *s, const hy_pairs *p)
{
    for (int distance = 1 << p->log >> 1; distance > 0; distance /= 2) {
        int partner = p->place ^ distance;
        hy_halving_exchange(s, p, distance, reduce_rabenseifner_source(s, p, p->place, distance),
                            reduce_rabenseifner_source(s, p, partner, distance),
                            reduce_rabenseifner_work(s, p->place), landings(s, p));
        hy_stream_finish(s, hy_pairs_rank(s, p, partner));
    }
    for (int distance = 1 << p->log >> 1; distance > 0; distance /= 2)
        hy_stream_drain(s, hy_pairs_rank(s, p, p->place ^ distance));
}

/* The upper place of each pair at that distance passes its data to the lower one. */
static void hand_over(hy_schedule *s, const hy_pairs *p, int distance)
{
    int partner = p->place ^ distance, peer = hy_pairs_rank(s, p, partner);
    bool up = p->place & distance, idle = p->place & (distance - 1);
    int lower = up ? partner : p->place, upper = up ? p->place : partner;
    hy_block part = hy_halving_kept(&s->shape, p, upper, distance);
    hy_place from = hy_further(reduce_rabenseifner_work(s, upper), part.off);
    /* No rank fetches from the root. */
    hy_place to = hy_further(lower ? reduce_rabenseifner_work(s, lower) : HY_AT(HY_OUT, 0),
                             part.off);
    if (!idle && up) {
        hy_stream_await(s, peer, to.region);
        hy_stream_push(s, peer, from, to, part.len);
        hy_stream_drain(s, peer);
    } else if (!idle) {
        hy_stream_pull(s, peer, from, to, part.len);
        hy_stream_finish(s, peer);
    }
    hy_round(s);
}

static void gather(hy_schedule *s, const hy_pairs *p)
{
    int end = 1 << p->log;
    hy_region into = p->place ? HY_TMP : HY_OUT;
    for (int distance = 1; distance < end && !(p->place & distance); distance *= 2)
        hy_stream_ready(s, hy_pairs_rank(s, p, p->place ^ distance), into);
    for (int distance = 1; distance < end; distance *= 2) hand_over(s, p, distance);
    hy_block own = hy_halving_kept(&s->shape, p, 0, 1);
    if (p->place == 0)
        hy_emit_copy(s, hy_further(reduce_rabenseifner_work(s, 0), own.off), HY_AT(HY_OUT, own.off),
                     own.len);
}

static int reduce_rabenseifner_build(hy_schedule *s)
{
    hy_pairs p = hy_pairs_of(&s->shape, s->shape.root);
    hy_place via = HY_AT(HY_TMP, s->shape.bytes);
    reduce_rabenseifner_begin(s, &p);
    hy_round(s);
    hy_pairs_fold(s, &p, via, hy_pairs_gives(&p) ? via : reduce_rabenseifner_work(s, p.place));
    if (hy_pairs_gives(&p)) {
        for (int level = 0; level < 2 * p.log; level++) hy_round(s);
    } else {
        halve(s, &p);
        gather(s, &p);
    }
    return hy_emit_end(s);
}

static double reduce_rabenseifner_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    int levels = 2 * hy_log2_floor(s->size) + hy_pairs_levels(s->size) / 2;
    double moves = hy_formula_halves(m, s, w, hy_formula_fold) +
                   hy_formula_halves(m, s, w, hy_formula_move) +
                   hy_formula_pairs(m, s, w, hy_formula_fold);
    return hy_formula_levels(m, s, w, levels) + moves + hy_curve_at(&m->copy, s->bytes / 2);
}

const hy_algorithm hy_reduce_rabenseifner = {
    .name = "rabenseifner",
    .title = "halving, then gathered to the root",
    .coll = HY_COLL_REDUCE,
    .ways = HY_WAYS_ALL,
    .applies = hy_applies_always,
    .build = reduce_rabenseifner_build,
    .formula = reduce_rabenseifner_formula,
};
