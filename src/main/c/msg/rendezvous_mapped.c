/* SPDX-License-Identifier: Apache-2.0 */
/* The handshake with a peer whose part is mapped: both sides load and store the sender's match
 * entry. The sender learns the protocol from the header; the receiver may have moved all data
 * before. */
#include "base/clock.h"
#include "msg/rendezvous_blocks.h"

static const hy_rendezvous_ops *choose(const hy_op *send, const hy_told_buffer *target)
{
    return hy_rendezvous_choose(send->lane->rendezvous, hy_op_job(send), &send->source, target);
}

/*
 * Until the sender has learned the header: the protocol by which the receiver alone moves
 * everything if it comes first, whatever its buffer is.
 *
 * If one side alone moves everything by loads and stores, the receiver is the better one: it takes
 * lines that this side has written, while this side would have to fetch back lines that the other
 * has read, which is several times slower. Also, the line of the claim stays with the receiver.
 */
static void expect_protocol(hy_op *op)
{
    static const hy_told_buffer able = {
        .offset = HY_NOT_IN_HEAP, .address = UINT64_MAX, .flags = HY_REACHES_PEER};
    op->protocol = choose(op, &able);
    if (op->blocking && !op->listed && op->block >= op->length)
        op->patience = op->protocol->patience;
}

/* ---- pipeline or single copy: crossover.h ---- */

/* Whether nothing but their speed decides. */
static bool is_free_to_choose(const hy_op *send)
{
    const hy_ep *ep = send->lane->channel.ep;
    return send->size >= HY_CROSSOVER_FROM && send->size < hy_op_job(send)->cma_from &&
           !send->lane->rendezvous->forced && ep->single && !(ep->single->caps & HY_CAP_LOADS) &&
           ep->rank != hy_op_job(send)->rank && send->source.offset == HY_NOT_IN_HEAP &&
           send->source.address && !(send->source.flags & (HY_IS_STRIDED | HY_LACKS_STAGE));
}

static int prepare(hy_op *send)
{
    if (is_free_to_choose(send) &&
        hy_crossover_prefers_single(&send->lane->msg->crossover, send->size))
        send->source.flags |= HY_PREFERS_SINGLE;
    return HAYATE_OK;
}

/* Time counts only if the other side has moved nothing yet, and could have taken either. */
static void time_from_now(hy_op *send, const hy_told_buffer *target,
                          const hy_rendezvous_match *match)
{
    bool counts = is_free_to_choose(send) && target->offset == HY_NOT_IN_HEAP && target->address &&
                  !(target->flags & HY_IS_STRIDED) && hy_load_acquire(&match->done) == send->start;
    send->timed_from = counts ? hy_now_ns() : 0;
}

static void time_until_now(const hy_op *send)
{
    hy_crossover_timed(&send->lane->msg->crossover, send->length,
                       send->protocol == &hy_rendezvous_single, hy_now_ns() - send->timed_from);
}

/* ---- the two sides ---- */

static void offer(const hy_op *op, uint64_t claim)
{
    hy_rendezvous_match *match = hy_rendezvous_entry(op);
    const hy_told_buffer header = hy_rendezvous_end(op);
    hy_store_relaxed(&match->address, header.address);
    hy_store_relaxed(&match->offset, header.offset);
    hy_store_relaxed(&match->capacity, header.len);
    hy_store_relaxed(&match->flags, header.flags);
    if (hy_unlikely(header.flags & HY_IS_STRIDED)) {
        uint64_t words[3];
        memcpy(words, &header.section, sizeof words);
        for (int i = 0; i < 3; i++) hy_store_relaxed(&match->section[i], words[i]);
    }
    hy_store_release(&match->claim, claim);
    hy_bell_ring(op->lane->channel.ep->bell);
}

static bool rendezvous_mapped_take_back(const hy_op *op, uint64_t claim)
{
    return atomic_compare_exchange_strong(&hy_rendezvous_entry(op)->claim, &claim,
                                          claim | HY_CLAIM_WITHDRAWN);
}

/* Another header may follow a withdrawn one. */
static void learn_protocol(hy_op *op, const hy_rendezvous_match *match)
{
    uint64_t claim = hy_load_acquire(&match->claim);
    hy_told_buffer header;
    if (hy_claim_header(claim) == op->learned || !hy_rendezvous_read_header(op, claim, &header))
        return;
    op->protocol = choose(op, &header);
    op->learned = hy_claim_header(claim);
    time_from_now(op, &header, match);
}

static int move_some(hy_op *op, const hy_rendezvous_match *match)
{
    if (!op->sends) return op->protocol->pull(op);
    if (op->patience && !op->listed) {
        op->patience--;
        return HAYATE_OK;
    }
    learn_protocol(op, match);
    return op->learned ? op->protocol->push(op) : HAYATE_OK;
}

static int finish(hy_op *op, const hy_rendezvous_match *match)
{
    hy_lane *lane = op->lane;
    *(op->sends ? &lane->moved_out : &lane->moved_in) = op->target;
    if (op->sends) hy_rendezvous_count(op, op->protocol);
    if (hy_likely(hy_load_relaxed(&match->failed) != hy_rendezvous_mark(op))) {
        if (op->sends && op->timed_from) time_until_now(op);
        return HAYATE_OK;
    }
    if (op->result) return op->result;
    if (!op->protocol->in_blocks) return hy_rendezvous_gave_up(op); /* it had no stage */
    return hy_fail_peer(HAYATE_ERR_CORRUPT, lane->channel.ep->rank,
                        "rank %d could not reach this rank's buffer: was it freed before the"
                        " operation was complete?",
                        lane->channel.ep->rank);
}

static int move(hy_op *op)
{
    const hy_rendezvous_match *match = hy_rendezvous_entry(op);
    if (!op->protocol) expect_protocol(op); /* while the announcement travels */
    if (hy_load_acquire(&match->done) != op->target) {
        int rc = move_some(op, match);
        if (rc < 0) return rc;
        uint64_t done = hy_load_acquire(&match->done);
        if (done - op->start > op->length)
            return hy_rendezvous_corrupt(op, "a wrong count of bytes");
        if (done != op->target) return HAYATE_IN_PROGRESS;
    }
    return finish(op, match);
}

/* Protocols without blocks let the peer access the stage only. */
static void revoke(hy_op *op)
{
    bool learned = !op->sends || op->learned;
    if (!learned || op->protocol->in_blocks) hy_rendezvous_revoke_blocks(op);
}

static const hy_rendezvous_ops *const protocols[] = {&hy_rendezvous_direct, &hy_rendezvous_heap,
                                                     &hy_rendezvous_single, &hy_rendezvous_pipeline,
                                                     NULL};

const hy_handshake hy_handshake_mapped = {
    .protocols = protocols,
    .prepare = prepare,
    .offer = offer,
    .withdraw = rendezvous_mapped_take_back,
    .move = move,
    .revoke = revoke,
};
