/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel: messages between this rank and one peer, in order, in both directions, each direction
 * with HY_CHANNEL_DEPTH slots in the *receiver's* memory that the sender writes and the receiver
 * polls. A small message is one cache line: the head, written last, says number, kind and length.
 *
 *   head   63      56 55     48 47                 32 31                              0
 *          |  len    | kind    | ack (low 16 bits)   | number (first message: 1)      |
 *
 * Flow control: `ack` is the number of messages that the writer of the slot has taken from the
 * other direction. Where traffic flows both ways that is all; where it does not, the receiver
 * writes its count into the sender's match entry after every HY_CHANNEL_DEPTH / 2 messages. The 16
 * bits are enough as at most HY_CHANNEL_DEPTH messages are ever unacknowledged, provided that the
 * slot is not from long ago: the match entry also holds how many messages had been posted when it
 * was written, and a slot that was posted before that tells nothing new.
 *
 * A message of up to HY_LINES_BYTES takes several slots in a row. The first one is written last, so
 * its head stands for all; the receiver looks at the next lines while it polls, so that they travel
 * at the same time.
 *
 * Longer payloads (up to the eager limit) go through an eager buffer of the sender's heap. A
 * channel has a free list of them that grows on demand; a buffer is free again when its message is
 * acknowledged, and the one freed last, whose lines are the warmest, is used first. What a window
 * of messages did not need goes back to the heap at its end: see channel_eager.c.
 *
 * A *loan* saves that copy where both sides are in a conversation: a blocking sender whose data lie
 * in its heap tells where they are, and waits for a moment that the receiver copies them from
 * there. If it does not, the sender copies them into an eager buffer after all, says so in the slot
 * (`moved`) and goes on. The receiver looks at `moved` after its copy, and copies again if it was
 * set: what it read may have been overwritten.
 *
 * A *far* peer (path/path.h) has no memory here: what is written into its memory are signals and
 * flags of its path, and a loan there is none. An eager message is put into the *bounce buffer*, a
 * ring of buffers in the receiver's heap, one for each slot, before its slot is signalled. The
 * receiver makes the bounce buffer when the first eager message comes, which it fetches from the
 * sender's buffer, and tells where it is with its acknowledgements: a channel that has no eager
 * messages has none.
 *
 * Threads: one thread at a time sends and one at a time receives (the owner sees to that; FMPL by
 * its busy words); the two may be different threads.
 */
#ifndef HY_WIRE_CHANNEL_H
#define HY_WIRE_CHANNEL_H

#include "job/job.h"

#define HY_CHANNEL_DEPTH 16
#define HY_LINES 4
#define HY_LINES_BYTES (HY_LINES * HY_SLOT_PAYLOAD)
/* Two slots are never in the same pair of lines: processors fetch neighbours in pairs, and would
 * take the next slot's line away from who is about to write it. */
#define HY_SLOT_STRIDE (2 * HY_LINE)
#define HY_CHANNEL_FLAG_BYTES (HY_CHANNEL_DEPTH * HY_SLOT_STRIDE)

/* What a sender keeps for the receiver to write into; the paper's matching-area entry. The channel
 * itself uses one line of it, the others are for what is built on it (msg/rendezvous_match.h). */
typedef struct hy_match {
    HY_ALIGNED uint8_t before[2 * HY_LINE];
    /* Written by the receiver: messages it had posted by then << 32 | messages taken. */
    HY_ALIGNED _Atomic uint64_t told;
    _Atomic uint64_t bounce; /* of a remote receiver: offset of its bounce buffer, 0: none */
    HY_ALIGNED uint8_t behind[HY_LINE];
} hy_match;

/* Remote peers write flags into an entry: the words behind each of them come with it. */
#define HY_IS_FLAG(type, field) \
    _Static_assert(offsetof(type, field) % sizeof(hy_flag) == 0, "is written as a flag")
HY_IS_FLAG(hy_match, told);

_Static_assert(sizeof(hy_match) == 256, "FMPL_MATCH_BYTES");

typedef struct hy_eager hy_eager; /* of the sending thread */

typedef struct hy_channel {
    /* sending */
    HY_ALIGNED hy_ep *ep;
    uint64_t out;            /* offset of our slots in the peer's part */
    _Atomic uint32_t sent;   /* messages posted */
    uint32_t acked;          /* of those, known to the sending thread to be taken */
    hy_match *match;         /* ours, written by the peer */
    hy_eager *_Atomic eager; /* NULL before the first use; others may look whether it is there */
    uint32_t answered;       /* `received` when the last loan or eager message was sent */
    uint32_t no_loans;       /* so many messages go without a loan: the last one was not taken */
    /* receiving */
    HY_ALIGNED uint8_t *in;     /* our slots, written by the peer */
    _Atomic uint32_t received;  /* messages taken */
    _Atomic uint32_t acks_told; /* of those, the peer was told of */
    _Atomic uint64_t heard;     /* head of the message taken last, for its acknowledgement */
    union {
        hy_match *peer_match;   /* the peer's entry, written by us */
        uint64_t peer_match_at; /* a far peer's: its offset */
    };
    uint8_t *bounce; /* of a far peer's eager messages; NULL: none has come */
    hy_job *job;
} hy_channel;

/* kinds of slots; the payload of EAGER, BOUNCE, LONG and EXPOSE is a hy_descriptor */
enum {
    HY_KIND_INLINE = 1,
    HY_KIND_EAGER = 2,
    HY_KIND_LONG = 3,   /* a rendezvous: msg/rendezvous.h */
    HY_KIND_EXPOSE = 4, /* a collective exposes a region: exec/exec.h */
    HY_KIND_LINES = 5,  /* len bytes in this slot and the next ones, which are of kind REST */
    HY_KIND_REST = 6,
    HY_KIND_LOAN = 7,   /* the payload is a hy_loan */
    HY_KIND_BOUNCE = 8, /* as EAGER, but in the bounce buffer: its buffer of the slot's number */
};

/* Where a payload is that did not fit into the slot. */
typedef struct hy_descriptor {
    uint64_t offset;  /* in the sender's part, or HY_NOT_IN_HEAP */
    uint64_t address; /* in the sender's process; 0: not reachable */
    uint64_t len;
    uint64_t flags;
} hy_descriptor;

/* A message that is read where it is. */
typedef struct hy_loan {
    uint64_t offset, len;   /* in the sender's part */
    _Atomic uint64_t moved; /* 0, or where the sender has put it since */
} hy_loan;

/* in, match: this rank's memory; out_offset, peer_match_offset: in the peer's part. */
void hy_channel_open(hy_channel *channel, hy_job *job, int peer, uint8_t *in, hy_match *match,
                     uint64_t out_offset, uint64_t peer_match_offset);
/* Gives the eager buffers back, those on their way with hy_job_release_late(). */
void hy_channel_close(hy_channel *channel);

/* Place of the slot of message `index` (the first is 0) among a direction's slots. */
static inline uint64_t hy_slot_offset(uint32_t index)
{
    return (uint64_t)(index % HY_CHANNEL_DEPTH) * HY_SLOT_STRIDE;
}

/* Our slot of message `index`. */
static inline hy_slot *hy_channel_slot(const hy_channel *channel, uint32_t index)
{
    return (hy_slot *)(void *)(channel->in + hy_slot_offset(index));
}

/* Looks for acknowledgements when the ring seems full; false: it is. */
bool hy_channel_room_slow(hy_channel *channel, uint32_t slots);

static inline uint32_t hy_slots_of(size_t len)
{
    return len <= HY_SLOT_PAYLOAD ? 1 : (uint32_t)((len + HY_SLOT_PAYLOAD - 1) / HY_SLOT_PAYLOAD);
}

static inline bool hy_channel_room_for(hy_channel *channel, uint32_t slots)
{
    uint32_t used = hy_load_relaxed(&channel->sent) - channel->acked;
    if (hy_likely(used + slots <= HY_CHANNEL_DEPTH)) return true;
    return hy_channel_room_slow(channel, slots);
}

static inline bool hy_channel_room(hy_channel *channel)
{
    return hy_channel_room_for(channel, 1);
}

/* Writes slot `number` (the first one is 1). */
static inline void hy_channel_write(hy_channel *channel, uint32_t number, uint32_t taken, int kind,
                                    size_t head_len, const void *payload, size_t len)
{
    uint64_t head = (uint64_t)number | (uint64_t)(taken & 0xffff) << 32 | (uint64_t)kind << 48 |
                    (uint64_t)head_len << 56;
    uint64_t slot = channel->out + hy_slot_offset(number - 1);
    channel->ep->ops->signal(channel->ep, slot, head, payload, len);
}

/* Posts a message of at most HY_SLOT_PAYLOAD bytes. Only after hy_channel_room(). */
static inline void hy_channel_post(hy_channel *channel, int kind, const void *payload, size_t len)
{
    uint32_t number = hy_load_relaxed(&channel->sent) + 1;
    /* acquire: the head passes on what another thread has read */
    uint32_t taken = hy_load_acquire(&channel->received);
    hy_store_relaxed(&channel->sent, number);
    hy_store_relaxed(&channel->acks_told, taken);
    hy_channel_write(channel, number, taken, kind, len, payload, len);
}

/* Posts a message of more than one and up to HY_LINES slots. Only when there is room for them. */
void hy_channel_post_lines(hy_channel *channel, const uint8_t *payload, size_t len);

/* The eager buffer of the next message, for the caller to fill with at most job.eager_bytes, then
 * hy_channel_post_eager(). Only after hy_channel_room(). NULL: NO_MEMORY, with a reason. */
uint8_t *hy_channel_eager_buffer(hy_channel *channel);
/* An error of a far peer's path. */
int hy_channel_post_eager(hy_channel *channel, size_t len, uint64_t flags);

/* Gives the eager buffers back whose messages are acknowledged. Bytes. By who may send. */
uint64_t hy_channel_trim(hy_channel *channel);

/* Is there possibly something to trim? Anybody may look. */
static inline bool hy_channel_has_eager(const hy_channel *channel)
{
    return hy_load_relaxed(&channel->eager) != NULL;
}

/* The next message if it is there, else NULL. */
static inline hy_slot *hy_channel_peek(hy_channel *channel, uint64_t *head)
{
    uint32_t taken = hy_load_relaxed(&channel->received);
    hy_slot *slot = hy_channel_slot(channel, taken);
    *head = hy_load_acquire(&slot->head); /* acquire: the payload was written before */
    return (uint32_t)*head == taken + 1 ? slot : NULL;
}

static inline int hy_head_kind(uint64_t head)
{
    return (int)(head >> 48 & 0xff);
}
static inline size_t hy_head_len(uint64_t head)
{
    return (size_t)(head >> 56);
}

void hy_channel_tell_acks(hy_channel *channel, uint32_t taken);

/* A 16-bit acknowledgement as a count, seen from one that is known; a step that no correct peer
 * makes is ignored. */
static inline uint32_t hy_head_acked(uint64_t head, uint32_t known)
{
    uint16_t news = (uint16_t)((uint16_t)(head >> 32) - (uint16_t)known);
    return news <= HY_CHANNEL_DEPTH ? known + news : known;
}

/* Takes the message of `slots` slots that peek returned; its slots and eager buffer may be
 * overwritten from now on. */
static inline void hy_channel_take_slots(hy_channel *channel, uint64_t head, uint32_t slots)
{
    uint32_t taken = hy_load_relaxed(&channel->received) + slots;
    hy_store_release(&channel->heard, head);
    hy_store_release(&channel->received, taken); /* release: our reads of the slots come first */
    if (hy_unlikely(taken - hy_load_relaxed(&channel->acks_told) >= HY_CHANNEL_DEPTH / 2))
        hy_channel_tell_acks(channel, taken);
}

/* acked = the later of the two, if the sender can have sent as many. */
static inline void hy_channel_learn_count(hy_channel *channel, uint32_t count)
{
    uint32_t sent = hy_load_relaxed(&channel->sent);
    if (count - channel->acked <= sent - channel->acked) channel->acked = count;
}

/* Counts told later than a head was posted make its 16 bits worthless, and unnecessary. */
static inline void hy_channel_learn_from_head(hy_channel *channel, uint64_t told, uint64_t head)
{
    uint32_t posted = (uint32_t)(told >> 32);
    if ((int32_t)((uint32_t)head - posted) > 0)
        hy_channel_learn_count(channel, hy_head_acked(head, channel->acked));
}

/* From the explicit count, which it returns, and from the message taken last. */
static inline uint64_t hy_channel_learn(hy_channel *channel)
{
    uint64_t told = hy_load_acquire(&channel->match->told);
    hy_channel_learn_count(channel, (uint32_t)told);
    hy_channel_learn_from_head(channel, told, hy_load_acquire(&channel->heard));
    return told;
}

static inline void hy_channel_take(hy_channel *channel, uint64_t head)
{
    hy_channel_take_slots(channel, head, 1);
}

/* The payload of a message of several slots (at most HY_LINES_BYTES); `len` was checked. */
void hy_channel_read_lines(const hy_channel *channel, uint8_t *to, size_t len);

/* A poll that failed: have the lines behind the next slot ready, should it be one of several. */
static inline void hy_channel_expect(const hy_channel *channel)
{
    uint32_t taken = hy_load_relaxed(&channel->received);
    __builtin_prefetch(hy_channel_slot(channel, taken + 1));
    __builtin_prefetch(hy_channel_slot(channel, taken + 2));
}

/* Is a loan of this memory (of this rank's heap) promising? The receiver should have answered since
 * the last message: a one-way stream runs better through eager buffers. */
bool hy_channel_may_lend(hy_channel *channel);

/* Sends by a loan; the memory may be rewritten on return. Only after hy_channel_room(). NO_MEMORY.
 */
int hy_channel_lend(hy_channel *channel, const uint8_t *memory, size_t len);

/* Where the data of a loan that has come are now, after checking what the peer wrote; NULL:
 * CORRUPT. After copying ask hy_channel_loan_moved() whether to do so again from the new place. */
const uint8_t *hy_channel_loan_source(const hy_channel *channel, hy_slot *slot, size_t *len,
                                      uint64_t *moved);
bool hy_channel_loan_moved(hy_slot *slot, uint64_t moved);

/* Payload of a message of kind EAGER or LANDED, after checking what the peer wrote. CORRUPT; of a
 * far peer also NO_MEMORY and the errors of its path. */
int hy_channel_eager_payload(hy_channel *channel, const hy_slot *slot, uint64_t head,
                             const uint8_t **payload, size_t *len);

/* ---- far peers: channel_far.c ---- */

static inline bool hy_channel_is_far(const hy_channel *channel)
{
    return hy_ep_is_far(channel->ep);
}

/* Writes the flag at `field` bytes of the peer's entry. */
int hy_channel_flag(const hy_channel *channel, size_t field, uint64_t value, uint64_t first,
                    uint64_t second, uint64_t third);

/* The explicit acknowledgement. */
void hy_channel_tell_far(const hy_channel *channel, uint64_t told);

/* Puts an eager message of the next number into the peer's bounce buffer: true in *bounced if it is
 * there, false when it has none yet. */
int hy_channel_land(hy_channel *channel, const uint8_t *buffer, size_t len, bool *bounced);

int hy_channel_far_payload(hy_channel *channel, uint64_t head, const hy_descriptor *descriptor,
                           const uint8_t **payload);

void hy_channel_close_bounce(hy_channel *channel);

#endif
