/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the endpoints (hy_ep) of ranks of other nodes at their first use, and describes the path
 * to a rank. */
#include <stdio.h>

#include "job/job.h"
#include "path/net.h"

/* A thread that sees the row of the endpoint sees all of it. */
hy_ep *hy_job_make_ep(hy_job *job, int rank)
{
    hy_ep *ep = &job->eps[rank], made = {.why_not_single = "it is on another node"};
    pthread_mutex_lock(&job->lock);
    if (!ep->ops) {
        job->net->ops->attach(job->net, &made, rank, 0);
        made.part_bytes = job->part_bytes;
        const hy_path_ops *row = made.ops;
        made.ops = NULL;
        *ep = made;
        __atomic_store_n(&ep->ops, row, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&job->lock);
    return ep;
}

uint64_t hy_job_part_bytes(const hy_job *job, int rank)
{
    const hy_ep *ep = &job->eps[rank];
    return __atomic_load_n(&ep->ops, __ATOMIC_ACQUIRE) ? ep->part_bytes : job->part_bytes;
}

const hy_path_ops *hy_job_row(const hy_job *job, int rank)
{
    const hy_path_ops *row = __atomic_load_n(&job->eps[rank].ops, __ATOMIC_ACQUIRE);
    return row ? row : job->net->ops->row;
}

void hy_job_explain_path(const hy_job *job, int rank, char *text, size_t room)
{
    const hy_ep *ep = &job->eps[rank];
    const char *path = hy_job_row(job, rank)->name;
    const hy_net *net = ep->net ? ep->net : job->net;
    char what[128] = "";
    if (!hy_ep_is_far(ep)) {
        snprintf(text, room, "%s: it is on this node", path);
        return;
    }
    if (net->ops->describe) net->ops->describe(net, what, sizeof what);
    snprintf(text, room, "%s: %s, to node %d; %s", path, what, hy_job_node_of(job, rank),
             job->why_net);
}
