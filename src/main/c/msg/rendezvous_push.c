/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol push, for remote peers: the receive came first, and its buffer is in the receiver's
 * heap. The sender claims the header, puts the data there, and announces the message behind them.
 * So nothing is asked of the receiver: it may compute, or stand at a safepoint of its JVM. */
#include <stdlib.h>

#include "job/await.h"
#include "msg/rendezvous_remote.h"

struct hy_push {
    hy_path_op put;
    bool announced;
};

static hy_counter rendezvous_push_counter(const hy_ep *ep)
{
    (void)ep;
    return HY_COUNT_HEAP;
}

/* ---- sender ---- */

/* The header was written before its claim. If another receive has written its own meanwhile, the
 * claim differs. */
bool hy_rendezvous_claim_header(hy_op *op)
{
    hy_lane *lane = op->lane;
    const hy_ep *ep = lane->channel.ep;
    hy_rendezvous_match *match = hy_rendezvous_mine(&lane->channel);
    uint64_t claim = hy_load_acquire(&match->claim);
    if (hy_claim_number(claim) != op->number || hy_claim_block(claim) != 0) return false;
    uint64_t offset = hy_load_relaxed(&match->section[0]);
    uint64_t capacity = hy_load_relaxed(&match->section[1]);
    if (!op->buffer.address || lane->rendezvous->forced) return false;
    if (op->size > capacity || !hy_ep_contains(ep, offset, op->size)) return false;
    if (!op->push) op->push = malloc(sizeof *op->push);
    if (!op->push) return false;
    op->push->put = (hy_path_op){
        .kind = HY_OP_PUT, .remote = offset, .local = op->buffer.address, .len = op->size};
    op->push->announced = false;
    return atomic_compare_exchange_strong(&match->claim, &claim, claim + 1);
}

/* The receiver sees the data before the message. */
static int announce_behind(hy_op *op, int rc)
{
    struct hy_push *push = op->push;
    if (push->announced || rc < 0 || (rc == HAYATE_IN_PROGRESS && !push->put.ordered)) return rc;
    hy_channel_post(&op->lane->channel, HY_KIND_LONG, &op->source, sizeof op->source);
    push->announced = true;
    return rc;
}

static int rendezvous_push_begin(hy_op *op)
{
    hy_ep *ep = op->lane->channel.ep;
    op->source.offset = HY_NOT_IN_HEAP; /* its data are not there to be fetched */
    int rc = announce_behind(op, hy_op_begin(ep->ops, ep, &op->push->put));
    op->staged = rc == HAYATE_OK ? op->length : 0;
    return rc < 0 ? rc : HAYATE_OK;
}

static int rendezvous_push_step(hy_op *op)
{
    hy_ep *ep = op->lane->channel.ep;
    if (op->staged == op->length) return HAYATE_OK;
    int rc = announce_behind(op, hy_op_test(ep->ops, ep, &op->push->put));
    if (rc == HAYATE_OK) op->staged = op->length;
    return rc;
}

static int step_end(void *op)
{
    return rendezvous_push_step(op);
}

/* The receiver cannot withdraw any more: so the message is still sent, if the path can. It ends
 * within the silence limit of the peer. Nothing else is polled, because this may be part of a step
 * of background work. */
void hy_rendezvous_end_push(hy_op *op)
{
    hy_job_await(&(hy_await){.job = hy_op_job(op), .step = step_end, .context = op});
}

/* ---- receiver ---- */

static int pull(hy_op *op)
{
    if (!hy_load_relaxed(&op->offered) || !hy_rendezvous_offers_memory(op))
        return hy_rendezvous_corrupt(op, "to memory that was not offered");
    op->staged = op->length;
    return HAYATE_OK;
}

static const char *const words[] = {NULL};

const hy_rendezvous_ops hy_rendezvous_push = {
    .words = words,
    .needs = HY_HAS_PUSHED,
    .copies = 1,
    .counter = rendezvous_push_counter,
    .begin = rendezvous_push_begin,
    .push = rendezvous_push_step,
    .pull = pull,
};
