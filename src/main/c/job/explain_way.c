/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "job/job.h"
#include "path/net.h"

static const char *forced(const hy_job *job, const hy_ep *ep)
{
    bool single = job->rendezvous == HY_RENDEZVOUS_CMA;
    if (single && ep->rank == job->rank) return "direct: its own memory";
    switch (job->asked) {
    case HY_RENDEZVOUS_PIPELINE: return "pipeline, as HAYATE_RENDEZVOUS says";
    case HY_RENDEZVOUS_CMA: return "cma, as HAYATE_RENDEZVOUS says";
    case HY_RENDEZVOUS_COPY: return "copy, as HAYATE_RENDEZVOUS says";
    case HY_RENDEZVOUS_ATTACH: return "attach, as HAYATE_RENDEZVOUS says";
    case HY_RENDEZVOUS_DIRECT: return "direct, as HAYATE_RENDEZVOUS says";
    default: return NULL;
    }
}

/* The way of memory outside of the heap, where not all goes by direct. */
static void explain_outside(const hy_job *job, const hy_ep *ep, char *text, size_t room)
{
    if (ep->single)
        snprintf(text, room, "%s from %llu bytes on, below that pipeline", ep->single->name,
                 (unsigned long long)job->cma_from);
    else snprintf(text, room, "pipeline, because: %s", ep->why_not_single);
}

void hy_job_explain_path(const hy_job *job, int rank, char *text, size_t room)
{
    const hy_ep *ep = &job->eps[rank];
    const char *path = hy_job_row(job, rank)->name;
    const hy_net *net = ep->net ? ep->net : job->net;
    char what[128] = "";
    if (!hy_ep_is_far(ep)) {
        snprintf(text, room, "%s: it lives on this node", path);
        return;
    }
    if (net->ops->describe) net->ops->describe(net, what, sizeof what);
    snprintf(text, room, "%s: %s, to node %d; %s", path, what, hy_job_node_of(job, rank),
             job->why_net);
}

void hy_job_explain_way(const hy_job *job, int rank, char *text, size_t room)
{
    const hy_ep *ep = &job->eps[rank];
    const char *way = forced(job, ep);
    char outside[224];
    if (hy_ep_is_far(ep)) {
        bool staged = job->rendezvous == HY_RENDEZVOUS_PIPELINE;
        snprintf(text, room, "%s: the receiver fetches from the %s", hy_job_row(job, rank)->name,
                 staged ? "sender's stage, as HAYATE_RENDEZVOUS says"
                        : "heap, other memory from the sender's stage");
    } else if (way) {
        snprintf(text, room, "%s", way);
    } else if (job->direct) {
        snprintf(text, room, "direct: all ranks live in one address space");
    } else {
        explain_outside(job, ep, outside, sizeof outside);
        snprintf(text, room, "from and to the heap by loads and stores; other memory by %s",
                 outside);
    }
}
