/* SPDX-License-Identifier: Apache-2.0 */
/* Where the flags of membership.h are, and to whom a node's flags go. Of this room only. */
#ifndef HY_NODES_MEMBERSHIP_FLAGS_H
#define HY_NODES_MEMBERSHIP_FLAGS_H

#include "nodes/meeting.h"
#include "nodes/membership.h"
#include "nodes/node_map.h"

#define HY_MEMBERSHIP_BLOCK 1024 /* ranks per block */

/* For a block of ranks: a number that changes with every notification, and the last such number
 * that this node has processed. */
typedef struct hy_membership_digest {
    hy_flag told;
    HY_ALIGNED _Atomic uint64_t read_up_to;
} hy_membership_digest;

static inline int hy_membership_blocks(const hy_job *job)
{
    return (job->size + HY_MEMBERSHIP_BLOCK - 1) / HY_MEMBERSHIP_BLOCK;
}

/* Offsets in the part of any rank. */
static inline uint64_t hy_membership_digest_at(const hy_job *job, int block)
{
    return hy_meeting_membership_at(job) + (uint64_t)block * sizeof(hy_membership_digest);
}

static inline uint64_t hy_membership_flag_at(const hy_job *job, int rank)
{
    return hy_membership_digest_at(job, hy_membership_blocks(job)) +
           (uint64_t)rank * sizeof(hy_flag);
}

static inline bool hy_membership_is_there(const hy_job *job, int rank)
{
    return hy_control_state(job->boot.control, rank) < HY_RANK_LEFT;
}

/* The first rank of a node that has not left; the first of all if all have. */
static inline int hy_membership_leader(const hy_job *job, int node)
{
    for (int i = 0, count = hy_node_map_count(job, node); i < count; i++) {
        int rank = hy_node_map_rank(job, node, i);
        if (hy_membership_is_there(job, rank)) return rank;
    }
    return hy_node_map_leader(job, node);
}

#endif
