/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction up a tree. The root accumulates in OUT. The OUT of an inner rank belongs to its caller,
 * so the rank copies it into an accumulator and folds its children there: in TMP, or in BOX if the
 * parent fetches from it. If the parent fetches straight, the whole accumulator must stay until it
 * has finished; with put it is free again after each segment, and one segment of TMP is sufficient.
 *
 * Straight puts of child i arrive in TMP from i n on, so that a child need not know what else its
 * parent has there; the accumulator is behind all of them.
 */
#include "sched/algorithms/reduce_tree.h"
#include "sched/algorithms/rooted.h"

typedef struct climb {
    const hy_tree *tree;
    uint64_t segment;
    uint64_t landing; /* in the parent's TMP */
    uint64_t acc;     /* in this rank's TMP, behind the data from children */
} climb;

static bool lands(const hy_schedule *s)
{
    return !hy_way_gets(s) && !hy_way_prepared(s);
}

static bool is_nary(const hy_tree *tree)
{
    return tree->span == 0;
}

static bool is_inner(const hy_tree *tree)
{
    return tree->parent >= 0 && tree->degree > 0;
}

/* The index of this rank among its parent's children. */
static int place_among(const hy_schedule *s, const hy_tree *tree)
{
    hy_shape above = s->shape;
    if (is_nary(tree)) return (tree->self - 1) % tree->arity;
    above.rank = tree->parent;
    hy_tree parent = hy_tree_knomial(&above, tree->arity);
    int i = 0;
    while (hy_tree_child(&parent, i).relative != tree->self) i++;
    return i;
}

static bool child_is_leaf(const hy_tree *tree, hy_tree_edge child)
{
    if (is_nary(tree)) return (int64_t)tree->arity * child.relative + 1 >= tree->size;
    return hy_tree_subtree(tree, child) == 1;
}

/* Where the parent fetches a rank's data. */
static hy_place offered(const hy_schedule *s, bool leaf, uint64_t off)
{
    return hy_staged(s, HY_AT(leaf ? HY_OUT : HY_TMP, off), off);
}

/* Where this rank accumulates. */
static hy_place accumulator(const hy_schedule *s, const climb *c, uint64_t off)
{
    if (!is_inner(c->tree)) return HY_AT(HY_OUT, off);
    return hy_way_gets(s) ? offered(s, false, off) : HY_AT(HY_TMP, c->acc);
}

static void reduce_tree_reserve(hy_schedule *s, const climb *c)
{
    if (lands(s)) hy_emit_tmp(s, c->acc);
    if (!is_inner(c->tree)) return;
    if (hy_way_boxed(s)) hy_emit_box(s, s->shape.bytes);
    else hy_emit_tmp(s, c->acc + (hy_way_gets(s) ? s->shape.bytes : c->segment));
}

static void reduce_tree_begin(hy_schedule *s, const climb *c, uint64_t off, uint64_t len)
{
    if (is_inner(c->tree)) hy_emit_copy(s, HY_AT(HY_OUT, off), accumulator(s, c, off), len);
    else if (c->tree->parent >= 0) hy_stage(s, HY_AT(HY_OUT, off), off, len);
}

static void fold_child(hy_schedule *s, const climb *c, int index, uint64_t off, uint64_t len)
{
    hy_tree_edge child = hy_tree_child(c->tree, index);
    hy_place from = offered(s, child_is_leaf(c->tree, child), off);
    hy_place via = HY_AT(HY_TMP, (uint64_t)index * s->shape.bytes + off);
    hy_stream_pull_fold(s, child.rank, from, via, accumulator(s, c, off), len);
}

static void push_up(hy_schedule *s, const climb *c, uint64_t off, uint64_t len)
{
    hy_place from = accumulator(s, c, off);
    if (c->tree->degree == 0) from = offered(s, true, off);
    hy_stream_push(s, c->tree->parent, from, HY_AT(HY_TMP, c->landing + off), len);
}

static void segment_up(hy_schedule *s, const climb *c, uint64_t off, uint64_t len)
{
    const hy_tree *tree = c->tree;
    reduce_tree_begin(s, c, off, len);
    for (int i = tree->degree - 1; i >= 0 && !hy_emit_enough(s); i--) fold_child(s, c, i, off, len);
    if (tree->parent < 0) return;
    if (off == 0) hy_stream_await(s, tree->parent, HY_TMP);
    push_up(s, c, off, len);
}

static void counted(hy_schedule *s, const climb *c)
{
    const hy_tree *tree = c->tree;
    uint64_t bytes = s->shape.bytes;
    for (int i = tree->degree - 1; i >= 0 && !hy_emit_enough(s); i--)
        hy_stream_ready(s, hy_tree_child(tree, i).rank, HY_TMP);
    for (uint64_t off = 0; off < bytes && !hy_emit_enough(s); off += c->segment)
        segment_up(s, c, off, hy_min(c->segment, bytes - off));
    for (int i = tree->degree - 1; i >= 0 && !hy_emit_enough(s); i--)
        hy_stream_finish(s, hy_tree_child(tree, i).rank);
    if (tree->parent >= 0) hy_stream_drain(s, tree->parent);
}

/* Folds the children of a level, the last of which is `next`; returns the index of the next one. */
static int fold_level(hy_schedule *s, const climb *c, int level, int next)
{
    for (; next >= 0 && !hy_emit_enough(s); next--) {
        if (hy_tree_child(c->tree, next).level != level) break;
        fold_child(s, c, next, 0, s->shape.bytes);
    }
    return next;
}

/* All ranks walk up through all levels together: data are fetched before the barrier of their
 * level, and data that were put are folded after it. */
static void by_barriers(hy_schedule *s, const climb *c)
{
    int next = c->tree->degree - 1;
    bool gets = hy_way_gets(s);
    reduce_tree_begin(s, c, 0, s->shape.bytes);
    hy_round(s);
    for (int level = c->tree->levels - 1; level >= 0 && !hy_emit_enough(s); level--) {
        if (gets) next = fold_level(s, c, level, next);
        if (level == c->tree->parent_level) push_up(s, c, 0, s->shape.bytes);
        hy_round(s);
        if (!gets) next = fold_level(s, c, level, next);
    }
}

int hy_reduce_tree_build(hy_schedule *s, const hy_tree *tree)
{
    uint64_t bytes = s->shape.bytes, segment = hy_segment(s, bytes);
    /* Payloads consist of pieces anyway, so each piece is passed on separately. */
    if (hy_way_prepared(s) && !hy_way_gets(s)) segment = hy_min(segment, hy_piece(&s->shape));
    climb c = {.tree = tree, .segment = segment};
    if (lands(s)) {
        c.acc = (uint64_t)tree->degree * bytes;
        if (tree->parent >= 0) c.landing = (uint64_t)place_among(s, tree) * bytes;
    }
    reduce_tree_reserve(s, &c);
    if (hy_way_barriers(s)) by_barriers(s, &c);
    else counted(s, &c);
    return hy_emit_end(s);
}

double hy_reduce_tree_formula(const hy_model *model, const hy_shape *shape, const hy_way *way,
                              int depth, int fanout, int degree)
{
    double sync = hy_formula_signal(model);
    uint64_t bytes = shape->bytes, part = bytes;
    if (way->sync != HY_SYNC_BARRIER) {
        if (way->segment) part = hy_min(part, way->segment);
        if (hy_way_bit(way) == HY_WAY_PUT_PREPARED) part = hy_min(part, hy_piece(shape));
    }
    double share = hy_rooted_share(model, way, part);
    double fold = hy_formula_fold(model, way, part) - share, parts = (bytes + part - 1) / part;
    double levels = depth * (share + fanout * fold);
    if (way->sync == HY_SYNC_BARRIER)
        return (depth + 1.0) * hy_log2_ceil(shape->size) * sync + levels;
    return (hy_formula_extra(way) + depth) * sync + levels + (parts - 1) * (share + degree * fold);
}
