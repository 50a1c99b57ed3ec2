/* SPDX-License-Identifier: Apache-2.0 */
/* A turn of the networks, and a walk over the background work. */
#include "job/progress.h"

void hy_progress_all(hy_job *job)
{
    _Atomic uint32_t *pending = &job->background.pending;
    bool far = job->nodes != NULL;
    atomic_exchange(pending, 0); /* before the walk: see hy_worklist_wake() */
    if (hy_unlikely(far)) job->nodes->progress(job);
    bool left = hy_worklist_step(&job->background, HY_BY_CALLS) || far;
    /* No plain store: a walk that takes this mark must also see what the thread did that had set it
     * meanwhile, and only an exchange passes that on (a release sequence of C11). */
    if (left) atomic_exchange_explicit(pending, 1, memory_order_relaxed);
}
