/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What rendezvous (msg/rendezvous.h) is made of:
 *
 *   - A *protocol* is how the data of a message travel. Each side chooses it for itself, by what
 *     both have told, and so finds the same one without another message.
 *   - A *handshake* is how the two sides of a lane tell each other what they have, and how far they
 *     have come: by loads and stores where the peer's part is mapped, by flags where it is not. It
 *     is the lane's, and each has protocols of its own.
 *
 * What a side tells of its buffer is a hy_descriptor, the receiver's header as well: `len` is then
 * what the buffer can take.
 */
#ifndef HY_MSG_RENDEZVOUS_OPS_H
#define HY_MSG_RENDEZVOUS_OPS_H

#include "msg/rendezvous.h"
#include "msg/rendezvous_match.h"

/* flags of what a side tells */
#define HY_REACHES_PEER 1u /* this side's single copy reaches the other's process */

/* What a message has, after what its two sides have told. Found once for all rows. */
enum {
    HY_HAS_MAPPED = 1,        /* a buffer that lies in its owner's part, by an offset */
    HY_HAS_MAPPED_SOURCE = 2, /* the sender's does */
    HY_HAS_ADDRESSES = 4,     /* two native buffers */
    HY_HAS_REACH = 8,         /* a side whose single copy reaches the other's process */
    HY_HAS_ONE_SPACE = 16,    /* one address space, used as such: offsets are of any memory */
};

typedef struct hy_rendezvous_ops {
    const char *const *words; /* of HAYATE_RENDEZVOUS that force it; ends with NULL */
    /* Looks of a blocking sender in which the receiver of a message of one block has the first go;
     * 0: the receiver is not the better one to move it. */
    uint32_t patience;
    uint32_t needs; /* its probe: HY_HAS_* */
    /* Its cost, in bytes that one core copies: how often each byte is copied, and whether a system
     * call comes to that, which takes as long as HAYATE_CMA_FROM bytes. */
    uint8_t copies;
    bool system_call;
    hy_counter (*counter)(const hy_ep *ep);
    bool in_blocks; /* either side reaches the other's buffer: a failure has to stop it */
    /* Before the sender announces the message; NULL where the receiver's header is not there yet */
    int (*begin)(hy_op *send);
    /* What the sender, or the receiver, can do for the message now. An error, OK, or IN_PROGRESS,
     * which means the same but in pull() from a remote peer: only after OK is the sender told how
     * far op->staged has come. */
    int (*push)(hy_op *send);
    int (*pull)(hy_op *recv);
} hy_rendezvous_ops;

typedef struct hy_handshake {
    /* In the order of what they need: the first of those that cost the same is taken, the last one
     * is always possible. Ends with NULL. */
    const hy_rendezvous_ops *const *protocols;
    /* Before a message is announced: begins it, and may change op->descriptor. NULL: nothing. */
    int (*prepare)(hy_op *send);
    void (*offer)(const hy_op *recv, uint64_t claim);
    bool (*withdraw)(const hy_op *recv, uint64_t claim);
    int (*move)(hy_op *op);
    void (*revoke)(hy_op *op);
} hy_handshake;

extern const hy_handshake hy_handshake_mapped, hy_handshake_remote;

extern const hy_rendezvous_ops hy_rendezvous_direct, hy_rendezvous_heap, hy_rendezvous_single,
    hy_rendezvous_pipeline, hy_rendezvous_fetch, hy_rendezvous_fetch_staged;

/* The protocol of a message: the forced one where its probe agrees, else the cheapest. One that is
 * forced leaves only those behind it. */
const hy_rendezvous_ops *hy_rendezvous_choose(const hy_rendezvous *rendezvous, const hy_job *job,
                                              const hy_descriptor *source,
                                              const hy_descriptor *target);

/* The cost of a message of so many bytes; one that is beyond all others is UINT64_MAX. */
static inline uint64_t hy_rendezvous_cost(const hy_rendezvous_ops *protocol, const hy_job *job,
                                          uint64_t bytes)
{
    uint64_t cost = protocol->copies * bytes, call = protocol->system_call ? job->cma_from : 0;
    return call < UINT64_MAX - cost ? cost + call : UINT64_MAX;
}

/* What this side tells of its buffer. */
static inline hy_descriptor hy_rendezvous_end(const hy_op *op)
{
    const uint8_t *address = op->buffer.address;
    return (hy_descriptor){
        .offset = address ? hy_job_offset(hy_op_job(op), address, op->size) : HY_NOT_IN_HEAP,
        .address = (uint64_t)(uintptr_t)address,
        .len = op->size,
        .flags = op->lane->channel.ep->single ? HY_REACHES_PEER : 0,
    };
}

/* ---- claims ---- */

#define HY_CLAIM_WITHDRAWN UINT64_C(0xffffff)

static inline uint64_t hy_claim_of(uint32_t number, uint32_t generation)
{
    return (uint64_t)number << 32 | (uint64_t)(generation & 0xff) << 24;
}
static inline uint32_t hy_claim_number(uint64_t claim)
{
    return (uint32_t)(claim >> 32);
}
/* With the number: a claim of another header of the same message has another one. */
static inline uint64_t hy_claim_header(uint64_t claim)
{
    return claim >> 24;
}
static inline uint64_t hy_claim_block(uint64_t claim)
{
    return claim & HY_CLAIM_WITHDRAWN;
}

/* ---- between mapped peers ---- */

/* The entry of the message, in the sender's memory. */
static inline hy_rendezvous_match *hy_rendezvous_entry(const hy_op *op)
{
    const hy_channel *channel = &op->lane->channel;
    return op->sends ? hy_rendezvous_mine(channel) : hy_rendezvous_theirs(channel);
}

/* Bytes of a block of a message. */
uint64_t hy_rendezvous_block_bytes(uint64_t length);

/* The peer claims none any more, and is at none. Waits as hy_rendezvous_revoke() does. */
void hy_rendezvous_revoke_blocks(hy_op *op);

/* ---- the sender's stage: rendezvous_pipeline.c ---- */

/* Bytes of the next piece that goes through it. */
uint64_t hy_rendezvous_piece(const hy_op *op);

/* lane->stage is there. NO_MEMORY. */
int hy_rendezvous_open_stage(hy_lane *lane);

/* Sender: reads the next piece into the stage, if there is one and it has room; `taken` bytes of
 * the message have left it. */
bool hy_rendezvous_fill_stage(hy_op *send, uint64_t taken);

/* Receiver: where the next piece lies in the sender's part. IN_PROGRESS: it is not there yet. */
int hy_rendezvous_find_piece(const hy_op *recv, const hy_rendezvous_match *match, uint64_t *offset);

/* ---- common ---- */

/* What `failed`, `revoked` and `gone` say of a message; never 0, which they hold at first. */
static inline uint64_t hy_rendezvous_mark(const hy_op *op)
{
    return UINT64_C(1) << 32 | op->number;
}

int hy_rendezvous_corrupt(const hy_op *op, const char *what);
int hy_rendezvous_gave_up(const hy_op *op); /* the peer did */

/* A sender's message is complete: one more that went by the protocol. */
void hy_rendezvous_count(const hy_op *send, const hy_rendezvous_ops *protocol);

#endif
