/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interfaces inside rendezvous (msg/rendezvous.h):
 *
 *    - A *protocol* is how the data of a message are transferred. Each side chooses it from what
 *      both have told, and so finds the same one without another message.
 *    - A *handshake* is how the two sides of a lane tell each other what they have, and how far
 *      they are: by loads and stores if the peer's part is mapped, else by flags. Each lane has
 *      one handshake, and each handshake has its list of protocols.
 *
 * A side describes its buffer by a hy_told_buffer; the receiver's header is one as well, and its
 * `len` is then the size of the buffer.
 */
#ifndef HY_MSG_RENDEZVOUS_OPS_H
#define HY_MSG_RENDEZVOUS_OPS_H

#include "msg/rendezvous.h"
#include "msg/rendezvous_match.h"

/* hy_told_buffer.flags */
#define HY_REACHES_PEER 1u     /* this side's single copy reaches the other's process */
#define HY_IS_STRIDED 2u       /* the buffer is a section */
#define HY_REACHES_BY_LOADS 4u /* like HY_REACHES_PEER, without the kernel */
#define HY_LACKS_STAGE 8u      /* the sender's heap has no room for a stage */
#define HY_IS_PUSHED 16u       /* the data are in the receiver's buffer already */
#define HY_PREFERS_SINGLE 32u  /* the sender: to the pipeline, see msg/crossover.h */

/* What a message has, from what its two sides have told. Computed once for all rows. */
enum {
    HY_HAS_MAPPED = 1,        /* a buffer in its owner's part, given by an offset */
    HY_HAS_MAPPED_SOURCE = 2, /* the sender's buffer is such, and contiguous */
    HY_HAS_ADDRESSES = 4,     /* two native buffers */
    HY_HAS_REACH = 8,         /* a side whose single copy reaches the other's process */
    HY_HAS_ONE_SPACE = 16,    /* one address space: any memory has an offset */
    HY_HAS_PUSHED = 32,       /* the sender has claimed the header of a remote receiver */
};

typedef struct hy_rendezvous_ops {
    const char *const *words; /* values of HAYATE_RENDEZVOUS that force it; ends with NULL */
    /* For messages of one block: polls during which a blocking sender leaves the block to the
     * receiver; 0: the receiver is not the better one to move it. */
    uint32_t patience;
    uint32_t needs; /* its probe: HY_HAS_* */
    /* Its cost, in bytes that one core copies: how often each byte is copied, and whether it is a
     * single copy, to which is added what hy_single_cost() says. */
    uint8_t copies;
    bool single;
    bool staged; /* needs a stage in the sender's heap */
    hy_counter (*counter)(const hy_ep *ep);
    bool in_blocks; /* either side may access the other's buffer: a failure must stop it */
    /* Called before the sender announces the message; NULL if the receiver's header is not known
     * yet */
    int (*begin)(hy_op *send);
    /* What the sender, or the receiver, can do for the message now. An error, OK, or
     * IN_PROGRESS, which means the same except in pull() from a remote peer: only OK makes the
     * sender learn how far op->staged is. */
    int (*push)(hy_op *send);
    int (*pull)(hy_op *recv);
} hy_rendezvous_ops;

typedef struct hy_handshake {
    /* In the order of their requirements: of protocols with equal cost the first one is chosen;
     * the last one is always possible. Ends with NULL. */
    const hy_rendezvous_ops *const *protocols;
    /* Called before a message is announced: begins it, and may change op->source. NULL:
     * nothing to do. */
    int (*prepare)(hy_op *send);
    void (*offer)(const hy_op *recv, uint64_t claim);
    bool (*withdraw)(const hy_op *recv, uint64_t claim);
    int (*move)(hy_op *op);
    void (*revoke)(hy_op *op);
} hy_handshake;

extern const hy_handshake hy_handshake_mapped, hy_handshake_remote;

extern const hy_rendezvous_ops hy_rendezvous_direct, hy_rendezvous_heap, hy_rendezvous_single,
    hy_rendezvous_pipeline, hy_rendezvous_fetch, hy_rendezvous_fetch_staged, hy_rendezvous_push;

/* The protocol of a message: the forced one if its probe succeeds, else the cheapest. If one is
 * forced, only those behind it are considered otherwise. */
const hy_rendezvous_ops *hy_rendezvous_choose(const hy_rendezvous *rendezvous, const hy_job *job,
                                              const hy_told_buffer *source,
                                              const hy_told_buffer *target);

/* What a single copy costs beside the copy. By the kernel: HAYATE_CMA_FROM for a message, since the
 * kernel copies more slowly than the two sides of the pipeline together, page by page; and about
 * 150 ns for each piece of a section, to find and pin its pages. By loads: to look up the mapping.
 */
#define HY_PIECE_COST 1024
#define HY_LOADS_FROM (UINT64_C(8) << 10)

static inline uint64_t hy_single_cost(const hy_job *job, uint64_t pieces, bool loads)
{
    uint64_t call = job->cma_from, all = loads ? 0 : pieces * HY_PIECE_COST;
    if (loads && call > HY_LOADS_FROM) call = HY_LOADS_FROM;
    return call < UINT64_MAX - all ? call + all : UINT64_MAX;
}

/* A message as the costs see it. */
typedef struct hy_rendezvous_size {
    uint64_t bytes, pieces;
    bool loads, lacks_stage, prefers_single;
} hy_rendezvous_size;

/* The cost of a message; UINT64_MAX: above all others. */
static inline uint64_t hy_rendezvous_cost(const hy_rendezvous_ops *protocol, const hy_job *job,
                                          const hy_rendezvous_size *size)
{
    uint64_t cost = protocol->copies * size->bytes;
    if (protocol->staged && size->lacks_stage) return UINT64_MAX;
    if (!protocol->single) return cost;
    uint64_t more = size->prefers_single ? size->pieces * HY_PIECE_COST
                                         : hy_single_cost(job, size->pieces, size->loads);
    return more < UINT64_MAX - cost ? cost + more : UINT64_MAX;
}

static inline uint64_t hy_rendezvous_reach(const hy_path_ops *single)
{
    if (!single) return 0;
    return HY_REACHES_PEER | (single->caps & HY_CAP_LOADS ? HY_REACHES_BY_LOADS : 0);
}

/* Describes this side's buffer for the other side. */
static inline hy_told_buffer hy_rendezvous_end(const hy_op *op)
{
    const hy_strided *strided = hy_buffer_strided(&op->buffer);
    const uint8_t *address = strided ? strided->inner.address : op->buffer.address;
    uint64_t extent = strided ? hy_section_extent(&strided->section) : op->size;
    hy_told_buffer end = {
        .offset = address ? hy_job_offset(hy_op_job(op), address, extent) : HY_NOT_IN_HEAP,
        .address = (uint64_t)(uintptr_t)address,
        .len = op->size,
        .flags = hy_rendezvous_reach(op->lane->channel.ep->single),
    };
    if (!strided) return end;
    end.flags |= HY_IS_STRIDED;
    end.section = strided->section;
    return end;
}

/* The section of the other side's buffer; NULL: it is contiguous. */
static inline const hy_section *hy_told_section(const hy_told_buffer *told)
{
    return hy_unlikely(told->flags & HY_IS_STRIDED) ? &told->section : NULL;
}

/* Whether the first `length` bytes of what a peer has told are in its part, as far as they are said
 * to be there, and a section is a valid one. */
bool hy_told_is_valid(const hy_ep *ep, const hy_told_buffer *told, uint64_t length);

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
/* Includes the number: the claim of another header of the same message differs. */
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

/* Afterwards the peer claims no block any more, and moves none. Waits like
 * hy_rendezvous_revoke(). */
void hy_rendezvous_revoke_blocks(hy_op *op);

/* ---- the sender's stage: rendezvous_pipeline.c ---- */

/* The size in bytes of the next piece through the stage. */
uint64_t hy_rendezvous_piece(const hy_op *op);

/* Makes sure that lane->stage exists. NO_MEMORY. */
int hy_rendezvous_open_stage(hy_lane *lane);

/* Sender: copies the next piece into the stage, if there is one and the stage has room; `taken`
 * bytes of the message have left it. */
bool hy_rendezvous_fill_stage(hy_op *send, uint64_t taken);

/* Receiver: where the next piece is in the sender's part. IN_PROGRESS: not there yet. */
int hy_rendezvous_find_piece(const hy_op *recv, const hy_produced *told, uint64_t *offset);

/* ---- common ---- */

/* The value of `failed`, `revoked` and `gone` for a message; never 0, their initial value. */
static inline uint64_t hy_rendezvous_mark(const hy_op *op)
{
    return UINT64_C(1) << 32 | op->number;
}

/* CORRUPT, unless the two sides are closed, or the peer has died or left: then its memory may have
 * another use, and the error is CLOSED or PEER_FAILED. */
int hy_rendezvous_corrupt(const hy_op *op, const char *what);
int hy_rendezvous_gave_up(const hy_op *op); /* error: the peer gave up */

/* Call when a sender's message is complete: counts it for the protocol. */
void hy_rendezvous_count(hy_op *send, const hy_rendezvous_ops *protocol);

#endif
