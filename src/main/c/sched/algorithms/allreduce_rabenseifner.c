/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allreduce, Rabenseifner: reduce-scatter by recursive halving, allgather by recursive doubling
 * with the same partners in reverse order. Each slice is computed by one rank, so all results are
 * bitwise identical. Twice the levels of recursive doubling, but about 2 n bytes instead of n log2
 * P: for long data. Thakur, Rabenseifner, Gropp, "Optimization of collective communication
 * operations in MPICH", 2005; pairs.h for numbers of ranks that are not a power of two.
 *
 * What is fetched and what is folded into are different halves, so everything is done in place: in
 * OUT, or in BOX if others fetch from it. What a rank gave to a partner it gets back from the same
 * partner, which has read it long before.
 *
 *   T = (L + E) S + H(R) + H(M) + [P no power of two: 2 o(n) + R(n) + M(n)],
 *   L = 2 floor(log2 P) + [2], H = sum over i = 1 .. floor(log2 P) of o(n/2^i) + R or M(n/2^i);
 *   with barriers: (L + 1) d S, no o. Boxed, R and M have their copies: n in and n out, as here.
 */
#include "sched/algorithms/halving.h"

/* Where a rank works on its data. */
static hy_place allreduce_rabenseifner_work(const hy_schedule *s)
{
    return hy_staged(s, HY_AT(HY_OUT, 0), 0);
}

/* Straight puts of a pair are stored before those of the halving. */
static uint64_t landings(const hy_schedule *s, const hy_pairs *p)
{
    return p->extra ? s->shape.bytes : 0;
}

static void halve(hy_schedule *s, const hy_pairs *p)
{
    hy_place at = allreduce_rabenseifner_work(s);
    for (int distance = 1 << p->log >> 1; distance > 0; distance /= 2)
        hy_halving_exchange(s, p, distance, at, at, at, landings(s, p));
}

static void collect_from(hy_schedule *s, const hy_pairs *p, int distance)
{
    int partner = p->place ^ distance, peer = hy_pairs_rank(s, p, partner);
    hy_block mine = hy_halving_kept(&s->shape, p, p->place, distance);
    hy_block theirs = hy_halving_kept(&s->shape, p, partner, distance);
    hy_place at = allreduce_rabenseifner_work(s), from = hy_further(at, mine.off),
             to = hy_further(at, theirs.off);
    const hy_flow out = {peer, from, from, mine.len}, in = {peer, to, to, theirs.len};
    hy_stream_await(s, peer, HY_OUT);
    hy_exchange(s, &out, &in, hy_exchange_part(s));
    hy_stream_finish(s, peer);
    hy_round(s);
}

static void allreduce_rabenseifner_collect(hy_schedule *s, const hy_pairs *p)
{
    int end = 1 << p->log;
    for (int distance = 1; distance < end; distance *= 2)
        hy_stream_ready(s, hy_pairs_rank(s, p, p->place ^ distance), HY_OUT);
    for (int distance = 1; distance < end; distance *= 2) collect_from(s, p, distance);
    for (int distance = 1; distance < end; distance *= 2)
        hy_stream_drain(s, hy_pairs_rank(s, p, p->place ^ distance));
}

static void core(hy_schedule *s, const hy_pairs *p)
{
    halve(s, p);
    allreduce_rabenseifner_collect(s, p);
    hy_emit_copy(s, allreduce_rabenseifner_work(s), HY_AT(HY_OUT, 0), s->shape.bytes);
}

static void allreduce_rabenseifner_begin(hy_schedule *s, const hy_pairs *p)
{
    if (hy_pairs_gives(p)) return;
    if (!hy_way_gets(s) && !hy_way_prepared(s))
        hy_emit_tmp(s, landings(s, p) + hy_halving_landing(&s->shape, p, p->place, 0));
    hy_halving_ready(s, p);
    hy_stage(s, HY_AT(HY_OUT, 0), 0, s->shape.bytes);
}

static int allreduce_rabenseifner_build(hy_schedule *s)
{
    hy_pairs p = hy_pairs_of(&s->shape, 0);
    allreduce_rabenseifner_begin(s, &p);
    hy_round(s);
    hy_pairs_fold(s, &p, HY_AT(HY_TMP, 0), allreduce_rabenseifner_work(s));
    if (hy_pairs_gives(&p)) {
        for (int level = 0; level < 2 * p.log; level++) hy_round(s);
    } else {
        core(s, &p);
    }
    hy_pairs_return(s, &p, 0);
    return hy_emit_end(s);
}

static double allreduce_rabenseifner_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    int levels = 2 * hy_log2_floor(s->size) + hy_pairs_levels(s->size);
    double moves = hy_formula_halves(m, s, w, hy_formula_fold) +
                   hy_formula_halves(m, s, w, hy_formula_move) +
                   hy_formula_pairs(m, s, w, hy_formula_fold) +
                   hy_formula_pairs(m, s, w, hy_formula_move);
    return hy_formula_levels(m, s, w, levels) + moves;
}

const hy_algorithm hy_allreduce_rabenseifner = {
    .name = "rabenseifner",
    .title = "halving, then doubling",
    .coll = HY_COLL_ALLREDUCE,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = allreduce_rabenseifner_build,
    .formula = allreduce_rabenseifner_formula,
};
