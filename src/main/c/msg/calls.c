/* SPDX-License-Identifier: Apache-2.0 */
/* Point-to-point calls. The fast paths are complete in this file. Everything else is a state
 * machine (send.c, receive.c), which these calls step until the operation is complete or the
 * call must return. */

#include "msg/op.h"
#include "job/await.h"

static int check_buffer(const hy_buffer *buffer, int64_t size)
{
    if (hy_likely(size >= 0 && (buffer->address || buffer->managed || size == 0))) return HAYATE_OK;
    if (size < 0) return hy_fail(HAYATE_ERR_ARGUMENT, "size %lld is negative", (long long)size);
    return hy_fail(HAYATE_ERR_ARGUMENT, "the buffer is null but its size is %lld", (long long)size);
}

static int step_buffered(void *context)
{
    const hy_lane *lane = context;
    bool waits = hy_busy_owned(&lane->channel.send_busy) && lane->buffered;
    return waits ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

static int idle_buffered(void *context)
{
    const hy_lane *lane = context;
    return hy_msg_idle(lane->msg, lane->channel.ep->rank);
}

static void tell_buffered(const void *context, hy_awaited *awaited)
{
    const hy_lane *lane = context;
    awaited->kind = HY_AWAITED_SEND_BUFFER;
    awaited->peer = lane->channel.ep->rank;
    awaited->place = (int32_t)lane->channel.mai;
}

/* No thread owns it: any waiting thread works on it. */
static int await_buffered(hy_lane *lane)
{
    return hy_job_await(&(hy_await){.job = lane->msg->job,
                                    .step = step_buffered,
                                    .idle = idle_buffered,
                                    .tell = tell_buffered,
                                    .context = lane,
                                    .poll = hy_progress});
}

static int fail_busy(const hy_lane *lane, bool sends)
{
    return hy_fail_peer(
        HAYATE_ERR_BUSY, lane->channel.ep->rank,
        "a %s with rank %d and mai %lld is already active: wait for it, or use another"
        " mai",
        sends ? "send" : "receive", lane->channel.ep->rank, (long long)lane->channel.mai);
}

/* Takes a busy word and checks that everything is open: BUSY, CLOSED. A send in the send buffer
 * belongs to the library, not to the user: `patient` callers wait until it has been sent, or get
 * IN_PROGRESS if the send buffer grows. */
static inline int calls_acquire(hy_lane *lane, bool sends, bool patient)
{
    const hy_msg *msg = lane->msg;
    _Atomic uint32_t *busy = hy_lane_busy(lane, sends);
    /* An operation that is closed after this check ends when it becomes a request
     * (hy_request_make()), or at its next look. */
    while (hy_unlikely(!hy_busy_take(busy))) {
        if (!patient || !lane->buffered) return fail_busy(lane, sends);
        if (msg->send_buffer.grows) return HAYATE_IN_PROGRESS;
        int rc = await_buffered(lane);
        if (rc) return rc;
    }
    if (hy_likely(!hy_load_relaxed(&msg->closed) && !hy_load_relaxed(&msg->job->closed)))
        return HAYATE_OK;
    hy_busy_leave(busy);
    return hy_fail(HAYATE_ERR_CLOSED, "used after close: this object, or its job, is closed");
}

int hy_lane_take_recv(hy_lane *lane)
{
    return calls_acquire(lane, false, false);
}

/* The operation of a call that has taken the busy word. NULL, and it is given back: NO_MEMORY. */
static inline __attribute__((always_inline)) hy_op *prepare(hy_lane *lane, bool sends,
                                                            const hy_buffer *buffer, uint64_t size,
                                                            bool blocking)
{
    hy_op *op = hy_op_take(lane, sends);
    if (hy_unlikely(!op)) {
        hy_busy_leave(hy_lane_busy(lane, sends));
        return NULL;
    }
    op->buffer = *buffer;
    op->size = size;
    op->length = 0;
    op->result = HAYATE_OK;
    op->blocking = blocking;
    op->retained = false;
    op->waits_since = 0;
    if (sends) lane->buffered = false;
    hy_breakdown_start(op);
    op->flight = 0;
    if (hy_unlikely(lane->msg->job->flight != NULL)) hy_op_record(op);
    return op;
}

/* Turns an operation that outlives its call into a request. */
static int hand_over(hy_op *op, uint64_t *request)
{
    int rc = HAYATE_IN_PROGRESS;
    *request = hy_request_make(op, &rc);
    if (rc < 0) hy_op_free(op);
    return rc;
}

typedef struct running {
    hy_op *op;
    bool buffered; /* it is in the send buffer */
} running;

static int step_running(void *context)
{
    const running *r = context;
    return r->buffered ? HAYATE_OK : hy_op_step(r->op);
}

static int idle_running(void *context)
{
    running *r = context;
    int rc = hy_msg_idle(r->op->lane->msg, r->op->lane->channel.ep->rank);
    r->buffered = !rc && r->op->sends && hy_send_buffer_take_over(r->op);
    return rc;
}

static void tell_running(const void *context, hy_awaited *awaited)
{
    hy_op_tell(((const running *)context)->op, awaited);
}

/* Steps the operation until it is complete (and frees it), or as long as the caller permits. */
static int run(hy_op *op, int rc, uint64_t *received, hy_bounded *bounded)
{
    const hy_msg *msg = op->lane->msg;
    running r = {.op = op};
    if (rc == HAYATE_IN_PROGRESS)
        rc = hy_job_await(&(hy_await){.job = msg->job,
                                      .step = step_running,
                                      .idle = idle_running,
                                      .tell = tell_running,
                                      .context = &r,
                                      .poll = hy_progress,
                                      .moved = &op->staged,
                                      .turns = bounded && !bounded->limit ? msg->spin_limit : 0,
                                      .limit = bounded ? bounded->limit : NULL});
    if (r.buffered) return HAYATE_OK;
    if (rc == HAYATE_IN_PROGRESS) return hand_over(op, &bounded->request);
    if (rc < 0) hy_op_give_up(op);
    hy_op_recorded(op, rc);
    bool known = rc == HAYATE_OK || rc == HAYATE_ERR_TRUNCATE;
    if (known && received) *received = op->length; /* before other threads may use op */
    hy_op_free(op);
    return rc;
}

static int send_slow(hy_lane *lane, hy_buffer buffer, uint64_t size, hy_bounded *bounded)
{
    hy_op *op = prepare(lane, true, &buffer, size, true);
    return op ? run(op, hy_send_begin(op), NULL, bounded) : HAYATE_ERR_NO_MEMORY;
}

/* The limit for messages in slots: HY_LINES_BYTES, unless the eager limit is lower. */
static inline uint64_t inline_limit(const hy_msg *msg)
{
    uint64_t eager = msg->job->eager_limit;
    return eager < HY_LINES_BYTES ? eager : HY_LINES_BYTES;
}

/* The first message of a lane makes it. */
static __attribute__((noinline)) int send_first(hy_msg *msg, hy_buffer buffer, int64_t size,
                                                int dst, int mai, hy_bounded *bounded)
{
    int rc = hy_lane_make(msg, dst, mai);
    return rc ? rc : hy_msg_send(msg, buffer, size, dst, mai, bounded);
}

int hy_msg_send(hy_msg *msg, hy_buffer buffer, int64_t size, int dst, int mai, hy_bounded *bounded)
{
    hy_lane *lane = hy_lane_find(msg, dst, mai);
    if (hy_unlikely(!lane)) return send_first(msg, buffer, size, dst, mai, bounded);
    if (hy_unlikely(check_buffer(&buffer, size))) return HAYATE_ERR_ARGUMENT;
    int rc = calls_acquire(lane, true, true);
    while (hy_unlikely(rc == HAYATE_IN_PROGRESS)) { /* behind one that is in the send buffer */
        rc = hy_send_buffer_queue(lane, &buffer, (uint64_t)size);
        if (rc != HAYATE_IN_PROGRESS) return rc;
        rc = calls_acquire(lane, true, true);
    }
    if (hy_unlikely(rc)) return rc;
    if (hy_unlikely((uint64_t)size > inline_limit(msg) || !buffer.address ||
                    hy_load_relaxed(&msg->observed) ||
                    !hy_channel_room_for(&lane->channel, hy_slots_of((size_t)size))))
        return send_slow(lane, buffer, (uint64_t)size, bounded);
    if (size <= HY_SLOT_PAYLOAD)
        hy_channel_post(&lane->channel, HY_KIND_INLINE, buffer.address, (size_t)size);
    else hy_channel_post_lines(&lane->channel, buffer.address, (size_t)size);
    hy_count_message(msg->job->counters, HY_COUNT_SENT, (uint64_t)size);
    hy_busy_leave(&lane->channel.send_busy);
    return HAYATE_OK;
}

static int recv_slow(hy_lane *lane, hy_buffer buffer, uint64_t size, uint64_t *received,
                     hy_bounded *bounded)
{
    hy_op *op = prepare(lane, false, &buffer, size, true);
    return op ? run(op, hy_recv_begin(op), received, bounded) : HAYATE_ERR_NO_MEMORY;
}

/* Spins for a short message without leaving the function; NULL: it takes longer. */
static inline hy_slot *await_slot(hy_lane *lane, uint64_t *head)
{
    hy_slot *slot = hy_channel_peek(&lane->channel, head);
    uint32_t spins = lane->msg->brief_spins;
    if (hy_unlikely(hy_load_relaxed(&lane->msg->worker.count) != 0)) return slot;
    for (uint32_t i = 0; !slot && i < spins; i++) {
        hy_channel_expect(&lane->channel);
        hy_pause();
        slot = hy_channel_peek(&lane->channel, head);
    }
    return slot;
}

/* Whether the message is in slots, with a length that its kind permits. */
static inline bool is_inline(int kind, size_t length)
{
    if (length <= HY_SLOT_PAYLOAD) return kind == HY_KIND_INLINE;
    return kind == HY_KIND_LINES && length <= HY_LINES_BYTES;
}

static __attribute__((noinline)) int recv_first(hy_msg *msg, hy_buffer buffer, int64_t size,
                                                int src, int mai, uint64_t *received,
                                                hy_bounded *bounded)
{
    int rc = hy_lane_make(msg, src, mai);
    return rc ? rc : hy_msg_recv(msg, buffer, size, src, mai, received, bounded);
}

int hy_msg_recv(hy_msg *msg, hy_buffer buffer, int64_t size, int src, int mai, uint64_t *received,
                hy_bounded *bounded)
{
    hy_lane *lane = hy_lane_find(msg, src, mai);
    if (hy_unlikely(!lane)) return recv_first(msg, buffer, size, src, mai, received, bounded);
    if (hy_unlikely(check_buffer(&buffer, size))) return HAYATE_ERR_ARGUMENT;
    int rc = calls_acquire(lane, false, false);
    if (hy_unlikely(rc)) return rc;
    if (hy_unlikely((uint64_t)size > msg->job->eager_limit || !buffer.address ||
                    hy_load_relaxed(&msg->observed)))
        return recv_slow(lane, buffer, (uint64_t)size, received, bounded);
    uint64_t head;
    hy_slot *slot = await_slot(lane, &head);
    size_t length = hy_head_len(head);
    if (hy_unlikely(!slot || length > (uint64_t)size || !is_inline(hy_head_kind(head), length)))
        return recv_slow(lane, buffer, (uint64_t)size, received, bounded);
    if (length <= HY_SLOT_PAYLOAD) hy_copy_slot(buffer.address, slot->payload, length);
    else hy_channel_read_lines(&lane->channel, buffer.address, length);
    hy_channel_take_slots(&lane->channel, head, hy_slots_of(length));
    hy_count_message(msg->job->counters, HY_COUNT_RECEIVED, length);
    if (received) *received = length;
    hy_busy_leave(&lane->channel.recv_busy);
    return HAYATE_OK;
}

static int calls_begin(hy_msg *msg, hy_buffer buffer, int64_t size, int peer, int mai, bool sends,
                       uint64_t *request)
{
    *request = 0;
    hy_lane *lane = hy_lane_find(msg, peer, mai);
    int rc = hy_likely(lane != NULL) ? HAYATE_OK : hy_lane_make(msg, peer, mai);
    if (hy_unlikely(rc)) return rc;
    if (hy_unlikely(!lane)) lane = hy_lane_find(msg, peer, mai);
    if (hy_unlikely(check_buffer(&buffer, size))) return HAYATE_ERR_ARGUMENT;
    rc = calls_acquire(lane, sends, false);
    if (hy_unlikely(rc)) return rc;
    hy_op *op = prepare(lane, sends, &buffer, (uint64_t)size, false);
    if (hy_unlikely(!op)) return HAYATE_ERR_NO_MEMORY;
    rc = sends ? hy_send_begin(op) : hy_recv_begin(op);
    if (rc == HAYATE_IN_PROGRESS) {
        rc = hand_over(op, request);
        return rc == HAYATE_IN_PROGRESS ? HAYATE_OK : rc;
    }
    if (rc < 0) hy_op_give_up(op);
    hy_op_recorded(op, rc);
    if (!sends) lane->length = op->length;
    hy_op_free(op);
    return rc;
}

int hy_msg_isend(hy_msg *msg, hy_buffer buffer, int64_t size, int dst, int mai, uint64_t *request)
{
    return calls_begin(msg, buffer, size, dst, mai, true, request);
}

int hy_msg_irecv(hy_msg *msg, hy_buffer buffer, int64_t size, int src, int mai, uint64_t *request)
{
    return calls_begin(msg, buffer, size, src, mai, false, request);
}
