/* SPDX-License-Identifier: Apache-2.0 */
/* The length of blocks, and how a side that has failed stops the other side. */
#include "job/await.h"
#include "msg/rendezvous_blocks.h"

/* How long a side that has failed waits for the block that the other one moves. */
#define REVOKE_NS UINT64_C(1000000000)

/* Below this many bytes, one side alone is faster than two that share the line of the claim. */
#define SHARE_FROM (UINT64_C(24) << 10)

uint64_t hy_rendezvous_block_bytes(uint64_t length)
{
    if (length < SHARE_FROM) return length;
    uint64_t eighth = hy_round_up(length / 8, 4096);
    uint64_t half = hy_round_up(length / 2, HY_LINE);
    if (eighth < (UINT64_C(16) << 10)) return half < (16 << 10) ? half : UINT64_C(16) << 10;
    return eighth < (UINT64_C(128) << 10) ? eighth : UINT64_C(128) << 10;
}

static bool is_at_a_block(const hy_op *op, const hy_rendezvous_match *match)
{
    uint64_t claim = atomic_load(&match->claim), block = hy_claim_block(claim);
    if (hy_claim_number(claim) != op->number || block == HY_CLAIM_WITHDRAWN) return false;
    uint64_t claimed = block < hy_rendezvous_blocks(op) ? block * op->block : op->length;
    return hy_load_acquire(&match->done) - op->start < claimed;
}

/* OK: the peer moves no block, or has ended. */
static int step_revoked(void *context)
{
    const hy_op *op = context;
    const hy_control_live *live = hy_control_live_of(hy_op_job(op)->boot.control);
    const hy_control_rank *peer = &live->ranks[op->lane->channel.ep->rank];
    bool waits = is_at_a_block(op, hy_rendezvous_entry(op)) &&
                 hy_load_acquire(&peer->state) == HY_RANK_JOINED;
    return waits ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

/* All accesses in one order (seq_cst): a peer whose claim is not seen here sees `revoked`
 * afterwards. Nothing else is polled, because this may be part of a step of background work. */
void hy_rendezvous_revoke_blocks(hy_op *op)
{
    atomic_store(&hy_rendezvous_entry(op)->revoked, hy_rendezvous_mark(op));
    hy_job_await(&(hy_await){.job = hy_op_job(op),
                             .step = step_revoked,
                             .context = op,
                             .limit = &(hy_limit){.ns = REVOKE_NS}});
}
