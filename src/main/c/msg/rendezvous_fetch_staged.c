/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol fetch staged, for remote peers: the receiver gets the data from the sender's stage,
 * which is filled before the message is announced. This is always possible. */
#include "msg/rendezvous_remote.h"

static hy_counter rendezvous_fetch_staged_counter(const hy_ep *ep)
{
    (void)ep;
    return HY_COUNT_PIPELINE;
}

/* Fills the stage as far as there is room. */
static int push(hy_op *op)
{
    uint64_t before = op->staged,
             done = hy_load_acquire(&hy_rendezvous_mine(&op->lane->channel)->done);
    while (hy_rendezvous_fill_stage(op, hy_rendezvous_taken(op, done))) continue;
    return op->staged == before ? HAYATE_OK : hy_rendezvous_tell_produced(op, 0);
}

/* An announcement without an offset means that the data are in the stage. */
static int rendezvous_fetch_staged_begin(hy_op *op)
{
    op->source.offset = HY_NOT_IN_HEAP;
    op->source.flags &= ~(uint64_t)HY_IS_STRIDED; /* in the stage the bytes are in packed order */
    int rc = hy_rendezvous_open_stage(op->lane);
    return rc ? rc : push(op);
}

/* The sender waits for `done` at the end, and in between if its stage is too small for the
 * message. */
static int rendezvous_fetch_staged_pull(hy_op *op)
{
    uint64_t offset;
    int rc = hy_rendezvous_find_piece(op, hy_channel_slot_flag(&op->lane->channel), &offset);
    if (!rc) rc = hy_rendezvous_get(op, offset, hy_rendezvous_piece(op));
    if (rc || op->staged == op->length || op->length > HY_STAGE_BYTES) return rc;
    return HAYATE_IN_PROGRESS;
}

static const char *const words[] = {"pipeline", NULL};

const hy_rendezvous_ops hy_rendezvous_fetch_staged = {
    .words = words,
    .needs = 0,
    .copies = 2,
    .counter = rendezvous_fetch_staged_counter,
    .begin = rendezvous_fetch_staged_begin,
    .push = push,
    .pull = rendezvous_fetch_staged_pull,
};
