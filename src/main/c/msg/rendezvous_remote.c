/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handshake with a remote peer. The sender, which knows the protocol from its buffer, announces
 * the message; the receiver fetches the data.
 *
 *    in the sender's heap    LONG(offset) ->   get, get, ...          <- done
 *    elsewhere               the stage is filled as far as there is room, then
 *                            produced, LONG -> get a piece <- done, produced -> get ... <- done
 *
 * The two sides communicate by flags in the sender's match entry, and behind the receiver's first
 * slot. The receiver writes `claim` (it
 * is there, or no longer), and `done` with `failed`. The sender writes `produced` with the offset
 * of its stage, and `gone`, the mark of a message that it has given up. Fetched data count only if
 * `gone` is not set after the fetch: a sender that gives up sets it first, and then takes its
 * memory back.
 */
#include "msg/rendezvous_remote.h"

static int tell(const hy_op *op, size_t field, uint64_t value, uint64_t first, uint64_t second,
                uint64_t third)
{
    return hy_channel_flag(&op->lane->channel, field, value, first, second, third);
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
    op->protocol = hy_rendezvous_choose(op->lane->rendezvous, hy_op_job(op), &op->source, &unknown);
    return op->protocol->begin(op);
}

static int move_out(hy_op *op)
{
    const hy_rendezvous_match *match = hy_rendezvous_mine(&op->lane->channel);
    uint64_t done = hy_load_acquire(&match->done);
    if (hy_rendezvous_taken(op, done) > op->length)
        return hy_rendezvous_corrupt(op, "a wrong count of bytes");
    if (done != op->target) {
        int rc = op->protocol->push(op);
        return rc ? rc : HAYATE_IN_PROGRESS;
    }
    op->lane->moved_out = op->target;
    hy_rendezvous_count(op, op->protocol);
    bool failed = hy_load_relaxed(&match->failed) == hy_rendezvous_mark(op);
    return failed ? hy_rendezvous_gave_up(op) : HAYATE_OK;
}

/* ---- receiver ---- */

static void offer(const hy_op *op, uint64_t claim)
{
    tell(op, offsetof(hy_rendezvous_match, claim), claim, 0, 0, 0);
}

/* No other rank moves data. */
static bool rendezvous_remote_take_back(const hy_op *op, uint64_t claim)
{
    offer(op, claim | HY_CLAIM_WITHDRAWN);
    return true;
}

int hy_rendezvous_get(hy_op *op, uint64_t from, uint64_t len)
{
    hy_lane *lane = op->lane;
    hy_ep *ep = lane->channel.ep;
    uint8_t *to = op->buffer.address ? op->buffer.address + op->staged : lane->bounce;
    if (!to) to = lane->bounce = hy_job_alloc(hy_op_job(op), HY_STAGE_BYTES);
    if (!to) return HAYATE_ERR_NO_MEMORY;
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
    if (!hy_rendezvous_tell_produced(op, hy_rendezvous_mark(op))) ep->ops->flush(ep);
}

static const hy_rendezvous_ops *const protocols[] = {&hy_rendezvous_fetch,
                                                     &hy_rendezvous_fetch_staged, NULL};

const hy_handshake hy_handshake_remote = {
    .protocols = protocols,
    .prepare = prepare,
    .offer = offer,
    .withdraw = rendezvous_remote_take_back,
    .move = move,
    .revoke = revoke,
};
