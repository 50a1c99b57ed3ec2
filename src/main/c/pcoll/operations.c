/* SPDX-License-Identifier: Apache-2.0 */
/* All operations of a rank: who walks them, and how they go. An operation that is closed here lives
 * on until all peers have closed it too, as they may still fetch from its memory. */
#include <sched.h>
#include <stdlib.h>

#include "job/progress.h"
#include "pcoll/operation.h"

/* Once: after the end of the communicators the peers' lines may be somebody else's memory. */
static void leave(hy_pcoll *op)
{
    if (!op->left) hy_wired_leave(&op->wired);
    op->left = true;
}

/* A function of the user may be what closes: then this thread has the lock, and the peers are not
 * told. */
static bool lock_briefly(hy_pcolls *all)
{
    for (int i = 0; i < 1000; i++) {
        if (pthread_mutex_trylock(&all->lock) == 0) return true;
        sched_yield();
    }
    return false;
}

static void close_all(hy_extension *extension)
{
    hy_pcolls *all = (hy_pcolls *)extension;
    hy_store_release(&all->stop, 1);
    if (lock_briefly(all)) {
        for (hy_pcoll *op = all->alive; op; op = op->next) leave(op);
        pthread_mutex_unlock(&all->lock);
    }
    hy_bell_ring_slow(&all->bell);
}

static void destroy_list(hy_pcoll *op)
{
    for (hy_pcoll *next; op; op = next) {
        next = op->next;
        hy_pcoll_destroy(op, true);
    }
}

static void free_all(hy_extension *extension)
{
    hy_pcolls *all = (hy_pcolls *)extension;
    hy_pcolls_stop_thread(all);
    hy_progress_remove(all->comms->job, all);
    destroy_list(all->alive);
    destroy_list(all->leaving);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

static bool work(void *context)
{
    return hy_pcolls_step(context, HY_PCOLL_CALLS);
}

static hy_pcolls *make(hy_comms *comms)
{
    hy_pcolls *all = calloc(1, sizeof *all);
    if (!all) {
        hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for persistent collectives");
        return NULL;
    }
    *all = (hy_pcolls){.extension = {close_all, free_all}, .comms = comms};
    pthread_mutex_init(&all->lock, NULL);
    if (hy_progress_add(comms->job, work, all) == HAYATE_OK) return all;
    pthread_mutex_destroy(&all->lock);
    free(all);
    return NULL;
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
    if (side->shadow && late) hy_job_release_late(job, side->shadow);
    else if (side->shadow) hy_job_release(job, side->shadow);
    *side = (hy_side){0};
}

void hy_pcoll_destroy(hy_pcoll *op, bool late)
{
    hy_job *job = op->all->comms->job;
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

void hy_pcolls_sweep(hy_pcolls *all)
{
    pthread_mutex_lock(&all->lock);
    for (hy_pcoll **place = &all->leaving; *place;) {
        hy_pcoll *op = *place;
        if (!hy_wired_left(&op->wired)) {
            place = &op->next;
            continue;
        }
        *place = op->next;
        hy_pcoll_destroy(op, false);
    }
    pthread_mutex_unlock(&all->lock);
}

static void unlist(hy_pcolls *all, hy_pcoll *op)
{
    hy_pcoll **place = &all->alive;
    while (*place && *place != op) place = &(*place)->next;
    if (*place) *place = op->next;
}

/* The caller's buffers are its own again at once; what peers reach stays until they have left. */
int hy_pcoll_free(hy_pcoll *op)
{
    hy_pcolls *all = op->all;
    bool ended = op->failed || hy_comms_check(all->comms) != HAYATE_OK;
    if (hy_load_acquire(&op->state) != HY_PCOLL_IDLE && !ended)
        return hy_fail(HAYATE_ERR_BUSY, "a run is under way: wait for it before you close");
    pthread_mutex_lock(&all->lock);
    unlist(all, op);
    op->next = all->leaving;
    all->leaving = op;
    if (!hy_load_acquire(&all->stop)) leave(op);
    atomic_fetch_sub_explicit(&op->comm->persistent, 1, memory_order_release);
    pthread_mutex_unlock(&all->lock);
    hy_pcolls_sweep(all);
    return HAYATE_OK;
}
