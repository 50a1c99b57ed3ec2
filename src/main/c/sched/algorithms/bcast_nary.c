/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, n-ary tree: every inner rank serves n = way.arity children; flatter than the binary
 * tree, for short data and for get. The binary tree of Pjesivac-Grbovic et al., "Performance
 * analysis of MPI collective operations", 2007, with more children.
 *
 *   T = the formula of bcast_tree.h with depth of rank P - 1, fanout and degree n
 */
#include "sched/algorithms/bcast_tree.h"

static int bcast_nary_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_nary(&s->shape, s->way.arity);
    return hy_bcast_tree_build(s, &tree);
}

static double bcast_nary_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    int depth = hy_tree_nary_depth(shape->size - 1, way->arity);
    int fanout = (int)hy_min(shape->size - 1u, way->arity);
    return hy_bcast_tree_formula(model, shape, way, depth, fanout, fanout);
}
const hy_algorithm hy_bcast_nary = {
    .name = "nary",
    .title = "down an n-ary tree",
    .coll = HY_COLL_BCAST,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS | HY_TRAIT_ARITY,
    .applies = hy_applies_always,
    .build = bcast_nary_build,
    .formula = bcast_nary_formula,
};
