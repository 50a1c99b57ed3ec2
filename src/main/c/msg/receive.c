/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving half of the state machine: WAIT -> (MOVE) -> done. */
#include "job/await.h"
#include "msg/rendezvous.h"

#define GIVE_UP_NS UINT64_C(1000000000)

/* A message that does not fit stays in the channel: nothing is lost. */
static int too_long(hy_op *op, uint64_t length)
{
    int peer = op->lane->channel.ep->rank;
    op->length = length;
    if (hy_load_relaxed(&op->offered)) hy_rendezvous_withdraw(op);
    hy_store_relaxed(&op->offered, false);
    int rc = hy_fail_peer(HAYATE_ERR_TRUNCATE, peer,
                          "the message from rank %d has %llu bytes, the receive %llu: receive it"
                          " with a buffer of at least that size",
                          peer, (unsigned long long)length, (unsigned long long)op->size);
    hy_fail_length(length);
    return rc;
}

static int finish(hy_op *op, uint64_t head)
{
    uint32_t slots = hy_head_kind(head) == HY_KIND_LINES ? hy_slots_of(hy_head_len(head)) : 1;
    hy_channel_take_slots(&op->lane->channel, head, slots);
    hy_count_message(hy_op_job(op)->counters, HY_COUNT_RECEIVED, op->length);
    hy_breakdown_mark(op, HY_PHASE_RECV_DATA);
    return HAYATE_OK;
}

static int take_short(hy_op *op, const hy_slot *slot, uint64_t head)
{
    size_t length = hy_head_len(head);
    const uint8_t *payload = slot->payload;
    if (hy_head_kind(head) != HY_KIND_INLINE) {
        int rc = hy_channel_eager_payload(&op->lane->channel, slot, head, &payload, &length);
        if (rc) return rc;
        op->way = HY_COUNT_EAGER;
    } else if (length > HY_SLOT_PAYLOAD) {
        return hy_fail_peer(HAYATE_ERR_CORRUPT, op->lane->channel.ep->rank,
                            "rank %d wrote a slot with a length of %zu bytes",
                            op->lane->channel.ep->rank, length);
    }
    if (length > op->size) return too_long(op, length);
    op->length = length;
    hy_buffer_write(&op->buffer, 0, payload, length);
    return finish(op, head);
}

static int take_lines(hy_op *op, uint64_t head)
{
    uint8_t payload[HY_LINES_BYTES];
    size_t length = hy_head_len(head);
    if (length <= HY_SLOT_PAYLOAD || length > HY_LINES_BYTES)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, op->lane->channel.ep->rank,
                            "rank %d wrote slots of %zu bytes", op->lane->channel.ep->rank, length);
    if (length > op->size) return too_long(op, length);
    op->length = length;
    hy_channel_read_lines(&op->lane->channel, payload, length);
    hy_buffer_write(&op->buffer, 0, payload, length);
    return finish(op, head);
}

/* The sender waits in its call until it learns that we have taken the loan; at most it moves the
 * data once while we copy. */
static int take_loan(hy_op *op, hy_slot *slot, uint64_t head)
{
    hy_channel *channel = &op->lane->channel;
    uint64_t moved;
    op->way = HY_COUNT_HEAP;
    for (int copies = 0; copies < 2; copies++) {
        size_t length;
        const uint8_t *from = hy_channel_loan_source(channel, slot, &length, &moved);
        if (!from) return HAYATE_ERR_CORRUPT;
        if (length > op->size) return too_long(op, length);
        op->length = length;
        hy_buffer_write(&op->buffer, 0, from, length);
        if (!hy_channel_loan_moved(slot, moved)) break;
    }
    int rc = finish(op, head);
    hy_channel_tell_acks(channel, hy_load_relaxed(&channel->received));
    return rc;
}

static int take_long(hy_op *op, const hy_slot *slot)
{
    hy_told_buffer source;
    hy_copy_once(&source, slot->payload, sizeof source);
    if (source.len > op->size) return too_long(op, source.len);
    if (!hy_load_relaxed(&op->offered))
        hy_rendezvous_offer(op); /* only if the peer's eager limit differs */
    int rc = hy_rendezvous_accept(op, &source);
    if (rc) return rc;
    hy_store_relaxed(&op->state, HY_OP_RECV_MOVE);
    return hy_recv_step(op);
}

static int take(hy_op *op, hy_slot *slot, uint64_t head)
{
    switch (hy_head_kind(head)) {
    case HY_KIND_INLINE:
    case HY_KIND_BOUNCE:
    case HY_KIND_EAGER: return take_short(op, slot, head);
    case HY_KIND_LINES: return take_lines(op, head);
    case HY_KIND_LOAN: return take_loan(op, slot, head);
    case HY_KIND_LONG: return take_long(op, slot);
    default:
        return hy_fail_peer(HAYATE_ERR_CORRUPT, op->lane->channel.ep->rank,
                            "rank %d wrote a slot of unknown kind %d", op->lane->channel.ep->rank,
                            hy_head_kind(head));
    }
}

int hy_recv_begin(hy_op *op)
{
    uint64_t head;
    hy_store_relaxed(&op->offered, false);
    hy_store_relaxed(&op->state, HY_OP_RECV_WAIT);
    hy_breakdown_mark(op, HY_PHASE_RECV_SETUP);
    hy_slot *slot = hy_channel_peek(&op->lane->channel, &head);
    if (!slot && op->size > hy_op_job(op)->eager_limit &&
        (!op->lane->contact || hy_contact_is_accepted(&op->lane->channel)))
        hy_rendezvous_offer(op);
    hy_breakdown_mark(op, HY_PHASE_RECV_HEADER);
    return slot ? take(op, slot, head) : HAYATE_IN_PROGRESS;
}

int hy_recv_step(hy_op *op)
{
    hy_channel *channel = &op->lane->channel;
    uint64_t head;
    hy_slot *slot = hy_channel_peek(channel, &head);
    if (!slot) {
        if (hy_unlikely(hy_recv_must_offer(op))) hy_rendezvous_offer(op);
        return HAYATE_IN_PROGRESS;
    }
    if (hy_load_relaxed(&op->state) == HY_OP_RECV_WAIT) return take(op, slot, head);
    int rc = hy_rendezvous_move(op);
    if (rc == HAYATE_OK) return finish(op, head);
    /* Both sides have given up the message: the next one may come. */
    if (rc < 0) hy_channel_take(channel, head);
    return rc;
}

bool hy_recv_withdraw(hy_op *op)
{
    if (hy_load_relaxed(&op->state) != HY_OP_RECV_WAIT) return false;
    return !hy_load_relaxed(&op->offered) || hy_rendezvous_withdraw(op);
}

typedef struct announced {
    hy_op *op;
    bool over; /* the message has come to its end */
} announced;

static int step_announced(void *context)
{
    announced *a = context;
    a->over = hy_recv_step(a->op) != HAYATE_IN_PROGRESS;
    bool waits = !a->over && hy_load_relaxed(&a->op->state) == HY_OP_RECV_WAIT &&
                 hy_ep_is_far(a->op->lane->channel.ep);
    return waits ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

static int idle_announced(void *context)
{
    const announced *a = context;
    hy_far_poll(hy_op_job(a->op));
    return hy_job_check(hy_op_job(a->op), a->op->lane->channel.ep->rank);
}

/* A remote sender puts its data before it announces them. True: the message is over. */
static bool await_announced(hy_op *op)
{
    announced a = {.op = op};
    hy_job_await(&(hy_await){.job = hy_op_job(op),
                             .step = step_announced,
                             .idle = idle_announced,
                             .context = &a,
                             .poll = hy_far_poll,
                             .limit = &(hy_limit){.ns = GIVE_UP_NS}});
    return a.over;
}

void hy_recv_give_up(hy_op *op)
{
    if (hy_recv_withdraw(op)) return;
    /* The sender has claimed a block, so its announcement is there, or on its way. */
    if (hy_load_relaxed(&op->state) == HY_OP_RECV_WAIT && await_announced(op)) return;
    if (hy_load_relaxed(&op->state) == HY_OP_RECV_MOVE) hy_rendezvous_revoke(op);
}
