/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scatter, binomial tree: a rank receives the blocks of its whole subtree side by side, in TMP or,
 * if they are fetched from prepared buffers, in BOX, and passes each child's part on, the largest
 * first. The root sends subtrees from their place in IN, so nothing is rotated first. Few signals
 * at the root: for short blocks. Thakur, Rabenseifner, Gropp, "Optimization of collective
 * communication operations in MPICH", 2005.
 *
 *   T = hy_rooted_binomial_formula()
 */
#include "sched/algorithms/rooted.h"

/* Where the blocks of the subtree of rank `upper` are sent from. */
static hy_place scatter_binomial_source(const hy_schedule *s, int upper, uint64_t off)
{
    return hy_staged(s, HY_AT(upper == 0 ? HY_IN : HY_TMP, off), off);
}

static hy_region target(int count)
{
    return count > 1 ? HY_TMP : HY_OUT;
}

static void pull_down(hy_schedule *s, const hy_tree *tree)
{
    hy_byte_run run[2];
    int count = hy_rooted_count(tree), upper = hy_from_root(&s->shape, tree->parent);
    int runs = hy_rooted_runs(&s->shape, upper, tree->self, count, run);
    for (int i = 0; i < runs; i++) {
        hy_place into = HY_AT(HY_OUT, run[i].in);
        if (count > 1) into = scatter_binomial_source(s, tree->self, run[i].in);
        hy_stream_pull(s, tree->parent, scatter_binomial_source(s, upper, run[i].at), into,
                       run[i].len);
    }
    hy_stream_finish(s, tree->parent);
}

static void push_to(hy_schedule *s, const hy_tree *tree, hy_tree_edge child)
{
    hy_byte_run run[2];
    int count = hy_tree_subtree(tree, child);
    int runs = hy_rooted_runs(&s->shape, tree->self, child.relative, count, run);
    hy_stream_await(s, child.rank, target(count));
    for (int i = 0; i < runs; i++) {
        if (tree->parent < 0) hy_stage(s, HY_AT(HY_IN, run[i].at), run[i].at, run[i].len);
        hy_stream_push(s, child.rank, scatter_binomial_source(s, tree->self, run[i].at),
                       HY_AT(target(count), run[i].in), run[i].len);
    }
}

/* An inner rank holds the blocks of its subtree, its own one first. */
static void own_block(hy_schedule *s, const hy_tree *tree)
{
    uint64_t bytes = s->shape.bytes, at = (uint64_t)s->shape.rank * bytes;
    hy_place out = HY_AT(HY_OUT, 0);
    if (tree->parent < 0) hy_emit_copy(s, HY_AT(HY_IN, at), out, bytes);
    else if (tree->degree > 0)
        hy_emit_copy(s, scatter_binomial_source(s, tree->self, 0), out, bytes);
}

static void scatter_binomial_reserve(hy_schedule *s, const hy_tree *tree)
{
    uint64_t all = (uint64_t)hy_rooted_count(tree) * s->shape.bytes;
    if (tree->parent < 0 || tree->degree == 0) return;
    if (hy_way_boxed(s)) hy_emit_box(s, all);
    else hy_emit_tmp(s, all);
}

static int scatter_binomial_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_binomial(&s->shape);
    int next = 0;
    scatter_binomial_reserve(s, &tree);
    if (tree.parent >= 0) hy_stream_ready(s, tree.parent, target(hy_rooted_count(&tree)));
    hy_round(s);
    for (int level = 0; level < tree.levels; level++) {
        if (level == tree.parent_level) pull_down(s, &tree);
        for (; next < tree.degree; next++) {
            hy_tree_edge child = hy_tree_child(&tree, next);
            if (child.level != level) break;
            push_to(s, &tree, child);
        }
        hy_round(s);
    }
    own_block(s, &tree);
    for (int i = 0; i < tree.degree; i++) hy_stream_drain(s, hy_tree_child(&tree, i).rank);
    return hy_emit_end(s);
}

const hy_algorithm hy_scatter_binomial = {
    .name = "binomial",
    .title = "the blocks of a subtree together down a binomial tree",
    .coll = HY_COLL_SCATTER,
    .ways = HY_WAYS_ALL,
    .applies = hy_applies_always,
    .build = scatter_binomial_build,
    .formula = hy_rooted_binomial_formula,
};
