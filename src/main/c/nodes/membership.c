/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the flags by which nodes tell each other of ranks that have ended: one flag
 * per rank, one digest per block of ranks. */
#include "nodes/membership.h"

#include "nodes/far.h"
#include "nodes/meeting.h"
#include "nodes/node_map.h"
#include "path/net.h"

#define BLOCK 1024 /* ranks per block */

/* For a block of ranks: a number that changes with every notification, and the last such number
 * that this node has processed. */
typedef struct digest {
    hy_flag told;
    HY_ALIGNED _Atomic uint64_t heard;
} digest;

static int blocks_of(const hy_job *job)
{
    return (job->size + BLOCK - 1) / BLOCK;
}

uint64_t hy_membership_bytes(const hy_job *job)
{
    return (uint64_t)blocks_of(job) * sizeof(digest) + (uint64_t)job->size * sizeof(hy_flag);
}

/* Offsets in the part of any rank. */
static uint64_t digest_at(const hy_job *job, int block)
{
    return hy_meeting_membership_at(job) + (uint64_t)block * sizeof(digest);
}

static uint64_t flag_at(const hy_job *job, int rank)
{
    return digest_at(job, blocks_of(job)) + (uint64_t)rank * sizeof(hy_flag);
}

static bool is_there(const hy_job *job, int rank)
{
    return hy_control_state(job->boot.control, rank) < HY_RANK_LEFT;
}

/* The first rank of a node that has not left; the first of all if all have. */
static int leader_of(const hy_job *job, int node)
{
    for (int i = 0, count = hy_node_map_count(job, node); i < count; i++) {
        int rank = hy_node_map_rank(job, node, i);
        if (is_there(job, rank)) return rank;
    }
    return hy_node_map_leader(job, node);
}

static int membership_put(hy_job *job, int leader, int rank, const hy_flag *flag)
{
    hy_ep *ep = hy_job_ep(job, leader);
    uint64_t number = atomic_fetch_add(&job->news_sent, 1) + 1;
    const hy_flag told = {(uint64_t)(job->rank + 1) << 32 | number, {0}};
    int rc = ep->ops->put_flag(ep, flag_at(job, rank), flag);
    return rc ? rc : ep->ops->put_flag(ep, digest_at(job, rank / BLOCK), &told);
}

/* Tells the leader, or the next rank if the leader is gone. Any other error concerns the leader;
 * waits for it will report it. */
static void tell_node(hy_job *job, int node, int rank, const hy_flag *flag)
{
    for (int leader; is_there(job, leader = leader_of(job, node));)
        if (!membership_put(job, leader, rank, flag) || !hy_far_check(job, leader)) return;
}

/* A rank that has left is told to one more node in each call; a failure to all nodes, because a
 * rank that has seen it may stop calling. True: all nodes know. */
static bool membership_tell(hy_job *job, int rank)
{
    hy_control *control = job->boot.control;
    const hy_flag flag = {hy_control_state(control, rank), {0}};
    if (flag.value < HY_RANK_LEFT) return true;
    hy_control_rank *entry = hy_control_record(control, rank);
    uint32_t node = hy_load_relaxed(&entry->told), nodes = (uint32_t)control->nodes;
    for (int count = 0; node < nodes && (count == 0 || flag.value > HY_RANK_LEFT); count++) {
        if (!atomic_compare_exchange_strong(&entry->told, &node, node + 1)) continue;
        if ((int)node != control->node) tell_node(job, (int)node, rank, &flag);
        node++;
    }
    return node >= nodes;
}

static void tell_ends(hy_job *job)
{
    uint32_t failures = hy_load_acquire(&job->boot.control->failures);
    bool all = true;
    if (failures == hy_load_relaxed(&job->news_told)) return;
    for (int rank = 0; rank < job->size; rank++) all &= membership_tell(job, rank);
    if (all) hy_store_relaxed(&job->news_told, failures);
}

/* Reads what was told about a rank of another node, from the part of a rank of this node. */
static void hear_end(hy_job *job, const uint8_t *part, int rank)
{
    const hy_flag *flag = (const void *)(part + flag_at(job, rank));
    uint64_t state = __atomic_load_n(&flag->value, __ATOMIC_ACQUIRE);
    if (state != HY_RANK_LEFT && state != HY_RANK_DEAD && state != HY_RANK_STOPPED) return;
    hy_store_relaxed(&hy_control_record(job->boot.control, rank)->told,
                     (uint32_t)hy_job_nodes(job));
    hy_far_lost(job, rank, (uint32_t)state);
}

/* All ranks of the node look, and several may find the same end: it is recorded once. */
static void hear_block(hy_job *job, uint8_t *part, int block)
{
    digest *notice = (digest *)(void *)(part + digest_at(job, block));
    uint64_t told = __atomic_load_n(&notice->told.value, __ATOMIC_ACQUIRE);
    if (hy_likely(told == hy_load_acquire(&notice->heard))) return;
    for (int rank = block * BLOCK; rank < job->size && rank < (block + 1) * BLOCK; rank++)
        if (is_there(job, rank) && !hy_control_is_here(job->boot.control, rank))
            hear_end(job, part, rank);
    hy_store_release(&notice->heard, told);
}

/* Ranks before the leader were told while other nodes did not know that those ranks had ended. */
static void hear_ends(hy_job *job, int leader)
{
    const hy_control *control = job->boot.control;
    for (uint32_t i = 0; i < control->parts; i++) {
        int rank = (int)hy_control_entry_at(control, i)->rank;
        if (rank > leader || rank < 0 || rank >= job->size) break;
        uint8_t *part = hy_control_part(job->boot.control, rank);
        for (int block = 0; part && block < blocks_of(job); block++) hear_block(job, part, block);
    }
}

/* Checks the first remaining rank of the next node that still has one. */
static void watch_next(hy_job *job)
{
    const hy_control *control = job->boot.control;
    for (int i = 1; i < control->nodes; i++) {
        int leader = leader_of(job, (control->node + i) % control->nodes);
        if (!is_there(job, leader)) continue;
        hy_far_check(job, leader); /* which records an end */
        return;
    }
}

void hy_membership(hy_job *job)
{
    int leader = leader_of(job, job->boot.control->node);
    hear_ends(job, leader);
    if (job->rank == leader) watch_next(job);
    tell_ends(job);
}

bool hy_membership_lost(hy_job *job, int rank)
{
    hear_ends(job, leader_of(job, job->boot.control->node));
    return hy_control_state(job->boot.control, rank) > HY_RANK_LEFT;
}

bool hy_membership_left(const hy_job *job)
{
    return job->net &&
           hy_load_relaxed(&job->boot.control->failures) != hy_load_relaxed(&job->news_told);
}
