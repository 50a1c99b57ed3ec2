/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, binomial tree: arrivals are reported up the tree, then the release goes down. It has 2
 * (P - 1) signals, the fewest, like the linear one, at 2 d levels.
 * Mellor-Crummey, Scott, "Algorithms for scalable synchronization on shared-memory
 * multiprocessors", 1991 (tree barrier), with a binomial tree.
 *
 *   T = 2 d S
 */
#include "sched/algorithms/barrier_tree.h"

static int barrier_binomial_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_binomial(&s->shape);
    return hy_barrier_tree_build(s, &tree);
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
