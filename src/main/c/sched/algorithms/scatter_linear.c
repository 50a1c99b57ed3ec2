/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scatter, linear: the root sends every rank its block, or every rank fetches it. Blocks may be of
 * unequal length, or empty. The basic algorithm of MPI libraries; Pjesivac-Grbovic et al.,
 * "Performance analysis of MPI collective operations", 2007. A(n): the sender's part of M(n).
 *
 *   T = E (S + (P - 2) take) + (P - 1) (A(n) + signal) + flight + take + M(n) - A(n)
 *   by barriers: T = 2 d S + (P - 1) A(n) + M(n) - A(n)
 */
#include "sched/algorithms/rooted.h"

/* A block has the same offset in BOX as in IN, so that a rank finds its own; uneven blocks are not
 * staged (hy_way_possible()). */
static void serve(hy_schedule *s, int peer)
{
    hy_block block = hy_in_block(&s->shape, peer);
    hy_place in = HY_AT(HY_IN, block.off);
    if (block.len == 0) return;
    hy_stage(s, in, block.off, block.len);
    hy_stream_await(s, peer, HY_OUT);
    hy_stream_push(s, peer, hy_staged(s, in, block.off), HY_AT(HY_OUT, 0), block.len);
}

static void root_side(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    hy_round(s);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) serve(s, hy_next_rank(shape, i));
    hy_emit_copy(s, HY_AT(HY_IN, hy_in_block(shape, shape->rank).off), HY_AT(HY_OUT, 0),
                 shape->bytes);
    hy_round(s);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        int peer = hy_next_rank(shape, i);
        if (hy_in_block(shape, peer).len > 0) hy_stream_drain(s, peer);
    }
}

static void leaf_side(hy_schedule *s)
{
    uint64_t len = s->shape.bytes, at = hy_my_block_at_peer(&s->shape);
    int root = s->shape.root;
    if (len > 0) hy_stream_ready(s, root, HY_OUT);
    hy_round(s);
    hy_stream_pull(s, root, hy_staged(s, HY_AT(HY_IN, at), at), HY_AT(HY_OUT, 0), len);
    hy_round(s);
    if (len > 0) hy_stream_finish(s, root);
}

static int scatter_linear_build(hy_schedule *s)
{
    if (s->shape.rank == s->shape.root) root_side(s);
    else leaf_side(s);
    return hy_emit_end(s);
}

static double scatter_linear_formula(const hy_model *model, const hy_shape *shape,
                                     const hy_way *way)
{
    double others = shape->size - 1, sync = hy_formula_signal(model);
    double send = hy_rooted_share(model, way, shape->bytes);
    double receive = hy_formula_move(model, way, shape->bytes) - send;
    if (way->sync == HY_SYNC_BARRIER)
        return 2 * hy_log2_ceil(shape->size) * sync + others * send + receive;
    double extra = hy_formula_extra(way) * (sync + (others - 1) * model->take);
    return extra + others * (send + model->signal) + model->flight + model->take + receive;
}

const hy_algorithm hy_scatter_linear = {
    .name = "linear",
    .title = "every block straight from the root",
    .coll = HY_COLL_SCATTER,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_UNEVEN,
    .applies = hy_applies_always,
    .build = scatter_linear_build,
    .formula = scatter_linear_formula,
};
