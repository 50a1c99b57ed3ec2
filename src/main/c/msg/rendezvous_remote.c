/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handshake with a remote peer. If the receive came first and its buffer is in the receiver's
 * heap, the sender puts the data there. Else the sender, which knows the protocol from its buffer,
 * announces the message, and the receiver fetches the data.
 *
 *    to the receiver's heap  <- claim(offset)  put, LONG(pushed) ->
 *    in the sender's heap    LONG(offset) ->   get, get, ...          <- done
 *    elsewhere               the stage is filled as far as there is room, then
 *                            produced, LONG -> get a piece <- done, produced -> get ... <- done
 *
 * The two sides communicate by flags in the sender's match entry, and behind the receiver's first
 * slot. The receiver writes `claim`, with the offset and the size of its buffer in the words behind
 * it (`section`), and `done` with `failed`. The sender writes `produced` with the offset of its
 * stage, and `gone`, the mark of a message that it has given up. Fetched data count only if `gone`
 * is not set after the fetch: a sender that gives up sets it first, and then takes its memory back.
 *
 * A receiver whose header has an offset withdraws it by a compare-and-swap of `claim`, over the
 * network; so does the sender that claims it, on its own memory.
 */
#include "msg/rendezvous_remote.h"

static int tell(const hy_op *op, size_t field, uint64_t value, uint64_t first, uint64_t second,
                uint64_t third)
{
    return hy_channel_flag(&op->lane->channel, field, value, first, second, third);
}

static bool is_pushed(const hy_op *op)
{
    return op->source.flags & HY_IS_PUSHED;
}

/* ---- sender ---- */

int hy_rendezvous_tell_produced(const hy_op *op, uint64_t gone)
{
    const hy_lane *lane = op->lane;
    uint64_t stage = lane->stage ? (uint64_t)(lane->stage - hy_op_job(op)->part) : 0;
    const hy_channel *channel = &lane->channel;
    const hy_flag produced = {op->start + op->staged, {stage, HY_STAGE_BYTES, gone}};
    return channel->ep->ops->put_flag(channel->ep, channel->out + HY_SLOT_FLAG, &produced);
}

/* The address is not told, because the receiver could not use it. */
static int prepare(hy_op *op)
{
    static const hy_told_buffer unknown = {.offset = HY_NOT_IN_HEAP};
    op->source.address = 0;
    op->learned = 1; /* nothing to learn */
    if (hy_rendezvous_claim_header(op)) op->source.flags |= HY_IS_PUSHED;
    op->protocol = hy_rendezvous_choose(op->lane->rendezvous, hy_op_job(op), &op->source, &unknown);
    return op->protocol->begin(op);
}

static int move_ended(hy_op *op)
{
    op->lane->moved_out = op->target;
    hy_rendezvous_count(op, op->protocol);
    return HAYATE_OK;
}

static int move_out(hy_op *op)
{
    const hy_rendezvous_match *match = hy_rendezvous_mine(&op->lane->channel);
    if (is_pushed(op)) {
        int rc = op->protocol->push(op);
        return rc ? rc : move_ended(op);
    }
    uint64_t done = hy_load_acquire(&match->done);
    if (hy_rendezvous_taken(op, done) > op->length)
        return hy_rendezvous_corrupt(op, "a wrong count of bytes");
    if (done != op->target) {
        int rc = op->protocol->push(op);
        return rc ? rc : HAYATE_IN_PROGRESS;
    }
    move_ended(op);
    bool failed = hy_load_relaxed(&match->failed) == hy_rendezvous_mark(op);
    return failed ? hy_rendezvous_gave_up(op) : HAYATE_OK;
}

/* ---- receiver ---- */

static void offer(const hy_op *op, uint64_t claim)
{
    uint64_t offset = HY_NOT_IN_HEAP;
    if (hy_rendezvous_offers_memory(op))
        offset = hy_job_heap_offset(hy_op_job(op), op->buffer.address, op->size);
    tell(op, offsetof(hy_rendezvous_match, claim), claim, offset, op->size, 0);
}

/* False, too, if the peer does not answer: it may have claimed the header. A header without an
 * offset is still without one when it is withdrawn, because the sender may see the words behind the
 * claim before the claim. */
static bool rendezvous_remote_take_back(const hy_op *op, uint64_t claim)
{
    const hy_channel *channel = &op->lane->channel;
    uint64_t before = 0, withdrawn = claim | HY_CLAIM_WITHDRAWN;
    if (!hy_rendezvous_offers_memory(op)) {
        offer(op, withdrawn);
        return true;
    }
    uint64_t at = channel->peer_match_at + offsetof(hy_rendezvous_match, claim);
    int rc = channel->ep->ops->atomic(channel->ep, at, HY_ATOMIC_COMPARE_SWAP, withdrawn, claim,
                                      &before);
    return !rc && before == claim;
}

int hy_rendezvous_get(hy_op *op, uint64_t from, uint64_t len)
{
    hy_lane *lane = op->lane;
    hy_ep *ep = lane->channel.ep;
    uint8_t *to = op->buffer.address ? op->buffer.address + op->staged : lane->bounce;
    if (!to) to = lane->bounce = hy_job_alloc(hy_op_job(op), HY_STAGE_BYTES);
    if (!to) return hy_job_alloc_code(hy_op_job(op));
    int rc = ep->ops->get(ep, from, to, len);
    if (rc) return rc;
    if (!op->buffer.address) hy_buffer_write(&op->buffer, op->staged, to, len);
    op->staged += len;
    return HAYATE_OK;
}

static bool is_gone(const hy_op *op)
{
    const hy_produced *told = hy_channel_slot_flag(&op->lane->channel);
    return hy_load_acquire(&told->gone) == hy_rendezvous_mark(op);
}

/* Ignores a failure of the path: the sender will notice it. */
static void tell_failed(hy_op *op)
{
    op->lane->moved_in = op->target;
    tell(op, offsetof(hy_rendezvous_match, done), op->target, hy_rendezvous_mark(op), 0, 0);
}

static int move_in(hy_op *op)
{
    int rc = is_gone(op) ? hy_rendezvous_gave_up(op) : op->protocol->pull(op);
    if (rc == HAYATE_OK && is_gone(op)) rc = hy_rendezvous_gave_up(op);
    if (rc < 0) tell_failed(op);
    if (rc) return rc;
    bool complete = op->staged == op->length;
    if (complete) op->lane->moved_in = op->target;
    if (is_pushed(op)) return HAYATE_OK; /* the sender knows it */
    rc = tell(op, offsetof(hy_rendezvous_match, done), op->start + op->staged, 0, 0, 0);
    return complete ? HAYATE_OK : rc ? rc : HAYATE_IN_PROGRESS;
}

/* ---- both ---- */

static int move(hy_op *op)
{
    return op->sends ? move_out(op) : move_in(op);
}

static void revoke(hy_op *op)
{
    hy_ep *ep = op->lane->channel.ep;
    if (!op->sends) {
        tell_failed(op);
        return;
    }
    op->lane->moved_out = op->target; /* as at the receiver, which does not move it any more */
    if (is_pushed(op)) {
        hy_rendezvous_end_push(op);
        return;
    }
    if (!hy_rendezvous_tell_produced(op, hy_rendezvous_mark(op))) ep->ops->flush(ep);
}

static const hy_rendezvous_ops *const protocols[] = {&hy_rendezvous_push, &hy_rendezvous_fetch,
                                                     &hy_rendezvous_fetch_staged, NULL};

const hy_handshake hy_handshake_remote = {
    .protocols = protocols,
    .prepare = prepare,
    .offer = offer,
    .withdraw = rendezvous_remote_take_back,
    .move = move,
    .revoke = revoke,
};
