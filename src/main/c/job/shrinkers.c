/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinkers are hooks, run by one thread at a time. */
#include "job/shrinkers.h"

int hy_shrinker_add(hy_job *job, bool (*give)(void *context), void *context)
{
    pthread_mutex_lock(&job->lock);
    bool added = hy_hooks_add(&job->shrinkers, give, context);
    pthread_mutex_unlock(&job->lock);
    return added ? HAYATE_OK : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a shrinker");
}

void hy_shrinker_remove(hy_job *job, const void *context)
{
    hy_hooks_remove(&job->shrinkers, context);
}

/* A second thread waits: it would skip what the first one is visiting, and so report a full heap
 * just before memory becomes free. */
void hy_shrinkers_run(hy_job *job)
{
    pthread_mutex_lock(&job->asking);
    hy_hooks_call(&job->shrinkers);
    pthread_mutex_unlock(&job->asking);
}
