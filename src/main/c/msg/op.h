/* SPDX-License-Identifier: Apache-2.0 */
/* One operation as a small state machine. Each function is called by the thread that has claimed
 * the operation, which is its owner as long as it does not outlive its call. */
#ifndef HY_MSG_OP_H
#define HY_MSG_OP_H

#include "job/flight.h"
#include "msg/breakdown.h"
#include "msg/msg.h"

/* ---- op.c: the stock of operations ---- */

/* How many operations stay with their lanes when they are free. */
static inline uint32_t hy_ops_kept(uint64_t ranks)
{
    return ranks <= HY_SPARSE_DIRECT ? 256 : 16;
}

/* An operation for a lane whose busy word the caller has taken. NULL: NO_MEMORY, with a reason. */
hy_op *hy_op_take_free(hy_lane *lane, bool sends);
static inline hy_op *hy_op_take(hy_lane *lane, bool sends)
{
    hy_op *op = hy_load_relaxed(sends ? &lane->send : &lane->recv);
    return hy_likely(op != NULL) ? op : hy_op_take_free(lane, sends);
}

static inline _Atomic uint32_t *hy_lane_busy(hy_lane *lane, bool sends)
{
    return sends ? &lane->channel.send_busy : &lane->channel.recv_busy;
}

/* calls.c: takes the busy word of the receiving half, and checks that everything is open: BUSY,
 * CLOSED. */
int hy_lane_take_recv(hy_lane *lane);

/* Gives the operation back, which does not outlive its call, and the busy word: the next one of the
 * lane may begin. */
void hy_op_give(hy_op *op);
static inline void hy_op_free(hy_op *op)
{
    _Atomic uint32_t *busy = hy_lane_busy(op->lane, op->sends);
    hy_store_relaxed(&op->state, HY_OP_IDLE);
    if (hy_unlikely(!op->stays)) hy_op_give(op);
    hy_busy_leave(busy);
}

/* Frees all operations. Nothing is under way any more. */
void hy_ops_close(hy_msg *msg);

/* Begins the operation; buffer and size are set. HAYATE_IN_PROGRESS, or the final result. */
int hy_send_begin(hy_op *op);
int hy_recv_begin(hy_op *op);

/* Continues: HAYATE_IN_PROGRESS, or the final result. Never blocks. */
int hy_send_step(hy_op *op);
int hy_recv_step(hy_op *op);
static inline int hy_op_step(hy_op *op)
{
    return op->sends ? hy_send_step(op) : hy_recv_step(op);
}

/* After a failure: the peer does not access the operation's buffer any more. */
void hy_send_give_up(hy_op *op);
void hy_recv_give_up(hy_op *op);
static inline void hy_op_give_up(hy_op *op)
{
    if (op->sends) hy_send_give_up(op);
    else hy_recv_give_up(op);
}

/* Whether a receive that waits could not be offered when it began, because the sender was unknown:
 * see wire/contact.h. */
static inline bool hy_recv_must_offer(const hy_op *op)
{
    const hy_lane *lane = op->lane;
    return hy_unlikely(lane->contact != NULL) && !hy_load_relaxed(&op->offered) &&
           hy_load_relaxed(&op->state) == HY_OP_RECV_WAIT &&
           op->size > lane->msg->job->eager_limit && hy_contact_is_accepted(&lane->channel);
}

/* Withdraws a receive: true if nothing was or will be written to its buffer. */
bool hy_recv_withdraw(hy_op *op);

/* op.c: the flight recorder is on, and the operation begins. */
void hy_op_record(hy_op *op);

/* It has ended with rc, and is not free yet. */
static inline void hy_op_recorded(const hy_op *op, int rc)
{
    if (hy_unlikely(op->flight != 0))
        hy_flight_end(op->lane->msg->job->flight, op->flight, rc, op->way);
}

static inline hy_job *hy_op_job(const hy_op *op)
{
    return op->lane->msg->job;
}

#endif
