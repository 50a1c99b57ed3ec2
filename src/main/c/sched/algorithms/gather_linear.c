/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gather, linear: every rank's block goes straight to the root, which receives all of them. Blocks
 * may be of unequal length, or empty. The basic algorithm of MPI libraries; Pjesivac-Grbovic et
 * al., "Performance analysis of MPI collective operations", 2007. A(n): the sender's part of M(n).
 *
 *   T = E (S + (P - 2) signal) + A(n) + signal + flight + (P - 1) (M(n) - A(n) + take)
 *   by barriers: T = 2 d S + A(n) + (P - 1) (M(n) - A(n))
 */
#include "sched/algorithms/rooted.h"

static void leaf_side(hy_schedule *s)
{
    uint64_t len = s->shape.bytes, at = hy_my_block_at_peer(&s->shape);
    int root = s->shape.root;
    if (len > 0) {
        hy_stream_await(s, root, HY_OUT);
        hy_stage(s, HY_AT(HY_IN, 0), 0, len);
    }
    hy_round(s);
    hy_stream_push(s, root, hy_staged(s, HY_AT(HY_IN, 0), 0), HY_AT(HY_OUT, at), len);
    hy_round(s);
    if (len > 0) hy_stream_drain(s, root);
}

static void root_side(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    hy_place from = hy_staged(s, HY_AT(HY_IN, 0), 0);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        int peer = hy_next_rank(shape, i);
        if (hy_out_block(shape, peer).len > 0) hy_stream_ready(s, peer, HY_OUT);
    }
    hy_emit_copy(s, HY_AT(HY_IN, 0), HY_AT(HY_OUT, hy_out_block(shape, shape->rank).off),
                 shape->bytes);
    hy_round(s);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        int peer = hy_next_rank(shape, i);
        hy_block block = hy_out_block(shape, peer);
        if (block.len == 0) continue;
        hy_stream_pull(s, peer, from, HY_AT(HY_OUT, block.off), block.len);
        hy_stream_finish(s, peer);
    }
    hy_round(s);
}

static int gather_linear_build(hy_schedule *s)
{
    if (s->shape.rank == s->shape.root) root_side(s);
    else leaf_side(s);
    return hy_emit_end(s);
}

static double gather_linear_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    double others = shape->size - 1, sync = hy_formula_signal(model);
    double send = hy_rooted_share(model, way, shape->bytes);
    double receive = hy_formula_move(model, way, shape->bytes) - send;
    if (way->sync == HY_SYNC_BARRIER)
        return 2 * hy_log2_ceil(shape->size) * sync + send + others * receive;
    double extra = hy_formula_extra(way) * (sync + (others - 1) * model->signal);
    return extra + send + model->signal + model->flight + others * (receive + model->take);
}

const hy_algorithm hy_gather_linear = {
    .name = "linear",
    .title = "every block straight to the root",
    .coll = HY_COLL_GATHER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_UNEVEN,
    .applies = hy_applies_always,
    .build = gather_linear_build,
    .formula = gather_linear_formula,
};
