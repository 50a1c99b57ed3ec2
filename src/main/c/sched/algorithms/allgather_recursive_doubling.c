/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allgather, recursive doubling: partners over distances 1, 2, 4 ... exchange all blocks that they
 * have so far, which are adjacent. Thakur, Rabenseifner, Gropp, "Optimization of collective
 * communication operations in MPICH", 2005.
 *
 * If others fetch from BOX, a rank collects its own half there and copies it into OUT as a whole;
 * the other half, which comes last, is stored directly in OUT.
 *
 *   T = (d + E) S + sum over i < d of (o(2^i n) + M(2^i n)) + C(n)
 *   with barriers: T = (d + 1) d S + the same without o
 */
#include "sched/algorithms/exchange.h"

static bool allgather_recursive_doubling_applies(const hy_shape *s)
{
    return hy_is_power_of_two(s->size);
}

/* First byte of the group of 2^step ranks that `rank` is in. */
static uint64_t group(const hy_schedule *s, int rank, int step)
{
    return (uint64_t)(rank >> step << step) * s->shape.bytes;
}

static void double_up(hy_schedule *s, int step, bool last)
{
    int rank = s->shape.rank, partner = rank ^ (1 << step);
    uint64_t mine = group(s, rank, step), other = group(s, partner, step);
    uint64_t len = s->shape.bytes << step;
    hy_place to = HY_AT(HY_OUT, other);
    const hy_flow out = {partner, hy_staged(s, HY_AT(HY_OUT, mine), mine), HY_AT(HY_OUT, mine),
                         len};
    const hy_flow in = {partner, hy_staged(s, to, other), last ? to : hy_staged(s, to, other), len};
    hy_stream_await(s, partner, HY_OUT);
    hy_exchange(s, &out, &in, hy_exchange_part(s));
    hy_stream_finish(s, partner);
}

/* This rank's data where they are pushed from. */
static void allgather_recursive_doubling_begin(hy_schedule *s)
{
    uint64_t bytes = s->shape.bytes, own = (uint64_t)s->shape.rank * bytes;
    if (hy_way_boxed(s)) hy_emit_box(s, bytes * (uint64_t)s->shape.size);
    hy_emit_copy(s, HY_AT(HY_IN, 0), hy_staged(s, HY_AT(HY_OUT, own), own), bytes);
}

static int allgather_recursive_doubling_build(hy_schedule *s)
{
    int rank = s->shape.rank, steps = hy_log2_ceil(s->shape.size);
    for (int i = 0; i < steps; i++) hy_stream_ready(s, rank ^ (1 << i), HY_OUT);
    allgather_recursive_doubling_begin(s);
    hy_round(s);
    for (int i = 0; i < steps; i++) {
        double_up(s, i, i == steps - 1);
        hy_round(s);
    }
    uint64_t half = group(s, rank, steps - 1);
    if (hy_way_boxed(s))
        hy_emit_copy(s, HY_AT(HY_BOX, half), HY_AT(HY_OUT, half), s->shape.bytes << (steps - 1));
    for (int i = 0; i < steps; i++) hy_stream_drain(s, rank ^ (1 << i));
    return hy_emit_end(s);
}

static double allgather_recursive_doubling_formula(const hy_model *m, const hy_shape *s,
                                                   const hy_way *w)
{
    int steps = hy_log2_ceil(s->size);
    double sum = hy_formula_levels(m, s, w, steps) + hy_curve_at(&m->copy, s->bytes);
    for (int i = 0; i < steps; i++)
        sum += hy_formula_signals(m, s, w, s->bytes << i) + hy_formula_move(m, w, s->bytes << i);
    return sum;
}

const hy_algorithm hy_allgather_doubling = {
    .name = "recursive_doubling",
    .title = "exchanges of all collected blocks over doubling distances",
    .coll = HY_COLL_ALLGATHER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_ALIKE,
    .applies = allgather_recursive_doubling_applies,
    .needs = "a power of two of ranks",
    .build = allgather_recursive_doubling_build,
    .formula = allgather_recursive_doubling_formula,
};
