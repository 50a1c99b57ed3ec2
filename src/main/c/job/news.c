/* SPDX-License-Identifier: Apache-2.0 */
#include "job/news.h"

#include "job/far.h"
#include "job/meeting.h"
#include "path/net.h"

static bool is_there(const hy_job *job, int rank)
{
    return hy_load_acquire(&job->boot.control->ranks[rank].state) < HY_RANK_LEFT;
}

/* The first rank of a node that has not left; the first of all if all have. */
static int lead_of(const hy_job *job, int node)
{
    for (int rank = 0; rank < job->size; rank++)
        if (hy_job_node_of(job, rank) == node && is_there(job, rank)) return rank;
    return hy_control_lead(job->boot.control, node);
}

/* To the lead, and behind it to the next one if it is gone. What else keeps it from being told is
 * about the lead: who waits for it will hear. */
static void tell_node(hy_job *job, int node, int rank, const hy_flag *flag)
{
    for (int lead; is_there(job, lead = lead_of(job, node));) {
        hy_ep *ep = &job->eps[lead];
        if (!ep->ops->put_flag(ep, hy_meeting_news_at(job, rank), flag) || !hy_far_check(job, lead))
            return;
    }
}

/* Of a rank that left whoever comes first tells one node more; of a failure all, for who has seen
 * that waits no longer. True: all know. */
static bool tell(hy_job *job, int rank)
{
    hy_control *control = job->boot.control;
    hy_control_rank *entry = &control->ranks[rank];
    const hy_flag flag = {hy_load_acquire(&entry->state), {0}};
    uint32_t node = hy_load_relaxed(&entry->told), nodes = (uint32_t)control->nodes;
    if (flag.value < HY_RANK_LEFT) return true;
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
    for (int rank = 0; rank < job->size; rank++) all &= tell(job, rank);
    if (all) hy_store_relaxed(&job->news_told, failures);
}

/* What `lead`, of this node, was told of the rank, of another. */
static void hear_end(hy_job *job, int lead, int rank)
{
    hy_control *control = job->boot.control;
    const uint8_t *part = hy_control_part(control, lead);
    const hy_flag *flag = (const void *)(part + hy_meeting_news_at(job, rank));
    uint64_t state = __atomic_load_n(&flag->value, __ATOMIC_ACQUIRE);
    if (state != HY_RANK_LEFT && state != HY_RANK_DEAD && state != HY_RANK_STOPPED) return;
    hy_store_relaxed(&control->ranks[rank].told, (uint32_t)control->nodes);
    hy_far_lost(job, rank, (uint32_t)state);
}

/* Those before the lead were told while other nodes did not know that they are gone. */
static void hear_ends(hy_job *job, int lead)
{
    for (int told = 0; told <= lead; told++) {
        if (!hy_control_part(job->boot.control, told)) continue;
        for (int rank = 0; rank < job->size; rank++)
            if (is_there(job, rank) && !hy_control_part(job->boot.control, rank))
                hear_end(job, told, rank);
    }
}

/* The first rank of the next node that has one still. */
static void watch_next(hy_job *job)
{
    const hy_control *control = job->boot.control;
    for (int i = 1; i < control->nodes; i++) {
        int lead = lead_of(job, (control->node + i) % control->nodes);
        if (!is_there(job, lead)) continue;
        hy_far_check(job, lead); /* an end is noted there */
        return;
    }
}

void hy_news(hy_job *job)
{
    int lead = lead_of(job, job->boot.control->node);
    hear_ends(job, lead);
    if (job->rank == lead) watch_next(job);
    tell_ends(job);
}
