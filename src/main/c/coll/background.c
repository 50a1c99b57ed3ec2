/* SPDX-License-Identifier: Apache-2.0 */
/* Steps what was started, ends it, and keeps the result until its caller asks for it. */
#include "coll/background.h"

#include "coll/collective.h"
#include "coll/compare.h"
#include "coll/running.h"

static hy_comm *comm_of(const hy_work *work)
{
    return (hy_comm *)((uintptr_t)work - offsetof(hy_comm, started.work));
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
    hy_worklist_remove(&comms->job->background, &started->work);
    hy_store_release(&started->state, HY_STARTED_OVER);
    hy_bell_ring_slow(comms->job->bell);
}

static void background_step(hy_comms *comms, hy_comm *comm)
{
    if (hy_load_relaxed(&comm->started.state) != HY_STARTED_RUNS) return;
    int rc = hy_comms_step(comms, hy_exec_run(&comm->exec));
    if (rc != HAYATE_IN_PROGRESS) background_end(comms, comm, rc);
}

static hy_wanted started_wanted(const hy_work *work)
{
    bool runs = hy_load_relaxed(&comm_of(work)->started.state) == HY_STARTED_RUNS;
    return runs ? HY_WORK_READY : HY_WORK_RESTS;
}

static void started_step(hy_work *work)
{
    background_step((hy_comms *)((uintptr_t)work->worker - offsetof(hy_comms, worker)),
                    comm_of(work));
    hy_work_release(work);
}

void hy_background_open(hy_comms *comms)
{
    comms->worker = (hy_worker){.wanted = started_wanted, .step = started_step};
}

void hy_background_close(hy_comms *comms)
{
    hy_worker_leave(&comms->job->background, &comms->worker, NULL);
}

/* ---- start ---- */

int hy_background_start(hy_comms *comms, int number, const hy_arguments *call)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    int rc = hy_collective_two_sided(comms, number, call, 1);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    hy_store_relaxed(&comm->started.state, HY_STARTED_RUNS);
    hy_worklist_add(&comms->job->background, &comm->started.work, &comms->worker, HY_BY_CALLS);
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
    hy_work_take(w->comms->job, &started->work);
    if (hy_load_relaxed(&started->state) == HY_STARTED_RUNS)
        background_end(w->comms, w->comm, hy_fail_again(&why));
    hy_work_release(&started->work);
}

/* Waits until the thread that has ended it has let go of the work, for a few instructions: then
 * the caller may free the communicator or start another collective on it. A claim that was released
 * later would be that of another thread. */
static int take_result(hy_job *job, hy_started *started)
{
    hy_work_take(job, &started->work);
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
    return take_result(comms->job, started);
}
