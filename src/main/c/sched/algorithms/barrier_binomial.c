/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, binomial tree: arrivals are reported up the tree, then the release goes down. It has 2
 * (P - 1) signals, fewer than any other barrier, but twice the depth; for many ranks on few cores.
 * Mellor-Crummey, Scott, "Algorithms for scalable synchronization on shared-memory
 * multiprocessors", 1991 (tree barrier), with a binomial tree.
 *
 *   T = 2 d S
 */
#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/tree.h"

static int barrier_binomial_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_binomial(&s->shape);
    for (int i = tree.degree - 1; i >= 0; i--) hy_emit_wait(s, hy_tree_child(&tree, i).rank);
    if (tree.parent >= 0) {
        hy_emit_signal(s, tree.parent);
        hy_emit_wait(s, tree.parent);
    }
    for (int i = 0; i < tree.degree; i++) hy_emit_signal(s, hy_tree_child(&tree, i).rank);
    return hy_emit_end(s);
}

static double barrier_binomial_formula(const hy_model *model, const hy_shape *shape,
                                       const hy_way *way)
{
    (void)way;
    return 2.0 * hy_log2_ceil(shape->size) * hy_formula_signal(model);
}

const hy_algorithm hy_barrier_binomial = {
    .name = "binomial",
    .title = "up a binomial tree and down it",
    .coll = HY_COLL_BARRIER,
    .ways = HY_WAY_PUT_PREPARED,
    .applies = hy_applies_always,
    .build = barrier_binomial_build,
    .formula = barrier_binomial_formula,
};
