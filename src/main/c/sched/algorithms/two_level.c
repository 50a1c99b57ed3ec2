/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two levels: inside each node by one algorithm, between the nodes' leaders by another, so that one
 * flow goes from a node to another instead of one for each pair of ranks (parts.h says which levels
 * a collective has). Karonis et al., "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", 2000.
 *
 * A leader that is not the root of a reduction collects its node's sum beside its OUT, which is its
 * caller's. An allreduce gives the same bits everywhere, because the leaders' one does and the rest
 * copy what these have.
 *
 *   T = sum over the levels of their own formulas, ACROSS with the network's terms
 */
#include "sched/algorithms/algorithms.h"
#include "sched/nodes.h"
#include "sched/parts.h"

static bool applies(const hy_shape *s)
{
    return s->nodes && s->nodes->count > 1 && s->nodes->largest > 1;
}

static bool takes_part(const hy_shape *s, int level)
{
    int32_t root = hy_coll_has_root(s->coll) ? s->root : -1;
    if (level != HY_LEVEL_ACROSS) return true;
    return hy_nodes_leader(s->nodes, s->nodes->of[s->rank], root) == s->rank;
}

static void set_aside(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    if (shape->coll != HY_COLL_REDUCE || !hy_nodes_aside(shape->nodes, shape->rank, shape->root))
        return;
    hy_emit_tmp(s, shape->bytes);
    hy_emit_copy(s, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 0), shape->bytes);
}

static int build(hy_schedule *s)
{
    hy_coll coll;
    set_aside(s);
    int rc = hy_emit_end(s);
    for (int level = 0; level < HY_LEVELS && !rc && !hy_emit_enough(s); level++)
        if (hy_part_coll(s->shape.coll, level, &coll) && takes_part(&s->shape, level))
            rc = hy_emit_part(s, level);
    return rc;
}

static double formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    const hy_model across = hy_model_across(model);
    double ns = 0;
    hy_coll coll;
    for (int level = 0; level < HY_LEVELS; level++) {
        if (!hy_part_coll(shape->coll, level, &coll)) continue;
        const hy_part *part = &way->parts[level];
        const hy_shape largest = hy_part_largest(shape, level);
        const hy_way its = hy_part_way(part);
        ns += part->algorithm->formula(level == HY_LEVEL_ACROSS ? &across : model, &largest, &its);
    }
    return ns;
}

#define TWO_LEVEL(row, coll_) \
    const hy_algorithm row = { \
        .name = "two_level", \
        .title = "inside the nodes, and between one rank of each", \
        .coll = coll_, \
        .ways = HY_WAY_PUT_STRAIGHT, \
        .traits = HY_TRAIT_PARTS, \
        .applies = applies, \
        .needs = "several nodes, one of them with several ranks", \
        .build = build, \
        .formula = formula, \
    }

TWO_LEVEL(hy_barrier_two_level, HY_COLL_BARRIER);
TWO_LEVEL(hy_bcast_two_level, HY_COLL_BCAST);
TWO_LEVEL(hy_reduce_two_level, HY_COLL_REDUCE);
TWO_LEVEL(hy_allreduce_two_level, HY_COLL_ALLREDUCE);
