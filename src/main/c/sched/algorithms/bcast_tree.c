/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a tree from the root down, segment by segment with counters, or level by level with
 * barriers.
 */
#include "sched/algorithms/bcast_tree.h"
#include "sched/algorithms/rooted.h"

/* One segment: from the parent, then to all children. */
static void pass_on(hy_schedule *s, const hy_tree *tree, uint64_t off, uint64_t len)
{
    hy_place out = HY_AT(HY_OUT, off), from = hy_staged(s, out, off);
    if (tree->parent >= 0) hy_stream_pull(s, tree->parent, from, out, len);
    if (tree->degree > 0) hy_stage(s, out, off, len);
    for (int i = 0; i < tree->degree && !hy_emit_enough(s); i++) {
        int child = hy_tree_child(tree, i).rank;
        if (off == 0) hy_stream_await(s, child, HY_OUT);
        hy_stream_push(s, child, from, out, len);
    }
}

static void counted(hy_schedule *s, const hy_tree *tree)
{
    uint64_t bytes = s->shape.bytes, segment = hy_segment(s, bytes);
    if (tree->parent >= 0) hy_stream_ready(s, tree->parent, HY_OUT);
    for (uint64_t off = 0; off < bytes && !hy_emit_enough(s); off += segment)
        pass_on(s, tree, off, hy_min(segment, bytes - off));
    if (tree->parent >= 0) hy_stream_finish(s, tree->parent);
    for (int i = 0; i < tree->degree && !hy_emit_enough(s); i++)
        hy_stream_drain(s, hy_tree_child(tree, i).rank);
}

/* All ranks walk through all levels together. */
static void by_barriers(hy_schedule *s, const hy_tree *tree)
{
    hy_place out = HY_AT(HY_OUT, 0);
    uint64_t bytes = s->shape.bytes;
    int next = hy_way_gets(s) ? tree->degree : 0; /* a rank that fetches needs no push */
    hy_round(s);
    for (int level = 0; level < tree->levels && !hy_emit_enough(s); level++) {
        if (level == tree->parent_level) hy_stream_pull(s, tree->parent, out, out, bytes);
        for (; next < tree->degree && !hy_emit_enough(s); next++) {
            hy_tree_edge child = hy_tree_child(tree, next);
            if (child.level != level) break;
            hy_stream_push(s, child.rank, out, out, bytes);
        }
        hy_round(s);
    }
}

int hy_bcast_tree_build(hy_schedule *s, const hy_tree *tree)
{
    if (hy_way_barriers(s)) by_barriers(s, tree);
    else counted(s, tree);
    return hy_emit_end(s);
}

/* B of the formula: data for several children are staged once. */
static double busy(const hy_model *model, const hy_way *way, uint64_t bytes)
{
    return way->transfer == HY_TRANSFER_GET ? 0 : hy_rooted_share(model, way, bytes);
}

/* q of the formula. */
static double signals(const hy_shape *shape, const hy_way *way, uint64_t bytes)
{
    if (way->transfer == HY_TRANSFER_GET || way->buffers != HY_BUFFERS_PREPARED) return 1;
    return (double)((bytes + hy_piece(shape) - 1) / hy_piece(shape));
}

double hy_bcast_tree_formula(const hy_model *model, const hy_shape *shape, const hy_way *way,
                             int depth, int fanout, int degree)
{
    double sync = hy_formula_signal(model);
    uint64_t bytes = shape->bytes;
    if (way->sync == HY_SYNC_BARRIER)
        return (depth + 1.0) * hy_log2_ceil(shape->size) * sync +
               depth *
                   ((fanout - 1) * busy(model, way, bytes) + hy_formula_move(model, way, bytes));
    bool cuts = way->segment && way->segment < bytes;
    uint64_t part = cuts ? way->segment : bytes, parts = (bytes + part - 1) / part;
    double q = signals(shape, way, part), own = busy(model, way, part);
    double move = hy_formula_move(model, way, part), push = own + q * model->signal;
    double level = (fanout - 1) * push + move + q * (model->signal + model->take) + model->flight;
    double next = move - own + q * model->take + degree * push;
    return hy_formula_extra(way) * sync + depth * level + (double)(parts - 1) * next;
}
