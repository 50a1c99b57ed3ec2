/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the flags by which nodes tell each other of ranks that have ended, and watches the next
 * node. */
#include "nodes/membership.h"

#include "nodes/far.h"
#include "nodes/membership_flags.h"

/* Reads what was told about a rank of another node, from the part of a rank of this node. */
static void read_end(hy_job *job, const uint8_t *part, int rank)
{
    const hy_flag *flag = (const void *)(part + hy_membership_flag_at(job, rank));
    uint64_t state = __atomic_load_n(&flag->value, __ATOMIC_ACQUIRE);
    if (state != HY_RANK_LEFT && state != HY_RANK_DEAD && state != HY_RANK_STOPPED) return;
    hy_store_relaxed(&hy_control_record(job->boot.control, rank)->told,
                     (uint32_t)hy_job_nodes(job));
    hy_far_lost(job, rank, (uint32_t)state);
}

/* All ranks of the node look, and several may find the same end: it is recorded once. */
static void read_block(hy_job *job, uint8_t *part, int block)
{
    hy_membership_digest *notice = (hy_membership_digest *)(void *)(part + hy_membership_digest_at(
                                                                               job, block));
    uint64_t told = __atomic_load_n(&notice->told.value, __ATOMIC_ACQUIRE);
    if (hy_likely(told == hy_load_acquire(&notice->read_up_to))) return;
    for (int rank = block * HY_MEMBERSHIP_BLOCK;
         rank < job->size && rank < (block + 1) * HY_MEMBERSHIP_BLOCK; rank++)
        if (hy_membership_is_there(job, rank) && !hy_control_is_here(job->boot.control, rank))
            read_end(job, part, rank);
    hy_store_release(&notice->read_up_to, told);
}

/* Ranks before the leader were told while other nodes did not know that those ranks had ended. */
static void read_ends(hy_job *job, int leader)
{
    const hy_control *control = job->boot.control;
    for (uint32_t i = 0; i < control->parts; i++) {
        int rank = (int)hy_control_rank_at(control, i);
        if (rank > leader || rank < 0 || rank >= job->size) break;
        uint8_t *part = hy_control_part(job->boot.control, rank);
        for (int block = 0; part && block < hy_membership_blocks(job); block++)
            read_block(job, part, block);
    }
}

/* Checks the first remaining rank of the next node that still has one. */
static void watch_next(hy_job *job)
{
    const hy_control *control = job->boot.control;
    for (int i = 1; i < control->nodes; i++) {
        int leader = hy_membership_leader(job, (control->node + i) % control->nodes);
        if (!hy_membership_is_there(job, leader)) continue;
        hy_far_check(job, leader); /* which records an end */
        return;
    }
}

void hy_membership(hy_job *job)
{
    int leader = hy_membership_leader(job, job->boot.control->node);
    read_ends(job, leader);
    if (job->rank == leader) watch_next(job);
    hy_membership_tell(job);
}

bool hy_membership_lost(hy_job *job, int rank)
{
    read_ends(job, hy_membership_leader(job, job->boot.control->node));
    return hy_control_state(job->boot.control, rank) > HY_RANK_LEFT;
}
