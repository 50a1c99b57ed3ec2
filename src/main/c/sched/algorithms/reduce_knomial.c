/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, k-nomial tree: the binomial tree in base k = way.arity; fewer levels, in each of which
 * a rank folds k - 1 children. Fewer consecutive signals, but more work at once: for short data.
 * Ruefenacht et al., "Generalisation of recursive doubling for AllReduce", 2017, make the same
 * trade-off.
 *
 *   T = the formula of reduce_tree.h with depth ceil(logk P), fanout k - 1, degree of the root
 */
#include "sched/algorithms/reduce_tree.h"

static int reduce_knomial_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_knomial(&s->shape, s->way.arity);
    return hy_reduce_tree_build(s, &tree);
}

static double reduce_knomial_formula(const hy_model *model, const hy_shape *shape,
                                     const hy_way *way)
{
    hy_shape top = *shape;
    top.rank = top.root;
    hy_tree tree = hy_tree_knomial(&top, way->arity);
    int fanout = (int)hy_min((uint64_t)way->arity - 1, (uint64_t)shape->size - 1);
    return hy_reduce_tree_formula(model, shape, way, tree.levels, fanout, tree.degree);
}

const hy_algorithm hy_reduce_knomial = {
    .name = "knomial",
    .title = "up a k-nomial tree of chosen arity",
    .coll = HY_COLL_REDUCE,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS | HY_TRAIT_ARITY,
    .applies = hy_applies_always,
    .build = reduce_knomial_build,
    .formula = reduce_knomial_formula,
};
