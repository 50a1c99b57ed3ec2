/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Algorithms of two levels, composed of algorithms of one level: in each node towards the leader
 * (UP), between the leaders of all nodes (ACROSS), in each node from the leader (DOWN). The levels
 * of each collective:
 *
 *             UP        ACROSS     DOWN
 *   barrier   barrier   barrier    barrier
 *   bcast     -         bcast      bcast
 *   reduce    reduce    reduce     -
 *   allreduce reduce    allreduce  bcast
 *   gather    gather    gather     -
 *   scatter   -         scatter    scatter
 *   allgather gather    allgather  bcast
 *   alltoall  gather    alltoall   scatter
 *
 * So only leaders communicate with other nodes. ACROSS, a block contains what belongs to a node:
 * blocks are of unequal length if nodes have different numbers of ranks, and lie in the leaders'
 * pools (pool.h). In an alltoall, a block inside a node is a rank's row, that is all its blocks for
 * all ranks; ACROSS, it contains the blocks of the ranks of one node for those of another.
 *
 * The levels of a rank follow each other like separate collectives, so any algorithm can be used:
 * when a level has completed on a rank, no peer touches its memory any more. BOX is an exception,
 * because peers may still read it for one level when its owner is at the next: inside the nodes,
 * the order of the levels protects it, so ACROSS does not use it.
 */
#ifndef HY_SCHED_PARTS_H
#define HY_SCHED_PARTS_H

#include "sched/pool.h"

const char *hy_level_name(int level); /* "up" */

/* False: the collective has no such level. */
bool hy_part_coll(hy_coll coll, int level, hy_coll *part);

/* The shape of a level in the largest node, at its root, for which choices are made. An uneven one
 * has no blocks: it is an even shape that represents them. */
hy_shape hy_part_largest(const hy_shape *shape, int level);

/* The transfer methods that are possible at a level (HY_WAY_* bits). */
uint32_t hy_part_possible(const hy_algorithm *algorithm, const hy_shape *part, int level);

hy_way hy_part_way(const hy_part *part);
hy_part hy_part_of(const hy_algorithm *algorithm, const hy_way *way);

/* For an algorithm with HY_TRAIT_PARTS: chooses parts that are open. ARGUMENT: a part is impossible
 * in the largest node, or across nodes. */
int hy_parts_complete(const hy_shape *shape, hy_way *way);

/* Emits a level's steps for shape.rank, which takes part in it. In a node that is too small for the
 * part's algorithm, uses one that is always possible. 0, or NO_MEMORY. */
int hy_emit_part(hy_schedule *s, const hy_pool *pool, int level);

#endif
