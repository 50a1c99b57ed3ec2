/* SPDX-License-Identifier: Apache-2.0 */
/* The send buffer of fmpl_sendbuff_set(): sends whose receive does not come go on from there. The
 * lane stays occupied until the data have gone, so that messages keep their order. */
#include "base/clock.h"
#include "fmpl/op.h"

int hy_spool_set(hy_fmpl *fmpl, void *memory, int64_t size, int timeout_us)
{
    if (size < 0 || timeout_us < 0 || (memory == NULL) != (size == 0))
        return hy_fail(
            HAYATE_ERR_ARGUMENT,
            "send buffer %p of %lld bytes, time-out %d us: expected a buffer and its size,"
            " or null and 0",
            memory, (long long)size, timeout_us);
    pthread_mutex_lock(&fmpl->lock);
    int rc = HAYATE_OK;
    hy_spool *spool = &fmpl->spool;
    if (spool->waiting)
        rc = hy_fail(HAYATE_ERR_BUSY, "%d sends still wait in the send buffer: check it until 0",
                     spool->waiting);
    if (!rc && spool->memory) hy_heap_close(&spool->heap);
    if (!rc) *spool = (hy_spool){.timeout_ns = (uint64_t)timeout_us * 1000};
    if (!rc && memory) rc = hy_heap_open(&spool->heap, (uint64_t)size / HY_LINE * HY_LINE);
    if (!rc) spool->memory = memory;
    pthread_mutex_unlock(&fmpl->lock);
    return rc;
}

static bool movable(const hy_op *op)
{
    uint32_t state = hy_load_relaxed(&op->state);
    return op->blocking && !op->spooled && (state == HY_OP_SEND_ROOM || state == HY_OP_SEND_HEADER);
}

/* Room in the send buffer; false: none. */
static bool reserve(hy_fmpl *fmpl, uint64_t size, uint64_t *offset)
{
    hy_spool *spool = &fmpl->spool;
    pthread_mutex_lock(&fmpl->lock);
    bool room = spool->memory && hy_heap_take(&spool->heap, size ? size : 1, HY_LINE, offset) == 0;
    if (room) spool->waiting++;
    pthread_mutex_unlock(&fmpl->lock);
    return room;
}

static void move_into(hy_op *op, uint8_t *memory)
{
    hy_buffer_read(&op->buffer, 0, memory, op->size);
    if (op->retained) op->buffer.managed->release(op->buffer.handle);
    op->retained = false;
    op->buffer = (hy_buffer){.address = memory};
    op->spooled = true;
    hy_count(hy_op_job(op)->counters, HY_COUNT_SPOOLED, 1);
}

bool hy_spool_put_aside(hy_op *op)
{
    hy_fmpl *fmpl = op->lane->fmpl;
    bool listed = op->listed, moved = false;
    uint64_t offset;
    if (hy_likely(!fmpl->spool.memory) || !movable(op)) return false;
    if (hy_now_ns() - op->started_ns < fmpl->spool.timeout_ns) return false;
    if (listed && !hy_work_claim(&op->work)) return false;
    if (movable(op) && reserve(fmpl, op->size, &offset)) {
        move_into(op, fmpl->spool.memory + offset);
        moved = true;
    }
    if (listed) hy_work_release(&op->work);
    int unused = 0;
    if (moved && !listed) hy_request_make(op, &unused);
    return moved;
}

void hy_spool_finished(hy_op *op)
{
    hy_fmpl *fmpl = op->lane->fmpl;
    hy_spool *spool = &fmpl->spool;
    pthread_mutex_lock(&fmpl->lock);
    hy_heap_give(&spool->heap, (uint64_t)(op->buffer.address - spool->memory), NULL);
    spool->waiting--;
    spool->sent++;
    pthread_mutex_unlock(&fmpl->lock);
    op->listed = false;
    op->spooled = false;
}

int hy_spool_check(hy_fmpl *fmpl, int *sent, int *waiting)
{
    int rc = hy_fmpl_idle(fmpl, -1);
    pthread_mutex_lock(&fmpl->lock);
    *sent = fmpl->spool.sent;
    *waiting = fmpl->spool.waiting;
    fmpl->spool.sent = 0;
    pthread_mutex_unlock(&fmpl->lock);
    return rc;
}
