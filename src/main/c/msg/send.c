/* SPDX-License-Identifier: Apache-2.0 */
/* The sending half of the state machine: ROOM -> (HEADER) -> MOVE -> done. */
#include "base/clock.h"
#include "msg/rendezvous.h"

static void count_sent(hy_op *op)
{
    hy_count_message(hy_op_job(op)->counters, HY_COUNT_SENT, op->size);
}

static int post_eager(hy_op *op)
{
    hy_channel *channel = &op->lane->channel;
    uint8_t *eager = hy_channel_eager_buffer(channel);
    if (!eager) return hy_job_alloc_code(channel->job);
    hy_buffer_read(&op->buffer, 0, eager, op->size);
    return hy_channel_post_eager(channel, op->size, 0);
}

static bool lends(const hy_op *op)
{
    hy_job *job = hy_op_job(op);
    bool may = hy_channel_may_lend(&op->lane->channel, op->size);
    return may && op->blocking && !op->listed && !op->lane->rendezvous->forced &&
           op->buffer.address &&
           hy_job_heap_offset(job, op->buffer.address, op->size) != HY_NOT_IN_HEAP;
}

static int send_short(hy_op *op)
{
    hy_channel *channel = &op->lane->channel;
    if (op->size <= HY_SLOT_PAYLOAD) {
        uint8_t payload[HY_SLOT_PAYLOAD];
        hy_buffer_read(&op->buffer, 0, payload, op->size);
        hy_channel_post(channel, HY_KIND_INLINE, payload, op->size);
    } else if (op->size <= HY_LINES_BYTES) {
        uint8_t payload[HY_LINES_BYTES];
        hy_buffer_read(&op->buffer, 0, payload, op->size);
        hy_channel_post_lines(channel, payload, op->size);
    } else {
        bool loan = lends(op);
        int rc = loan ? hy_channel_lend(channel, op->buffer.address, op->size, 0) : post_eager(op);
        if (rc) return rc;
        op->way = loan ? HY_COUNT_HEAP : HY_COUNT_EAGER;
        hy_count(hy_op_job(op)->counters, op->way, 1);
    }
    count_sent(op);
    hy_breakdown_mark(op, HY_PHASE_SEND_DATA);
    return HAYATE_OK;
}

/* A blocking send that may use a send buffer must not tell the receiver where its data are
 * before the receive has come: they may still move to the send buffer. */
static bool waits_for_header(const hy_op *op)
{
    return op->lane->msg->send_buffer.on && !op->buffered && op->blocking;
}

int hy_send_begin(hy_op *op)
{
    hy_store_relaxed(&op->state, HY_OP_SEND_ROOM);
    return hy_send_step(op);
}

static int send_move(hy_op *op)
{
    if (hy_breakdown_is_on(op->lane->msg) && !op->learned && hy_rendezvous_offered(op, op->number))
        hy_breakdown_record(op, HY_PHASE_SEND_HEADER);
    int rc = hy_rendezvous_move(op);
    if (rc == HAYATE_OK) {
        count_sent(op);
        hy_breakdown_mark(op, HY_PHASE_SEND_DATA);
    }
    return rc;
}

void hy_send_give_up(hy_op *op)
{
    if (hy_load_relaxed(&op->state) == HY_OP_SEND_MOVE) hy_rendezvous_revoke(op);
}

/* Without slots, because there are none, or because the path has failed: says so. */
static int no_room(hy_op *op)
{
    hy_channel *channel = &op->lane->channel;
    int rc = hy_unlikely(channel->contact != NULL) ? hy_channel_connect(channel) : HAYATE_OK;
    return rc ? rc : HAYATE_IN_PROGRESS;
}

/* Goes through the states as far as possible. */
int hy_send_step(hy_op *op)
{
    hy_channel *channel = &op->lane->channel;
    int rc;
    switch (hy_load_relaxed(&op->state)) {
    case HY_OP_SEND_ROOM:
        if (!hy_channel_room_for(channel, op->size <= HY_LINES_BYTES ? hy_slots_of(op->size) : 1))
            return no_room(op);
        hy_breakdown_mark(op, HY_PHASE_SEND_SETUP);
        if (op->size <= hy_op_job(op)->eager_limit) return send_short(op);
        hy_store_relaxed(&op->state, HY_OP_SEND_HEADER);
        /* fall through */
    case HY_OP_SEND_HEADER:
        if (waits_for_header(op) && !hy_rendezvous_offered(op, channel->sent + 1))
            return HAYATE_IN_PROGRESS;
        if ((rc = hy_rendezvous_announce(op))) return rc;
        hy_store_relaxed(&op->state, HY_OP_SEND_MOVE);
        /* fall through */
    default: return send_move(op);
    }
}
