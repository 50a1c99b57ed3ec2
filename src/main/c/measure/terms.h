/* SPDX-License-Identifier: Apache-2.0 */
/* The terms of the cost model (sched/model.h) that are measured. A *term* is one number: a time, or
 * one point of a curve. */
#ifndef HY_MEASURE_TERMS_H
#define HY_MEASURE_TERMS_H

#include "sched/model.h"

/* The scalars, with those of a network between two nodes among them; then HY_CURVE_POINTS of each
 * curve. */
enum {
    HY_TERM_SIGNAL,
    HY_TERM_TRIP, /* tells the distance between the two that measure */
    HY_TERM_TAKE,
    HY_TERM_STEP,
    HY_TERM_TURN,
    HY_TERM_BARRIER,
    HY_TERM_BANDWIDTH,
    HY_TERM_NET_SIGNAL,
    HY_TERM_NET_TRIP,
    HY_TERM_NET_STREAM,
    HY_TERM_NET_BYTE,
    HY_TERM_SCALARS
};
enum {
    HY_TERM_PAYLOAD_OUT,
    HY_TERM_PAYLOAD_IN,
    HY_TERM_COPY,
    HY_TERM_PUT,
    HY_TERM_GET,
    HY_TERM_SINGLE,
    HY_TERM_REDUCE,
    HY_TERM_REDUCE_GET,
    HY_TERM_CURVES
};

#define HY_TERMS (HY_TERM_SCALARS + HY_TERM_CURVES * HY_CURVE_POINTS)

static inline bool hy_term_is_net(int term)
{
    return term >= HY_TERM_NET_SIGNAL && term <= HY_TERM_NET_BYTE;
}

#endif
