/* SPDX-License-Identifier: Apache-2.0 */
/* The send buffer: sends whose receives do not come in time continue from there. It is memory of
 * the user (fmpl_sendbuff_set()), or grows. The lane stays in use until the data have been
 * received, so that messages keep their order; behind a send in a buffer that grows, further ones
 * queue up. */
#include <stdlib.h>

#include "base/clock.h"
#include "msg/op.h"

/* Of a send buffer that grows: about the time of a message whose receiver is there, and a rate that
 * makes the wait for a long message shorter than its copy. */
#define GROWING_PATIENCE 5000
#define BYTES_PER_NS 16

int hy_send_buffer_set(hy_msg *msg, void *memory, int64_t size, int timeout_us)
{
    if (size < 0 || timeout_us < 0 || (memory == NULL) != (size == 0))
        return hy_fail(
            HAYATE_ERR_ARGUMENT,
            "send buffer %p of %lld bytes, time-out %d us: expected a buffer and its size,"
            " or null and 0",
            memory, (long long)size, timeout_us);
    pthread_mutex_lock(&msg->lock);
    int rc = HAYATE_OK;
    hy_send_buffer *buffer = &msg->send_buffer;
    if (buffer->waiting)
        rc = hy_fail(HAYATE_ERR_BUSY,
                     "%d sends are still in the send buffer: call check until none",
                     buffer->waiting);
    if (!rc && buffer->memory) hy_heap_close(&buffer->heap);
    if (!rc) *buffer = (hy_send_buffer){.on = false, .timeout_ns = (uint64_t)timeout_us * 1000};
    if (!rc && memory) rc = hy_heap_open(&buffer->heap, (uint64_t)size / HY_LINE * HY_LINE);
    if (!rc) buffer->memory = memory;
    if (!rc) buffer->on = memory != NULL;
    pthread_mutex_unlock(&msg->lock);
    return rc;
}

void hy_send_buffer_grow(hy_msg *msg)
{
    msg->send_buffer = (hy_send_buffer){.on = true, .grows = true, .timeout_ns = GROWING_PATIENCE};
}

/* ---- memory ---- */

/* Peers read the heap without a system call. Most of it stays free for the program. */
static uint8_t *take_from_heap(hy_msg *msg, uint64_t size)
{
    hy_send_buffer *buffer = &msg->send_buffer;
    pthread_mutex_lock(&msg->lock);
    bool fits = buffer->held + size <= msg->job->heap.size / 8;
    if (fits) buffer->held += size;
    pthread_mutex_unlock(&msg->lock);
    uint8_t *memory = fits ? hy_job_alloc(msg->job, size) : NULL;
    if (!fits || memory) return memory;
    pthread_mutex_lock(&msg->lock);
    buffer->held -= size;
    pthread_mutex_unlock(&msg->lock);
    return NULL;
}

static uint8_t *take_grown(hy_msg *msg, uint64_t size)
{
    if (size == 0) size = 1;
    uint8_t *memory = take_from_heap(msg, size);
    return memory ? memory : malloc(size);
}

/* NULL: there is no room now. */
static uint8_t *take(hy_msg *msg, uint64_t size)
{
    hy_send_buffer *buffer = &msg->send_buffer;
    uint64_t offset;
    if (buffer->grows) return take_grown(msg, size);
    pthread_mutex_lock(&msg->lock);
    bool room = buffer->on && hy_heap_take(&buffer->heap, size ? size : 1, HY_LINE, &offset) == 0;
    pthread_mutex_unlock(&msg->lock);
    return room ? buffer->memory + offset : NULL;
}

/* Under the lock. */
static void give_back(hy_msg *msg, uint8_t *memory, uint64_t size)
{
    hy_send_buffer *buffer = &msg->send_buffer;
    if (!buffer->grows) {
        hy_heap_give(&buffer->heap, (uint64_t)(memory - buffer->memory), NULL);
    } else if (hy_job_heap_offset(msg->job, memory, 1) == HY_NOT_IN_HEAP) {
        free(memory);
    } else {
        hy_job_release(msg->job, memory);
        buffer->held -= size ? size : 1;
    }
}

/* ---- one send ---- */

static bool movable(const hy_op *op)
{
    uint32_t state = hy_load_relaxed(&op->state);
    return op->blocking && !op->buffered &&
           (state == HY_OP_SEND_ROOM || state == HY_OP_SEND_HEADER);
}

/* A send buffer that grows is as patient as a copy of the data takes. The clock is read in a wait
 * only: most sends have none. */
static bool is_patient(hy_op *op)
{
    const hy_send_buffer *buffer = &op->lane->msg->send_buffer;
    uint64_t copy = buffer->grows ? op->size / BYTES_PER_NS : 0, now = hy_now_ns();
    if (op->waits_since == 0) op->waits_since = now;
    return now - op->waits_since < buffer->timeout_ns + copy;
}

static void move_into(hy_op *op, uint8_t *memory)
{
    hy_msg *msg = op->lane->msg;
    hy_buffer_read(&op->buffer, 0, memory, op->size);
    if (op->retained) op->buffer.managed->release(op->buffer.handle);
    op->retained = false;
    op->buffer = (hy_buffer){.address = memory};
    pthread_mutex_lock(&msg->lock);
    msg->send_buffer.waiting++;
    op->lane->queue_end = &op->lane->queued;
    op->lane->buffered = true;
    hy_store_relaxed(&op->buffered, true);
    hy_store_relaxed(&op->request, 0);
    pthread_mutex_unlock(&msg->lock);
    hy_count(hy_op_job(op)->counters, HY_COUNT_BUFFERED, 1);
}

bool hy_send_buffer_take_over(hy_op *op)
{
    hy_msg *msg = op->lane->msg;
    if (hy_likely(!msg->send_buffer.on) || !movable(op) || is_patient(op)) return false;
    uint8_t *memory = take(msg, op->size);
    if (!memory) return false;
    move_into(op, memory);
    int unused = 0;
    if (!op->listed) hy_request_make(op, &unused);
    return true;
}

/* ---- the queue of a lane ---- */

int hy_send_buffer_queue(hy_lane *lane, const hy_buffer *buffer, uint64_t size)
{
    hy_msg *msg = lane->msg;
    hy_queued *queued = malloc(sizeof *queued);
    uint8_t *memory = queued ? take_grown(msg, size) : NULL;
    if (!memory) {
        free(queued);
        return hy_fail(HAYATE_ERR_NO_MEMORY,
                       "no memory for %llu bytes of a message behind others to rank %d",
                       (unsigned long long)size, lane->channel.ep->rank);
    }
    hy_buffer_read(buffer, 0, memory, size);
    *queued = (hy_queued){.memory = memory, .size = size};
    pthread_mutex_lock(&msg->lock);
    bool behind = lane->queue_end != NULL;
    if (behind) {
        *lane->queue_end = queued;
        lane->queue_end = &queued->next;
        msg->send_buffer.waiting++;
    } else {
        give_back(msg, memory, size);
    }
    pthread_mutex_unlock(&msg->lock);
    if (behind) hy_count(msg->job->counters, HY_COUNT_BUFFERED, 1);
    else free(queued);
    return behind ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

/* Under the lock: takes the first send out of the queue. */
static bool take_next(hy_lane *lane, uint8_t **memory, uint64_t *size)
{
    hy_queued *first = lane->queued;
    if (!first) return false;
    lane->queued = first->next;
    if (!first->next) lane->queue_end = &lane->queued;
    *memory = first->memory;
    *size = first->size;
    free(first);
    return true;
}

bool hy_send_buffer_next(hy_op *op)
{
    hy_lane *lane = op->lane;
    hy_msg *msg = lane->msg;
    hy_op_recorded(op, HAYATE_OK);
    op->flight = 0;
    pthread_mutex_lock(&msg->lock);
    give_back(msg, op->buffer.address, op->size);
    msg->send_buffer.waiting--;
    msg->send_buffer.sent++;
    bool more = take_next(lane, &op->buffer.address, &op->size);
    op->result = HAYATE_OK;
    if (!more) lane->queue_end = NULL;
    pthread_mutex_unlock(&msg->lock);
    if (more && msg->job->flight) hy_op_record(op);
    return more;
}

void hy_send_buffer_drop(hy_op *op, int rc)
{
    const hy_failure failure = hy_failure_of(rc);
    hy_lane *lane = op->lane;
    hy_msg *msg = lane->msg;
    pthread_mutex_lock(&msg->lock);
    do {
        give_back(msg, op->buffer.address, op->size);
        msg->send_buffer.waiting--;
    } while (take_next(lane, &op->buffer.address, &op->size));
    lane->queue_end = NULL;
    if (!msg->send_buffer.loss.code) msg->send_buffer.loss = failure;
    pthread_mutex_unlock(&msg->lock);
}

void hy_send_buffer_forget(hy_lane *lane)
{
    uint8_t *memory;
    uint64_t size;
    pthread_mutex_lock(&lane->msg->lock);
    while (take_next(lane, &memory, &size)) give_back(lane->msg, memory, size);
    pthread_mutex_unlock(&lane->msg->lock);
}

bool hy_send_buffer_holds(hy_msg *msg)
{
    pthread_mutex_lock(&msg->lock);
    bool holds = msg->send_buffer.waiting != 0;
    pthread_mutex_unlock(&msg->lock);
    return holds;
}

int hy_send_buffer_check(hy_msg *msg, int *sent, int *waiting)
{
    int rc = hy_msg_idle(msg, -1);
    pthread_mutex_lock(&msg->lock);
    *sent = msg->send_buffer.sent;
    *waiting = msg->send_buffer.waiting;
    msg->send_buffer.sent = 0;
    pthread_mutex_unlock(&msg->lock);
    return rc;
}
