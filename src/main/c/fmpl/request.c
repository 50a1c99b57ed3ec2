/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that outlive their call. A request is (generation, index of the lane's operation):
 * stale ones are recognised. `stepping` lets one thread at a time work on an operation; the list of
 * active ones is walked on slow turns of any wait of this process, so that a rank that waits for
 * one thing still does its part of all others.
 */
#include <stdlib.h>

#include "fmpl/op.h"
#include "job/far.h"

static uint64_t request_of(const hy_op *op)
{
    uint64_t index = (uint64_t)(op->lane - op->lane->fmpl->lanes) * 2 + (op->sends ? 0 : 1);
    return (uint64_t)op->generation << 32 | (index + 1);
}

static hy_op *find(hy_fmpl *fmpl, uint64_t request)
{
    uint64_t index = (request & UINT32_MAX) - 1;
    hy_op *op = NULL;
    if (index < (uint64_t)fmpl->count * (uint64_t)fmpl->size * 2) {
        hy_lane *lane = &fmpl->lanes[index / 2];
        op = index % 2 == 0 ? &lane->send : &lane->recv;
    }
    if (op && hy_busy_owned(&op->busy) && op->listed && !op->spooled &&
        op->generation == (uint32_t)(request >> 32))
        return op;
    hy_fail(HAYATE_ERR_ARGUMENT, "no such request: it was waited for already, or never made");
    return NULL;
}

uint64_t hy_request_make(hy_op *op, int *rc)
{
    hy_fmpl *fmpl = op->lane->fmpl;
    if (op->buffer.managed) {
        void *handle = op->buffer.managed->retain(op->buffer.handle);
        if (!handle) {
            hy_op_give_up(op);
            *rc = hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to keep the buffer of an operation");
            return 0;
        }
        op->buffer.handle = handle;
        op->retained = true;
    }
    op->generation = (op->generation + 1) & INT32_MAX; /* a request is positive as a Java long */
    op->reason = NULL;
    pthread_mutex_lock(&fmpl->lock);
    op->listed = true;
    op->previous = NULL;
    op->next = fmpl->active;
    if (op->next) op->next->previous = op;
    fmpl->active = op;
    hy_store_relaxed(&fmpl->active_count, hy_load_relaxed(&fmpl->active_count) + 1);
    hy_background(fmpl->job);
    pthread_mutex_unlock(&fmpl->lock);
    return request_of(op);
}

static void unlist(hy_fmpl *fmpl, hy_op *op)
{
    if (op->next) op->next->previous = op->previous;
    if (op->previous) op->previous->next = op->next;
    else fmpl->active = op->next;
    hy_store_relaxed(&fmpl->active_count, hy_load_relaxed(&fmpl->active_count) - 1);
}

/* The operation is over; called by its stepper with the list's lock held. True: nobody will collect
 * it, the stepper frees it once it has let go. */
static bool complete(hy_op *op, int result)
{
    bool ours = op->spooled;
    unlist(op->lane->fmpl, op);
    if (op->retained) op->buffer.managed->release(op->buffer.handle);
    op->retained = false;
    op->result = result;
    if (result < 0 && !ours) op->reason = strdup(hayate_error());
    if (ours) hy_spool_finished(op);
    hy_store_release(&op->state, HY_OP_DONE);
    return ours;
}

/* One step, unless somebody else is at it. With `failure` an operation that is not over then ends
 * with that. */
static void step(hy_op *op, int failure, bool locked)
{
    hy_fmpl *fmpl = op->lane->fmpl;
    bool ours = false, over = false;
    if (!hy_step_try_lock(op)) return;
    if (hy_load_acquire(&op->state) != HY_OP_DONE) {
        int rc = hy_op_step(op);
        if (rc == HAYATE_IN_PROGRESS && failure) rc = failure;
        if (rc < 0) hy_op_give_up(op);
        over = rc != HAYATE_IN_PROGRESS;
        if (over) {
            if (!locked) pthread_mutex_lock(&fmpl->lock);
            ours = complete(op, rc);
            if (!locked) pthread_mutex_unlock(&fmpl->lock);
        }
    }
    hy_step_unlock(op);
    if (ours) hy_op_free(op);
    if (over) hy_bell_ring(fmpl->job->bell); /* another thread of ours may wait for it */
}

bool hy_fmpl_progress(hy_fmpl *fmpl)
{
    if (hy_likely(hy_load_relaxed(&fmpl->active_count) == 0)) return false;
    if (pthread_mutex_trylock(&fmpl->lock) != 0) return true;
    for (hy_op *op = fmpl->active, *next; op; op = next) {
        next = op->next; /* complete() may take op out */
        step(op, 0, true);
    }
    bool left = fmpl->active != NULL;
    pthread_mutex_unlock(&fmpl->lock);
    return left;
}

void hy_fmpl_end_all(hy_fmpl *fmpl)
{
    pthread_mutex_lock(&fmpl->lock);
    for (hy_op *op = fmpl->active, *next; op; op = next) {
        next = op->next;
        step(op, hy_fail(HAYATE_ERR_CLOSED, "closed while the operation was under way"), true);
    }
    pthread_mutex_unlock(&fmpl->lock);
}

int hy_fmpl_check(hy_fmpl *fmpl, int peer)
{
    if (hy_load_relaxed(&fmpl->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "closed while the operation was under way");
    return hy_job_check(fmpl->job, peer);
}

int hy_fmpl_idle(hy_fmpl *fmpl, int peer)
{
    hy_progress(fmpl->job);
    return hy_fmpl_check(fmpl, peer);
}

/* The owner takes the result; the lane is free for the next operation. */
static int collect(hy_op *op, uint64_t *received)
{
    int result = op->result;
    if (received) *received = op->length;
    if (op->reason) {
        if (result < 0) hy_fail_peer(result, op->lane->channel.ep->rank, "%s", op->reason);
        free(op->reason);
        op->reason = NULL;
    }
    while (!hy_step_try_lock(op)) hy_pause(); /* a stepper may be about to leave */
    op->listed = false;
    hy_step_unlock(op);
    hy_op_free(op);
    return result;
}

static bool is_done(const hy_op *op)
{
    return hy_load_acquire(&op->state) == HY_OP_DONE;
}

static bool over(hy_op *op)
{
    step(op, 0, false);
    return is_done(op);
}

/* An operation that is not over: may it go on? */
static int look(hy_op *op, uint64_t *received)
{
    hy_fmpl *fmpl = op->lane->fmpl;
    if (op->sends && hy_spool_put_aside(op)) return HAYATE_OK;
    int rc = hy_fmpl_check(fmpl, op->lane->channel.ep->rank);
    if (rc) step(op, rc, false);
    return is_done(op) ? collect(op, received) : HAYATE_IN_PROGRESS;
}

int hy_request_test(hy_fmpl *fmpl, uint64_t request, uint64_t *received)
{
    if (request == 0) return HAYATE_OK;
    hy_op *op = find(fmpl, request);
    if (!op) return HAYATE_ERR_ARGUMENT;
    if (over(op)) return collect(op, received);
    hy_progress(fmpl->job);
    return look(op, received);
}

int hy_request_wait(hy_fmpl *fmpl, uint64_t request, uint64_t *received)
{
    if (request == 0) return HAYATE_OK;
    hy_op *op = find(fmpl, request);
    if (!op) return HAYATE_ERR_ARGUMENT;
    hy_wait wait = hy_job_wait(fmpl->job);
    while (!over(op)) {
        if (!hy_wait_once(&wait)) {
            hy_far_poll(fmpl->job);
            continue;
        }
        int rc = hy_fmpl_idle(fmpl, op->lane->channel.ep->rank);
        if (rc) step(op, rc, false);
        else if (op->sends && hy_spool_put_aside(op)) {
            hy_job_wait_end(fmpl->job, &wait);
            return HAYATE_OK;
        }
    }
    hy_job_wait_end(fmpl->job, &wait);
    return collect(op, received);
}

/* Once over all of them; HAYATE_IN_PROGRESS: none is over, `*alive` of them are under way. */
static int test_each(hy_fmpl *fmpl, int n, const uint64_t *requests, bool slow, int *index,
                     int *alive, uint64_t *received)
{
    int rc = HAYATE_IN_PROGRESS;
    *alive = 0;
    for (int i = 0; i < n && rc == HAYATE_IN_PROGRESS; i++) {
        if (requests[i] == 0) continue;
        ++*alive;
        hy_op *op = find(fmpl, requests[i]);
        if (!op) rc = HAYATE_ERR_ARGUMENT;
        else if (over(op)) rc = collect(op, received);
        else if (slow) rc = look(op, received);
        if (rc != HAYATE_IN_PROGRESS) *index = i;
    }
    return rc;
}

int hy_request_wait_any(hy_fmpl *fmpl, int n, const uint64_t *requests, int *index,
                        uint64_t *received)
{
    hy_wait wait = hy_job_wait(fmpl->job);
    bool slow = false;
    int rc, alive;
    *index = -1;
    while ((rc = test_each(fmpl, n, requests, slow, index, &alive, received)) ==
               HAYATE_IN_PROGRESS &&
           alive) {
        slow = hy_wait_once(&wait);
        if (slow) hy_progress(fmpl->job);
        else hy_far_poll(fmpl->job);
    }
    hy_job_wait_end(fmpl->job, &wait);
    return alive ? rc : HAYATE_OK;
}

int hy_request_cancel(hy_fmpl *fmpl, uint64_t request, int *cancelled)
{
    *cancelled = 0;
    if (request == 0) return HAYATE_OK;
    hy_op *op = find(fmpl, request);
    if (!op) return HAYATE_ERR_ARGUMENT;
    if (op->sends) return hy_fail(HAYATE_ERR_ARGUMENT, "only a receive can be cancelled");
    while (!hy_step_try_lock(op)) hy_pause();
    if (!is_done(op) && hy_recv_withdraw(op)) {
        pthread_mutex_lock(&fmpl->lock);
        complete(op, HAYATE_ERR_CANCELLED);
        pthread_mutex_unlock(&fmpl->lock);
        *cancelled = 1;
    }
    hy_step_unlock(op);
    if (*cancelled) collect(op, NULL);
    return HAYATE_OK;
}
