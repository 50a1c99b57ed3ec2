/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, flat: the root sends the data as payloads straight to all. The root waits for nobody,
 * so it may run ahead of the others by HY_SCHED_DEPTH signals. For short data and few ranks.
 * Half of a payload's time is the sender's, half the receiver's.
 *
 *   T = W + (P - 1) (k o + n Gp / 2) + [k o + n Gp / 2]
 */
#include "sched/algorithms/algorithms.h"

static int build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t piece = hy_piece(shape), len;
    for (uint64_t off = 0; off < shape->bytes; off += len) {
        len = hy_min(piece, shape->bytes - off);
        if (shape->rank != shape->root) {
            hy_emit_recv(s, shape->root, HY_AT(HY_OUT, off), len);
            continue;
        }
        for (int i = 1; i < shape->size; i++)
            hy_emit_send(s, hy_next_rank(shape, i), HY_AT(HY_OUT, off), len);
        if (s->count == 0) /* out of memory: do not walk the rest of a huge broadcast */
            break;
    }
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    double one = hy_pieces(s) * m->overhead + (double)s->bytes * m->byte_payload / 2;
    return hy_cost_phase(m, s->size) + (s->size - 1) * one + hy_cost_parallel(m, s->size, one);
}

const hy_algorithm hy_bcast_flat = {
    .name = "flat",
    .title = "the root sends to every other",
    .coll = HY_COLL_BCAST,
    .applies = hy_applies_payload,
    .build = build,
    .cost = cost,
};
