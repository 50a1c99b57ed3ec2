/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, binomial tree: in round i the ranks that still have partial results pair up, and one
 * of each pair passes its result to the other. The broadcast tree upside down; a rank folds its
 * smallest subtree first, which is ready first. Thakur, Rabenseifner, Gropp, "Optimization of
 * collective communication operations in MPICH", 2005.
 *
 *   T = the formula of reduce_tree.h with depth d, fanout 1, degree d
 */
#include "sched/algorithms/reduce_tree.h"

static int reduce_binomial_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_binomial(&s->shape);
    return hy_reduce_tree_build(s, &tree);
}

static double reduce_binomial_formula(const hy_model *model, const hy_shape *shape,
                                      const hy_way *way)
{
    int depth = hy_log2_ceil(shape->size);
    return hy_reduce_tree_formula(model, shape, way, depth, 1, depth);
}

const hy_algorithm hy_reduce_binomial = {
    .name = "binomial",
    .title = "up a binomial tree",
    .coll = HY_COLL_REDUCE,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS,
    .applies = hy_applies_always,
    .build = reduce_binomial_build,
    .formula = reduce_binomial_formula,
};
