/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of background work: what outlasts a call of the program (an isend, a started
 * collective) goes on in the waits of all calls. It is in the list job->background, whose contract
 * is in base/worklist.h. */
#ifndef HY_JOB_PROGRESS_H
#define HY_JOB_PROGRESS_H

#include "job/job.h"

/* Who steps work of the list: hy_work.by. */
enum {
    HY_BY_CALLS = 1,  /* every call that waits */
    HY_BY_OWNERS = 2, /* calls that wait for work of this kind: a persistent operation */
    HY_BY_THREAD = 4, /* the progress thread (pcoll/progress_thread.c) */
};

/* work() never blocks, may be called by any thread and by several at once, and returns whether
 * operations are still under way. NO_MEMORY. */
int hy_progress_add(hy_job *job, bool (*work)(void *context), void *context);

/* Returns when no thread is inside its work() any more. Must not be called from a work(). */
void hy_progress_remove(hy_job *job, const void *context);

void hy_progress_all(hy_job *job);

/* Steps all background work; called in the turns of waits. */
static inline void hy_progress(hy_job *job)
{
    if (hy_unlikely(hy_worklist_is_pending(&job->background))) hy_progress_all(job);
}

/* Called in waits that poll without a slow turn: the path may need the processor to receive what
 * the wait is for. */
static inline void hy_far_poll(hy_job *job)
{
    if (hy_unlikely(job->far.count)) hy_progress(job);
}

#endif
