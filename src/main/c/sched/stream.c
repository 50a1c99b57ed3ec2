/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emits, for each call of a stream, the steps of the schedule's transfer method as in the table of
 * stream.h.
 */
#include "sched/stream.h"

bool hy_way_gets(const hy_schedule *s)
{
    return s->way.transfer == HY_TRANSFER_GET;
}

bool hy_way_prepared(const hy_schedule *s)
{
    return s->way.buffers == HY_BUFFERS_PREPARED;
}

bool hy_way_barriers(const hy_schedule *s)
{
    return s->way.sync == HY_SYNC_BARRIER;
}

bool hy_way_boxed(const hy_schedule *s)
{
    return hy_way_gets(s) && hy_way_prepared(s);
}

hy_place hy_staged(const hy_schedule *s, hy_place from, uint64_t box_off)
{
    return hy_way_boxed(s) ? HY_AT(HY_BOX, box_off) : from;
}

void hy_stage(hy_schedule *s, hy_place from, uint64_t box_off, uint64_t len)
{
    if (!hy_way_boxed(s) || len == 0) return;
    hy_emit_box(s, box_off + len);
    hy_emit_copy(s, from, HY_AT(HY_BOX, box_off), len);
}

/* Only a rank that puts into the user's memory must know that it may. */
static bool asks(const hy_schedule *s)
{
    return !hy_way_gets(s) && !hy_way_prepared(s) && !hy_way_barriers(s);
}

void hy_stream_ready(hy_schedule *s, int from_peer, hy_region into)
{
    if (asks(s)) hy_emit_expose(s, from_peer, into);
}

void hy_stream_await(hy_schedule *s, int to_peer, hy_region into)
{
    if (asks(s)) hy_emit_learn(s, to_peer, into);
}

void hy_stream_push(hy_schedule *s, int to_peer, hy_place from, hy_place to, uint64_t len)
{
    if (len == 0) return;
    if (hy_way_gets(s)) {
        if (!hy_way_barriers(s)) hy_emit_expose(s, to_peer, from.region);
        return;
    }
    if (hy_way_prepared(s)) {
        hy_emit_send(s, to_peer, from, len);
        return;
    }
    hy_emit_put(s, to_peer, from, to, len);
    if (!hy_way_barriers(s)) hy_emit_signal(s, to_peer);
}

/* Straight and boxed: from now on, the data are in `from` of the peer. */
static void learn_source(hy_schedule *s, int from_peer, hy_place from)
{
    if (!hy_way_barriers(s)) hy_emit_learn(s, from_peer, from.region);
}

void hy_stream_pull(hy_schedule *s, int from_peer, hy_place from, hy_place to, uint64_t len)
{
    if (len == 0) return;
    if (hy_way_gets(s)) {
        learn_source(s, from_peer, from);
        hy_emit_get(s, from_peer, from, to, len);
    } else if (hy_way_prepared(s)) {
        hy_emit_recv(s, from_peer, to, len);
    } else if (!hy_way_barriers(s)) {
        hy_emit_wait(s, from_peer);
    }
}

void hy_stream_pull_fold(hy_schedule *s, int from_peer, hy_place from, hy_place via, hy_place into,
                         uint64_t len)
{
    if (len == 0) return;
    if (hy_way_gets(s)) {
        learn_source(s, from_peer, from);
        hy_emit_reduce(s, from_peer, from, into, len);
    } else if (hy_way_prepared(s)) {
        hy_emit_fold(s, from_peer, into, len);
    } else {
        if (!hy_way_barriers(s)) hy_emit_wait(s, from_peer);
        hy_emit_reduce(s, s->shape.rank, via, into, len);
    }
}

/* Only a rank whose user memory was read must know when the reader has finished. */
static bool tells_end(const hy_schedule *s)
{
    return hy_way_gets(s) && !hy_way_prepared(s) && !hy_way_barriers(s);
}

void hy_stream_finish(hy_schedule *s, int from_peer)
{
    if (tells_end(s)) hy_emit_signal(s, from_peer);
}

void hy_stream_drain(hy_schedule *s, int to_peer)
{
    if (tells_end(s)) hy_emit_wait(s, to_peer);
}

/* The dissemination barrier. */
void hy_round(hy_schedule *s)
{
    int size = s->shape.size;
    if (!hy_way_barriers(s)) return;
    for (int64_t distance = 1; distance < size; distance <<= 1) {
        hy_emit_signal(s, hy_next_rank(&s->shape, (int)distance));
        hy_emit_wait(s, hy_next_rank(&s->shape, (int)(size - distance)));
    }
}

uint64_t hy_segment(const hy_schedule *s, uint64_t total)
{
    uint64_t piece = s->shape.unit, want = s->way.segment;
    if (want == 0 || want >= total) return total;
    if (hy_way_prepared(s) && !hy_way_gets(s) && want >= hy_piece(&s->shape))
        piece = hy_piece(&s->shape);
    want = want / piece * piece;
    return want ? want : piece;
}
