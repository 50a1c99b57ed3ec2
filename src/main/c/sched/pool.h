/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What leaders hold between the levels of an algorithm of two levels: the blocks of each node side
 * by side in the order of its members, and the nodes one after the other. The pool is the caller's
 * region if the blocks have this order there (nodes with consecutive ranks, no gaps); else it is at
 * the start of TMP.
 *
 *               who holds the whole pool, where   who holds its node's share, in TMP
 *   reduce      the other ranks                   hy_nodes_needs_spare(): the node's sum
 *   gather      the root, in OUT                  the other leaders
 *   scatter     the root, in IN                   the other leaders
 *   allgather   every rank, in OUT                -
 *
 * The blocks of an alltoall have a sender and a receiver: its leaders rearrange their blocks from
 * the order of one level to that of the next (turn.h).
 */
#ifndef HY_SCHED_POOL_H
#define HY_SCHED_POOL_H

#include "sched/builder.h"

typedef struct hy_pool {
    hy_shape shape;    /* of the whole */
    hy_block *nodes;   /* [nodes]: all blocks of each node; in an alltoall its slot; NULL: the
                        * collective has none */
    hy_block *members; /* [size]: in the order of the nodes' members, relative to the node's
                        * first block; not in an alltoall */
    uint64_t bytes;    /* hy_pool_bytes() */
    uint64_t area;     /* hy_turn_area() in an alltoall, else 0 */
    bool direct;       /* the pool is the caller's region */
} hy_pool;

/* NO_MEMORY. */
int hy_pool_make(const hy_shape *shape, hy_pool *pool);
void hy_pool_release(hy_pool *pool);

/* The rank that other ranks of the collective know as its root; -1: any leader. */
static inline int32_t hy_pool_root(const hy_shape *shape)
{
    return hy_coll_has_root(shape->coll) ? shape->root : -1;
}

/* Bytes of all blocks. */
uint64_t hy_pool_bytes(const hy_shape *shape);

/* Whether the blocks have the same order in the caller's region as in the pool. */
bool hy_pool_is_direct(const hy_shape *shape);

/* The place of a part's `region` (IN or OUT) on a rank that has this role there. */
hy_place hy_pool_place(const hy_pool *pool, int32_t rank, hy_region region, hy_role role);

/* Bytes of TMP that it uses on a rank. */
uint64_t hy_pool_tmp(const hy_pool *pool, int32_t rank);

/* Copies between the caller's region and the pool, on a rank that holds all of it; nothing if it is
 * direct. */
void hy_pool_pack(hy_schedule *s, const hy_pool *pool);
void hy_pool_unpack(hy_schedule *s, const hy_pool *pool);

#endif
