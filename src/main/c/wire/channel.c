/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a channel that are not inlined: opening, refreshing acknowledgements, messages of
 * several slots, loans. */
#include "wire/channel.h"

#include "base/copy.h"

void hy_channel_open(hy_channel *channel, hy_job *job, int peer, uint8_t *in, hy_match *match,
                     uint64_t out_offset, uint64_t peer_match_offset)
{
    hy_ep *ep = hy_job_ep(job, peer);
    *channel = (hy_channel){
        .ep = ep,
        .out = out_offset,
        .match = match,
        .in = in,
        .job = job,
    };
    if (hy_ep_is_far(ep)) channel->peer_match_at = peer_match_offset;
    else channel->peer_match = (hy_match *)(void *)(ep->part + peer_match_offset);
}

/* Three sources of acknowledgements: messages received, the explicit count, and messages that have
 * arrived but have not been received yet. The peer may rely on the last and send nothing else. */
bool hy_channel_room_slow(hy_channel *channel, uint32_t slots)
{
    if (hy_unlikely(channel->contact && hy_channel_connect(channel))) return false;
    uint64_t told = hy_channel_learn(channel);
    uint32_t sent = hy_load_relaxed(&channel->sent);
    if (sent - channel->acked + slots <= HY_CHANNEL_DEPTH) return true;
    uint32_t taken = hy_load_relaxed(&channel->received);
    for (uint32_t i = 0; i < HY_CHANNEL_DEPTH; i++) {
        uint64_t head = hy_load_acquire(&hy_channel_slot(channel, taken + i)->head);
        if ((uint32_t)head != taken + i + 1) break;
        hy_channel_learn_from_head(channel, told, head);
    }
    return sent - channel->acked + slots <= HY_CHANNEL_DEPTH;
}

void hy_channel_tell_acks(hy_channel *channel, uint32_t taken)
{
    hy_store_relaxed(&channel->acks_told, taken);
    uint64_t posted = hy_load_relaxed(&channel->sent);
    if (hy_unlikely(hy_channel_is_far(channel))) {
        hy_channel_tell_far(channel, posted << 32 | taken);
        return;
    }
    hy_store_release(&channel->peer_match->told, posted << 32 | taken);
    hy_bell_ring(channel->ep->bell);
}

/* Of a remote peer, the path remembers an error. */
void hy_channel_leave(const hy_channel *channel)
{
    if (!hy_channel_is_in_use(channel)) return;
    if (hy_channel_is_far(channel)) hy_channel_flag(channel, offsetof(hy_match, left), 1, 0, 0, 0);
    else hy_store_release(&channel->peer_match->left, 1); /* after our reads of its memory */
}

/* Posts all slots but the first one of a payload of `len` bytes, of which `from` are those behind
 * the first `tag`. Returns the number of the first slot, which the caller writes last. */
static uint32_t post_rest(hy_channel *channel, size_t tag, const uint8_t *from, size_t len,
                          uint32_t *taken)
{
    uint32_t first = hy_load_relaxed(&channel->sent) + 1, slots = hy_slots_of(len);
    *taken = hy_load_acquire(&channel->received);
    for (uint32_t i = 1; i < slots; i++) {
        size_t offset = i * HY_SLOT_PAYLOAD;
        size_t part = len - offset < HY_SLOT_PAYLOAD ? len - offset : HY_SLOT_PAYLOAD;
        hy_channel_write(channel, first + i, *taken, HY_KIND_REST, part, from + (offset - tag),
                         part);
    }
    hy_store_relaxed(&channel->sent, first + slots - 1);
    hy_store_relaxed(&channel->acks_told, *taken);
    return first;
}

void hy_channel_post_lines(hy_channel *channel, const uint8_t *payload, size_t len)
{
    uint32_t taken, first = post_rest(channel, 0, payload, len, &taken);
    hy_channel_write(channel, first, taken, HY_KIND_LINES, len, payload, HY_SLOT_PAYLOAD);
}

void hy_channel_post_tagged_lines(hy_channel *channel, uint64_t tag, const uint8_t *from,
                                  size_t len)
{
    size_t all = sizeof tag + len;
    uint32_t taken, first = post_rest(channel, sizeof tag, from, all, &taken);
    hy_channel_write_tagged(channel, first, taken, HY_KIND_LINES, all, tag, from,
                            HY_SLOT_PAYLOAD - sizeof tag);
}

/* From byte `skipped` of the payload on, which is in the first slot. */
static inline void read_slots(const hy_channel *channel, size_t skipped, uint8_t *to, size_t len)
{
    uint32_t next = hy_load_relaxed(&channel->received);
    for (size_t done = 0, part; done < len; done += part, skipped = 0) {
        size_t room = HY_SLOT_PAYLOAD - skipped;
        part = len - done < room ? len - done : room;
        hy_copy_slot(to + done, hy_channel_slot(channel, next++)->payload + skipped, part);
    }
}

void hy_channel_read_lines(const hy_channel *channel, uint8_t *to, size_t len)
{
    read_slots(channel, 0, to, len);
}

void hy_channel_read_tagged_lines(const hy_channel *channel, uint8_t *to, size_t len)
{
    read_slots(channel, sizeof(uint64_t), to, len);
}

/* ---- loans ---- */

/* About 2 us: two transfers of a line, and the receiver's copy. */
#define LOAN_POLLS 128
/* The receiver tells that it has copied, which takes longer than copying so few bytes twice. */
#define LOAN_LEAST 1536
/* After a loan that was not taken in time, this many messages are sent without a loan. */
#define LOAN_PENALTY 32

bool hy_channel_may_lend(hy_channel *channel, size_t len)
{
    uint32_t received = hy_load_relaxed(&channel->received);
    bool conversation = received != channel->answered;
    channel->answered = received;
    if (len < LOAN_LEAST) return false;
    if (!conversation || channel->ep->rank == channel->job->rank || hy_channel_is_far(channel))
        return false;
    if (channel->job->policy.spins < LOAN_POLLS) return false; /* ranks share cores */
    if (channel->no_loans == 0) return true;
    channel->no_loans--;
    return false;
}

/* A glance, part of the time that a send takes; no wait of the job. */
static bool taken_back(hy_channel *channel)
{
    for (int i = 0; i < LOAN_POLLS; i++) {
        hy_channel_learn(channel);
        if (channel->acked == hy_load_relaxed(&channel->sent)) return true;
        hy_pause();
    }
    return false;
}

/* Release order: whoever sees `moved` sees the complete copy. Whoever does not see it has read
 * nothing that is written after our return, because stores become visible in order. */
static void move_loan(hy_channel *channel, uint8_t *eager, const uint8_t *memory, size_t len)
{
    uint64_t place = hy_slot_offset(hy_load_relaxed(&channel->sent) - 1);
    hy_slot *slot = (hy_slot *)(void *)(channel->ep->part + channel->out + place);
    hy_loan *loan = (hy_loan *)(void *)slot->payload;
    hy_copy(eager, memory, len);
    hy_store_release(&loan->moved, (uint64_t)(eager - channel->job->part));
    atomic_thread_fence(memory_order_release);
    channel->no_loans = LOAN_PENALTY;
}

int hy_channel_lend(hy_channel *channel, const uint8_t *memory, size_t len, uint64_t flags)
{
    uint8_t *eager = hy_channel_eager_buffer(channel); /* allocated first: it must not fail later */
    if (!eager) return hy_job_alloc_code(channel->job);
    const hy_loan loan = {
        .offset = (uint64_t)(memory - channel->job->part), .len = len, .flags = flags};
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
    const hy_loan *loan = loan_of(slot);
    *moved = hy_load_acquire(&loan->moved);
    uint64_t offset = *moved ? *moved : __atomic_load_n(&loan->offset, __ATOMIC_RELAXED);
    *len = (size_t)__atomic_load_n(&loan->len, __ATOMIC_RELAXED);
    if (*len <= channel->job->eager_bytes && hy_ep_contains(ep, offset, *len))
        return ep->part + offset;
    hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank, "rank %d lent memory outside its heap", ep->rank);
    return NULL;
}

bool hy_channel_loan_moved(hy_slot *slot, uint64_t moved)
{
    atomic_thread_fence(memory_order_acquire); /* the copy comes before the load */
    return hy_load_relaxed(&loan_of(slot)->moved) != moved;
}
