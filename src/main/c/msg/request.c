/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that outlive their calls. A request is (generation, index of the lane's operation),
 * so that stale requests are detected. A thread that has not claimed an operation reads nothing of
 * it but its request and its state: it may be in use for something else. Operations are background
 * work of the job, so that a rank that waits for one makes progress on all others. A step may take
 * long (it moves a gigabyte, or waits for the network), but delays no other operation. */
#include <stdlib.h>

#include "msg/op.h"
#include "job/await.h"

static uint64_t next_request(const hy_op *op)
{
    hy_lane *lane = op->lane;
    uint32_t *generation = op->sends ? &lane->send_generation : &lane->recv_generation;
    uint64_t index = (uint64_t)lane->number * 2 + (op->sends ? 0 : 1);
    *generation = (*generation + 1) & INT32_MAX; /* a request is positive as a Java long */
    return (uint64_t)*generation << 32 | (index + 1);
}

static bool is_of(const hy_op *op, uint64_t request)
{
    return hy_load_relaxed(&op->request) == request;
}

static int no_such_request(void)
{
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "no such request: it was already waited for, or never existed");
}

static bool is_send(uint64_t request)
{
    return ((request & UINT32_MAX) - 1) % 2 == 0;
}

static hy_lane *lane_of(const hy_msg *msg, uint64_t request)
{
    uint64_t index = (request & UINT32_MAX) - 1;
    return index / 2 <= INT32_MAX ? hy_lane_at(msg, (int)(index / 2)) : NULL;
}

static hy_op *find(const hy_msg *msg, uint64_t request)
{
    hy_lane *lane = lane_of(msg, request);
    hy_op *op = !lane ? NULL : hy_load_acquire(is_send(request) ? &lane->send : &lane->recv);
    if (op && is_of(op, request)) return op;
    no_such_request();
    return NULL;
}

static void end_if_closed(const hy_msg *msg, hy_op *op);

uint64_t hy_request_make(hy_op *op, int *rc)
{
    hy_msg *msg = op->lane->msg;
    if (op->buffer.managed) {
        void *handle = op->buffer.managed->retain(op->buffer.handle);
        if (!handle) {
            hy_op_give_up(op);
            *rc = hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to keep the buffer of an operation");
            hy_op_recorded(op, *rc);
            return 0;
        }
        op->buffer.handle = handle;
        op->retained = true;
    }
    uint64_t request = next_request(op);
    if (!op->buffered) hy_store_relaxed(&op->request, request);
    op->reason = NULL;
    op->listed = true;
    hy_worklist_add(&msg->job->background, &op->work, &msg->worker, HY_BY_CALLS);
    hy_work_release(&op->work);
    end_if_closed(msg, op); /* hy_msg_end_all() may have run before */
    return request;
}

/* Completes an operation; called by the thread that has claimed it. */
static void complete(hy_op *op, int result)
{
    hy_worklist_remove(&hy_op_job(op)->background, &op->work);
    hy_op_recorded(op, result);
    if (op->retained) op->buffer.managed->release(op->buffer.handle);
    op->retained = false;
    op->result = result;
    hy_store_release(&op->state, HY_OP_DONE);
}

/* Keeps the reason of a failure, before anything else can fail. */
static void fail(hy_op *op, int rc)
{
    if (!op->buffered) op->reason = strdup(hayate_error());
    hy_op_give_up(op);
    if (op->buffered) hy_send_buffer_drop(op, rc);
}

/* The operation is over and nobody waits for it: the next one of its lane may begin, with the
 * claim. */
static void end_claimed(hy_op *op)
{
    hy_store_relaxed(&op->request, 0);
    hy_store_relaxed(&op->buffered, false);
    op->listed = false;
    hy_op_free(op);
}

/* Steps a claimed operation once and releases it. With `failure`, an operation that is not
 * complete then ends with that error. `ours`: it is in the send buffer, so that no thread will
 * collect it, and this one must free it. */
static void step_claimed(hy_op *op, int failure)
{
    hy_msg *msg = op->lane->msg;
    bool ours = false, over = false;
    if (hy_load_acquire(&op->state) != HY_OP_DONE) {
        ours = op->buffered;
        int rc = hy_op_step(op);
        while (rc == HAYATE_OK && ours && hy_send_buffer_next(op)) rc = hy_send_begin(op);
        if (rc == HAYATE_IN_PROGRESS && failure) rc = failure;
        if (rc < 0) fail(op, rc);
        over = rc != HAYATE_IN_PROGRESS;
        if (over) complete(op, rc);
    }
    if (ours && over) end_claimed(op);
    else hy_work_release(&op->work);
    if (over) hy_bell_ring(msg->job->bell); /* another thread of this rank may wait for it */
    else if (hy_unlikely(!failure && hy_load_relaxed(&msg->closed))) end_if_closed(msg, op);
}

/* Does nothing if another thread has claimed the operation. */
static void step(hy_op *op, int failure)
{
    if (hy_work_claim(&op->work)) step_claimed(op, failure);
}

/* A thread that closes skips operations that are claimed: the claiming thread ends them. */
static void end_if_closed(const hy_msg *msg, hy_op *op)
{
    if (hy_unlikely(hy_load_relaxed(&msg->closed)))
        step(op, hy_fail(HAYATE_ERR_CLOSED, "closed while the operation was under way"));
}

static hy_op *op_of(const hy_work *work)
{
    return (hy_op *)((uintptr_t)work - offsetof(hy_op, work));
}

/* Most operations under way are receives whose message has not come: this is found out without a
 * claim. */
static hy_wanted request_wanted(const hy_work *work)
{
    hy_op *op = op_of(work);
    uint64_t head;
    bool ready = op->sends || hy_channel_peek(&op->lane->channel, &head) != NULL ||
                 hy_unlikely(hy_recv_must_offer(op));
    return ready ? HY_WORK_READY : HY_WORK_WAITS;
}

static void request_step(hy_work *work)
{
    step_claimed(op_of(work), 0);
}

void hy_requests_open(hy_msg *msg)
{
    msg->worker = (hy_worker){.wanted = request_wanted, .step = request_step};
}

static bool belongs_to(const hy_work *work, void *msg)
{
    return work->worker == &((hy_msg *)msg)->worker;
}

static void end_some(hy_msg *msg)
{
    hy_walk walk = {.begun = false};
    hy_work *work;
    while ((work = hy_walk_next(&msg->job->background, &walk, belongs_to, msg)))
        step_claimed(op_of(work),
                     hy_fail(HAYATE_ERR_CLOSED, "closed while the operation was under way"));
}

static int step_end(void *context)
{
    hy_msg *msg = context;
    end_some(msg);
    return hy_load_relaxed(&msg->worker.count) ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

/* A thread that steps an operation is given a moment to notice the end. */
void hy_msg_end_all(hy_msg *msg)
{
    const hy_limit moment = {.ns = 10000000};
    hy_job_await(&(hy_await){.job = msg->job, .step = step_end, .context = msg, .limit = &moment});
}

int hy_msg_check(hy_msg *msg, int peer)
{
    if (hy_load_relaxed(&msg->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "closed while the operation was under way");
    int rc = hy_job_check(msg->job, peer);
    if (hy_likely(!rc || !msg->areas.inbox.places)) return rc;
    hy_msg_hear_all(msg); /* the step that follows receives what a rank sent before it ended */
    return hy_job_check(msg->job, peer); /* again, for the reason */
}

int hy_msg_idle(hy_msg *msg, int peer)
{
    hy_progress(msg->job);
    return hy_msg_check(msg, peer);
}

/* False, and not claimed: it is not the operation of the request. No wait of the job: who has
 * stepped it is about to release it. */
static bool claim_of(hy_op *op, uint64_t request)
{
    while (!hy_work_claim(&op->work)) {
        if (!is_of(op, request)) return false;
        hy_pause();
    }
    if (hy_likely(is_of(op, request))) return true;
    hy_work_release(&op->work);
    return false;
}

/* The owner takes the result; the lane is free for the next operation, which gets the claim. Of
 * several threads that wrongly wait for the same request, one gets it. */
static int collect(hy_op *op, uint64_t request, uint64_t *received)
{
    if (hy_unlikely(!claim_of(op, request))) return no_such_request();
    int result = op->result;
    if (received) *received = op->length;
    if (op->reason) {
        if (result < 0) hy_fail_peer(result, op->lane->channel.ep->rank, "%s", op->reason);
        if (result == HAYATE_ERR_TRUNCATE) hy_fail_length(op->length);
        free(op->reason);
        op->reason = NULL;
    }
    end_claimed(op);
    return result;
}

static bool is_done(const hy_op *op)
{
    return hy_load_acquire(&op->state) == HY_OP_DONE;
}

static bool over(hy_op *op)
{
    step(op, 0);
    return is_done(op);
}

/* A slow turn for an operation that is under way. An operation that cannot go on ends, unless
 * another thread is stepping it: then in a later turn. True: it continues from the send buffer,
 * and no longer belongs to the caller. */
static bool look(hy_msg *msg, hy_op *op, uint64_t request)
{
    int rc = hy_msg_check(msg, lane_of(msg, request)->channel.ep->rank);
    if (!rc && !(is_send(request) && msg->send_buffer.on)) return false;
    if (!hy_work_claim(&op->work)) return false;
    bool ours = is_of(op, request);
    if (ours && rc) {
        step_claimed(op, rc);
        return false;
    }
    bool buffered = ours && hy_send_buffer_take_over(op);
    hy_work_release(&op->work);
    return buffered;
}

typedef struct one {
    hy_msg *msg;
    hy_op *op;
    uint64_t request;
    bool buffered; /* it is in the send buffer */
} one;

static int step_one(void *context)
{
    const one *a = context;
    bool ends = a->buffered || over(a->op) || hy_unlikely(!is_of(a->op, a->request));
    return ends ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int idle_one(void *context)
{
    one *a = context;
    hy_progress(a->msg->job);
    a->buffered = look(a->msg, a->op, a->request);
    return HAYATE_OK;
}

void hy_op_tell(const hy_op *op, hy_awaited *awaited)
{
    awaited->kind = op->sends ? HY_AWAITED_SEND : HY_AWAITED_RECEIVE;
    awaited->peer = op->lane->channel.ep->rank;
    awaited->place = (int32_t)op->lane->channel.mai;
    awaited->bytes = op->size;
    /* how far a long message is: whoever waits for a request may move it in the background */
    awaited->step = (uint32_t)op->staged + hy_load_relaxed(&op->state);
}

/* While another thread steps the operation, its size is not told. */
static void tell_request(const hy_msg *msg, hy_op *op, uint64_t request, hy_awaited *awaited)
{
    const hy_lane *lane = lane_of(msg, request);
    awaited->kind = is_send(request) ? HY_AWAITED_SEND : HY_AWAITED_RECEIVE;
    awaited->peer = lane->channel.ep->rank;
    awaited->place = (int32_t)lane->channel.mai;
    if (!hy_work_claim(&op->work)) return;
    if (is_of(op, request)) awaited->bytes = op->size;
    hy_work_release(&op->work);
}

void hy_request_tell(const hy_msg *msg, uint64_t request, hy_awaited *awaited)
{
    hy_op *op = find(msg, request);
    if (op) tell_request(msg, op, request, awaited);
}

static void tell_one(const void *context, hy_awaited *awaited)
{
    const one *a = context;
    tell_request(a->msg, a->op, a->request, awaited);
}

static int await_one(hy_msg *msg, uint64_t request, uint32_t turns, const hy_limit *limit,
                     uint64_t *received)
{
    if (request == 0) return HAYATE_OK;
    one a = {.msg = msg, .op = find(msg, request), .request = request};
    if (!a.op) return HAYATE_ERR_ARGUMENT;
    hy_job_await(&(hy_await){.job = msg->job,
                             .step = step_one,
                             .idle = idle_one,
                             .tell = tell_one,
                             .context = &a,
                             .poll = hy_far_poll,
                             .turns = turns,
                             .limit = limit});
    if (a.buffered) return HAYATE_OK;
    if (hy_unlikely(!is_of(a.op, request))) return no_such_request();
    return is_done(a.op) ? collect(a.op, request, received) : HAYATE_IN_PROGRESS;
}

int hy_request_test(hy_msg *msg, uint64_t request, uint64_t *received)
{
    return await_one(msg, request, 1, NULL, received);
}

int hy_request_wait(hy_msg *msg, uint64_t request, uint64_t *received)
{
    return await_one(msg, request, 0, NULL, received);
}

int hy_request_wait_for(hy_msg *msg, uint64_t request, const hy_limit *limit, uint64_t *received)
{
    return await_one(msg, request, 0, limit, received);
}

typedef struct any {
    hy_msg *msg;
    int n;
    const uint64_t *requests;
    uint64_t *received;
    int index, rc; /* of the complete request; -1: none */
} any;

static int step_any(void *context)
{
    any *a = context;
    bool alive = false;
    for (int i = 0; i < a->n && a->index < 0; i++) {
        if (a->requests[i] == 0) continue;
        alive = true;
        hy_op *op = find(a->msg, a->requests[i]);
        if (op && !over(op)) continue;
        a->rc = op ? collect(op, a->requests[i], a->received) : HAYATE_ERR_ARGUMENT;
        a->index = i;
    }
    if (a->index >= 0) return a->rc;
    return alive ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

static int idle_any(void *context)
{
    any *a = context;
    hy_progress(a->msg->job);
    for (int i = 0; i < a->n && a->index < 0; i++) {
        hy_op *op = a->requests[i] ? find(a->msg, a->requests[i]) : NULL;
        if (!op || !look(a->msg, op, a->requests[i])) continue;
        a->rc = HAYATE_OK;
        a->index = i;
    }
    return HAYATE_OK;
}

static void tell_any(const void *context, hy_awaited *awaited)
{
    const any *a = context;
    uint64_t last = 0, under_way = 0;
    for (int i = 0; i < a->n; i++) {
        if (!a->requests[i] || !find(a->msg, a->requests[i])) continue;
        last = a->requests[i];
        under_way++;
    }
    if (under_way == 1) hy_request_tell(a->msg, last, awaited);
    else awaited->kind = HY_AWAITED_REQUESTS;
    awaited->number = under_way;
}

int hy_request_wait_any(hy_msg *msg, int n, const uint64_t *requests, const hy_limit *limit,
                        int *index, uint64_t *received)
{
    any a = {msg, n, requests, received, -1, HAYATE_OK};
    int rc = hy_job_await(&(hy_await){.job = msg->job,
                                      .step = step_any,
                                      .idle = idle_any,
                                      .tell = tell_any,
                                      .context = &a,
                                      .poll = hy_far_poll,
                                      .limit = limit});
    *index = a.index;
    return rc;
}

/* ---- the send buffer ---- */

static int step_drain(void *context)
{
    hy_msg *msg = context;
    hy_send_buffer *buffer = &msg->send_buffer;
    hy_failure loss = {.code = HAYATE_OK};
    pthread_mutex_lock(&msg->lock);
    int waiting = buffer->waiting;
    if (!waiting) loss = buffer->loss;
    if (!waiting) buffer->loss.code = HAYATE_OK;
    pthread_mutex_unlock(&msg->lock);
    return waiting ? HAYATE_IN_PROGRESS : hy_fail_again(&loss);
}

static bool is_buffered(const hy_work *work, void *msg)
{
    return belongs_to(work, msg) && op_of(work)->buffered;
}

/* Sends whose receivers are gone end here. */
static int idle_drain(void *context)
{
    hy_msg *msg = context;
    hy_walk walk = {.begun = false};
    hy_work *work;
    hy_progress(msg->job);
    while ((work = hy_walk_next(&msg->job->background, &walk, is_buffered, msg))) {
        hy_op *op = op_of(work);
        int rc = hy_msg_check(msg, op->lane->channel.ep->rank);
        if (rc) step_claimed(op, rc);
        else hy_work_release(work);
    }
    return HAYATE_OK;
}

static void tell_drain(const void *context, hy_awaited *awaited)
{
    (void)context;
    awaited->kind = HY_AWAITED_SEND_BUFFER;
}

int hy_request_drain(hy_msg *msg)
{
    return hy_job_await(&(hy_await){.job = msg->job,
                                    .step = step_drain,
                                    .idle = idle_drain,
                                    .tell = tell_drain,
                                    .context = msg,
                                    .poll = hy_progress});
}

int hy_request_cancel(hy_msg *msg, uint64_t request, int *cancelled)
{
    *cancelled = 0;
    if (request == 0) return HAYATE_OK;
    hy_op *op = find(msg, request);
    if (!op) return HAYATE_ERR_ARGUMENT;
    if (is_send(request)) return hy_fail(HAYATE_ERR_ARGUMENT, "only a receive can be cancelled");
    while (!hy_work_claim(&op->work)) { /* for one look at the channel: no wait of the job */
        if (!is_of(op, request)) return no_such_request();
        /* Data are already being transferred, which may take long, or it is complete. */
        if (hy_load_acquire(&op->state) != HY_OP_RECV_WAIT) return HAYATE_OK;
        hy_pause();
    }
    bool ours = is_of(op, request);
    if (ours && !is_done(op) && hy_recv_withdraw(op)) {
        complete(op, HAYATE_ERR_CANCELLED);
        *cancelled = 1;
    }
    hy_work_release(&op->work);
    if (*cancelled) collect(op, request, NULL);
    return ours ? HAYATE_OK : no_such_request();
}
