/* SPDX-License-Identifier: Apache-2.0 */
/* What outlasts a call of the program (an isend, a started collective) goes on in the waits of
 * all calls, and so do networks. It is in the list job->background: base/worklist.h. */
#ifndef HY_JOB_PROGRESS_H
#define HY_JOB_PROGRESS_H

#include "job/job.h"

/* Who steps work of the list: hy_work.by. */
enum {
    HY_BY_CALLS = 1,  /* every call that waits */
    HY_BY_OWNERS = 2, /* calls that wait for work of this kind: a persistent operation */
    HY_BY_THREAD = 4, /* the progress thread (pcoll/progress_thread.c) */
};

/* Makes progress on the networks, and steps all background work that calls step. Any thread, also
 * within a step. */
void hy_progress_all(hy_job *job);

/* The same in a turn of a wait: one load, if there is nothing to do. */
static inline void hy_progress(hy_job *job)
{
    if (hy_unlikely(hy_worklist_is_pending(&job->background))) hy_progress_all(job);
}

/* Claims work, if need be after the step of another thread that has claimed it. */
void hy_work_take(hy_job *job, hy_work *work);

/* Called in waits that poll without a slow turn: the path may need the processor to receive what
 * the wait is for. */
static inline void hy_far_poll(hy_job *job)
{
    if (hy_unlikely(job->far.count)) hy_progress(job);
}

#endif
