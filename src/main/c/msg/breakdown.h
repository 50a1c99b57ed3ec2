/* SPDX-License-Identifier: Apache-2.0 */
/* The instrument behind the paper's table 1: how one message's time divides into set-up, header and
 * data on both sides. On, every message takes the slow path. Off, also after it was on, messages
 * take the paths that they would take otherwise, and the instrument costs each one predicted
 * branch. */
#ifndef HY_MSG_BREAKDOWN_H
#define HY_MSG_BREAKDOWN_H

#include <stdbool.h>

#include "base/clock.h"
#include "msg/msg.h"

typedef enum hy_phase {
    HY_PHASE_SEND_SETUP,
    HY_PHASE_SEND_HEADER,
    HY_PHASE_SEND_DATA,
    HY_PHASE_RECV_SETUP,
    HY_PHASE_RECV_HEADER,
    HY_PHASE_RECV_DATA,
    HY_PHASES
} hy_phase;

int hy_breakdown_set(hy_msg *msg, int on);
int hy_breakdown_get(hy_msg *msg, fmpl_breakdown_t *result);
void hy_breakdown_free(hy_msg *msg);

static inline bool hy_breakdown_is_on(const hy_msg *msg)
{
    return hy_unlikely(hy_load_relaxed(&msg->breakdown) != NULL);
}

/* The operation begins. */
static inline void hy_breakdown_start(hy_op *op)
{
    op->since_ns = hy_breakdown_is_on(op->lane->msg) ? hy_now_ns() : 0;
}

/* Time since the operation's last mark belongs to `phase`. */
void hy_breakdown_record(hy_op *op, hy_phase phase);

static inline void hy_breakdown_mark(hy_op *op, hy_phase phase)
{
    if (hy_breakdown_is_on(op->lane->msg)) hy_breakdown_record(op, phase);
}

#endif
