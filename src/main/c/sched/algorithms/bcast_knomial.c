/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, k-nomial tree: in each round every rank that has the data passes them on to k - 1
 * more, k = way.arity; 2 is the binomial tree. Fewer rounds with more work in each: good if a rank
 * can signal several others in the time of one flight, and with get. Wilkins et al., "Generalized
 * collective algorithms for the exascale era", 2023.
 *
 *   T = the formula of bcast_tree.h with depth ceil(log_k P), fanout k - 1, degree depth (k - 1)
 */
#include "sched/algorithms/bcast_tree.h"

static int bcast_knomial_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_knomial(&s->shape, s->way.arity);
    return hy_bcast_tree_build(s, &tree);
}

static double bcast_knomial_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    int64_t weight = 1;
    int depth = 0, fanout = (int)hy_min(shape->size - 1u, way->arity - 1u);
    for (; weight < shape->size; weight *= way->arity) depth++;
    return hy_bcast_tree_formula(model, shape, way, depth, fanout, depth * fanout);
}

const hy_algorithm hy_bcast_knomial = {
    .name = "knomial",
    .title = "down a k-nomial tree",
    .coll = HY_COLL_BCAST,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS | HY_TRAIT_ARITY,
    .applies = hy_applies_always,
    .build = bcast_knomial_build,
    .formula = bcast_knomial_formula,
};
