/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recursive halving of a vector over 2^log places: partners at distances 2^(log-1) ... 2, 1
 * exchange: each gives the other one half of its data and folds the other half; in the end a place
 * has the slice, one of 2^log, with its number. Rabenseifner, "Optimization of collective reduction
 * operations", 2004.
 */
#ifndef HY_SCHED_HALVING_H
#define HY_SCHED_HALVING_H

#include "sched/algorithms/pairs.h"

/* What a place has after the exchange over that distance: `distance` slices. */
static inline hy_block hy_halving_kept(const hy_shape *s, const hy_pairs *p, int place,
                                       int distance)
{
    int parts = 1 << p->log, first = place & ~(distance - 1);
    uint64_t off, end = s->bytes, len;
    hy_slice(s->bytes, s->unit, parts, first, &off, &len);
    if (first + distance < parts) hy_slice(s->bytes, s->unit, parts, first + distance, &end, &len);
    return (hy_block){off, end - off};
}

/* Straight puts of the halving arrive one behind the other: the offset in that order. Distance 0:
 * their end. */
static inline uint64_t hy_halving_landing(const hy_shape *s, const hy_pairs *p, int place,
                                          int distance)
{
    uint64_t at = 0;
    for (int before = 1 << p->log >> 1; before > distance; before /= 2)
        at += hy_halving_kept(s, p, place, before).len;
    return at;
}

/* The exchange over that distance: `give` is where this rank's data are (staged, if the method is
 * boxed), `have` where the partner's are, both whole vectors; the partner's half is folded into
 * `into`. */
static inline void hy_halving_exchange(hy_schedule *s, const hy_pairs *p, int distance,
                                       hy_place give, hy_place have, hy_place into,
                                       uint64_t landings)
{
    int partner = p->place ^ distance, peer = hy_pairs_rank(s, p, partner);
    hy_block theirs = hy_halving_kept(&s->shape, p, partner, distance);
    hy_block mine = hy_halving_kept(&s->shape, p, p->place, distance);
    uint64_t there = landings + hy_halving_landing(&s->shape, p, partner, distance);
    uint64_t here = landings + hy_halving_landing(&s->shape, p, p->place, distance);
    const hy_flow out = {peer, hy_further(give, theirs.off), HY_AT(HY_TMP, there), theirs.len};
    const hy_flow in = {peer, hy_further(have, mine.off), hy_further(into, mine.off), mine.len};
    hy_stream_await(s, peer, HY_TMP);
    hy_exchange_fold(s, &out, &in, HY_AT(HY_TMP, here));
}

static inline void hy_halving_ready(hy_schedule *s, const hy_pairs *p)
{
    for (int distance = 1 << p->log >> 1; distance > 0; distance /= 2)
        hy_stream_ready(s, hy_pairs_rank(s, p, p->place ^ distance), HY_TMP);
}

/* Sum over the distances of o(m) + M(m) or o(m) + R(m), m = n/2, n/4 ... n/2^log. */
static inline double hy_formula_halves(const hy_model *m, const hy_shape *s, const hy_way *w,
                                       double (*move)(const hy_model *, const hy_way *, uint64_t))
{
    double sum = 0;
    for (int distance = 1 << hy_log2_floor(s->size) >> 1, i = 1; distance > 0; distance /= 2, i++)
        sum += hy_formula_signals(m, s, w, s->bytes >> i) + move(m, w, s->bytes >> i);
    return sum;
}

/* One direction between the two ranks of a pair: o(n) + M(n) or R(n), if there are pairs. */
static inline double hy_formula_pairs(const hy_model *m, const hy_shape *s, const hy_way *w,
                                      double (*move)(const hy_model *, const hy_way *, uint64_t))
{
    if (hy_is_power_of_two(s->size)) return 0;
    return hy_formula_signals(m, s, w, s->bytes) + move(m, w, s->bytes);
}

#endif
