/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allreduce, exchange: every rank gets the data of all ranks and folds them in rank order, so that
 * all results are bitwise identical. One phase, which is the minimum, for P - 1 times the work: for
 * short data, or ranks that share cores.
 *
 *    put prepared   Every rank sends payloads to all others. Ranks 0 and 1 fold into OUT from the
 *                   start (the operation commutes: x op y == y op x, so a rank's own value may be
 *                   either operand), the others collect v0 .. v(r-1) in TMP first. A piece is sent
 *                   when the one before has arrived from all, so no more than two of a pair are
 *                   ever under way.
 *    get prepared   Every rank stages its data in BOX once for all, notifies all, and folds v0,
 *                   v1 ... into OUT from there, its own as well; block by block, so that the result
 *                   stays in the cache.
 *
 *    T = S + (P - 2) (signal + take) + (P - 1) R(n) + (k - 1) (P - 1) (signal + take)
 *    get prepared: S + (P - 2) (signal + take) + C(n) + (P - 1) Rg(n), for P > 2 + R'(n),
 *    R' = reduce within a rank
 */
#include "sched/algorithms/exchange.h"

/* ---- payloads ---- */

static void fold_lower(hy_schedule *s, uint64_t off, uint64_t len)
{
    int rank = s->shape.rank;
    hy_place out = HY_AT(HY_OUT, off), tmp = HY_AT(HY_TMP, 0);
    if (rank < 2) {
        if (rank == 1) hy_emit_fold(s, 0, out, len);
        return;
    }
    hy_emit_tmp(s, len);
    hy_emit_recv(s, 0, tmp, len);
    for (int peer = 1; peer < rank && !hy_emit_enough(s); peer++) hy_emit_fold(s, peer, tmp, len);
    hy_emit_reduce(s, rank, tmp, out, len);
}

static void allreduce_exchange_exchange(hy_schedule *s, uint64_t off, uint64_t len)
{
    const hy_shape *shape = &s->shape;
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++)
        hy_emit_send(s, hy_next_rank(shape, i), HY_AT(HY_OUT, off), len);
    fold_lower(s, off, len);
    for (int peer = shape->rank + 1; peer < shape->size && !hy_emit_enough(s); peer++)
        hy_emit_fold(s, peer, HY_AT(HY_OUT, off), len);
}

static void payloads(hy_schedule *s)
{
    uint64_t piece = hy_piece(&s->shape), bytes = s->shape.bytes;
    for (uint64_t off = 0; off < bytes && !hy_emit_enough(s); off += piece)
        allreduce_exchange_exchange(s, off, hy_min(piece, bytes - off));
}

/* ---- from BOX ---- */

/* Adds the data of one rank; OUT already contains the sum of all before it. */
static void allreduce_exchange_add(hy_schedule *s, int peer, uint64_t off, uint64_t len)
{
    int rank = s->shape.rank;
    hy_place box = HY_AT(HY_BOX, off), out = HY_AT(HY_OUT, off);
    if (off == 0 && peer != rank) hy_emit_learn(s, peer, HY_BOX);
    /* OUT of rank 0 begins as v0, that of rank 1 as v1. */
    if (peer == rank && rank < 2) return;
    if (peer == 0 && rank > 1) hy_emit_get(s, peer, box, out, len);
    else hy_emit_reduce(s, peer, box, out, len);
}

static void from_boxes(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t block = hy_block_bytes(shape), bytes = shape->bytes;
    hy_stage(s, HY_AT(HY_OUT, 0), 0, bytes);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++)
        hy_emit_expose(s, hy_next_rank(shape, i), HY_BOX);
    for (uint64_t off = 0; off < bytes && !hy_emit_enough(s); off += block)
        for (int peer = 0; peer < shape->size && !hy_emit_enough(s); peer++)
            allreduce_exchange_add(s, peer, off, hy_min(block, bytes - off));
}

static int allreduce_exchange_build(hy_schedule *s)
{
    if (hy_way_boxed(s)) from_boxes(s);
    else payloads(s);
    return hy_emit_end(s);
}

static double allreduce_exchange_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    double others = s->size - 1, one = m->signal + m->take;
    double told = hy_formula_signal(m) + (others - 1) * one;
    double own = s->size > 2 ? hy_curve_at(&m->reduce, s->bytes) : 0;
    if (w->transfer == HY_TRANSFER_GET)
        return told + hy_curve_at(&m->copy, s->bytes) + own +
               others * hy_curve_at(&m->reduce_get, s->bytes);
    double pieces = (double)((s->bytes + hy_piece(s) - 1) / hy_piece(s));
    return told + others * hy_formula_fold(m, w, s->bytes) + (pieces - 1) * others * one;
}

const hy_algorithm hy_allreduce_exchange = {
    .name = "exchange",
    .title = "every rank folds the data of all, in rank order",
    .coll = HY_COLL_ALLREDUCE,
    .ways = HY_WAY_PUT_PREPARED | HY_WAY_GET_PREPARED,
    .traits = HY_TRAIT_TO_ALL,
    .applies = hy_applies_always,
    .build = allreduce_exchange_build,
    .formula = allreduce_exchange_formula,
};
