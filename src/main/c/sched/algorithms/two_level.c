/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two levels: inside each node by one algorithm, between the nodes' leaders by another, so that one
 * flow travels between two nodes instead of one for each pair of ranks (parts.h lists the levels of
 * each collective). Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize
 * collective operation performance", 2000.
 *
 * A leader that is not the root of a reduction collects its node's sum outside of OUT, which
 * belongs to its caller. An allreduce gives the same bits everywhere, because that of the leaders
 * does, and the other ranks copy their result.
 *
 * Blocks that are gathered or scattered pass through the leaders' pools: the blocks of a node
 * travel as one. Only an allgather can have blocks of unequal length, because there the leaders
 * know those of their nodes. Traff, "Efficient allgather for regular SMP-clusters", 2006. An
 * alltoall between N nodes of p ranks takes one message instead of p p for each pair of nodes, but
 * more copies by the leader.
 *
 *    T = sum over the levels of their own formulas, ACROSS with the network's terms, + C(P n) if
 *        blocks are not in the order of nodes; in an alltoall + 2 p P C(n)
 */
#include "sched/algorithms/algorithms.h"
#include "sched/nodes.h"
#include "sched/parts.h"
#include "sched/turn.h"

static bool two_level_applies(const hy_shape *s)
{
    return s->nodes && s->nodes->count > 1 && s->nodes->largest > 1;
}

static bool applies_turned(const hy_shape *s)
{
    return two_level_applies(s) && hy_turn_fits(s);
}

static bool takes_part(const hy_shape *s, int level)
{
    if (level != HY_LEVEL_ACROSS) return true;
    return hy_nodes_leader(s->nodes, s->nodes->of[s->rank], hy_pool_root(s)) == s->rank;
}

/* What the first level needs in the pool. */
static void two_level_begin(hy_schedule *s, const hy_pool *pool)
{
    const hy_shape *shape = &s->shape;
    hy_emit_tmp(s, hy_pool_tmp(pool, shape->rank));
    if (shape->coll == HY_COLL_SCATTER) hy_pool_pack(s, pool);
    if (shape->coll == HY_COLL_REDUCE)
        hy_emit_copy(s, HY_AT(HY_OUT, 0), hy_pool_place(pool, shape->rank, HY_OUT, HY_ROLE_NODE),
                     shape->bytes);
}

/* Rearranges what a level leaves in the pool for the next one. */
static void between(hy_schedule *s, const hy_pool *pool, int level)
{
    if (s->shape.coll == HY_COLL_ALLTOALL && level != HY_LEVEL_DOWN)
        if (takes_part(&s->shape, HY_LEVEL_ACROSS)) hy_turn(s, pool->nodes, level);
}

/* Handles what the last level leaves in the pool. */
static void two_level_end(hy_schedule *s, const hy_pool *pool)
{
    if (s->shape.coll == HY_COLL_GATHER || s->shape.coll == HY_COLL_ALLGATHER)
        hy_pool_unpack(s, pool);
}

static int emit_levels(hy_schedule *s, const hy_pool *pool)
{
    hy_coll coll;
    two_level_begin(s, pool);
    int rc = hy_emit_end(s);
    for (int level = 0; level < HY_LEVELS && !rc && !hy_emit_enough(s); level++) {
        if (!hy_part_coll(s->shape.coll, level, &coll) || !takes_part(&s->shape, level)) continue;
        rc = hy_emit_part(s, pool, level);
        between(s, pool, level);
    }
    two_level_end(s, pool);
    return rc ? rc : hy_emit_end(s);
}

static int two_level_build(hy_schedule *s)
{
    hy_pool pool;
    int rc = hy_pool_make(&s->shape, &pool);
    if (!rc) rc = emit_levels(s, &pool);
    hy_pool_release(&pool);
    return rc;
}

/* Copies by the leaders, in addition to those of the levels. */
static double copies(const hy_model *model, const hy_shape *shape)
{
    if (shape->coll == HY_COLL_ALLTOALL) return hy_turn_formula(model, shape);
    return hy_pool_is_direct(shape) ? 0 : hy_curve_at(&model->copy, hy_pool_bytes(shape));
}

static double two_level_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
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
    return ns + copies(model, shape);
}

#define TWO_LEVEL(row, coll_, applies_, traits_) \
    const hy_algorithm row = { \
        .name = "two_level", \
        .title = "inside the nodes, and between one rank of each", \
        .coll = coll_, \
        .ways = HY_WAY_PUT_STRAIGHT, \
        .traits = HY_TRAIT_PARTS | (traits_), \
        .applies = applies_, \
        .needs = "several nodes, one of them with several ranks", \
        .build = two_level_build, \
        .formula = two_level_formula, \
    }

TWO_LEVEL(hy_barrier_two_level, HY_COLL_BARRIER, two_level_applies, 0);
TWO_LEVEL(hy_bcast_two_level, HY_COLL_BCAST, two_level_applies, 0);
TWO_LEVEL(hy_reduce_two_level, HY_COLL_REDUCE, two_level_applies, 0);
TWO_LEVEL(hy_allreduce_two_level, HY_COLL_ALLREDUCE, two_level_applies, 0);
TWO_LEVEL(hy_gather_two_level, HY_COLL_GATHER, two_level_applies, 0);
TWO_LEVEL(hy_scatter_two_level, HY_COLL_SCATTER, two_level_applies, 0);
TWO_LEVEL(hy_allgather_two_level, HY_COLL_ALLGATHER, two_level_applies, HY_TRAIT_UNEVEN);
TWO_LEVEL(hy_alltoall_two_level, HY_COLL_ALLTOALL, applies_turned, 0);
