/* SPDX-License-Identifier: Apache-2.0 */
/* A walk clears the mark of the list first and sets it again if work is left. */
#include "job/progress.h"

int hy_progress_add(hy_job *job, bool (*work)(void *context), void *context)
{
    pthread_mutex_lock(&job->lock);
    bool added = hy_hooks_add(&job->progressors, work, context);
    pthread_mutex_unlock(&job->lock);
    return added ? HAYATE_OK : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for background operations");
}

void hy_progress_remove(hy_job *job, const void *context)
{
    hy_hooks_remove(&job->progressors, context);
}

void hy_progress_all(hy_job *job)
{
    _Atomic uint32_t *pending = &job->background.pending;
    atomic_exchange(pending, 0); /* before the walk: see hy_worklist_wake() */
    bool left = hy_hooks_call(&job->progressors);
    left |= hy_worklist_step(&job->background, HY_BY_CALLS);
    /* No plain store: a walk that takes this mark must also see what the thread did that had set it
     * meanwhile, and only an exchange passes that on (a release sequence of C11). */
    if (left) atomic_exchange_explicit(pending, 1, memory_order_relaxed);
}
