/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the protocols of long messages in words, for `hayate info` and the log. */
#include <stdio.h>

#include "msg/rendezvous_ops.h"

static bool is_forced(const hy_job *job, const char *word)
{
    return strcmp(hy_job_rendezvous(job), word) == 0;
}

static void explain_remote(const hy_job *job, int rank, char *text, size_t room)
{
    const char *how = "the sender puts into the heap of a receiver that waits; else the receiver "
                      "fetches from the heap, other memory from the sender's stage";
    if (is_forced(job, "pipeline"))
        how = "the receiver fetches from the sender's stage, set by HAYATE_RENDEZVOUS";
    else if (is_forced(job, "heap"))
        how = "the receiver fetches from the heap, set by HAYATE_RENDEZVOUS";
    snprintf(text, room, "%s: %s", hy_job_row(job, rank)->name, how);
}

/* Describes memory outside the heap, unless direct serves all memory. */
static void explain_outside(const hy_job *job, const hy_ep *ep, char *text, size_t room)
{
    bool loads = ep->single && ep->single->caps & HY_CAP_LOADS;
    unsigned long long from = ep->single ? hy_single_cost(job, 0, loads) : 0;
    if (!ep->single) snprintf(text, room, "pipeline, because: %s", ep->why_not_single);
    else if (loads || from <= HY_CROSSOVER_FROM)
        snprintf(text, room, "%s from %llu bytes on, below that pipeline", ep->single->name, from);
    else
        snprintf(
            text, room,
            "pipeline, from %llu bytes on the faster of pipeline and %s, which is measured, from"
            " %llu on %s",
            (unsigned long long)HY_CROSSOVER_FROM, ep->single->name, from, ep->single->name);
}

void hy_rendezvous_explain(const hy_job *job, int rank, char *text, size_t room)
{
    const hy_ep *ep = hy_job_known_ep(job, rank);
    char outside[224];
    if (hy_job_is_far(job, rank)) {
        explain_remote(job, rank, text, room);
    } else if (job->single_forced && rank == job->rank) {
        snprintf(text, room, "direct: its own memory");
    } else if (!is_forced(job, "auto") && !is_forced(job, "heap")) {
        snprintf(text, room, "%s, set by HAYATE_RENDEZVOUS", hy_job_rendezvous(job));
    } else if (job->direct) {
        snprintf(text, room, "direct: all ranks are in one address space");
    } else {
        explain_outside(job, ep, outside, sizeof outside);
        snprintf(text, room, "from and to the heap by loads and stores; other memory by %s",
                 outside);
    }
}
