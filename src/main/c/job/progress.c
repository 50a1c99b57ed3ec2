/* SPDX-License-Identifier: Apache-2.0 */
/* A turn of the networks, and a walk over the background work. */
#include "job/await.h"

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

static int try_to_claim(void *work)
{
    return hy_work_claim(work) ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

/* Nobody rings the bell for a claim that is released, so this wait does not sleep. It makes no
 * progress, which the thread that it waits for does. */
void hy_work_take(hy_job *job, hy_work *work)
{
    if (hy_likely(hy_work_claim(work))) return;
    const hy_wait_policy awake = {.yields = HY_WAIT_NEVER_SLEEPS, .lap_ns = job->policy.lap_ns};
    hy_wait wait = hy_wait_begin(&awake, job->bell);
    hy_await_on(&(hy_await){.job = job, .step = try_to_claim, .context = work}, &wait);
    hy_job_wait_end(job, &wait);
}
