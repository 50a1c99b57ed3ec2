/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gather, binomial tree: an inner rank collects the blocks of its subtree side by side, in TMP or,
 * if they are fetched from prepared buffers, in BOX, and passes them on in one piece. The root
 * receives each subtree at its place in OUT, so nothing is rotated at the end. Few signals at the
 * root: for short blocks. Thakur, Rabenseifner, Gropp, "Optimization of collective communication
 * operations in MPICH", 2005.
 *
 *   T = hy_rooted_binomial_formula()
 */
#include "sched/algorithms/rooted.h"

/* Where a rank with a subtree of `count` ranks, which is not the root, has its blocks. */
static hy_place collected(const hy_schedule *s, int count, uint64_t off)
{
    return hy_staged(s, HY_AT(count > 1 ? HY_TMP : HY_IN, off), off);
}

static void pull_from(hy_schedule *s, const hy_tree *tree, hy_tree_edge child)
{
    hy_byte_run run[2];
    int own = hy_rooted_count(tree), count = hy_tree_subtree(tree, child);
    int runs = hy_rooted_runs(&s->shape, tree->self, child.relative, count, run);
    for (int i = 0; i < runs; i++) {
        hy_place into = tree->parent < 0 ? HY_AT(HY_OUT, run[i].at) : collected(s, own, run[i].at);
        hy_stream_pull(s, child.rank, collected(s, count, run[i].in), into, run[i].len);
    }
    hy_stream_finish(s, child.rank);
}

static void push_up(hy_schedule *s, const hy_tree *tree)
{
    hy_byte_run run[2];
    int count = hy_rooted_count(tree), upper = hy_from_root(&s->shape, tree->parent);
    hy_region into = upper == 0 ? HY_OUT : HY_TMP;
    int runs = hy_rooted_runs(&s->shape, upper, tree->self, count, run);
    hy_stream_await(s, tree->parent, into);
    for (int i = 0; i < runs; i++)
        hy_stream_push(s, tree->parent, collected(s, count, run[i].in), HY_AT(into, run[i].at),
                       run[i].len);
    hy_stream_drain(s, tree->parent);
}

static void own_block(hy_schedule *s, const hy_tree *tree)
{
    uint64_t bytes = s->shape.bytes, all = (uint64_t)hy_rooted_count(tree) * bytes;
    hy_place in = HY_AT(HY_IN, 0);
    if (tree->parent < 0) {
        hy_emit_copy(s, in, HY_AT(HY_OUT, (uint64_t)s->shape.rank * bytes), bytes);
    } else if (hy_way_boxed(s)) {
        hy_stage(s, in, 0, bytes);
        hy_emit_box(s, all);
    } else if (tree->degree > 0) {
        hy_emit_copy(s, in, HY_AT(HY_TMP, 0), bytes);
        hy_emit_tmp(s, all);
    }
}

static int gather_binomial_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_binomial(&s->shape);
    int next = tree.degree - 1;
    for (int i = next; i >= 0; i--)
        hy_stream_ready(s, hy_tree_child(&tree, i).rank, tree.parent < 0 ? HY_OUT : HY_TMP);
    own_block(s, &tree);
    hy_round(s);
    for (int level = tree.levels - 1; level >= 0; level--) {
        for (; next >= 0; next--) {
            hy_tree_edge child = hy_tree_child(&tree, next);
            if (child.level != level) break;
            pull_from(s, &tree, child);
        }
        if (level == tree.parent_level) push_up(s, &tree);
        hy_round(s);
    }
    return hy_emit_end(s);
}

const hy_algorithm hy_gather_binomial = {
    .name = "binomial",
    .title = "the blocks of a subtree together up a binomial tree",
    .coll = HY_COLL_GATHER,
    .ways = HY_WAYS_ALL,
    .applies = hy_applies_always,
    .build = gather_binomial_build,
    .formula = hy_rooted_binomial_formula,
};
