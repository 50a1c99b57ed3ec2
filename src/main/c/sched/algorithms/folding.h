/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that cross and are folded where they arrive. */
#ifndef HY_SCHED_FOLDING_H
#define HY_SCHED_FOLDING_H

#include "sched/algorithms/exchange.h"

static inline void hy_flow_fold(hy_schedule *s, const hy_flow *in, hy_place via, uint64_t off,
                                uint64_t part)
{
    if (off < in->len)
        hy_stream_pull_fold(s, in->peer, hy_further(in->from, off), hy_further(via, off),
                            hy_further(in->to, off), hy_min(part, in->len - off));
}

/* One level with barriers: data are fetched before its end, and data that were put are folded after
 * it, so the level after the next one may put to the same place. */
static inline void hy_fold_by_barrier(hy_schedule *s, const hy_flow *out, const hy_flow *in,
                                      hy_place via)
{
    hy_flow_push(s, out, 0, UINT64_MAX);
    if (!hy_way_gets(s)) hy_round(s);
    hy_flow_fold(s, in, via, 0, UINT64_MAX);
    if (hy_way_gets(s)) hy_round(s);
}

/* Pushes `out` and folds `in` into in->to; a straight put arrives at `via`. This is a complete
 * level: with barriers, ranks that have nothing to send or to fold (len 0) call it as well. */
static inline void hy_exchange_fold(hy_schedule *s, const hy_flow *out, const hy_flow *in,
                                    hy_place via)
{
    uint64_t end = out->len > in->len ? out->len : in->len, part = hy_exchange_part(s);
    if (hy_way_barriers(s)) {
        hy_fold_by_barrier(s, out, in, via);
        return;
    }
    for (uint64_t off = 0; off < end && !hy_emit_enough(s); off += part) {
        hy_flow_push(s, out, off, part);
        hy_flow_fold(s, in, via, off, part);
    }
}

#endif
