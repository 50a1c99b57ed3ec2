/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What leaders hold between the levels of an algorithm of two: the blocks of a node side by side in
 * the order of its members, nodes one after the other. It is the caller's region where blocks lie
 * like that there (nodes with ranks in a row, no gaps), else it begins TMP.
 *
 *               who holds all of it, where        who holds its node's, in TMP
 *   reduce      whoever has no sum to put aside   hy_nodes_aside(): the node's sum
 *   gather      the root, in OUT                  the other leaders
 *   scatter     the root, in IN                   the other leaders
 *   allgather   every rank, in OUT                -
 *
 * The blocks of an alltoall have a sender and a receiver: what its leaders hold is turned from the
 * order of one level into that of the next (turn.h).
 */
#ifndef HY_SCHED_POOL_H
#define HY_SCHED_POOL_H

#include "sched/builder.h"

typedef struct hy_pool {
    hy_shape shape;    /* of the whole */
    hy_block *nodes;   /* [nodes]: the blocks of each, in all; in an alltoall its slot; NULL: the
                          collective has none */
    hy_block *members; /* [size]: in the order of the nodes' members, from the node's first on; not
                          in an alltoall */
    uint64_t bytes;    /* hy_pool_bytes() */
    uint64_t area;     /* hy_turn_area() in an alltoall, else 0 */
    bool direct;       /* all of it is in the caller's region */
} hy_pool;

/* NO_MEMORY. */
int hy_pool_make(const hy_shape *shape, hy_pool *pool);
void hy_pool_release(hy_pool *pool);

/* The rank that other ranks of the collective know as its root; -1: any leader will do. */
static inline int32_t hy_pool_root(const hy_shape *shape)
{
    return hy_coll_has_root(shape->coll) ? shape->root : -1;
}

/* Of all blocks. */
uint64_t hy_pool_bytes(const hy_shape *shape);

/* Do the blocks lie in the caller's region as they do in the pool? */
bool hy_pool_is_direct(const hy_shape *shape);

/* Where a part's `region` (IN or OUT) is on a rank that has such a seat there. */
hy_place hy_pool_place(const hy_pool *pool, int32_t rank, hy_region region, hy_seat seat);

/* Bytes that it takes of TMP on a rank. */
uint64_t hy_pool_tmp(const hy_pool *pool, int32_t rank);

/* Between the caller's region and the pool, on a rank that holds all of it; nothing where it is
 * direct. */
void hy_pool_pack(hy_schedule *s, const hy_pool *pool);
void hy_pool_unpack(hy_schedule *s, const hy_pool *pool);

#endif
