/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement of the paper's table 1: how the time of one message divides into set-up,
 * header and data on both sides. While it is on, every message takes the slow path. While it is
 * off, even after it was on, messages take their normal paths, and each pays one predicted
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

/* Called when the operation begins. */
static inline void hy_breakdown_start(hy_op *op)
{
    op->since_ns = hy_breakdown_is_on(op->lane->msg) ? hy_now_ns() : 0;
}

/* Adds the time since the operation's last mark to `phase`. */
void hy_breakdown_record(hy_op *op, hy_phase phase);

static inline void hy_breakdown_mark(hy_op *op, hy_phase phase)
{
    if (hy_breakdown_is_on(op->lane->msg)) hy_breakdown_record(op, phase);
}

#endif
