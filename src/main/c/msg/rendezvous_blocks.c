/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that one side moves straight between the two buffers, whichever has time: for protocols by
 * which a side can reach the other's buffer. */
#include <sched.h>

#include "base/clock.h"
#include "msg/rendezvous_ops.h"

/* Below this many bytes one side alone is faster than two that share the claim's line. */
#define SHARE_FROM (UINT64_C(24) << 10)

uint64_t hy_rendezvous_block_bytes(uint64_t length)
{
    if (length < SHARE_FROM) return length;
    uint64_t eighth = hy_round_up(length / 8, 4096);
    uint64_t half = hy_round_up(length / 2, HY_LINE);
    if (eighth < (UINT64_C(16) << 10)) return half < (16 << 10) ? half : UINT64_C(16) << 10;
    return eighth < (UINT64_C(128) << 10) ? eighth : UINT64_C(128) << 10;
}

static uint64_t blocks_of(const hy_op *op)
{
    return (op->length + op->block - 1) / op->block;
}

bool hy_rendezvous_read_header(const hy_op *op, uint64_t claim, hy_descriptor *header)
{
    const hy_rendezvous_match *match = hy_rendezvous_mine(&op->lane->channel);
    if (hy_claim_number(claim) != op->number || hy_claim_block(claim) == HY_CLAIM_WITHDRAWN)
        return false;
    *header = (hy_descriptor){.offset = hy_load_relaxed(&match->offset),
                              .address = hy_load_relaxed(&match->address),
                              .len = hy_load_relaxed(&match->capacity),
                              .flags = hy_load_relaxed(&match->flags)};
    return header->len >= op->length;
}

/* acq_rel: releases the bytes moved, acquires those of the other side. A block that could not be
 * moved is counted as well, so that the other side comes to an end and sees `failed`. */
void hy_rendezvous_advance(hy_op *op, uint64_t len, int rc)
{
    hy_rendezvous_match *match = hy_rendezvous_entry(op);
    uint64_t now = op->target;
    if (rc) hy_store_relaxed(&match->failed, hy_rendezvous_mark(op));
    if (len == op->length) hy_store_release(&match->done, now); /* nobody else adds */
    else now = atomic_fetch_add_explicit(&match->done, len, memory_order_acq_rel) + len;
    if (now == op->target) hy_bell_ring(op->lane->channel.ep->bell);
}

/* The protocol is from one header; with another one it has to be learned anew. */
static bool is_of_message(const hy_op *op, uint64_t claim, hy_descriptor *header)
{
    if (!op->sends) return hy_claim_number(claim) == op->number;
    return hy_claim_header(claim) == op->learned && hy_rendezvous_read_header(op, claim, header);
}

/* seq_cst, as the claim before: see hy_rendezvous_revoke_blocks() */
static bool is_revoked(const hy_op *op, const hy_rendezvous_match *match)
{
    return atomic_load(&match->revoked) == hy_rendezvous_mark(op);
}

void hy_rendezvous_move_blocks(hy_op *op, hy_block_mover *move)
{
    hy_rendezvous_match *match = hy_rendezvous_entry(op);
    uint64_t claim = hy_load_acquire(&match->claim), blocks = blocks_of(op);
    hy_descriptor header = {0};
    while (is_of_message(op, claim, &header) && hy_claim_block(claim) < blocks) {
        if (!atomic_compare_exchange_weak_explicit(&match->claim, &claim, claim + 1,
                                                   memory_order_seq_cst, memory_order_acquire))
            continue;
        uint64_t offset = hy_claim_block(claim) * op->block;
        uint64_t len = op->length - offset < op->block ? op->length - offset : op->block;
        int rc = hy_unlikely(is_revoked(op, match)) ? hy_rendezvous_gave_up(op)
                                                    : move(op, &header, offset, len);
        hy_rendezvous_advance(op, len, rc);
        if (rc && !op->result) op->result = rc;
        claim++;
    }
}

static bool is_at_a_block(const hy_op *op, const hy_rendezvous_match *match)
{
    uint64_t claim = atomic_load(&match->claim), block = hy_claim_block(claim);
    if (hy_claim_number(claim) != op->number || block == HY_CLAIM_WITHDRAWN) return false;
    uint64_t claimed = block < blocks_of(op) ? block * op->block : op->length;
    return hy_load_acquire(&match->done) - op->start < claimed;
}

/* All in one order (seq_cst): a peer whose claim is not seen here sees `revoked` after it. */
void hy_rendezvous_revoke_blocks(hy_op *op)
{
    hy_rendezvous_match *match = hy_rendezvous_entry(op);
    const hy_control_rank *peer = &hy_op_job(op)->boot.control->ranks[op->lane->channel.ep->rank];
    uint64_t deadline = hy_now_ns() + UINT64_C(1000000000);
    atomic_store(&match->revoked, hy_rendezvous_mark(op));
    while (is_at_a_block(op, match) && hy_load_acquire(&peer->state) == HY_RANK_JOINED &&
           hy_now_ns() < deadline)
        sched_yield();
}
