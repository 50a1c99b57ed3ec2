/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of background operations. Operations that outlast a call of the program (an isend, a
 * started collective) make progress in the waits of all calls. Their layer registers a
 * progressor, and sets job->background when an operation begins. That is a plain store; only the
 * walk over the progressors finds out that nothing is left to do. */
#ifndef HY_JOB_PROGRESS_H
#define HY_JOB_PROGRESS_H

#include "job/job.h"

/* work() never blocks, may be called by any thread and by several at once, and returns whether
 * operations are still under way. NO_MEMORY. */
int hy_progress_add(hy_job *job, bool (*work)(void *context), void *context);

/* Returns when no thread is inside its work() any more. Must not be called from a work(). */
void hy_progress_remove(hy_job *job, const void *context);

void hy_progress_all(hy_job *job);

static inline void hy_progress(hy_job *job)
{
    if (hy_unlikely(hy_load_relaxed(&job->background) != 0)) hy_progress_all(job);
}

/* Called in waits that poll without a slow turn: the path may need the processor to receive what
 * the wait is for. */
static inline void hy_far_poll(hy_job *job)
{
    if (hy_unlikely(job->far.count)) hy_progress(job);
}

/* Called after the operation is marked as under way. Release order: the walk that clears this
 * mark, or a later one, sees the operation. */
static inline void hy_background(hy_job *job)
{
    hy_store_release(&job->background, 1);
}

#endif
