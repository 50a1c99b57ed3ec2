/* SPDX-License-Identifier: Apache-2.0 */
#include "job/channel.h"

#include <stdlib.h>

void hy_channel_open(hy_channel *channel, hy_job *job, int peer, uint8_t *in, hy_match *match,
                     uint64_t out_offset, uint64_t peer_match_offset)
{
    hy_ep *ep = &job->eps[peer];
    *channel = (hy_channel){
        .ep = ep,
        .out = out_offset,
        .match = match,
        .in = in,
        .peer_match = (hy_match *)(void *)(ep->part + peer_match_offset),
        .job = job,
    };
}

/* acked = the later of the two, if the sender can have sent as many. */
static void learn(hy_channel *channel, uint32_t count)
{
    uint32_t sent = hy_load_relaxed(&channel->sent);
    if (count - channel->acked <= sent - channel->acked) channel->acked = count;
}

/* Counts told later than a head was posted make its 16 bits worthless, and unnecessary. */
static void learn_from_head(hy_channel *channel, uint64_t told, uint64_t head)
{
    uint32_t posted = (uint32_t)(told >> 32);
    if ((int32_t)((uint32_t)head - posted) > 0) learn(channel, hy_head_acked(head, channel->acked));
}

/* The explicit count and the message taken last. */
static uint64_t learn_told(hy_channel *channel)
{
    uint64_t told = hy_load_acquire(&channel->match->told);
    learn(channel, (uint32_t)told);
    learn_from_head(channel, told, hy_load_acquire(&channel->heard));
    return told;
}

/* Three sources: messages taken, the explicit count, and messages that have come but that nobody
 * has received yet; the peer may rely on the last and be silent otherwise. */
bool hy_channel_room_slow(hy_channel *channel, uint32_t slots)
{
    uint64_t told = learn_told(channel);
    uint32_t sent = hy_load_relaxed(&channel->sent);
    if (sent - channel->acked + slots <= HY_CHANNEL_DEPTH) return true;
    uint32_t taken = hy_load_relaxed(&channel->received);
    for (uint32_t i = 0; i < HY_CHANNEL_DEPTH; i++) {
        uint64_t head = hy_load_acquire(&hy_channel_slot(channel, taken + i)->head);
        if ((uint32_t)head != taken + i + 1) break;
        learn_from_head(channel, told, head);
    }
    return sent - channel->acked + slots <= HY_CHANNEL_DEPTH;
}

void hy_channel_tell_acks(hy_channel *channel, uint32_t taken)
{
    hy_store_relaxed(&channel->acks_told, taken);
    uint64_t posted = hy_load_relaxed(&channel->sent);
    hy_store_release(&channel->peer_match->told, posted << 32 | taken);
    hy_bell_ring(channel->ep->bell);
}

/* The rest first, the first slot last. */
void hy_channel_post_lines(hy_channel *channel, const uint8_t *payload, size_t len)
{
    uint32_t first = hy_load_relaxed(&channel->sent) + 1, slots = hy_slots_of(len);
    uint32_t taken = hy_load_acquire(&channel->received);
    for (uint32_t i = 1; i < slots; i++) {
        size_t offset = i * HY_SLOT_PAYLOAD;
        size_t part = len - offset < HY_SLOT_PAYLOAD ? len - offset : HY_SLOT_PAYLOAD;
        hy_channel_write(channel, first + i, taken, HY_KIND_REST, part, payload + offset, part);
    }
    hy_store_relaxed(&channel->sent, first + slots - 1);
    hy_store_relaxed(&channel->acks_told, taken);
    hy_channel_write(channel, first, taken, HY_KIND_LINES, len, payload, HY_SLOT_PAYLOAD);
}

void hy_channel_read_lines(const hy_channel *channel, uint8_t *to, size_t len)
{
    uint32_t next = hy_load_relaxed(&channel->received);
    for (size_t offset = 0; offset < len; offset += HY_SLOT_PAYLOAD) {
        size_t part = len - offset < HY_SLOT_PAYLOAD ? len - offset : HY_SLOT_PAYLOAD;
        hy_copy_slot(to + offset, hy_channel_slot(channel, next++)->payload, part);
    }
}

static void reclaim(hy_channel *channel, hy_eager *eager)
{
    learn_told(channel);
    /* Messages without a buffer may have overtaken the count by more than a ring. */
    if (channel->acked - eager->reclaimed > HY_CHANNEL_DEPTH)
        eager->reclaimed = channel->acked - HY_CHANNEL_DEPTH;
    for (; eager->reclaimed != channel->acked; eager->reclaimed++) {
        uint8_t **buffer = &eager->on_way[eager->reclaimed % HY_CHANNEL_DEPTH];
        if (*buffer) eager->free[eager->free_count++] = *buffer;
        *buffer = NULL;
    }
}

/* A buffer whose message may not have been read yet must not be handed out again. */
void hy_channel_close(hy_channel *channel)
{
    hy_eager *eager = channel->eager;
    if (!eager) return;
    reclaim(channel, eager);
    for (int i = 0; i < HY_CHANNEL_DEPTH; i++) {
        if (eager->on_way[i]) hy_job_release_late(channel->job, eager->on_way[i]);
        if (i < (int)eager->free_count) hy_job_release(channel->job, eager->free[i]);
    }
    free(eager);
    channel->eager = NULL;
}

uint8_t *hy_channel_eager_buffer(hy_channel *channel)
{
    if (hy_unlikely(!channel->eager)) {
        channel->eager = calloc(1, sizeof *channel->eager);
        if (!channel->eager) {
            hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a channel's eager buffers");
            return NULL;
        }
        channel->eager->reclaimed = channel->acked;
    }
    hy_eager *eager = channel->eager;
    reclaim(channel, eager);
    uint8_t *buffer = eager->free_count ? eager->free[--eager->free_count]
                                        : hy_job_alloc(channel->job, channel->job->eager_bytes);
    eager->on_way[hy_load_relaxed(&channel->sent) % HY_CHANNEL_DEPTH] = buffer;
    return buffer;
}

void hy_channel_post_eager(hy_channel *channel, size_t len, uint64_t flags)
{
    uint8_t *buffer = channel->eager->on_way[hy_load_relaxed(&channel->sent) % HY_CHANNEL_DEPTH];
    hy_parcel parcel = {
        .offset = (uint64_t)(buffer - channel->job->part), .len = len, .flags = flags};
    hy_channel_post(channel, HY_KIND_EAGER, &parcel, sizeof parcel);
}

/* ---- loans ---- */

/* About 2 us: two transfers of a line and the receiver's copy. */
#define LOAN_POLLS 128
/* After a loan that nobody took in time so many messages go without. */
#define LOAN_PENALTY 32

bool hy_channel_may_lend(hy_channel *channel)
{
    uint32_t received = hy_load_relaxed(&channel->received);
    bool conversation = received != channel->answered;
    channel->answered = received;
    if (!conversation || channel->ep->rank == channel->job->rank) return false;
    if (channel->job->policy.spins < LOAN_POLLS) return false; /* ranks share cores */
    if (channel->no_loans == 0) return true;
    channel->no_loans--;
    return false;
}

static bool taken_back(hy_channel *channel)
{
    for (int i = 0; i < LOAN_POLLS; i++) {
        learn_told(channel);
        if (channel->acked == hy_load_relaxed(&channel->sent)) return true;
        hy_pause();
    }
    return false;
}

/* release: the copy is complete for who sees `moved`; who does not see it has read nothing that is
 * written after our return (stores are not seen before older ones). */
static void move_loan(hy_channel *channel, uint8_t *eager, const uint8_t *memory, size_t len)
{
    uint64_t place = hy_slot_offset(hy_load_relaxed(&channel->sent) - 1);
    hy_slot *slot = (hy_slot *)(void *)(channel->ep->part + channel->out + place);
    hy_loan *loan = (hy_loan *)(void *)slot->payload;
    memcpy(eager, memory, len);
    hy_store_release(&loan->moved, (uint64_t)(eager - channel->job->part));
    atomic_thread_fence(memory_order_release);
    channel->no_loans = LOAN_PENALTY;
}

int hy_channel_lend(hy_channel *channel, const uint8_t *memory, size_t len)
{
    uint8_t *eager = hy_channel_eager_buffer(channel); /* before: it must not fail afterwards */
    if (!eager) return HAYATE_ERR_NO_MEMORY;
    const hy_loan loan = {.offset = (uint64_t)(memory - channel->job->part), .len = len};
    hy_channel_post(channel, HY_KIND_LOAN, &loan, sizeof loan);
    if (!taken_back(channel)) move_loan(channel, eager, memory, len);
    return HAYATE_OK;
}

static hy_loan *loan_of(hy_slot *slot)
{
    return (hy_loan *)(void *)slot->payload;
}

const uint8_t *hy_channel_loan_source(const hy_channel *channel, hy_slot *slot, size_t *len,
                                      uint64_t *moved)
{
    const hy_ep *ep = channel->ep;
    *moved = hy_load_acquire(&loan_of(slot)->moved);
    uint64_t offset = *moved ? *moved : loan_of(slot)->offset;
    *len = (size_t)loan_of(slot)->len;
    if (*len <= channel->job->eager_bytes && hy_ep_contains(ep, offset, *len))
        return ep->part + offset;
    hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank, "rank %d lent memory that is not its", ep->rank);
    return NULL;
}

bool hy_channel_loan_moved(hy_slot *slot, uint64_t moved)
{
    atomic_thread_fence(memory_order_acquire); /* the copy comes before the look */
    return hy_load_relaxed(&loan_of(slot)->moved) != moved;
}

const uint8_t *hy_channel_eager_payload(const hy_channel *channel, const hy_slot *slot, size_t *len)
{
    hy_parcel parcel;
    memcpy(&parcel, slot->payload, sizeof parcel);
    *len = (size_t)parcel.len;
    if (parcel.len <= channel->job->eager_bytes &&
        hy_ep_contains(channel->ep, parcel.offset, parcel.len))
        return channel->ep->part + parcel.offset;
    hy_fail_peer(HAYATE_ERR_CORRUPT, channel->ep->rank,
                 "rank %d sent an eager message outside of its memory", channel->ep->rank);
    return NULL;
}
