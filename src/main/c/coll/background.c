/* SPDX-License-Identifier: Apache-2.0 */
/* Steps what was started, ends it, and keeps the result until its caller asks for it. */
#include "coll/background.h"

#include <sched.h>

#include "coll/collective.h"
#include "coll/compare.h"
#include "coll/running.h"

static hy_comm *comm_of(hy_work *work)
{
    return (hy_comm *)(void *)((uint8_t *)work - offsetof(hy_comm, started.work));
}

/* ---- steps, by the thread that has claimed the work ---- */

/* Gives the caller's memory back. The failure is published by the store after it. As soon as the
 * communicator is released, another thread may run a blocking collective there: nothing of that is
 * touched any more. The claim is held beyond the last store: see take_result(). */
static void background_end(hy_comms *comms, hy_comm *comm, int rc)
{
    hy_started *started = &comm->started;
    rc = hy_running_over(comm, rc);
    started->failure = hy_failure_of(rc);
    hy_worklist_remove(&comms->background, &started->work);
    hy_store_release(&started->state, HY_STARTED_OVER);
    hy_bell_ring_slow(comms->job->bell);
}

static void background_step(hy_comms *comms, hy_comm *comm)
{
    if (hy_load_relaxed(&comm->started.state) != HY_STARTED_RUNS) return;
    int rc = hy_comms_step(comms, hy_exec_run(&comm->exec));
    if (rc != HAYATE_IN_PROGRESS) background_end(comms, comm, rc);
}

static bool runs(const hy_work *work, void *context)
{
    (void)context;
    return hy_load_relaxed(&comm_of((hy_work *)(uintptr_t)work)->started.state) == HY_STARTED_RUNS;
}

static bool background_progress(void *context)
{
    hy_comms *comms = context;
    hy_walk walk = {.begun = false};
    hy_work *work;
    bool beaten;
    if (hy_worklist_is_empty(&comms->background)) return false;
    while ((work = hy_walk_try(&comms->background, &walk, runs, NULL, &beaten))) {
        background_step(comms, comm_of(work));
        hy_work_release(work);
    }
    return !hy_worklist_is_empty(&comms->background);
}

/* ---- start ---- */

static int background_open(hy_comms *comms)
{
    int rc = HAYATE_OK;
    pthread_mutex_lock(&comms->lock);
    if (!comms->has_background) {
        hy_worklist_open(&comms->background);
        rc = hy_progress_add(comms->job, background_progress, comms);
        if (rc) hy_worklist_close(&comms->background);
        else comms->has_background = true;
    }
    pthread_mutex_unlock(&comms->lock);
    return rc;
}

void hy_background_close(hy_comms *comms)
{
    if (!comms->has_background) return;
    hy_progress_remove(comms->job, comms);
    hy_worklist_close(&comms->background);
}

int hy_background_start(hy_comms *comms, int number, const hy_arguments *call)
{
    hy_comm *comm = hy_comm_find(comms, number);
    int rc = comm ? background_open(comms) : HAYATE_ERR_ARGUMENT;
    if (rc) return rc;
    rc = hy_collective_two_sided(comms, number, call, 1);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    hy_store_relaxed(&comm->started.state, HY_STARTED_RUNS);
    hy_worklist_add(&comms->background, &comm->started.work, NULL, 0);
    hy_worklist_wake(&comms->job->background);
    return rc;
}

/* ---- the wait of its caller ---- */

typedef struct waiting {
    hy_comms *comms;
    hy_comm *comm;
} waiting;

static int background_over(void *context)
{
    const waiting *w = context;
    hy_started *started = &w->comm->started;
    if (hy_load_acquire(&started->state) != HY_STARTED_OVER && hy_work_claim(&started->work)) {
        background_step(w->comms, w->comm);
        hy_work_release(&started->work);
    }
    if (hy_load_acquire(&started->state) != HY_STARTED_OVER) return HAYATE_IN_PROGRESS;
    return HAYATE_OK;
}

/* While another thread steps it, that thread meets what is wrong, or the next slow turn does. */
static int background_idle(void *context)
{
    const waiting *w = context;
    hy_started *started = &w->comm->started;
    if (!hy_work_claim(&started->work)) return hy_comms_check(w->comms);
    int rc = HAYATE_OK;
    const uint32_t next = w->comm->exec.next;
    if (hy_load_relaxed(&started->state) == HY_STARTED_RUNS)
        rc = hy_comm_idle(w->comms, w->comm, hy_exec_peer(&w->comm->exec));
    if (rc) background_step(w->comms, w->comm); /* what was sent before still counts */
    if (hy_load_relaxed(&started->state) != HY_STARTED_RUNS || w->comm->exec.next != next)
        rc = HAYATE_OK;
    hy_work_release(&started->work);
    return rc;
}

static void background_tell(const void *context, hy_awaited *awaited)
{
    const waiting *w = context;
    hy_started *started = &w->comm->started;
    awaited->kind = HY_AWAITED_REQUESTS;
    awaited->number = 1;
    if (!hy_work_claim(&started->work)) return;
    if (hy_load_relaxed(&started->state) == HY_STARTED_RUNS)
        hy_collective_tell(w->comms, w->comm, awaited);
    hy_work_release(&started->work);
}

void hy_background_tell(hy_comms *comms, int number, hy_awaited *awaited)
{
    const waiting w = {comms, hy_comm_find(comms, number)};
    if (w.comm) background_tell(&w, awaited);
}

/* The wait must not go on. A function of the program may be running in another thread's step. */
static void give_up(const waiting *w, int rc)
{
    hy_started *started = &w->comm->started;
    const hy_failure why = hy_failure_of(rc);
    while (!hy_work_claim(&started->work)) sched_yield();
    if (hy_load_relaxed(&started->state) == HY_STARTED_RUNS)
        background_end(w->comms, w->comm, hy_fail_again(&why));
    hy_work_release(&started->work);
}

/* Waits until the thread that has ended it has let go of the work, for a few instructions: then
 * the caller may free the communicator or start another collective on it. A claim that was released
 * later would be that of another thread. */
static int take_result(hy_started *started)
{
    while (!hy_work_claim(&started->work)) sched_yield();
    hy_store_relaxed(&started->state, HY_STARTED_NONE);
    hy_work_release(&started->work);
    return started->failure.code ? hy_fail_again(&started->failure) : HAYATE_OK;
}

int hy_background_wait(hy_comms *comms, int number, uint32_t turns, const hy_limit *limit)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    hy_started *started = &comm->started;
    if (hy_load_acquire(&started->state) == HY_STARTED_NONE)
        return hy_fail(HAYATE_ERR_STATE, "no collective is under way on communicator %d", number);
    waiting w = {comms, comm};
    int rc = hy_job_await(&(hy_await){.job = comms->job,
                                      .step = background_over,
                                      .idle = background_idle,
                                      .tell = background_tell,
                                      .context = &w,
                                      .poll = hy_progress,
                                      .turns = turns,
                                      .limit = limit});
    if (rc == HAYATE_IN_PROGRESS) return rc;
    if (rc) give_up(&w, rc);
    return take_result(started);
}
