/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol single copy: between any two native buffers, by a put or get of the path that reaches
 * the peer's process. It is enough if one side can do so. */
#include "msg/rendezvous_blocks.h"

/* The counter of the path that works with this peer. */
static hy_counter rendezvous_single_counter(const hy_ep *ep)
{
    return ep->single && ep->single->caps & HY_CAP_LOADS ? HY_COUNT_DIRECT : HY_COUNT_CMA;
}

static int rendezvous_single_put(hy_op *op, const hy_descriptor *target, uint64_t offset,
                                 uint64_t len)
{
    hy_ep *ep = op->lane->channel.ep;
    return ep->single->put(ep, target->address + offset, op->buffer.address + offset, len);
}

static int get(hy_op *op, const hy_descriptor *target, uint64_t offset, uint64_t len)
{
    (void)target;
    hy_ep *ep = op->lane->channel.ep;
    return ep->single->get(ep, op->descriptor.address + offset, op->buffer.address + offset, len);
}

static int push(hy_op *op)
{
    if (op->lane->channel.ep->single) hy_rendezvous_move_blocks(op, rendezvous_single_put);
    return HAYATE_OK;
}

static int rendezvous_single_pull(hy_op *op)
{
    if (op->lane->channel.ep->single) hy_rendezvous_move_blocks(op, get);
    return HAYATE_OK;
}

static const char *const words[] = {"cma", "copy", "attach", NULL};

const hy_rendezvous_ops hy_rendezvous_single = {
    .words = words,
    .needs = HY_HAS_ADDRESSES | HY_HAS_REACH,
    .copies = 1,
    .system_call = true,
    .counter = rendezvous_single_counter,
    .in_blocks = true,
    .push = push,
    .pull = rendezvous_single_pull,
};
