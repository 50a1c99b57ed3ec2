/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allreduce, exchange: everybody sends its data as payloads to everybody and folds them in rank
 * order, so that all results are the same bit for bit (the operation commutes, hence
 * x op y == y op x, and the own value may come in on either side). One phase, the least there can
 * be, for P - 1 times the work: short data, or ranks that share cores.
 *
 * Ranks 0 and 1 fold into OUT from the start. The others collect v0 .. v(r-1) in TMP first. A piece
 * is sent when the one before has come from all, so no more than two of a pair are ever on their
 * way, whatever the length.
 *
 *   T = W + [(P - 1) (2 k o + n (Gp + Gr))]
 */
#include "sched/algorithms/algorithms.h"

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
    for (int peer = 1; peer < rank; peer++) hy_emit_fold(s, peer, tmp, len);
    hy_emit_reduce(s, rank, tmp, out, len);
}

static void exchange(hy_schedule *s, uint64_t off, uint64_t len)
{
    const hy_shape *shape = &s->shape;
    for (int i = 1; i < shape->size; i++)
        hy_emit_send(s, hy_next_rank(shape, i), HY_AT(HY_OUT, off), len);
    fold_lower(s, off, len);
    for (int peer = shape->rank + 1; peer < shape->size; peer++)
        hy_emit_fold(s, peer, HY_AT(HY_OUT, off), len);
}

static int build(hy_schedule *s)
{
    uint64_t piece = hy_piece(&s->shape), bytes = s->shape.bytes;
    for (uint64_t off = 0; off < bytes; off += piece) {
        exchange(s, off, hy_min(piece, bytes - off));
        if (s->count == 0) /* out of memory */
            break;
    }
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    double one = 2 * m->overhead * hy_pieces(s) +
                 (double)s->bytes * (m->byte_payload + m->byte_reduce);
    return hy_cost_phase(m, s->size) + hy_cost_parallel(m, s->size, (s->size - 1) * one);
}

const hy_algorithm hy_allreduce_exchange = {
    .name = "exchange",
    .title = "every rank sends to every other and folds in rank order",
    .coll = HY_COLL_ALLREDUCE,
    .applies = hy_applies_payload,
    .build = build,
    .cost = cost,
};
