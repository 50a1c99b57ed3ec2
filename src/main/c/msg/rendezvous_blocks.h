/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that either side moves directly between the two buffers, for protocols in which a side
 * can access the other's buffer. Inline, so that each protocol has a loop around its copy
 * function: a call through a pointer would be measurable in the time of short messages. */
#ifndef HY_MSG_RENDEZVOUS_BLOCKS_H
#define HY_MSG_RENDEZVOUS_BLOCKS_H

#include "msg/rendezvous_ops.h"

static inline uint64_t hy_rendezvous_blocks(const hy_op *op)
{
    return (op->length + op->block - 1) / op->block;
}

/* Sender: the header for `claim`, if it belongs to the message and is long enough. A receive
 * that is too short fails on the receiving side; the sender waits for the next one. */
static inline bool hy_rendezvous_read_header(const hy_op *op, uint64_t claim,
                                             hy_told_buffer *header)
{
    const hy_rendezvous_match *match = hy_rendezvous_mine(&op->lane->channel);
    if (hy_claim_number(claim) != op->number || hy_claim_block(claim) == HY_CLAIM_WITHDRAWN)
        return false;
    *header = (hy_told_buffer){.offset = hy_load_relaxed(&match->offset),
                               .address = hy_load_relaxed(&match->address),
                               .len = hy_load_relaxed(&match->capacity),
                               .flags = hy_load_relaxed(&match->flags)};
    if (hy_unlikely(header->flags & HY_IS_STRIDED)) {
        uint64_t words[3];
        for (int i = 0; i < 3; i++) words[i] = hy_load_relaxed(&match->section[i]);
        memcpy(&header->section, words, sizeof words);
    }
    return header->len >= op->length;
}

/* Counts bytes that were moved, or, with an error, that could not be moved, so that the other
 * side finishes and sees `failed`. acq_rel: releases the bytes moved here, acquires those of the
 * other side. */
static inline void hy_rendezvous_advance(hy_op *op, uint64_t len, int rc)
{
    hy_rendezvous_match *match = hy_rendezvous_entry(op);
    uint64_t now = op->target;
    if (rc) hy_store_relaxed(&match->failed, hy_rendezvous_mark(op));
    if (len == op->length) hy_store_release(&match->done, now); /* no other thread adds */
    else now = atomic_fetch_add_explicit(&match->done, len, memory_order_acq_rel) + len;
    if (now == op->target) hy_bell_ring(op->lane->channel.ep->bell);
}

/* Moves one block. `target`: the receiver's header, for a sender. */
typedef int hy_block_mover(hy_op *op, const hy_told_buffer *target, uint64_t offset, uint64_t len);

/* The protocol was learned from one header; with another header it must be learned again. */
static inline bool hy_rendezvous_is_claimable(const hy_op *op, uint64_t claim,
                                              hy_told_buffer *header)
{
    if (!op->sends) return hy_claim_number(claim) == op->number;
    return hy_claim_header(claim) == op->learned && hy_rendezvous_read_header(op, claim, header);
}

/* seq_cst, like the claim before it: see hy_rendezvous_revoke_blocks() */
static inline bool hy_rendezvous_is_revoked(const hy_op *op, const hy_rendezvous_match *match)
{
    return atomic_load(&match->revoked) == hy_rendezvous_mark(op);
}

/* Claims and moves one block after the other until none is left. */
static inline void hy_rendezvous_move_blocks(hy_op *op, hy_block_mover *move)
{
    hy_rendezvous_match *match = hy_rendezvous_entry(op);
    uint64_t claim = hy_load_acquire(&match->claim), blocks = hy_rendezvous_blocks(op);
    hy_told_buffer header = {0};
    while (hy_rendezvous_is_claimable(op, claim, &header) && hy_claim_block(claim) < blocks) {
        if (!atomic_compare_exchange_weak_explicit(&match->claim, &claim, claim + 1,
                                                   memory_order_seq_cst, memory_order_acquire))
            continue;
        uint64_t offset = hy_claim_block(claim) * op->block;
        uint64_t len = op->length - offset < op->block ? op->length - offset : op->block;
        int rc = hy_unlikely(hy_rendezvous_is_revoked(op, match)) ? hy_rendezvous_gave_up(op)
                                                                  : move(op, &header, offset, len);
        hy_rendezvous_advance(op, len, rc);
        if (rc && !op->result) op->result = rc;
        claim++;
    }
}

#endif
