/* SPDX-License-Identifier: Apache-2.0 */
/* The endpoints (hy_ep): those of ranks of other nodes are made at their first use. Describes the
 * path to a rank. */
#include <stdio.h>
#include <stdlib.h>

#include "job/job.h"
#include "net/net.h"

/* The ranks of this node are in ascending order: they follow each other if the last one does. */
static bool are_in_a_row(const hy_job *job, int first, int count)
{
    const hy_control *control = job->boot.control;
    int last = first + count - 1;
    return first >= 0 && last < job->size && hy_control_part_number(control, first) == 0 &&
           hy_control_part_number(control, last) == count - 1;
}

/* The reserve of the others is address space only: as much as there can ever be, so that the first
 * use of a rank does not fail. */
int hy_job_open_eps(hy_job *job)
{
    const hy_control *control = job->boot.control;
    bool row = are_in_a_row(job, control->leader, (int)control->parts);
    job->eps_first = row ? (uint32_t)control->leader : 0;
    size_t near = row ? control->parts : 0, others = (size_t)job->size - near;
    job->eps = calloc(near + 1, sizeof *job->eps);
    job->other_memory = calloc(others + 1, sizeof *job->other_memory);
    if (!job->eps || !job->other_memory)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d ranks", job->size);
    job->eps_count = (uint32_t)near;
    return hy_sparse_open_reserved(&job->other_eps, (uint64_t)job->size);
}

void hy_job_close_eps(hy_job *job)
{
    hy_sparse_close(&job->other_eps);
    free(job->other_memory);
    free(job->eps);
}

/* Under the lock. Cannot fail: see hy_job_open_eps(). */
static hy_ep *add(hy_job *job, int rank, const hy_ep *made)
{
    hy_ep *ep = &job->other_memory[job->other_eps.count];
    *ep = *made;
    hy_sparse_add(&job->other_eps, (uint32_t)rank, ep);
    return ep;
}

hy_ep *hy_job_make_ep(hy_job *job, int rank)
{
    hy_ep made = {.why_not_single = "it is on another node"};
    pthread_mutex_lock(&job->lock);
    hy_ep *ep = hy_sparse_find(&job->other_eps, (uint32_t)rank);
    if (!ep) {
        job->net->ops->attach(job->net, &made, rank, 0);
        made.part_bytes = job->part_bytes;
        ep = add(job, rank, &made);
    }
    pthread_mutex_unlock(&job->lock);
    return ep;
}

hy_ep *hy_job_set_ep(hy_job *job, int rank, const hy_ep *made)
{
    pthread_mutex_lock(&job->lock);
    hy_ep *ep = hy_job_known_ep(job, rank);
    if (ep) *ep = *made;
    else ep = add(job, rank, made);
    pthread_mutex_unlock(&job->lock);
    return ep;
}

uint64_t hy_job_part_bytes(const hy_job *job, int rank)
{
    const hy_ep *ep = hy_job_known_ep(job, rank);
    return ep ? ep->part_bytes : job->part_bytes;
}

const hy_path_ops *hy_job_row(const hy_job *job, int rank)
{
    const hy_ep *ep = hy_job_known_ep(job, rank);
    return ep ? ep->ops : job->net->ops->row;
}

void hy_job_explain_path(const hy_job *job, int rank, char *text, size_t room)
{
    const hy_ep *ep = hy_job_known_ep(job, rank);
    const char *path = hy_job_row(job, rank)->name;
    const hy_net *net = ep && ep->net ? ep->net : job->net;
    char what[128] = "";
    if (!hy_job_is_far(job, rank)) {
        snprintf(text, room, "%s: it is on this node", path);
        return;
    }
    if (net->ops->describe) net->ops->describe(net, what, sizeof what);
    snprintf(text, room, "%s: %s, to node %d; %s", path, what, hy_job_node_of(job, rank),
             job->why_net);
}
