/* SPDX-License-Identifier: Apache-2.0 */
/* All operations of a rank, and how they are closed. An operation that is closed on this rank lives
 * on until all peers have closed it too, because they may still read its memory. */
#include <stdlib.h>

#include "job/await.h"
#include "pcoll/operation.h"

/* How long a close waits for threads that work on operations. */
#define CLOSE_NS UINT64_C(10000000)

/* Tells the peers once: after the communicators are closed, the peers' lines may be used for
 * something else. */
static void operations_leave(hy_pcoll *op)
{
    if (!atomic_exchange(&op->left, true)) hy_wired_leave(&op->wired);
}

/* Of all operations, those that stay open: other threads work on them. */
typedef struct leaving {
    hy_pcolls *all;
    int staying;
} leaving;

static bool stays(const hy_work *work, void *context)
{
    leaving *l = context;
    bool is_there = work->worker == &l->all->worker && !hy_load_relaxed(&hy_pcoll_of(work)->left);
    l->staying += is_there;
    return is_there;
}

/* Closes all operations on which no thread works. True: that was all of them. */
static bool leave_some(hy_pcolls *all)
{
    hy_walk walk = {.begun = false};
    hy_work *work;
    leaving l = {.all = all};
    while ((work = hy_walk_next(&all->comms->job->background, &walk, stays, &l))) {
        operations_leave(hy_pcoll_of(work));
        l.staying--;
        hy_work_release(work);
    }
    return l.staying == 0;
}

static int step_leaving(void *all)
{
    return leave_some(all) ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

/* Waits a moment for threads that work on operations. A function of the program may be what closes,
 * or may not return: the peers are not told about the operation that calls it. */
static void close_all(hy_extension *extension)
{
    hy_pcolls *all = (hy_pcolls *)extension;
    const hy_limit moment = {.ns = CLOSE_NS};
    hy_store_release(&all->stop, 1);
    hy_job_await(&(hy_await){
        .job = all->comms->job, .step = step_leaving, .context = all, .limit = &moment});
    hy_bell_ring_slow(&all->bell);
}

static void destroy_list(hy_pcoll *op, bool late)
{
    for (hy_pcoll *next; op; op = next) {
        next = op->next;
        hy_pcoll_destroy(op, late);
    }
}

static void destroy_open(hy_work *work)
{
    hy_pcoll_destroy(hy_pcoll_of(work), true);
}

static void free_all(hy_extension *extension)
{
    hy_pcolls *all = (hy_pcolls *)extension;
    hy_pcolls_stop_thread(all);
    hy_worker_leave(&all->comms->job->background, &all->worker, destroy_open);
    destroy_list(all->leaving, true);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

static hy_pcolls *make(hy_comms *comms)
{
    hy_pcolls *all = calloc(1, sizeof *all);
    if (!all) {
        hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for persistent collectives");
        return NULL;
    }
    *all = (hy_pcolls){
        .extension = {close_all, free_all}, .comms = comms, .worker = hy_pcolls_worker()};
    pthread_mutex_init(&all->lock, NULL);
    return all;
}

hy_pcolls *hy_pcolls_of(hy_comms *comms)
{
    pthread_mutex_lock(&comms->lock);
    hy_pcolls *all = (hy_pcolls *)hy_load_relaxed(&comms->extension);
    if (!all && (all = make(comms))) hy_store_release(&comms->extension, &all->extension);
    pthread_mutex_unlock(&comms->lock);
    return all;
}

static void free_side(hy_job *job, hy_side *side, bool late)
{
    if (side->retained) side->buffer.managed->release(side->buffer.handle);
    bool own = side->shadow && !side->lent;
    if (own && late) hy_job_release_late(job, side->shadow);
    else if (own) hy_job_release(job, side->shadow);
    *side = (hy_side){0};
}

void hy_pcoll_destroy(hy_pcoll *op, bool late)
{
    hy_job *job = op->all->comms->job;
    hy_pcoll_take_back(op);
    hy_wired_close(&op->wired, late);
    free_side(job, &op->in, late);
    free_side(job, &op->out, late);
    hy_schedule_release(&op->schedule);
    free(op->in_blocks);
    free(op->out_blocks);
    free(op->reason);
    free(op->description);
    free(op);
}

/* A function of the program may still run inside an operation whose run can never complete. */
static bool can_go(hy_pcoll *op)
{
    return hy_wired_left(&op->wired) && hy_work_claim(&op->work);
}

void hy_pcolls_sweep(hy_pcolls *all)
{
    hy_pcoll *gone = NULL;
    pthread_mutex_lock(&all->lock);
    for (hy_pcoll **place = &all->leaving; *place;) {
        hy_pcoll *op = *place;
        if (!can_go(op)) {
            place = &op->next;
            continue;
        }
        *place = op->next;
        op->next = gone;
        gone = op;
    }
    pthread_mutex_unlock(&all->lock);
    destroy_list(gone, false);
}

/* The caller may reuse its buffers at once; memory that peers access stays until they have closed
 * the operation. */
int hy_pcoll_free(hy_pcoll *op)
{
    hy_pcolls *all = op->all;
    bool ended = op->failed || hy_comms_check(all->comms) != HAYATE_OK;
    if (hy_load_acquire(&op->state) != HY_PCOLL_IDLE && !ended)
        return hy_fail(HAYATE_ERR_BUSY, "a run is under way: wait for it before closing");
    /* A thread that has seen the end of its run may be about to release it; in a run that cannot
     * complete, a function of the program may take long. */
    bool idle = !ended || hy_work_claim(&op->work);
    if (!ended) hy_work_take(all->comms->job, &op->work);
    hy_worklist_remove(&all->comms->job->background, &op->work);
    if (idle) hy_work_release(&op->work);
    if (!hy_load_acquire(&all->stop)) operations_leave(op);
    /* While a thread is in a run, its communicator stays in use: forever if the run cannot
     * complete. */
    if (idle) atomic_fetch_sub_explicit(&op->comm->persistent, 1, memory_order_release);
    pthread_mutex_lock(&all->lock);
    op->next = all->leaving;
    all->leaving = op;
    pthread_mutex_unlock(&all->lock);
    hy_pcolls_sweep(all);
    return HAYATE_OK;
}
