/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that cross: every rank pushes before it pulls, part by part; a part is no more than may
 * be under way to a rank that has not begun to pull. */
#ifndef HY_SCHED_ALGORITHMS_EXCHANGE_H
#define HY_SCHED_ALGORITHMS_EXCHANGE_H

#include "sched/algorithms/algorithms.h"

/* Two of these fit into a channel: a rank may be one part ahead of its peer. */
#define HY_EXCHANGE_PIECES 8
_Static_assert(2 * HY_EXCHANGE_PIECES <= HY_SCHED_DEPTH, "nobody waits to post the next part");

/* One direction: `from` is on the sender, `to` on the receiver. */
typedef struct hy_flow {
    int peer;
    hy_place from, to;
    uint64_t len;
} hy_flow;

/* Straight and counted: the only methods in which streams have a ready and await, or a finish and
 * drain; for others, a loop over a million peers is skipped. */
static inline bool hy_way_asks(const hy_schedule *s)
{
    return !hy_way_prepared(s) && !hy_way_barriers(s) && !hy_way_gets(s);
}
static inline bool hy_way_tells(const hy_schedule *s)
{
    return !hy_way_prepared(s) && !hy_way_barriers(s) && hy_way_gets(s);
}

/* Bytes of a part; only payloads need more than one. */
static inline uint64_t hy_exchange_part(const hy_schedule *s)
{
    bool payloads = hy_way_prepared(s) && !hy_way_boxed(s);
    return payloads ? HY_EXCHANGE_PIECES * hy_piece(&s->shape) : (uint64_t)INT64_MAX;
}

static inline hy_place hy_further(hy_place place, uint64_t bytes)
{
    return HY_AT(place.region, place.off + bytes);
}

static inline void hy_flow_push(hy_schedule *s, const hy_flow *out, uint64_t off, uint64_t part)
{
    if (off < out->len)
        hy_stream_push(s, out->peer, hy_further(out->from, off), hy_further(out->to, off),
                       hy_min(part, out->len - off));
}

static inline void hy_flow_pull(hy_schedule *s, const hy_flow *in, uint64_t off, uint64_t part)
{
    if (off < in->len)
        hy_stream_pull(s, in->peer, hy_further(in->from, off), hy_further(in->to, off),
                       hy_min(part, in->len - off));
}

/* Pushes one flow and pulls the other, in two parts: the first push, and the rest, so that other
 * work can be done while the first part is under way. */
static inline void hy_exchange_begin(hy_schedule *s, const hy_flow *out, uint64_t part)
{
    hy_flow_push(s, out, 0, part);
}

static inline void hy_exchange_end(hy_schedule *s, const hy_flow *out, const hy_flow *in,
                                   uint64_t part)
{
    uint64_t end = out->len > in->len ? out->len : in->len;
    hy_flow_pull(s, in, 0, part);
    for (uint64_t off = part; off < end && !hy_emit_enough(s); off += part) {
        hy_flow_push(s, out, off, part);
        hy_flow_pull(s, in, off, part);
    }
}

static inline void hy_exchange(hy_schedule *s, const hy_flow *out, const hy_flow *in, uint64_t part)
{
    hy_exchange_begin(s, out, part);
    hy_exchange_end(s, out, in, part);
}

/* ---- formulas: C(n) = a copy within a rank ---- */

/* The signals if the data of a level depend on those of the level before: (levels + E) S, with
 * barriers (levels + 1) d S. */
static inline double hy_formula_levels(const hy_model *model, const hy_shape *shape,
                                       const hy_way *way, double levels)
{
    double one = hy_formula_signal(model);
    if (way->sync == HY_SYNC_BARRIER) return (levels + 1) * hy_log2_ceil(shape->size) * one;
    return (levels + hy_formula_extra(way)) * one;
}

/* o(n): posting and taking the signals that go with n bytes, k of them. */
static inline double hy_formula_signals(const hy_model *model, const hy_shape *shape,
                                        const hy_way *way, uint64_t bytes)
{
    if (way->sync == HY_SYNC_BARRIER) return 0;
    uint64_t piece = way->segment && way->segment < bytes ? way->segment : bytes;
    if (way->buffers == HY_BUFFERS_PREPARED && way->transfer != HY_TRANSFER_GET)
        piece = hy_min(piece, hy_piece(shape));
    double k = piece ? (double)((bytes + piece - 1) / piece) : 0;
    return k * (model->signal + model->take);
}

/* The stream from the rank `distance` below. */
typedef hy_flow hy_flow_of(const hy_schedule *s, int distance);

static inline void hy_exchange_ready_all(hy_schedule *s, hy_flow_of *inward)
{
    for (int i = 1; hy_way_asks(s) && i < s->shape.size && !hy_emit_enough(s); i++) {
        hy_flow in = inward(s, i);
        if (in.len) hy_stream_ready(s, in.peer, HY_OUT);
    }
}

/* Only payloads have more than one part, and these need no finish. */
static inline void hy_exchange_pull_all(hy_schedule *s, hy_flow_of *inward, uint64_t off,
                                        uint64_t part)
{
    for (int i = 1; i < s->shape.size && !hy_emit_enough(s); i++) {
        hy_flow in = inward(s, i);
        hy_flow_pull(s, &in, off, part);
        if (in.len) hy_stream_finish(s, in.peer);
    }
}

#endif
