/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stock of operations. A rank may have many lanes, but few of them have an operation under way.
 * So a lane takes an operation when it needs one. The first ones stay with their lanes, so that a
 * rank with few partners or in a small job never comes here again; all further ones go back to a
 * stack of free ones, which needs no lock. The upper half of its word counts changes, so that a
 * thread that was held up does not take a stack that has changed for the one that it has seen.
 *
 * The memory of operations is not freed before the end: a thread that uses a request wrongly, after
 * another one has collected it, may still look at the operation that the request had.
 */
#include <stdlib.h>

#include "msg/op.h"

static uint64_t changed(uint64_t free, uint32_t first)
{
    return ((free >> 32) + 1) << 32 | first;
}

static hy_op *take_first(hy_msg *msg)
{
    uint64_t free = hy_load_acquire(&msg->ops.free);
    while ((uint32_t)free) {
        hy_op *op = hy_handles_get(&msg->ops.all, (int)((uint32_t)free - 1));
        uint64_t rest = changed(free, hy_load_relaxed(&op->next_free));
        if (atomic_compare_exchange_weak(&msg->ops.free, &free, rest)) return op;
    }
    return NULL;
}

static hy_op *make_op(hy_msg *msg)
{
    hy_op *op = calloc(1, sizeof *op);
    int place = 0, rc = HAYATE_OK;
    if (!op) rc = hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for an operation");
    pthread_mutex_lock(&msg->lock);
    if (!rc) rc = hy_handles_take(&msg->ops.all, &place);
    if (!rc) {
        op->place = (uint32_t)place;
        op->stays = op->place < msg->ops_kept;
        hy_store_relaxed(&op->work.claimed, 1);
        hy_handles_put(&msg->ops.all, place, op);
    }
    pthread_mutex_unlock(&msg->lock);
    if (!rc) return op;
    free(op);
    return NULL;
}

hy_op *hy_op_take_free(hy_lane *lane, bool sends)
{
    hy_op *op = take_first(lane->msg);
    if (!op) op = make_op(lane->msg);
    if (!op) return NULL;
    op->lane = lane;
    op->sends = sends;
    hy_store_release(sends ? &lane->send : &lane->recv, op);
    return op;
}

void hy_op_give(hy_op *op)
{
    hy_lane *lane = op->lane;
    _Atomic uint64_t *stack = &lane->msg->ops.free;
    uint64_t free = hy_load_relaxed(stack);
    hy_store_relaxed(op->sends ? &lane->send : &lane->recv, NULL);
    do hy_store_relaxed(&op->next_free, (uint32_t)free);
    while (!atomic_compare_exchange_weak(stack, &free, changed(free, op->place + 1)));
}

void hy_op_record(hy_op *op)
{
    hy_awaited what = {.kind = op->sends ? HY_AWAITED_SEND : HY_AWAITED_RECEIVE,
                       .peer = op->lane->channel.ep->rank,
                       .place = (int32_t)op->lane->channel.mai,
                       .bytes = op->size};
    op->way = 0;
    op->flight = hy_flight_begin(op->lane->msg->job->flight, &what);
}

void hy_ops_close(hy_msg *msg)
{
    for (int i = 0; i < hy_handles_places(&msg->ops.all); i++) {
        hy_op *op = hy_handles_get(&msg->ops.all, i);
        if (op && op->retained) op->buffer.managed->release(op->buffer.handle);
        if (op) free(op->reason), free(op->push);
        free(op);
    }
    hy_handles_close(&msg->ops.all);
}
