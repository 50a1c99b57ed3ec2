/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, binary tree: every inner rank serves two children, so that with segments a rank sends
 * each byte twice whatever the number of ranks, and the depth is still logarithmic.
 * Pjesivac-Grbovic et al., "Performance analysis of MPI collective operations", 2007.
 *
 *   T = the formula of bcast_tree.h with depth floor(log2 P), fanout and degree 2
 */
#include "sched/algorithms/bcast_tree.h"

static int bcast_binary_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_binary(&s->shape);
    return hy_bcast_tree_build(s, &tree);
}

static double bcast_binary_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    int depth = hy_tree_nary_depth(shape->size - 1, 2), fanout = (int)hy_min(shape->size - 1u, 2);
    return hy_bcast_tree_formula(model, shape, way, depth, fanout, fanout);
}
const hy_algorithm hy_bcast_binary = {
    .name = "binary",
    .title = "down a binary tree",
    .coll = HY_COLL_BCAST,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS,
    .applies = hy_applies_always,
    .build = bcast_binary_build,
    .formula = bcast_binary_formula,
};
