/* SPDX-License-Identifier: Apache-2.0 */
/* The send buffer of fmpl_sendbuff_set(): sends whose receives do not come in time continue from
 * there. The lane stays in use until the data have been received, so that messages keep their
 * order. */
#include "base/clock.h"
#include "msg/op.h"

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
    if (!rc) *buffer = (hy_send_buffer){.timeout_ns = (uint64_t)timeout_us * 1000};
    if (!rc && memory) rc = hy_heap_open(&buffer->heap, (uint64_t)size / HY_LINE * HY_LINE);
    if (!rc) buffer->memory = memory;
    pthread_mutex_unlock(&msg->lock);
    return rc;
}

static bool movable(const hy_op *op)
{
    uint32_t state = hy_load_relaxed(&op->state);
    return op->blocking && !op->buffered &&
           (state == HY_OP_SEND_ROOM || state == HY_OP_SEND_HEADER);
}

/* Reserves room in the send buffer; false: not enough. */
static bool reserve(hy_msg *msg, uint64_t size, uint64_t *offset)
{
    hy_send_buffer *buffer = &msg->send_buffer;
    pthread_mutex_lock(&msg->lock);
    bool room = buffer->memory &&
                hy_heap_take(&buffer->heap, size ? size : 1, HY_LINE, offset) == 0;
    if (room) buffer->waiting++;
    pthread_mutex_unlock(&msg->lock);
    return room;
}

static void move_into(hy_op *op, uint8_t *memory)
{
    hy_buffer_read(&op->buffer, 0, memory, op->size);
    if (op->retained) op->buffer.managed->release(op->buffer.handle);
    op->retained = false;
    op->buffer = (hy_buffer){.address = memory};
    op->buffered = true;
    hy_count(hy_op_job(op)->counters, HY_COUNT_BUFFERED, 1);
}

bool hy_send_buffer_put_aside(hy_op *op)
{
    hy_msg *msg = op->lane->msg;
    bool listed = op->listed, moved = false;
    uint64_t offset;
    if (hy_likely(!msg->send_buffer.memory) || !movable(op)) return false;
    if (hy_now_ns() - op->started_ns < msg->send_buffer.timeout_ns) return false;
    if (listed && !hy_work_claim(&op->work)) return false;
    if (movable(op) && reserve(msg, op->size, &offset)) {
        move_into(op, msg->send_buffer.memory + offset);
        moved = true;
    }
    if (listed) hy_work_release(&op->work);
    int unused = 0;
    if (moved && !listed) hy_request_make(op, &unused);
    return moved;
}

void hy_send_buffer_finished(hy_op *op)
{
    hy_msg *msg = op->lane->msg;
    hy_send_buffer *buffer = &msg->send_buffer;
    pthread_mutex_lock(&msg->lock);
    hy_heap_give(&buffer->heap, (uint64_t)(op->buffer.address - buffer->memory), NULL);
    buffer->waiting--;
    buffer->sent++;
    pthread_mutex_unlock(&msg->lock);
    op->listed = false;
    op->buffered = false;
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
