/* SPDX-License-Identifier: Apache-2.0 */
#include "job/news.h"

#include "job/far.h"
#include "job/meeting.h"
#include "path/net.h"

/* value: 1 + the rank that has ended. A later end takes its place: one is enough to fail by. */
static const hy_flag *news_of(const hy_job *job, int lead)
{
    const uint8_t *part = hy_control_part(job->boot.control, lead);
    return part ? (const void *)(part + hy_meeting_news_at(job)) : NULL;
}

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

static void tell(hy_job *job, int rank)
{
    const hy_control *control = job->boot.control;
    const hy_flag flag = {(uint64_t)rank + 1, {0}};
    for (int node = 0; node < control->nodes; node++) {
        int lead = lead_of(job, node);
        hy_ep *ep = &job->eps[lead];
        /* An error is about the lead: who waits for it will hear. */
        if (node != control->node && is_there(job, lead))
            ep->ops->put_flag(ep, hy_meeting_news_at(job), &flag);
    }
}

/* Each end by whoever comes first. */
static void tell_ends(hy_job *job)
{
    hy_control *control = job->boot.control;
    uint32_t failures = hy_load_acquire(&control->failures);
    if (failures == hy_load_relaxed(&job->news_told)) return;
    hy_store_relaxed(&job->news_told, failures);
    for (int rank = 0; rank < job->size; rank++) {
        hy_control_rank *entry = &control->ranks[rank];
        uint32_t untold = 0;
        if (hy_load_acquire(&entry->state) >= HY_RANK_DEAD &&
            atomic_compare_exchange_strong(&entry->told, &untold, 1))
            tell(job, rank);
    }
}

static void hear_ends(hy_job *job, int lead)
{
    const hy_flag *news = news_of(job, lead);
    uint64_t value = news ? __atomic_load_n(&news->value, __ATOMIC_ACQUIRE) : 0;
    if (value == hy_load_relaxed(&job->news_heard)) return;
    hy_store_relaxed(&job->news_heard, value);
    if (value == 0 || value > (uint64_t)job->size) return;
    int rank = (int)value - 1;
    if (hy_control_part(job->boot.control, rank)) return; /* of this node others know */
    hy_store_relaxed(&job->boot.control->ranks[rank].told, 1);
    hy_far_lost(job, rank, HY_RANK_DEAD);
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
