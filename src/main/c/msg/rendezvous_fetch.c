/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol fetch, for remote peers: the receiver gets the data from the sender's heap. */
#include "msg/rendezvous_remote.h"

/* The most that is fetched in one step, which does not return before. */
#define FETCH_BYTES (UINT64_C(1) << 20)

static hy_counter rendezvous_fetch_counter(const hy_ep *ep)
{
    (void)ep;
    return HY_COUNT_HEAP;
}

/* Everything else is up to the receiver. */
static int leave(hy_op *op)
{
    (void)op;
    return HAYATE_OK;
}

static int rendezvous_fetch_pull(hy_op *op)
{
    uint64_t most = op->buffer.address ? FETCH_BYTES : HY_STAGE_BYTES;
    uint64_t left = op->length - op->staged, len = left < most ? left : most;
    int rc = hy_rendezvous_get(op, op->source.offset + op->staged, len);
    return rc || op->staged == op->length ? rc : HAYATE_IN_PROGRESS;
}

static const char *const words[] = {"heap", NULL};

const hy_rendezvous_ops hy_rendezvous_fetch = {
    .words = words,
    .needs = HY_HAS_MAPPED_SOURCE,
    .copies = 1,
    .counter = rendezvous_fetch_counter,
    .begin = leave,
    .push = leave,
    .pull = rendezvous_fetch_pull,
};
