/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, ring: the chain from the root around to the rank below it, every rank passing segments
 * on to the next. With enough segments all links are busy at once and each rank moves each byte in
 * and out once. Worringen, "Pipelining and overlapping for MPI collective operations", 2003.
 *
 *   T = the formula of bcast_tree.h with depth P - 1, fanout and degree 1:
 *       E S + (P - 1) (M(m) + S) + (k - 1) (M(m) + take + signal)
 */
#include "sched/algorithms/bcast_tree.h"

static int bcast_ring_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_chain(&s->shape);
    return hy_bcast_tree_build(s, &tree);
}

static double bcast_ring_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    return hy_bcast_tree_formula(model, shape, way, shape->size - 1, 1, 1);
}
const hy_algorithm hy_bcast_ring = {
    .name = "ring",
    .title = "a pipeline from rank to rank",
    .coll = HY_COLL_BCAST,
    .ways = HY_WAYS_COUNTED,
    .traits = HY_TRAIT_SEGMENTS,
    .applies = hy_applies_always,
    .build = bcast_ring_build,
    .formula = bcast_ring_formula,
};
