/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, linear: the root itself folds the data of every other rank. For short data and few
 * ranks. Pjesivac-Grbovic et al., "Performance analysis of MPI collective operations", 2007 ("flat
 * tree").
 *
 *   T = the formula of reduce_tree.h with depth 1, fanout and degree P - 1
 */
#include "sched/algorithms/reduce_tree.h"

static int reduce_linear_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_linear(&s->shape);
    return hy_reduce_tree_build(s, &tree);
}

static double reduce_linear_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    int others = shape->size - 1;
    return hy_reduce_tree_formula(model, shape, way, 1, others, others);
}

const hy_algorithm hy_reduce_linear = {
    .name = "linear",
    .title = "the root folds every other rank",
    .coll = HY_COLL_REDUCE,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS,
    .applies = hy_applies_always,
    .build = reduce_linear_build,
    .formula = reduce_linear_formula,
};
