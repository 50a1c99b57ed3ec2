/* SPDX-License-Identifier: Apache-2.0 */
#include "job/news.h"

#include "job/far.h"
#include "job/meeting.h"
#include "path/net.h"

/* value: 1 + the rank that has ended. A later end takes its place: one is enough to fail by. */
static const hy_flag *news_of(const hy_job *job, int lead)
{
    return (const void *)(hy_control_part(job->boot.control, lead) + hy_meeting_news_at(job));
}

static bool is_there(const hy_job *job, int rank)
{
    return hy_load_acquire(&job->boot.control->ranks[rank].state) < HY_RANK_LEFT;
}

static void tell(hy_job *job, int rank)
{
    const hy_control *control = job->boot.control;
    const hy_flag flag = {(uint64_t)rank + 1, {0}};
    for (int node = 0; node < control->nodes; node++) {
        int lead = hy_control_lead(control, node);
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
    uint64_t value = __atomic_load_n(&news_of(job, lead)->value, __ATOMIC_ACQUIRE);
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
        int lead = hy_control_lead(control, (control->node + i) % control->nodes);
        if (!is_there(job, lead)) continue;
        hy_far_check(job, lead); /* an end is noted there */
        return;
    }
}

void hy_news(hy_job *job)
{
    int lead = hy_control_lead(job->boot.control, job->boot.control->node);
    hear_ends(job, lead);
    if (job->rank == lead) watch_next(job);
    tell_ends(job);
}
