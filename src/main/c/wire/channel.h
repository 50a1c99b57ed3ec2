/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel: messages between this rank and one peer, in order, in both directions, each direction
 * with HY_CHANNEL_DEPTH slots in the *receiver's* memory that the sender writes and the receiver
 * polls. A small message is one cache line: the head, written last, says number, kind and length.
 *
 *   head   63      56 55     48 47                 32 31                              0
 *          |  len    | kind    | ack (low 16 bits)   | number (first message: 1)      |
 *
 * Flow control: `ack` is the number of messages that the writer of the slot has received in the
 * other direction. If traffic flows both ways, nothing else is needed. Otherwise the receiver
 * writes its count into the sender's match entry after every HY_CHANNEL_DEPTH / 2 messages. 16 bits
 * are enough because at most HY_CHANNEL_DEPTH messages are ever unacknowledged, provided that the
 * slot is recent: the match entry also holds how many messages had been posted when it was written,
 * and the `ack` of a slot that was posted before that is ignored.
 *
 * A message of up to HY_LINES_BYTES takes several consecutive slots. The first one is written last,
 * so that its head stands for all of them. The receiver also touches the next lines while it polls,
 * so that all lines are transferred at the same time.
 *
 * Longer payloads (up to the eager limit) go through an eager buffer in the sender's heap. A
 * channel has a free list of eager buffers that grows on demand. A buffer is free again when its
 * message is acknowledged; the buffer that was freed last is used first, because it is most likely
 * in a cache. Buffers that a window of messages did not need return to the heap at its end:
 * channel_eager.c.
 *
 * A *loan* saves that copy when both sides answer each other: a blocking sender whose data are in
 * its heap tells where they are, and briefly waits for the receiver to copy them from there. If the
 * receiver does not, the sender copies them into an eager buffer after all, sets `moved` in the
 * slot and returns. The receiver reads `moved` after its copy, and copies again if it is set: what
 * it read may have been overwritten.
 *
 * The memory of a *remote* peer (path/path.h) is not mapped here: slots and match entry are written
 * by signals and flags of its path, and there are no loans. An eager message is put into the
 * *bounce buffer*, a ring of buffers in the receiver's heap, one for each slot, before its slot is
 * signalled. The receiver allocates the bounce buffer when the first eager message arrives, which
 * it fetches from the sender's buffer, and tells where it is with its acknowledgements. A channel
 * without eager messages has no bounce buffer.
 *
 * Threads: one thread at a time sends, and one at a time receives; they may be different threads.
 * The owner ensures this, FMPL by busy words. These and what it finds the channel by are here,
 * because they share lines with what its calls touch anyway.
 */
#ifndef HY_WIRE_CHANNEL_H
#define HY_WIRE_CHANNEL_H

#include "job/job.h"

#define HY_CHANNEL_DEPTH 16
#define HY_LINES 4
#define HY_LINES_BYTES (HY_LINES * HY_SLOT_PAYLOAD)
/* Two slots are never in the same pair of lines: processors prefetch lines in pairs, and would
 * take the next slot's line away from its writer. */
#define HY_SLOT_STRIDE (2 * HY_LINE)
#define HY_CHANNEL_FLAG_BYTES (HY_CHANNEL_DEPTH * HY_SLOT_STRIDE)

/* Memory of a sender into which the receiver writes; the paper's matching area entry. The
 * channel uses one line of it; the others are for rendezvous (msg/rendezvous_match.h). */
typedef struct hy_match {
    HY_ALIGNED uint8_t before[2 * HY_LINE];
    /* Written by the receiver: messages that it had posted by then << 32 | messages received. */
    HY_ALIGNED _Atomic uint64_t told;
    _Atomic uint64_t bounce; /* of a remote receiver: offset of its bounce buffer, 0: none */
    /* Written by the peer, and the last that it writes here: 1: it uses the channel no longer. */
    _Alignas(sizeof(hy_flag)) _Atomic uint64_t left;
    HY_ALIGNED uint8_t behind[HY_LINE];
} hy_match;

/* Remote peers write these fields as flags: the words behind a flag are delivered with it. */
#define HY_IS_FLAG(type, field) \
    _Static_assert(offsetof(type, field) % sizeof(hy_flag) == 0, "is written as a flag")
HY_IS_FLAG(hy_match, told);
HY_IS_FLAG(hy_match, left);

_Static_assert(sizeof(hy_match) == 256, "FMPL_MATCH_BYTES");

typedef struct hy_eager hy_eager; /* used by the sending thread */
struct hy_contact;                /* wire/contact.h */

typedef struct hy_channel {
    /* sending */
    HY_ALIGNED hy_ep *ep;
    uint64_t out;            /* offset of the slots for our messages in the peer's part */
    _Atomic uint32_t sent;   /* messages posted */
    uint32_t acked;          /* number of them that the sending thread knows to be received */
    hy_match *match;         /* our entry, written by the peer */
    hy_eager *_Atomic eager; /* NULL before the first use; other threads may test for NULL */
    uint32_t answered;       /* `received` when the last loan or eager message was sent */
    uint32_t no_loans;       /* messages still to send without a loan: the last one was not taken */
    struct hy_contact *contact; /* NULL: there are slots for our messages */
    _Atomic uint32_t send_busy; /* of the owner: base/busy.h */
    bool noticed;               /* one side has written into the other's entry without a message */
    /* receiving */
    HY_ALIGNED uint8_t *in;     /* our slots, written by the peer */
    _Atomic uint32_t received;  /* messages received */
    _Atomic uint32_t acks_told; /* number of them that the peer was told */
    _Atomic uint64_t read_head; /* head of the last message received, for its acknowledgement */
    union {
        hy_match *peer_match;   /* the peer's entry, written by us */
        uint64_t peer_match_at; /* of a remote peer: its offset */
    };
    uint8_t *bounce; /* for a remote peer's eager messages; NULL: none has arrived */
    hy_job *job;
    _Atomic uint32_t recv_busy; /* these are the owner's */
    int peer;
    int64_t mai; /* longer than an int, so that a channel that no call finds has one, too */
} hy_channel;

_Static_assert(sizeof(hy_channel) == 2 * HY_LINE, "a line for each direction");

/* kinds of slots; the payload of EAGER, BOUNCE, LONG and EXPOSE is a hy_descriptor */
enum {
    HY_KIND_INLINE = 1,
    HY_KIND_EAGER = 2,
    HY_KIND_LONG = 3,   /* a rendezvous: msg/rendezvous.h */
    HY_KIND_EXPOSE = 4, /* a collective exposes a region: exec/exec.h */
    HY_KIND_LINES = 5,  /* len bytes in this slot and the next ones, which are of kind REST */
    HY_KIND_REST = 6,
    HY_KIND_LOAN = 7,   /* the payload is a hy_loan */
    HY_KIND_BOUNCE = 8, /* like EAGER, but in the slot's buffer of the bounce buffer */
};

/* Where a payload is that does not fit into the slot. */
typedef struct hy_descriptor {
    uint64_t offset;  /* in the sender's part, or HY_NOT_IN_HEAP */
    uint64_t address; /* in the sender's process; 0: not accessible */
    uint64_t len;
    uint64_t flags;
} hy_descriptor;

/* A message that is read from the sender's buffer. */
typedef struct hy_loan {
    uint64_t offset, len;   /* in the sender's part */
    _Atomic uint64_t moved; /* 0, or the offset to which the sender has copied it since */
    uint64_t flags;         /* as of a hy_descriptor */
} hy_loan;

/* in, match: this rank's memory; out_offset, peer_match_offset: in the peer's part. */
void hy_channel_open(hy_channel *channel, hy_job *job, int peer, uint8_t *in, hy_match *match,
                     uint64_t out_offset, uint64_t peer_match_offset);
/* Tells the peer that this rank uses the channel no longer. Only hy_channel_close() may follow. It
 * does not connect to a remote peer if no message was exchanged with it. */
void hy_channel_leave(const hy_channel *channel);
/* Frees the eager buffers; those in use with hy_job_release_late(), unless the peer has left. */
void hy_channel_close(hy_channel *channel);

/* The offset of the slot of message `index` (the first is 0) among the slots of a direction. */
static inline uint64_t hy_slot_offset(uint32_t index)
{
    return (uint64_t)(index % HY_CHANNEL_DEPTH) * HY_SLOT_STRIDE;
}

/* Our slot for message `index`. */
static inline hy_slot *hy_channel_slot(const hy_channel *channel, uint32_t index)
{
    uint8_t *in = __atomic_load_n(&channel->in, __ATOMIC_ACQUIRE); /* see wire/contact.h */
    return (hy_slot *)(void *)(in + hy_slot_offset(index));
}

/* Takes slots in the peer's inbox for a channel that has none: OK, or why there can be none, now
 * and at any later call. */
int hy_channel_connect(hy_channel *channel);

/* Reads acknowledgements when the ring seems full, or connects; false: it is full, or there are no
 * slots. */
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

static inline uint64_t hy_head(uint32_t number, uint32_t taken, int kind, size_t len)
{
    return (uint64_t)number | (uint64_t)(taken & 0xffff) << 32 | (uint64_t)kind << 48 |
           (uint64_t)len << 56;
}

/* Writes slot `number` (the first one is 1). */
static inline void hy_channel_write(hy_channel *channel, uint32_t number, uint32_t taken, int kind,
                                    size_t head_len, const void *payload, size_t len)
{
    uint64_t slot = channel->out + hy_slot_offset(number - 1);
    channel->ep->ops->signal(channel->ep, slot, hy_head(number, taken, kind, head_len), payload,
                             len);
}

/* Counts the next message, which acknowledges what was received. Returns its number. */
static inline uint32_t hy_channel_next(hy_channel *channel, uint32_t *taken)
{
    uint32_t number = hy_load_relaxed(&channel->sent) + 1;
    /* acquire: the head acknowledges what another thread has read */
    *taken = hy_load_acquire(&channel->received);
    hy_store_relaxed(&channel->sent, number);
    hy_store_relaxed(&channel->acks_told, *taken);
    return number;
}

/* Another message is to follow soon: its slot's line, which the peer has read, is fetched
 * meanwhile. Not where the peer waits for each message: it polls that line. */
static inline void hy_channel_expect_to_post(const hy_channel *channel)
{
    const hy_ep *ep = channel->ep;
    if (hy_likely(!hy_ep_is_far(ep)))
        hy_prefetch_to_write(ep->part + channel->out +
                             hy_slot_offset(hy_load_relaxed(&channel->sent)));
}

/* Posts a message of at most HY_SLOT_PAYLOAD bytes. Only after hy_channel_room(). */
static inline void hy_channel_post(hy_channel *channel, int kind, const void *payload, size_t len)
{
    uint32_t taken, number = hy_channel_next(channel, &taken);
    hy_channel_write(channel, number, taken, kind, len, payload, len);
}

/* Writes slot `number`, whose payload is a tag and then `len` bytes: straight into the slot of a
 * mapped peer. Put together before, they would be read in other pieces than they were written, for
 * which a processor waits. */
static inline void hy_channel_write_tagged(hy_channel *channel, uint32_t number, uint32_t taken,
                                           int kind, size_t head_len, uint64_t tag,
                                           const void *from, size_t len)
{
    hy_ep *ep = channel->ep;
    if (hy_unlikely(hy_ep_is_far(ep))) {
        uint8_t together[HY_SLOT_PAYLOAD];
        memcpy(together, &tag, sizeof tag);
        hy_copy_slot(together + sizeof tag, from, len);
        hy_channel_write(channel, number, taken, kind, head_len, together, sizeof tag + len);
        return;
    }
    hy_slot *slot = (hy_slot *)(void *)(ep->part + channel->out + hy_slot_offset(number - 1));
    memcpy(slot->payload, &tag, sizeof tag);
    hy_copy_slot(slot->payload + sizeof tag, from, len);
    hy_store_release(&slot->head, hy_head(number, taken, kind, head_len)); /* after the payload */
    hy_bell_ring(ep->bell);
}

/* Posts a message whose payload is a tag and then `len` bytes, both together at most
 * HY_SLOT_PAYLOAD. Only after hy_channel_room(). */
static inline void hy_channel_post_tagged(hy_channel *channel, int kind, uint64_t tag,
                                          const void *from, size_t len)
{
    uint32_t taken, number = hy_channel_next(channel, &taken);
    hy_channel_write_tagged(channel, number, taken, kind, sizeof tag + len, tag, from, len);
}

/* Posts a message of more than one and at most HY_LINES slots. Only if there is room for them. */
void hy_channel_post_lines(hy_channel *channel, const uint8_t *payload, size_t len);
/* The same of a tag and `len` bytes. */
void hy_channel_post_tagged_lines(hy_channel *channel, uint64_t tag, const uint8_t *from,
                                  size_t len);

/* The eager buffer for the next message: the caller writes at most job.eager_bytes, then calls
 * hy_channel_post_eager(). Only after hy_channel_room(). NULL: NO_MEMORY, with a reason. */
uint8_t *hy_channel_eager_buffer(hy_channel *channel);
/* OK, or an error of a remote peer's path. */
int hy_channel_post_eager(hy_channel *channel, size_t len, uint64_t flags);

/* Frees the eager buffers whose messages are acknowledged. Returns the bytes. Only the thread
 * that may send. */
uint64_t hy_channel_trim(hy_channel *channel);

/* Whether there may be something to trim. Any thread may ask. */
static inline bool hy_channel_has_eager(const hy_channel *channel)
{
    return hy_load_relaxed(&channel->eager) != NULL;
}

/* Returns the next message if it has arrived, else NULL. */
static inline hy_slot *hy_channel_peek(hy_channel *channel, uint64_t *head)
{
    uint32_t taken = hy_load_relaxed(&channel->received);
    hy_slot *slot = hy_channel_slot(channel, taken);
    *head = hy_load_acquire(&slot->head); /* acquire: the payload was written before the head */
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

/* Extends a 16-bit acknowledgement to a count, relative to a known count; a step that no correct
 * peer makes is ignored. */
static inline uint32_t hy_head_acked(uint64_t head, uint32_t known)
{
    uint16_t fresh = (uint16_t)((uint16_t)(head >> 32) - (uint16_t)known);
    return fresh <= HY_CHANNEL_DEPTH ? known + fresh : known;
}

/* Consumes the message of `slots` slots that hy_channel_peek() returned; the peer may now
 * overwrite its slots and eager buffer. */
static inline void hy_channel_take_slots(hy_channel *channel, uint64_t head, uint32_t slots)
{
    uint32_t taken = hy_load_relaxed(&channel->received) + slots;
    hy_store_release(&channel->read_head, head);
    hy_store_release(&channel->received, taken); /* release: after our reads of the slots */
    if (hy_unlikely(taken - hy_load_relaxed(&channel->acks_told) >= HY_CHANNEL_DEPTH / 2))
        hy_channel_tell_acks(channel, taken);
}

/* acked becomes the later of the two counts, if the sender can have sent that many messages. */
static inline void hy_channel_learn_count(hy_channel *channel, uint32_t count)
{
    uint32_t sent = hy_load_relaxed(&channel->sent);
    if (count - channel->acked <= sent - channel->acked) channel->acked = count;
}

/* The 16 bits of a head are ignored if a count was told later than the head was posted. */
static inline void hy_channel_learn_from_head(hy_channel *channel, uint64_t told, uint64_t head)
{
    uint32_t posted = (uint32_t)(told >> 32);
    if ((int32_t)((uint32_t)head - posted) > 0)
        hy_channel_learn_count(channel, hy_head_acked(head, channel->acked));
}

/* Learns from the explicit count, which it returns, and from the last message received. */
static inline uint64_t hy_channel_learn(hy_channel *channel)
{
    uint64_t told = hy_load_acquire(&channel->match->told);
    hy_channel_learn_count(channel, (uint32_t)told);
    hy_channel_learn_from_head(channel, told, hy_load_acquire(&channel->read_head));
    return told;
}

static inline void hy_channel_take(hy_channel *channel, uint64_t head)
{
    hy_channel_take_slots(channel, head, 1);
}

/* Reads the payload of a message of several slots (at most HY_LINES_BYTES); `len` was checked. */
void hy_channel_read_lines(const hy_channel *channel, uint8_t *to, size_t len);
/* The same of the bytes behind its tag. */
void hy_channel_read_tagged_lines(const hy_channel *channel, uint8_t *to, size_t len);

/* Called after an unsuccessful poll: prefetches the lines behind the next slot, in case the
 * message has several. */
static inline void hy_channel_expect(const hy_channel *channel)
{
    uint32_t taken = hy_load_relaxed(&channel->received);
    __builtin_prefetch(hy_channel_slot(channel, taken + 1));
    __builtin_prefetch(hy_channel_slot(channel, taken + 2));
}

/* Whether a loan of so many bytes of this rank's heap is promising. The receiver should have
 * answered since the last message: for a one-way stream, eager buffers are faster, and for few
 * bytes, too. */
bool hy_channel_may_lend(hy_channel *channel, size_t len);

/* Sends by a loan; the memory may be rewritten on return. Only after hy_channel_room().
 * NO_MEMORY. */
int hy_channel_lend(hy_channel *channel, const uint8_t *memory, size_t len, uint64_t flags);

/* Where the data of a received loan are at the moment, after checking what the peer wrote; NULL:
 * CORRUPT. After copying, call hy_channel_loan_moved() to find out whether to copy again from
 * the new place. */
const uint8_t *hy_channel_loan_source(const hy_channel *channel, hy_slot *slot, size_t *len,
                                      uint64_t *moved);
bool hy_channel_loan_moved(hy_slot *slot, uint64_t moved);

/* Payload of a message of kind EAGER or BOUNCE, after checking what the peer wrote. CORRUPT; of a
 * remote peer also NO_MEMORY and the errors of its path. */
int hy_channel_eager_payload(hy_channel *channel, const hy_slot *slot, uint64_t head,
                             const uint8_t **payload, size_t *len);

/* Behind the first slot is room for a flag that the sender of the slots writes. */
#define HY_SLOT_FLAG HY_LINE
static inline void *hy_channel_slot_flag(const hy_channel *channel)
{
    return __atomic_load_n(&channel->in, __ATOMIC_ACQUIRE) + HY_SLOT_FLAG;
}

/* ---- remote peers: channel_far.c ---- */

static inline bool hy_channel_is_far(const hy_channel *channel)
{
    return hy_ep_is_far(channel->ep);
}

/* Whether messages or notices were exchanged, so that the peer has to be told of the end, and
 * tells.
 */
static inline bool hy_channel_is_in_use(const hy_channel *channel)
{
    return !hy_channel_is_far(channel) || hy_load_relaxed(&channel->sent) ||
           hy_load_relaxed(&channel->received) || channel->noticed;
}

/* Whether the peer uses the channel no longer: it neither reads nor writes this rank's memory. */
static inline bool hy_channel_is_left(const hy_channel *channel)
{
    return hy_load_acquire(&channel->match->left) != 0 || !hy_channel_is_in_use(channel);
}

/* Writes the flag at byte `field` of the peer's entry. */
int hy_channel_flag(const hy_channel *channel, size_t field, uint64_t value, uint64_t first,
                    uint64_t second, uint64_t third);

/* Sends the explicit acknowledgement. */
void hy_channel_tell_far(const hy_channel *channel, uint64_t told);

/* Puts an eager message with the next number into the peer's bounce buffer. *bounced becomes
 * true if it is there, false if the peer has no bounce buffer yet. */
int hy_channel_land(hy_channel *channel, const uint8_t *buffer, size_t len, bool *bounced);

int hy_channel_far_payload(hy_channel *channel, uint64_t head, const hy_descriptor *descriptor,
                           const uint8_t **payload);

void hy_channel_close_bounce(hy_channel *channel);

#endif
