/* SPDX-License-Identifier: Apache-2.0 */
#include "job/progress.h"

#include <sched.h>
#include <stdlib.h>

/* Whoever walks says so before it looks for the context; whoever takes that away looks for walkers
 * afterwards. A walker with the old context is seen by the next one who wants the place, too. */

static bool take(hy_progressor *place, bool (*work)(void *context), void *context)
{
    if (hy_load_relaxed(&place->context) || atomic_load(&place->users)) return false;
    place->work = work;
    hy_store_release(&place->context, context); /* release: who sees it sees its work */
    return true;
}

/* The last one has no next yet. */
static hy_progressors *extend(hy_progressors *last)
{
    hy_progressors *more = calloc(1, sizeof *more);
    if (more) hy_store_release(&last->next, more);
    return more;
}

int hy_progress_add(hy_job *job, bool (*work)(void *context), void *context)
{
    bool taken = false;
    pthread_mutex_lock(&job->lock);
    for (hy_progressors *p = &job->progressors, *next; p && !taken; p = next) {
        for (int i = 0; !taken && i < HY_PROGRESSORS; i++) taken = take(&p->list[i], work, context);
        next = hy_load_relaxed(&p->next);
        if (!taken && !next) next = extend(p);
    }
    pthread_mutex_unlock(&job->lock);
    return taken ? HAYATE_OK
                 : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for work in the background");
}

static hy_progressor *find(hy_job *job, const void *context)
{
    for (hy_progressors *p = &job->progressors; p; p = hy_load_acquire(&p->next)) {
        for (int i = 0; i < HY_PROGRESSORS; i++)
            if (hy_load_relaxed(&p->list[i].context) == context) return &p->list[i];
    }
    return NULL;
}

void hy_progress_remove(hy_job *job, const void *context)
{
    hy_progressor *place = find(job, context);
    if (!place) return;
    atomic_store(&place->context, NULL);
    while (atomic_load(&place->users)) sched_yield();
}

void hy_progress_release(hy_job *job)
{
    for (hy_progressors *p = hy_load_relaxed(&job->progressors.next), *next; p; p = next) {
        next = hy_load_relaxed(&p->next);
        free(p);
    }
}

static bool step(hy_progressor *place)
{
    if (!hy_load_relaxed(&place->context)) return false;
    atomic_fetch_add(&place->users, 1);
    void *context = atomic_load(&place->context);
    bool left = context && place->work(context);
    atomic_fetch_sub_explicit(&place->users, 1, memory_order_release);
    return left;
}

void hy_progress_all(hy_job *job)
{
    bool left = false;
    atomic_exchange(&job->background, 0); /* before the walk: see hy_background() */
    for (hy_progressors *p = &job->progressors; p; p = hy_load_acquire(&p->next)) {
        for (int i = 0; i < HY_PROGRESSORS; i++) left |= step(&p->list[i]);
    }
    if (left) hy_store_relaxed(&job->background, 1);
}
