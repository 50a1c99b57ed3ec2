/* SPDX-License-Identifier: Apache-2.0 */
/* The instrument behind the paper's table 1: how one message's time divides into set-up, header and
 * data on both sides. Off, it costs the slow path one branch; on, every message takes the slow
 * path. */
#ifndef HY_FMPL_BREAKDOWN_H
#define HY_FMPL_BREAKDOWN_H

#include "fmpl/context.h"

typedef enum hy_phase {
    HY_PHASE_SEND_SETUP,
    HY_PHASE_SEND_HEADER,
    HY_PHASE_SEND_DATA,
    HY_PHASE_RECV_SETUP,
    HY_PHASE_RECV_HEADER,
    HY_PHASE_RECV_DATA,
    HY_PHASES
} hy_phase;

int hy_breakdown_set(hy_fmpl *fmpl, int on);
int hy_breakdown_get(const hy_fmpl *fmpl, fmpl_breakdown_t *result);
void hy_breakdown_free(hy_fmpl *fmpl);

/* Time since the operation's last mark belongs to `phase`. */
void hy_breakdown_record(hy_op *op, hy_phase phase);
void hy_breakdown_start(hy_op *op);

static inline void hy_breakdown_mark(hy_op *op, hy_phase phase)
{
    if (hy_unlikely(op->lane->fmpl->breakdown != NULL)) hy_breakdown_record(op, phase);
}

#endif
