/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, flat: everybody sends its data as payloads to the root, which folds them in, counting
 * ranks upwards from itself. For short data and few ranks.
 *
 *   T = W + [k o + n Gp / 2] + (P - 1) (k o + n (Gp / 2 + Gr))
 */
#include "sched/algorithms/algorithms.h"

static int build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t piece = hy_piece(shape), len;
    for (uint64_t off = 0; off < shape->bytes; off += len) {
        len = hy_min(piece, shape->bytes - off);
        if (shape->rank != shape->root) {
            hy_emit_send(s, shape->root, HY_AT(HY_OUT, off), len);
            continue;
        }
        for (int i = 1; i < shape->size; i++)
            hy_emit_fold(s, hy_next_rank(shape, i), HY_AT(HY_OUT, off), len);
        if (s->count == 0) /* out of memory */
            break;
    }
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    double one = hy_pieces(s) * m->overhead + (double)s->bytes * m->byte_payload / 2;
    double fold = one + (double)s->bytes * m->byte_reduce;
    return hy_cost_phase(m, s->size) + hy_cost_parallel(m, s->size, one) + (s->size - 1) * fold;
}

const hy_algorithm hy_reduce_flat = {
    .name = "flat",
    .title = "every rank sends to the root",
    .coll = HY_COLL_REDUCE,
    .applies = hy_applies_payload,
    .build = build,
    .cost = cost,
};
