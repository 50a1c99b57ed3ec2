/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Algorithms of two levels, made of those of one: in each node towards the leader (UP), between the
 * leaders of all nodes (ACROSS), in each node from the leader (DOWN). What the levels of a
 * collective are:
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
 * So only leaders talk to other nodes. ACROSS a block is what belongs to a node: blocks are of
 * unequal length where nodes have unequal numbers of ranks, and lie in the leaders' pools (pool.h).
 * In an alltoall a block inside a node is a rank's row, all that it has for all ranks; ACROSS it is
 * what the ranks of one node have for those of another.
 *
 * The levels of a rank follow each other as collectives of
 * their own would, which is why any algorithm will do: when one is over on a rank, nobody touches
 * its memory any more. BOX is an exception, as a level may still be fetched from there when its
 * owner is at the next: inside the nodes the order of the levels protects it, so what goes ACROSS
 * does not use it.
 */
#ifndef HY_SCHED_PARTS_H
#define HY_SCHED_PARTS_H

#include "sched/pool.h"

const char *hy_level_name(int level); /* "up" */

/* false: the collective has no such level. */
bool hy_part_coll(hy_coll coll, int level, hy_coll *part);

/* The shape of a level where it is largest, at its root, as a choice is made for. An uneven one has
 * no blocks: it is an even one that stands for them. */
hy_shape hy_part_largest(const hy_shape *shape, int level);

/* The ways that are possible at a level. */
uint32_t hy_part_possible(const hy_algorithm *algorithm, const hy_shape *part, int level);

hy_way hy_part_way(const hy_part *part);
hy_part hy_part_of(const hy_algorithm *algorithm, const hy_way *way);

/* For an algorithm with HY_TRAIT_PARTS: fills parts that are open. ARGUMENT: one cannot be done in
 * the largest node, or across. */
int hy_parts_complete(const hy_shape *shape, hy_way *way);

/* Emits a level's steps for shape.rank, which takes part in it. In a node that is too small for the
 * part's algorithm it is one that always does. 0, or NO_MEMORY. */
int hy_emit_part(hy_schedule *s, const hy_pool *pool, int level);

#endif
