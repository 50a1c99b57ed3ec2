/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that go on beside the calls of the program (an isend, a started collective) are worked
 * on in the waits of all calls: whoever has such operations registers a progressor, and says so in
 * job->background when one begins. That is a plain store; it is the progressors' walk that finds
 * out when nothing is left to do.
 */
#ifndef HY_JOB_PROGRESS_H
#define HY_JOB_PROGRESS_H

#include "job/job.h"

/* work() never blocks, may be called by any thread, by several at once, and tells whether anything
 * is still under way. NO_MEMORY. */
int hy_progress_add(hy_job *job, bool (*work)(void *context), void *context);

/* Returns when no thread is in its work() any more. Not to be called from a work(). */
void hy_progress_remove(hy_job *job, const void *context);

void hy_progress_all(hy_job *job);

static inline void hy_progress(hy_job *job)
{
    if (hy_unlikely(hy_load_relaxed(&job->background) != 0)) hy_progress_all(job);
}

/* In waits that poll without a slow turn: the path may need the processor to bring what is waited
 * for. */
static inline void hy_far_poll(hy_job *job)
{
    if (hy_unlikely(job->far.count)) hy_progress(job);
}

/* After the operation's own "under way". release: the walk that clears this mark, or a later one,
 * sees the operation. */
static inline void hy_background(hy_job *job)
{
    hy_store_release(&job->background, 1);
}

#endif
