/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol pipeline: pieces go through the sender's stage, and the two copies overlap. This is
 * always possible. Also the stage itself, from which remote peers fetch. */
#include "msg/rendezvous_blocks.h"

/* ---- the stage ---- */

int hy_rendezvous_open_stage(hy_lane *lane)
{
    if (!lane->stage) lane->stage = hy_job_alloc(lane->msg->job, HY_STAGE_BYTES);
    return lane->stage ? HAYATE_OK : hy_job_alloc_code(lane->msg->job);
}

/* A quarter of the message, so that copies of short ones overlap as well, up to HY_BLOCK_BYTES. */
uint64_t hy_rendezvous_piece(const hy_op *op)
{
    uint64_t left = op->length - op->staged;
    uint64_t block = hy_round_up(op->length / 4, 4096);
    if (block > HY_BLOCK_BYTES) block = HY_BLOCK_BYTES;
    return left < block ? left : block;
}

bool hy_rendezvous_fill_stage(hy_op *op, uint64_t taken)
{
    uint64_t len = hy_rendezvous_piece(op);
    if (len == 0 || op->staged + len - taken > HY_STAGE_BYTES) return false;
    hy_buffer_read(&op->buffer, op->staged, op->lane->stage + op->staged % HY_STAGE_BYTES, len);
    op->staged += len;
    return true;
}

/* Counts of earlier messages are below `start`: then the difference is huge. */
int hy_rendezvous_find_piece(const hy_op *op, const hy_produced *told, uint64_t *offset)
{
    uint64_t produced = hy_load_acquire(&told->bytes) - op->start;
    uint64_t stage = hy_load_relaxed(&told->stage_offset);
    if (produced > op->length || produced < op->staged + hy_rendezvous_piece(op))
        return HAYATE_IN_PROGRESS;
    if (hy_load_relaxed(&told->stage_bytes) != HY_STAGE_BYTES ||
        !hy_ep_contains(op->lane->channel.ep, stage, HY_STAGE_BYTES))
        return hy_rendezvous_corrupt(op, "a stage that is outside its memory");
    *offset = stage + op->staged % HY_STAGE_BYTES;
    return HAYATE_OK;
}

/* ---- the protocol ---- */

static hy_counter rendezvous_pipeline_counter(const hy_ep *ep)
{
    (void)ep;
    return HY_COUNT_PIPELINE;
}

/* Released together with `produced`. */
static int show_stage(hy_lane *lane)
{
    int rc = hy_rendezvous_open_stage(lane);
    if (rc) return rc;
    hy_rendezvous_match *match = hy_rendezvous_mine(&lane->channel);
    hy_store_relaxed(&match->produced.stage_offset, (uint64_t)(lane->stage - lane->msg->job->part));
    hy_store_relaxed(&match->produced.stage_bytes, HY_STAGE_BYTES);
    return HAYATE_OK;
}

/* After this, the receive can no longer be withdrawn. */
static bool claim_stage(const hy_op *op, hy_rendezvous_match *match)
{
    uint64_t claim = hy_load_acquire(&match->claim);
    hy_told_buffer header;
    return hy_claim_header(claim) == op->learned && hy_rendezvous_read_header(op, claim, &header) &&
           atomic_compare_exchange_strong(&match->claim, &claim, claim + 1);
}

static int push(hy_op *op)
{
    hy_rendezvous_match *match = hy_rendezvous_entry(op);
    if (op->staged == 0) {
        if (!claim_stage(op, match)) return HAYATE_OK;
        op->result = show_stage(op->lane);
        if (op->result) { /* the message fails as a whole, on both sides */
            hy_rendezvous_advance(op, op->length, op->result);
            return HAYATE_OK;
        }
    }
    while (hy_rendezvous_fill_stage(op, hy_load_acquire(&match->done) - op->start)) {
        hy_store_release(&match->produced.bytes, op->start + op->staged);
        hy_bell_ring(op->lane->channel.ep->bell);
    }
    return HAYATE_OK;
}

static int rendezvous_pipeline_pull(hy_op *op)
{
    hy_rendezvous_match *match = hy_rendezvous_entry(op);
    const hy_ep *ep = op->lane->channel.ep;
    while (op->staged < op->length) {
        uint64_t offset, len = hy_rendezvous_piece(op);
        int rc = hy_rendezvous_find_piece(op, &match->produced, &offset);
        if (rc) return rc;
        hy_buffer_write(&op->buffer, op->staged, ep->part + offset, len);
        op->staged += len;
        atomic_fetch_add_explicit(&match->done, len, memory_order_acq_rel);
        hy_bell_ring(ep->bell);
    }
    return HAYATE_OK;
}

static const char *const words[] = {"pipeline", NULL};

const hy_rendezvous_ops hy_rendezvous_pipeline = {
    .words = words,
    .needs = 0,
    .copies = 2,
    .staged = true,
    .counter = rendezvous_pipeline_counter,
    .push = push,
    .pull = rendezvous_pipeline_pull,
};
