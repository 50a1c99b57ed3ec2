/* SPDX-License-Identifier: Apache-2.0 */
#include "msg/rendezvous.h"

#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"

/* Below this many bytes one side alone is faster than two that share the claim's line. */
#define SHARE_FROM (UINT64_C(24) << 10)

/* Looks of a sender, together about 2 us, in which the receiver has the first go. */
#define PATIENCE 64

typedef struct hy_header {
    uint64_t address, offset, capacity, flags;
} hy_header;

static uint64_t claim_of(uint32_t number, uint32_t generation, uint64_t block)
{
    return (uint64_t)number << 32 | (uint64_t)(generation & 0xff) << 24 | block;
}

static uint64_t block_bytes(uint64_t length)
{
    if (length < SHARE_FROM) return length;
    uint64_t eighth = hy_round_up(length / 8, 4096);
    uint64_t half = hy_round_up(length / 2, HY_LINE);
    if (eighth < (UINT64_C(16) << 10)) return half < (16 << 10) ? half : UINT64_C(16) << 10;
    return eighth < (UINT64_C(128) << 10) ? eighth : UINT64_C(128) << 10;
}

static hy_match *match_of(const hy_op *op)
{
    return op->sends ? op->lane->channel.match : op->lane->channel.peer_match;
}

static uint64_t blocks_of(const hy_op *op)
{
    return (op->length + op->block - 1) / op->block;
}

static bool has_one_block(const hy_op *op)
{
    return op->block >= op->length;
}

/* Where one side alone moves all by loads and stores it had better be the receiver: it takes lines
 * that this side has written, while this side would have to call back those that the other has
 * read, which is several times slower. Besides, the line of the claim stays with the receiver. */
static uint32_t patience_of(const hy_op *send)
{
    int forced = hy_op_job(send)->rendezvous;
    bool loads = send->parcel.offset != HY_NOT_IN_HEAP && forced != HY_RENDEZVOUS_CMA &&
                 forced != HY_RENDEZVOUS_PIPELINE;
    return loads && send->blocking && !send->listed && has_one_block(send) ? PATIENCE : 0;
}

static uint64_t heap_offset(const hy_op *op)
{
    if (!op->buffer.address) return HY_NOT_IN_HEAP;
    return hy_job_offset(hy_op_job(op), op->buffer.address, op->size);
}

int hy_rendezvous_announce(hy_op *op)
{
    hy_lane *lane = op->lane;
    if (hy_unlikely(hy_channel_is_far(&lane->channel))) return hy_rendezvous_announce_far(op);
    op->length = op->size;
    op->parcel = (hy_parcel){
        .offset = heap_offset(op),
        .address = (uint64_t)(uintptr_t)op->buffer.address,
        .len = op->size,
        .flags = lane->channel.ep->single ? HY_REACHES_PEER : 0,
    };
    op->number = lane->channel.sent + 1;
    op->block = block_bytes(op->length);
    op->start = lane->moved_out;
    op->target = op->start + op->length;
    op->staged = 0;
    op->way = HY_RENDEZVOUS_AUTO;
    op->learned = 0; /* no claim: a message's number is never 0 */
    op->patience = patience_of(op);
    hy_channel_post(&lane->channel, HY_KIND_LONG, &op->parcel, sizeof op->parcel);
    return HAYATE_OK;
}

static hy_header header_of(const hy_op *recv)
{
    return (hy_header){
        .address = (uint64_t)(uintptr_t)recv->buffer.address,
        .offset = heap_offset(recv),
        .capacity = recv->size,
        .flags = recv->lane->channel.ep->single ? HY_REACHES_PEER : 0,
    };
}

void hy_rendezvous_offer(hy_op *op)
{
    hy_lane *lane = op->lane;
    hy_match *match = lane->channel.peer_match;
    const hy_header header = header_of(op);
    op->number = hy_load_relaxed(&lane->channel.received) + 1;
    op->offered = true;
    if (hy_unlikely(hy_channel_is_far(&lane->channel))) {
        hy_rendezvous_offer_far(op, claim_of(op->number, ++lane->header_generation, 0));
        return;
    }
    hy_store_relaxed(&match->address, header.address);
    hy_store_relaxed(&match->offset, header.offset);
    hy_store_relaxed(&match->capacity, header.capacity);
    hy_store_relaxed(&match->flags, header.flags);
    hy_store_release(&match->claim, claim_of(op->number, ++lane->header_generation, 0));
    hy_bell_ring(lane->channel.ep->bell);
}

bool hy_rendezvous_withdraw(hy_op *op)
{
    uint64_t mine = claim_of(op->number, op->lane->header_generation, 0);
    if (hy_unlikely(hy_channel_is_far(&op->lane->channel))) {
        hy_rendezvous_offer_far(op, mine | HY_CLAIM_WITHDRAWN);
        return true; /* nobody but this rank moves anything */
    }
    return atomic_compare_exchange_strong(&op->lane->channel.peer_match->claim, &mine,
                                          mine | HY_CLAIM_WITHDRAWN);
}

bool hy_rendezvous_offered(const hy_op *op, uint32_t number)
{
    uint64_t claim = hy_load_acquire(&op->lane->channel.match->claim);
    return (uint32_t)(claim >> 32) == number && (claim & HY_CLAIM_WITHDRAWN) != HY_CLAIM_WITHDRAWN;
}

int hy_rendezvous_corrupt(const hy_op *op, const char *what)
{
    int peer = op->lane->channel.ep->rank;
    return hy_fail_peer(HAYATE_ERR_CORRUPT, peer, "rank %d wrote %s", peer, what);
}

/* How what one side loads and stores is called. */
static uint8_t by_loads(const hy_job *job)
{
    return job->direct ? HY_RENDEZVOUS_DIRECT : HY_RENDEZVOUS_HEAP;
}

/* A way is a function of what both sides can, so both find the same without another message. */
static uint8_t choose_way(const hy_op *op, const hy_parcel *source, const hy_header *target)
{
    bool heap = source->offset != HY_NOT_IN_HEAP || target->offset != HY_NOT_IN_HEAP;
    bool pull = source->address && target->address && (target->flags & HY_REACHES_PEER);
    bool push = source->address && target->address && (source->flags & HY_REACHES_PEER);
    const hy_job *job = hy_op_job(op);
    int forced = job->rendezvous;
    if (forced == HY_RENDEZVOUS_PIPELINE) return HY_RENDEZVOUS_PIPELINE;
    if (heap && forced != HY_RENDEZVOUS_CMA) return by_loads(job);
    if ((push || pull) && (forced == HY_RENDEZVOUS_CMA || source->len >= job->cma_from))
        return HY_RENDEZVOUS_CMA;
    return HY_RENDEZVOUS_PIPELINE;
}

/* Single copies are of whatever path works with this peer. */
static hy_counter counter_of(uint8_t way, const hy_ep *ep)
{
    bool loads = ep->single && (ep->single->caps & HY_CAP_LOADS);
    switch (way) {
    case HY_RENDEZVOUS_HEAP: return HY_COUNT_HEAP;
    case HY_RENDEZVOUS_CMA: return loads ? HY_COUNT_DIRECT : HY_COUNT_CMA;
    case HY_RENDEZVOUS_DIRECT: return HY_COUNT_DIRECT;
    default: return HY_COUNT_PIPELINE;
    }
}

void hy_rendezvous_count(const hy_op *op, uint8_t way)
{
    hy_count(hy_op_job(op)->counters, counter_of(way, op->lane->channel.ep), 1);
}

int hy_rendezvous_accept(hy_op *op, const hy_slot *slot)
{
    hy_lane *lane = op->lane;
    memcpy(&op->parcel, slot->payload, sizeof op->parcel);
    hy_parcel *parcel = &op->parcel;
    if (parcel->offset != HY_NOT_IN_HEAP &&
        !hy_ep_contains(lane->channel.ep, parcel->offset, parcel->len))
        return hy_rendezvous_corrupt(op, "a message that lies outside of its memory");
    op->length = parcel->len;
    op->block = block_bytes(op->length);
    op->start = lane->moved_in;
    op->target = op->start + op->length;
    op->staged = 0;
    if (hy_unlikely(hy_channel_is_far(&lane->channel))) {
        hy_rendezvous_accept_far(op);
        return HAYATE_OK;
    }
    const hy_header mine = header_of(op);
    op->way = choose_way(op, parcel, &mine);
    return HAYATE_OK;
}

/* ---- blocks that one side moves straight between the two buffers ---- */

/* The header, if it is that of our message and long enough. A receive that is too short fails on
 * its own side; we wait for the next one. */
static bool read_header(const hy_op *op, uint64_t claim, hy_header *header)
{
    const hy_match *match = op->lane->channel.match;
    if ((uint32_t)(claim >> 32) != op->number || (claim & HY_CLAIM_WITHDRAWN) == HY_CLAIM_WITHDRAWN)
        return false;
    *header = (hy_header){hy_load_relaxed(&match->address), hy_load_relaxed(&match->offset),
                          hy_load_relaxed(&match->capacity), hy_load_relaxed(&match->flags)};
    return header->capacity >= op->length;
}

/* Sender: one block into the receiver's buffer. */
static int push(hy_op *op, const hy_header *header, uint64_t offset, uint64_t len)
{
    hy_ep *ep = op->lane->channel.ep;
    if (op->way == HY_RENDEZVOUS_CMA)
        return ep->single->put(ep, header->address + offset, op->buffer.address + offset, len);
    if (!hy_ep_contains(ep, header->offset, op->length))
        return hy_rendezvous_corrupt(op, "a header that lies outside of its memory");
    hy_buffer_read(&op->buffer, offset, ep->part + header->offset + offset, len);
    return HAYATE_OK;
}

/* Receiver: one block out of the sender's buffer. */
static int pull(hy_op *op, uint64_t offset, uint64_t len)
{
    hy_ep *ep = op->lane->channel.ep;
    if (op->way == HY_RENDEZVOUS_CMA)
        return ep->single->get(ep, op->parcel.address + offset, op->buffer.address + offset, len);
    hy_buffer_write(&op->buffer, offset, ep->part + op->parcel.offset + offset, len);
    return HAYATE_OK;
}

static bool can_push(const hy_op *op, const hy_match *match)
{
    if (op->way == HY_RENDEZVOUS_CMA) return op->lane->channel.ep->single != NULL;
    return hy_load_relaxed(&match->offset) != HY_NOT_IN_HEAP;
}

static bool can_pull(const hy_op *op)
{
    if (op->way == HY_RENDEZVOUS_CMA) return op->lane->channel.ep->single != NULL;
    return op->parcel.offset != HY_NOT_IN_HEAP;
}

/* acq_rel: releases the bytes moved, acquires those of the other side. A block that could not be
 * moved is counted as well, so that the other side comes to an end and sees `failed`. */
static void advance(hy_op *op, hy_match *match, uint64_t len, int rc)
{
    uint64_t now = op->target;
    if (rc) hy_store_relaxed(&match->failed, hy_rendezvous_mark(op));
    if (len == op->length) hy_store_release(&match->done, now); /* nobody else adds */
    else now = atomic_fetch_add_explicit(&match->done, len, memory_order_acq_rel) + len;
    if (now == op->target) hy_bell_ring(op->lane->channel.ep->bell);
}

int hy_rendezvous_gave_up(const hy_op *op)
{
    int peer = op->lane->channel.ep->rank;
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, peer,
                        "rank %d gave up the message that was being %s", peer,
                        op->sends ? "sent" : "received");
}

static int move_block(hy_op *op, const hy_match *match, const hy_header *header, uint64_t offset,
                      uint64_t len)
{
    /* seq_cst, as the claim before: see hy_rendezvous_revoke() */
    if (hy_unlikely(atomic_load(&match->revoked) == hy_rendezvous_mark(op)))
        return hy_rendezvous_gave_up(op);
    return op->sends ? push(op, header, offset, len) : pull(op, offset, len);
}

/* Claims and moves block after block; stops between two when there is none left. */
static void move_blocks(hy_op *op, hy_match *match)
{
    uint64_t claim = hy_load_acquire(&match->claim), blocks = blocks_of(op);
    hy_header header = {0};
    for (;;) {
        /* `way` is from one header; with another one it has to be learned anew. */
        if (op->sends ? claim >> 24 != op->learned || !read_header(op, claim, &header)
                      : (uint32_t)(claim >> 32) != op->number)
            return;
        uint64_t block = claim & HY_CLAIM_WITHDRAWN;
        if (block >= blocks) return;
        if (!atomic_compare_exchange_weak_explicit(&match->claim, &claim, claim + 1,
                                                   memory_order_seq_cst, memory_order_acquire))
            continue;
        uint64_t offset = block * op->block;
        uint64_t len = op->length - offset < op->block ? op->length - offset : op->block;
        int rc = move_block(op, match, &header, offset, len);
        advance(op, match, len, rc);
        if (rc && !op->result) op->result = rc;
        claim++;
    }
}

static bool is_at_a_block(const hy_op *op, const hy_match *match)
{
    uint64_t claim = atomic_load(&match->claim), block = claim & HY_CLAIM_WITHDRAWN;
    if ((uint32_t)(claim >> 32) != op->number || block == HY_CLAIM_WITHDRAWN) return false;
    uint64_t claimed = block < blocks_of(op) ? block * op->block : op->length;
    return hy_load_acquire(&match->done) - op->start < claimed;
}

/* All in one order (seq_cst): a peer whose claim is not seen here sees `revoked` after it. */
void hy_rendezvous_revoke(hy_op *op)
{
    if (hy_unlikely(hy_channel_is_far(&op->lane->channel))) {
        hy_rendezvous_revoke_far(op);
        return;
    }
    hy_match *match = match_of(op);
    const hy_control_rank *peer = &hy_op_job(op)->boot.control->ranks[op->lane->channel.ep->rank];
    uint64_t deadline = hy_now_ns() + UINT64_C(1000000000);
    if (op->way == HY_RENDEZVOUS_PIPELINE) return; /* the peer knows the stage only */
    atomic_store(&match->revoked, hy_rendezvous_mark(op));
    while (is_at_a_block(op, match) && hy_load_acquire(&peer->state) == HY_RANK_JOINED &&
           hy_now_ns() < deadline)
        sched_yield();
}

/* ---- blocks through the sender's stage ---- */

int hy_rendezvous_open_stage(hy_lane *lane)
{
    if (!lane->stage) lane->stage = hy_job_alloc(lane->msg->job, HY_STAGE_BYTES);
    return lane->stage ? HAYATE_OK : HAYATE_ERR_NO_MEMORY;
}

/* The release of `produced` makes it known. */
static int show_stage(hy_lane *lane)
{
    int rc = hy_rendezvous_open_stage(lane);
    if (rc) return rc;
    hy_match *match = lane->channel.match;
    hy_store_relaxed(&match->stage_offset, (uint64_t)(lane->stage - lane->msg->job->part));
    hy_store_relaxed(&match->stage_bytes, HY_STAGE_BYTES);
    return HAYATE_OK;
}

/* A quarter of the message, so that short ones overlap as well, up to HY_BLOCK_BYTES. */
uint64_t hy_rendezvous_piece(const hy_op *op)
{
    uint64_t left = op->length - op->staged;
    uint64_t block = hy_round_up(op->length / 4, 4096);
    if (block > HY_BLOCK_BYTES) block = HY_BLOCK_BYTES;
    return left < block ? left : block;
}

/* From here on the receive can no longer be withdrawn. */
static bool claim_stage(hy_op *op, hy_match *match)
{
    uint64_t claim = hy_load_acquire(&match->claim);
    hy_header header;
    return claim >> 24 == op->learned && read_header(op, claim, &header) &&
           atomic_compare_exchange_strong(&match->claim, &claim, claim + 1);
}

static int fill_stage(hy_op *op, hy_match *match)
{
    if (op->staged == 0) {
        if (!claim_stage(op, match)) return HAYATE_OK;
        op->result = show_stage(op->lane);
        if (op->result) { /* the message fails as a whole, on both sides */
            advance(op, match, op->length, op->result);
            return HAYATE_OK;
        }
    }
    while (op->staged < op->length) {
        uint64_t taken = hy_load_acquire(&match->done) - op->start, len = hy_rendezvous_piece(op);
        if (op->staged + len - taken > HY_STAGE_BYTES) break;
        hy_buffer_read(&op->buffer, op->staged, op->lane->stage + op->staged % HY_STAGE_BYTES, len);
        op->staged += len;
        hy_store_release(&match->produced, op->start + op->staged);
        hy_bell_ring(op->lane->channel.ep->bell);
    }
    return HAYATE_OK;
}

static int drain_stage(hy_op *op, hy_match *match)
{
    hy_ep *ep = op->lane->channel.ep;
    for (;;) {
        uint64_t produced = hy_load_acquire(&match->produced) - op->start,
                 len = hy_rendezvous_piece(op);
        /* counts of earlier messages are behind `start`: the difference is huge then */
        if (len == 0 || produced > op->length || produced < op->staged + len) return HAYATE_OK;
        uint64_t stage = hy_load_relaxed(&match->stage_offset);
        if (hy_load_relaxed(&match->stage_bytes) != HY_STAGE_BYTES ||
            !hy_ep_contains(ep, stage, HY_STAGE_BYTES))
            return hy_rendezvous_corrupt(op, "a stage that lies outside of its memory");
        const uint8_t *from = ep->part + stage + op->staged % HY_STAGE_BYTES;
        hy_buffer_write(&op->buffer, op->staged, from, len);
        op->staged += len;
        atomic_fetch_add_explicit(&match->done, len, memory_order_acq_rel);
        hy_bell_ring(ep->bell);
    }
}

/* ---- both ---- */

/* The sender learns the way with the header; a withdrawn header may be followed by another one. */
static void learn_way(hy_op *op, const hy_match *match)
{
    uint64_t claim = hy_load_acquire(&match->claim);
    hy_header header;
    if (claim >> 24 == op->learned || !read_header(op, claim, &header)) return;
    op->way = choose_way(op, &op->parcel, &header);
    op->learned = claim >> 24;
}

static int move_some(hy_op *op, hy_match *match)
{
    if (op->sends && op->patience && !op->listed) {
        op->patience--;
        return HAYATE_OK;
    }
    if (op->sends) learn_way(op, match);
    if (op->way == HY_RENDEZVOUS_AUTO) return HAYATE_OK;
    if (op->way == HY_RENDEZVOUS_PIPELINE)
        return op->sends ? fill_stage(op, match) : drain_stage(op, match);
    if (op->sends ? can_push(op, match) : can_pull(op)) move_blocks(op, match);
    return HAYATE_OK;
}

/* A sender that came late has not learned the way: the receiver moved all by the only one it had.
 */
static uint8_t way_taken(const hy_op *op)
{
    if (op->way != HY_RENDEZVOUS_AUTO) return op->way;
    bool heap = op->parcel.offset != HY_NOT_IN_HEAP &&
                hy_op_job(op)->rendezvous != HY_RENDEZVOUS_CMA;
    return heap ? by_loads(hy_op_job(op)) : HY_RENDEZVOUS_CMA;
}

static int finish(hy_op *op, const hy_match *match)
{
    hy_lane *lane = op->lane;
    *(op->sends ? &lane->moved_out : &lane->moved_in) = op->target;
    if (op->sends) hy_rendezvous_count(op, way_taken(op));
    if (hy_likely(hy_load_relaxed(&match->failed) != hy_rendezvous_mark(op))) return HAYATE_OK;
    if (op->result) return op->result;
    return hy_fail_peer(HAYATE_ERR_CORRUPT, lane->channel.ep->rank,
                        "rank %d could not reach this rank's buffer: was it freed before the"
                        " operation was complete?",
                        lane->channel.ep->rank);
}

int hy_rendezvous_move(hy_op *op)
{
    if (hy_unlikely(hy_channel_is_far(&op->lane->channel))) return hy_rendezvous_move_far(op);
    hy_match *match = match_of(op);
    if (hy_load_acquire(&match->done) != op->target) {
        int rc = move_some(op, match);
        if (rc) return rc;
        uint64_t done = hy_load_acquire(&match->done);
        if (done - op->start > op->length)
            return hy_rendezvous_corrupt(op, "a wrong count of bytes");
        if (done != op->target) return HAYATE_IN_PROGRESS;
    }
    return finish(op, match);
}
