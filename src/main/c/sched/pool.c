/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes where blocks lie in a pool, and emits the copies between the pool and the caller's
 * region.
 */
#include "sched/pool.h"

#include <stdlib.h>

#include "base/status.h"
#include "sched/nodes.h"
#include "sched/turn.h"

/* The caller's region with a block for each rank. */
static hy_region side(const hy_shape *shape)
{
    return shape->coll == HY_COLL_SCATTER ? HY_IN : HY_OUT;
}

/* In an allgather all ranks know all blocks; in other collectives the blocks have equal length. */
static hy_block block_of(const hy_shape *shape, int32_t rank)
{
    return hy_out_block(shape, rank);
}

uint64_t hy_pool_bytes(const hy_shape *shape)
{
    uint64_t sum = 0;
    if (!shape->out_blocks) return shape->bytes * (uint64_t)shape->size;
    for (int32_t i = 0; i < shape->size; i++) sum += shape->out_blocks[i].len;
    return sum;
}

bool hy_pool_is_direct(const hy_shape *shape)
{
    uint64_t at = 0;
    for (int32_t i = 0; hy_coll_has_blocks(shape->coll) && i < shape->size; i++) {
        hy_block block = block_of(shape, shape->nodes->members[i]);
        if (block.len > 0 && block.off != at) return false;
        at += block.len;
    }
    return true;
}

static void fill(hy_pool *pool)
{
    const hy_nodes *nodes = pool->shape.nodes;
    uint64_t at = 0;
    for (int32_t node = 0; node < nodes->count; node++) {
        pool->nodes[node].off = at;
        for (int32_t i = nodes->first[node]; i < nodes->first[node + 1]; i++) {
            uint64_t len = block_of(&pool->shape, nodes->members[i]).len;
            pool->members[i] = (hy_block){at - pool->nodes[node].off, len};
            at += len;
        }
        pool->nodes[node].len = at - pool->nodes[node].off;
    }
}

int hy_pool_make(const hy_shape *shape, hy_pool *pool)
{
    *pool = (hy_pool){
        .shape = *shape, .bytes = hy_pool_bytes(shape), .direct = hy_pool_is_direct(shape)};
    if (!hy_coll_has_blocks(shape->coll)) return HAYATE_OK;
    size_t nodes = (size_t)shape->nodes->count, ranks = (size_t)shape->size;
    pool->nodes = malloc((nodes + ranks) * sizeof *pool->nodes);
    if (!pool->nodes)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the blocks of %d ranks", shape->size);
    pool->members = pool->nodes + nodes;
    if (shape->coll == HY_COLL_ALLTOALL) {
        pool->area = hy_turn_area(shape);
        hy_turn_slots(shape, pool->nodes);
    } else {
        fill(pool);
    }
    return HAYATE_OK;
}

void hy_pool_release(hy_pool *pool)
{
    free(pool->nodes);
    *pool = (hy_pool){0};
}

/* ---- who holds what, and where ---- */

static bool leads(const hy_shape *shape, int32_t rank)
{
    return hy_nodes_leader(shape->nodes, shape->nodes->of[rank], hy_pool_root(shape)) == rank;
}

static bool holds_all(const hy_shape *shape, int32_t rank)
{
    switch (shape->coll) {
    case HY_COLL_REDUCE: return !hy_nodes_needs_spare(shape->nodes, rank, shape->root);
    case HY_COLL_GATHER:
    case HY_COLL_SCATTER: return rank == shape->root;
    default: return true;
    }
}

/* The block of a rank's node. */
static hy_block share(const hy_pool *pool, int32_t rank)
{
    if (!pool->nodes) return (hy_block){0, pool->shape.bytes};
    return pool->nodes[pool->shape.nodes->of[rank]];
}

hy_place hy_pool_place(const hy_pool *pool, int32_t rank, hy_region region, hy_role role)
{
    bool all = holds_all(&pool->shape, rank);
    if (role == HY_ROLE_SAME) return HY_AT(region, 0);
    if (role == HY_ROLE_CAME) return HY_AT(HY_TMP, 0);
    if (role == HY_ROLE_GOES) return HY_AT(HY_TMP, pool->area);
    return HY_AT(all && pool->direct ? side(&pool->shape) : HY_TMP,
                 all && role == HY_ROLE_NODE ? share(pool, rank).off : 0);
}

uint64_t hy_pool_tmp(const hy_pool *pool, int32_t rank)
{
    if (pool->area) return leads(&pool->shape, rank) ? 2 * pool->area : 0;
    if (holds_all(&pool->shape, rank)) return pool->direct ? 0 : pool->bytes;
    return leads(&pool->shape, rank) ? share(pool, rank).len : 0;
}

/* ---- from and to the caller's region ---- */

typedef void move(hy_schedule *s, hy_place callers, hy_place pools, uint64_t len);

static void move_all(hy_schedule *s, const hy_pool *pool, move *one)
{
    const hy_shape *shape = &pool->shape;
    uint64_t at = 0;
    if (pool->direct || !holds_all(shape, shape->rank)) return;
    for (int32_t i = 0; i < shape->size && !hy_emit_enough(s); i++) {
        hy_block block = block_of(shape, shape->nodes->members[i]);
        one(s, HY_AT(side(shape), block.off), HY_AT(HY_TMP, at), block.len);
        at += block.len;
    }
}

static void in(hy_schedule *s, hy_place callers, hy_place pools, uint64_t len)
{
    hy_emit_copy(s, callers, pools, len);
}

static void out(hy_schedule *s, hy_place callers, hy_place pools, uint64_t len)
{
    hy_emit_copy(s, pools, callers, len);
}

void hy_pool_pack(hy_schedule *s, const hy_pool *pool)
{
    move_all(s, pool, in);
}

void hy_pool_unpack(hy_schedule *s, const hy_pool *pool)
{
    move_all(s, pool, out);
}
