/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, binary tree: no rank folds more than two children, so that many segments of long data
 * can flow up at the same time. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", 2007.
 *
 *   T = the formula of reduce_tree.h with depth floor(log2 P), fanout and degree 2
 */
#include "sched/algorithms/reduce_tree.h"

static int reduce_binary_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_binary(&s->shape);
    return hy_reduce_tree_build(s, &tree);
}

static double reduce_binary_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    int depth = hy_log2_floor(shape->size);
    return hy_reduce_tree_formula(model, shape, way, depth, 2, 2);
}

const hy_algorithm hy_reduce_binary = {
    .name = "binary",
    .title = "up a binary tree",
    .coll = HY_COLL_REDUCE,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS,
    .applies = hy_applies_always,
    .build = reduce_binary_build,
    .formula = reduce_binary_formula,
};
