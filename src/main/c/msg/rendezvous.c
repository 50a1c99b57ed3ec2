/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of all protocols for long messages: the choice of a protocol, and the two
 * sides of a message. */
#include "msg/rendezvous_ops.h"

/* ---- choice ---- */

static bool is_forced(const hy_rendezvous_ops *protocol, const hy_job *job)
{
    for (const char *const *word = protocol->words; *word; word++)
        if (strcmp(*word, hy_job_rendezvous(job)) == 0) return true;
    return false;
}

bool hy_rendezvous_forces_single(const hy_job *job)
{
    return is_forced(&hy_rendezvous_single, job);
}

void hy_rendezvous_open(hy_rendezvous *rendezvous, bool remote, const hy_job *job)
{
    const hy_handshake *handshake = remote ? &hy_handshake_remote : &hy_handshake_mapped;
    *rendezvous = (hy_rendezvous){.handshake = handshake, .protocols = handshake->protocols};
    for (const hy_rendezvous_ops *const *row = handshake->protocols; *row; row++) {
        if (!is_forced(*row, job)) continue;
        rendezvous->protocols = row;
        rendezvous->forced = true;
    }
}

static uint32_t has(const hy_job *job, const hy_told_buffer *source, const hy_told_buffer *target)
{
    uint32_t all = job->direct ? HY_HAS_ONE_SPACE : 0;
    if (source->offset != HY_NOT_IN_HEAP) all |= HY_HAS_MAPPED;
    if (source->offset != HY_NOT_IN_HEAP && !hy_told_section(source)) all |= HY_HAS_MAPPED_SOURCE;
    if (target->offset != HY_NOT_IN_HEAP) all |= HY_HAS_MAPPED;
    if (source->address && target->address) all |= HY_HAS_ADDRESSES;
    if ((source->flags | target->flags) & HY_REACHES_PEER) all |= HY_HAS_REACH;
    if (source->flags & HY_IS_PUSHED) all |= HY_HAS_PUSHED;
    return all;
}

static uint64_t pieces(const hy_told_buffer *told, uint64_t bytes)
{
    const hy_section *section = hy_told_section(told);
    return section ? hy_section_runs(section, bytes) : 0;
}

static hy_rendezvous_size size_of(const hy_told_buffer *source, const hy_told_buffer *target)
{
    const uint64_t from = pieces(source, source->len), to = pieces(target, source->len);
    return (hy_rendezvous_size){.bytes = source->len,
                                .pieces = from > to ? from : to,
                                .loads = (source->flags | target->flags) & HY_REACHES_BY_LOADS,
                                .lacks_stage = source->flags & HY_LACKS_STAGE,
                                .prefers_single = source->flags & HY_PREFERS_SINGLE};
}

/* No protocol costs less than one copy, so a row with this cost ends the search. */
const hy_rendezvous_ops *hy_rendezvous_choose(const hy_rendezvous *rendezvous, const hy_job *job,
                                              const hy_told_buffer *source,
                                              const hy_told_buffer *target)
{
    const hy_rendezvous_ops *best = NULL;
    const uint32_t all = has(job, source, target);
    const hy_rendezvous_size size = size_of(source, target);
    uint64_t least = UINT64_MAX;
    for (const hy_rendezvous_ops *const *row = rendezvous->protocols; *row; row++) {
        if ((*row)->needs & ~all) continue;
        uint64_t cost = hy_rendezvous_cost(*row, job, &size);
        if (best && cost >= least) continue;
        best = *row, least = cost;
        if (cost == source->len || (rendezvous->forced && row == rendezvous->protocols)) break;
    }
    return best;
}

/* ---- the two sides ---- */

bool hy_told_is_valid(const hy_ep *ep, const hy_told_buffer *told, uint64_t length)
{
    const hy_section *section = hy_told_section(told);
    uint64_t extent = length, bytes = length;
    if (section) {
        if (!hy_section_check(section, &bytes) || bytes < length) return false;
        extent = hy_section_extent(section);
    }
    return told->offset == HY_NOT_IN_HEAP || hy_ep_contains(ep, told->offset, extent);
}

static const hy_handshake *handshake_of(const hy_op *op)
{
    return op->lane->rendezvous->handshake;
}

/* The message has `length` bytes, which come after all those that were moved before. */
static void set_length(hy_op *op, uint64_t length)
{
    op->length = length;
    op->block = hy_rendezvous_block_bytes(length);
    op->start = op->sends ? op->lane->moved_out : op->lane->moved_in;
    op->target = op->start + length;
    op->staged = 0;
}

/* Where the pipeline may be taken, but a single copy could be taken instead, the receiver must know
 * that there is no stage. */
static bool lacks_stage(const hy_op *op)
{
    hy_lane *lane = op->lane;
    const hy_path_ops *single = lane->channel.ep->single;
    if (op->source.offset != HY_NOT_IN_HEAP || !op->source.address || !single) return false;
    if (lane->rendezvous->forced && (*lane->rendezvous->protocols)->single) return false;
    uint64_t from = hy_single_cost(hy_op_job(op), 0, single->caps & HY_CAP_LOADS);
    return op->size < from && hy_rendezvous_open_stage(lane) != HAYATE_OK;
}

int hy_msg_reserve(hy_msg *msg, const hy_buffer *buffer, uint64_t size, int peer, bool sends)
{
    int rc = hy_lane_find(msg, peer, 0) ? HAYATE_OK : hy_lane_make(msg, peer, 0);
    if (rc) return rc;
    hy_lane *lane = hy_lane_find(msg, peer, 0);
    hy_job *job = msg->job;
    if (!hy_channel_is_far(&lane->channel)) return HAYATE_OK;
    const uint8_t *address = buffer->address;
    if (sends)
        return address && hy_job_heap_offset(job, address, size) != HY_NOT_IN_HEAP
                   ? HAYATE_OK
                   : hy_rendezvous_open_stage(lane);
    if (!address && !lane->bounce) lane->bounce = hy_job_alloc(job, HY_STAGE_BYTES);
    return address || lane->bounce ? HAYATE_OK : hy_job_alloc_code(job);
}

int hy_rendezvous_announce(hy_op *op)
{
    hy_channel *channel = &op->lane->channel;
    op->source = hy_rendezvous_end(op);
    if (lacks_stage(op)) op->source.flags |= HY_LACKS_STAGE;
    op->number = channel->sent + 1;
    op->protocol = NULL;
    op->learned = 0; /* no header: the number of a message is never 0 */
    op->patience = 0;
    op->timed_from = 0;
    set_length(op, op->size);
    const hy_handshake *handshake = handshake_of(op);
    int rc = handshake->prepare ? handshake->prepare(op) : HAYATE_OK;
    if (rc || op->source.flags & HY_IS_PUSHED) return rc; /* announced behind its data */
    hy_channel_post(channel, HY_KIND_LONG, &op->source, sizeof op->source);
    return HAYATE_OK;
}

void hy_rendezvous_offer(hy_op *op)
{
    hy_lane *lane = op->lane;
    op->number = hy_load_relaxed(&lane->channel.received) + 1;
    hy_store_relaxed(&op->offered, true);
    handshake_of(op)->offer(op, hy_claim_of(op->number, ++lane->header_generation));
}

bool hy_rendezvous_withdraw(hy_op *op)
{
    return handshake_of(op)->withdraw(op, hy_claim_of(op->number, op->lane->header_generation));
}

bool hy_rendezvous_offered(const hy_op *op, uint32_t number)
{
    uint64_t claim = hy_load_acquire(&hy_rendezvous_mine(&op->lane->channel)->claim);
    return hy_claim_number(claim) == number && hy_claim_block(claim) != HY_CLAIM_WITHDRAWN;
}

int hy_rendezvous_accept(hy_op *op, const hy_told_buffer *source)
{
    hy_lane *lane = op->lane;
    op->source = *source;
    if (!hy_told_is_valid(lane->channel.ep, &op->source, op->source.len))
        return hy_rendezvous_corrupt(op, "a message that is outside its memory");
    set_length(op, op->source.len);
    const hy_told_buffer mine = hy_rendezvous_end(op);
    op->protocol = hy_rendezvous_choose(lane->rendezvous, hy_op_job(op), &op->source, &mine);
    op->way = (uint8_t)op->protocol->counter(lane->channel.ep);
    return HAYATE_OK;
}

int hy_rendezvous_move(hy_op *op)
{
    return handshake_of(op)->move(op);
}

void hy_rendezvous_revoke(hy_op *op)
{
    handshake_of(op)->revoke(op);
}

/* ---- words and counts ---- */

int hy_rendezvous_corrupt(const hy_op *op, const char *what)
{
    int peer = op->lane->channel.ep->rank, rc = hy_msg_check(op->lane->msg, peer);
    if (rc) return rc;
    return hy_fail_peer(HAYATE_ERR_CORRUPT, peer, "rank %d wrote %s", peer, what);
}

int hy_rendezvous_gave_up(const hy_op *op)
{
    int peer = op->lane->channel.ep->rank;
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, peer,
                        "rank %d gave up the message while it was being %s", peer,
                        op->sends ? "sent" : "received");
}

void hy_rendezvous_count(hy_op *op, const hy_rendezvous_ops *protocol)
{
    op->way = (uint8_t)protocol->counter(op->lane->channel.ep);
    hy_count(hy_op_job(op)->counters, op->way, 1);
}
