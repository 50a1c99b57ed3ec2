/* SPDX-License-Identifier: Apache-2.0 */
/* A list under the lock that a run holds, so that a removal waits for the run. */
#include "job/shrinkers.h"

void hy_shrinker_add(hy_job *job, hy_shrinker *shrinker)
{
    pthread_mutex_lock(&job->asking);
    shrinker->next = job->shrinkers;
    job->shrinkers = shrinker;
    pthread_mutex_unlock(&job->asking);
}

void hy_shrinker_remove(hy_job *job, const hy_shrinker *shrinker)
{
    pthread_mutex_lock(&job->asking);
    hy_shrinker **place = &job->shrinkers;
    while (*place && *place != shrinker) place = &(*place)->next;
    if (*place) *place = shrinker->next;
    pthread_mutex_unlock(&job->asking);
}

/* A second thread waits: it would skip what the first one is visiting, and so report a full heap
 * just before memory becomes free. */
void hy_shrinkers_run(hy_job *job)
{
    pthread_mutex_lock(&job->asking);
    for (hy_shrinker *s = job->shrinkers; s; s = s->next) s->give(s);
    pthread_mutex_unlock(&job->asking);
}
