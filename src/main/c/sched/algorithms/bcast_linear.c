/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, linear: every rank gets the data from the root directly. With get, all fetch at the
 * same time. For short data and few ranks. Pjesivac-Grbovic et al., "Performance analysis of MPI
 * collective operations", 2007 ("flat tree").
 *
 *   T = the formula of bcast_tree.h with depth 1, fanout and degree P - 1
 */
#include "sched/algorithms/bcast_tree.h"

static int bcast_linear_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_linear(&s->shape);
    return hy_bcast_tree_build(s, &tree);
}

static double bcast_linear_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    int others = shape->size - 1;
    return hy_bcast_tree_formula(model, shape, way, 1, others, others);
}
const hy_algorithm hy_bcast_linear = {
    .name = "linear",
    .title = "the root serves every other rank",
    .coll = HY_COLL_BCAST,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS,
    .applies = hy_applies_always,
    .build = bcast_linear_build,
    .formula = bcast_linear_formula,
};
