/* SPDX-License-Identifier: Apache-2.0 */
/* The abilities of this library and this machine, for JNA: `hayate info` and `hayate doctor`. */
#include "job/job.h"
#include "msg/rendezvous.h"
#include "net/net.h"

HAYATE_API int64_t hayate_binding_identity(void)
{
    return (int64_t)(intptr_t)hayate_version;
}

HAYATE_API const char *hayate_binding_version(void)
{
    return hayate_version();
}

HAYATE_API const char *hayate_binding_strerror(int code)
{
    return hayate_strerror(code);
}

/* The paths inside a node, then the networks. */
static const hy_path_ops *path_at(int index)
{
    int paths = 0;
    while (hy_paths[paths]) paths++;
    if (index >= 0 && index < paths) return hy_paths[index];
    for (int i = 0; hy_nets[i]; i++) {
        if (index - paths == i) return hy_nets[i]->row;
    }
    return NULL;
}

/* The name of path number `index`; NULL if there is none. */
HAYATE_API const char *hayate_binding_path_name(int index)
{
    const hy_path_ops *path = path_at(index);
    return path ? path->name : NULL;
}

/* Why this process cannot use the path; NULL if it can. */
HAYATE_API const char *hayate_binding_path_reason(int index)
{
    const hy_path_ops *path = path_at(index);
    return path && path->probe() ? hayate_error() : NULL;
}

/* The launcher of the job: a row of boot.h, or "threads". */
HAYATE_API const char *hayate_binding_job_launcher(const hy_job *job)
{
    return job->boot.ops->name;
}

/* The name of the path for long messages with a rank of the job, or NULL. */
HAYATE_API const char *hayate_binding_peer_single(const hy_job *job, int rank)
{
    const hy_ep *ep = rank < 0 || rank >= job->size ? NULL : hy_job_known_ep(job, rank);
    return ep && ep->single ? ep->single->name : NULL;
}

/* Why there is no single copy with a rank; NULL if there is one. */
HAYATE_API const char *hayate_binding_peer_reason(const hy_job *job, int rank)
{
    if (rank < 0 || rank >= job->size) return NULL;
    const hy_ep *ep = hy_job_known_ep(job, rank);
    if (!ep) return "it is on another node";
    return ep->single ? NULL : ep->why_not_single;
}

/* Describes which protocol long messages use, and why; `text` has room for `room` bytes. */
HAYATE_API void hayate_binding_peer_way(const hy_job *job, int rank, char *text, int room)
{
    if (room < 1) return;
    text[0] = '\0';
    if (rank >= 0 && rank < job->size) hy_rendezvous_explain(job, rank, text, (size_t)room);
}

/* The node of a rank, or -1. */
HAYATE_API int hayate_binding_peer_node(const hy_job *job, int rank)
{
    return rank < 0 || rank >= job->size ? -1 : hy_job_node_of(job, rank);
}

HAYATE_API const char *hayate_binding_peer_path(const hy_job *job, int rank)
{
    return rank < 0 || rank >= job->size ? NULL : hy_job_row(job, rank)->name;
}

/* Describes by which path a rank is reached, and why; `text` has room for `room` bytes. */
HAYATE_API void hayate_binding_peer_why(const hy_job *job, int rank, char *text, int room)
{
    if (room < 1) return;
    text[0] = '\0';
    if (rank >= 0 && rank < job->size) hy_job_explain_path(job, rank, text, (size_t)room);
}

/* The protocol for long messages: "auto", "pipeline", ... (HAYATE_RENDEZVOUS). */
HAYATE_API const char *hayate_binding_rendezvous(const hy_job *job)
{
    return hy_job_rendezvous(job);
}

HAYATE_API int64_t hayate_binding_eager_limit(const hy_job *job)
{
    return (int64_t)job->eager_limit;
}
