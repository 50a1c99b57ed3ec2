/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, n-ary tree: a rank folds up to way.arity children; between the binary tree and the
 * linear one. Pjesivac-Grbovic et al., "Performance analysis of MPI collective operations", 2007.
 *
 *   T = the formula of reduce_tree.h with the depth of the tree, fanout and degree of its arity
 */
#include "sched/algorithms/reduce_tree.h"

static int reduce_nary_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_nary(&s->shape, s->way.arity);
    return hy_reduce_tree_build(s, &tree);
}

static double reduce_nary_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    int depth = hy_tree_nary_depth(shape->size - 1, way->arity);
    int fanout = (int)hy_min(way->arity, (uint64_t)shape->size - 1);
    return hy_reduce_tree_formula(model, shape, way, depth, fanout, fanout);
}

const hy_algorithm hy_reduce_nary = {
    .name = "nary",
    .title = "up a tree of chosen arity",
    .coll = HY_COLL_REDUCE,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS | HY_TRAIT_ARITY,
    .applies = hy_applies_always,
    .build = reduce_nary_build,
    .formula = reduce_nary_formula,
};
