/* SPDX-License-Identifier: Apache-2.0 */
/* Remote ranks of a job: progress of their networks in all waits, their failures, and the
 * closing of the networks. */
#include "nodes/far.h"

#include <unistd.h>

#include "nodes/membership.h"
#include "job/progress.h"
#include "net/delegated/offload.h"
#include "net/net.h"

/* A network may need its owner's processor to send and to receive: if it cannot wake a sleeper,
 * sleeps last at most this long. */
#define SLEEP_US 500

static void far_progress(hy_job *job)
{
    for (int i = 0; i < HY_FAR_NETS && job->far.nets[i]; i++)
        job->far.nets[i]->ops->progress(job->far.nets[i]);
}

/* Each look tells one end of a rank, and nothing rings the bell for that. */
static bool are_watched(void *context)
{
    const hy_job *job = context;
    bool all = !hy_membership_left(job);
    for (int i = 0; i < HY_FAR_NETS && job->far.nets[i]; i++) {
        hy_net *net = job->far.nets[i];
        if (!net->ops->watches || !net->ops->watches(net)) all = false;
    }
    return all;
}

static int far_note(hy_far *far, hy_net *net, int ranks)
{
    int i = 0;
    far->count += ranks;
    while (i < HY_FAR_NETS && far->nets[i] && far->nets[i] != net) i++;
    if (i == HY_FAR_NETS)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "this job already has %d networks open, the most that it can have", i);
    far->nets[i] = net;
    return HAYATE_OK;
}

void hy_far_lost(hy_job *job, int rank, uint32_t state)
{
    hy_control_end(job->boot.control, rank, state, HY_WHY_UNREACHABLE);
}

/* Failures of ranks of this node are reported by the launcher or the other ranks of the node.
 * Another error is about this rank, and the others do not hear of it. */
int hy_far_check(hy_job *job, int peer)
{
    hy_ep *ep = hy_job_ep(job, peer);
    int none = 0, rc = ep->net->ops->check(ep);
    if (!rc) return HAYATE_OK;
    if (rc == HAYATE_ERR_PEER_FAILED && hy_job_node_of(job, peer) != job->boot.control->node &&
        !hy_membership_lost(job, peer)) /* one that aborts tells so before it leaves */
        hy_far_lost(job, peer, ep->net->ops->has_left(ep) ? HY_RANK_LEFT : HY_RANK_DEAD);
    atomic_compare_exchange_strong(&job->far.failed, &none, peer + 1);
    return rc;
}

static bool has_left(const hy_job *job, int rank)
{
    return hy_control_state(job->boot.control, rank) == HY_RANK_LEFT;
}

/* A rank that cannot be reached may have ended because another one failed, of which this node had
 * heard before. In a job that survives deaths, the recorded ones are counted. */
static bool is_a_consequence(const hy_job *job, int rank)
{
    int first = hy_control_failed_first(job->boot.control);
    bool known = job->survival.on && hy_control_state(job->boot.control, rank) > HY_RANK_LEFT;
    return known || has_left(job, rank) || (first >= 0 && first != rank);
}

/* Checks the remote rank that this process saw fail first, unless it is the consequence of what the
 * caller knows. To ask about all ranks would connect this rank with all of them. */
static int check_all(hy_job *job)
{
    int seen = hy_load_acquire(&job->far.failed) - 1;
    int rc = seen < 0 || is_a_consequence(job, seen) ? HAYATE_OK : hy_far_check(job, seen);
    return rc && is_a_consequence(job, seen) ? HAYATE_OK : rc;
}

static int flush_rank(hy_job *job, hy_ep *ep)
{
    if (!ep->net) return HAYATE_OK;
    int rc = ep->ops->flush(ep), others = hy_far_flush_lanes(job, ep->rank);
    return rc || others > 0 ? rc : others;
}

/* Of those that were used. */
static int flush(hy_job *job)
{
    int rc = HAYATE_OK, one;
    uint64_t place = 0;
    for (uint32_t i = 0; i < job->eps_count; i++)
        if ((one = flush_rank(job, &job->eps[i])) && !rc) rc = one;
    for (hy_ep *ep; (ep = hy_sparse_next(&job->other_eps, &place, NULL));)
        if ((one = flush_rank(job, ep)) && !rc) rc = one;
    return rc;
}

/* For ranks that share a node under HAYATE_NET_LOCAL, the launcher reports failures. */
static int far_look(hy_job *job)
{
    if (job->net) hy_membership(job);
    return job->delegate ? hy_offload_lost(job->delegate) : HAYATE_OK;
}

static const hy_nodes_ops ops = {.progress = far_progress,
                                 .look = far_look,
                                 .more = hy_membership_left,
                                 .check = hy_far_check,
                                 .check_all = check_all,
                                 .flush = flush};

int hy_far_open(hy_job *job)
{
    int rc = HAYATE_OK;
    if (job->net) rc = far_note(&job->far, job->net, job->size - (int)job->boot.control->parts);
    for (uint32_t i = 0; !rc && i < job->eps_count; i++) { /* under HAYATE_NET_LOCAL */
        hy_net *net = job->eps[i].net;
        if (net && net != job->net) rc = far_note(&job->far, net, 1);
    }
    if (job->far.count) job->nodes = &ops;
    if (!rc && job->far.count) rc = hy_far_open_lanes(job);
    if (rc || !job->far.count) return rc;
    job->policy.limit = (hy_wait_limit){.us = SLEEP_US, .lifted = are_watched, .context = job};
    job->boot.idle_limit = job->policy.limit;
    hy_worklist_wake(&job->background);
    return HAYATE_OK;
}

/* Other nodes are to know that a rank has aborted, and did not just leave, in a process that goes
 * on. */
void hy_far_leave(hy_job *job)
{
    if (job->net && hy_control_state(job->boot.control, job->rank) > HY_RANK_LEFT)
        hy_membership_tell(job);
    hy_membership_finish(job);
    for (int i = 0; i < HY_FAR_NETS && job->far.nets[i]; i++)
        job->far.nets[i]->ops->leave(job->far.nets[i]);
}

/* A forked child has its parent's connections, but none of its threads: it leaves them alone. */
void hy_far_close(hy_job *job)
{
    hy_membership_close(job);
    bool mine = job->opener == getpid();
    for (int i = 0; mine && i < HY_FAR_NETS && job->far.nets[i]; i++)
        job->far.nets[i]->ops->close(job->far.nets[i]);
    hy_far_free_lanes(job);
    job->far = (hy_far){0};
}
