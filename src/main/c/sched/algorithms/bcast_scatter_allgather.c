/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, scatter and allgather: each of the P - 1 other ranks gets one slice from the root, and
 * then the other slices from the ranks that have them. The root passes each byte on once instead of
 * P - 1 times: the traffic is spread over the memory of all ranks. Van de Geijn et al.,
 * "Interprocessor collective communication library (InterCom)", 1994, with an allgather in one
 * step. m = n / (P - 1), A(m): the sender's part of M(m), 0 with get.
 *
 *   T = (E + 2) S + (P - 2) (A(m) + signal) + M(m) + (P - 2) (M(m) + signal + take)
 *   by barriers: T = 3 d S + (P - 2) A(m) + (P - 1) M(m)
 */
#include "sched/algorithms/rooted.h"

static bool bcast_scatter_allgather_applies(const hy_shape *s)
{
    return s->size > 2;
}

/* The slice that `rank`, which is not the root, gets from the root. Short slices may be empty. */
static hy_block slice_of(const hy_shape *s, int rank)
{
    hy_block slice;
    hy_slice(s->bytes, s->unit, s->size - 1, hy_from_root(s, rank) - 1, &slice.off, &slice.len);
    return slice;
}

/* Iterates over ranks 1 .. count, counted from the root, except this rank, beginning after it. */
typedef struct hy_peers {
    const hy_schedule *s;
    int count, seen;
    int rank;
} hy_peers;

/* Those whose slice is not empty. */
static hy_peers owners(const hy_schedule *s)
{
    uint64_t elements = s->shape.bytes / s->shape.unit;
    return (hy_peers){.s = s, .count = (int)hy_min((uint64_t)s->shape.size - 1, elements)};
}

/* Ranks that need that slice from this rank. */
static hy_peers readers(const hy_schedule *s, hy_block own)
{
    return (hy_peers){.s = s, .count = own.len > 0 ? s->shape.size - 1 : 0};
}

static bool next_of(hy_peers *p)
{
    const hy_shape *shape = &p->s->shape;
    int64_t self = hy_from_root(shape, shape->rank);
    while (p->seen < p->count && !hy_emit_enough(p->s)) {
        int64_t peer = (self + p->seen++) % p->count + 1;
        if (peer == self) continue;
        p->rank = hy_to_rank(shape, (int)peer);
        return true;
    }
    return false;
}

static hy_place staged(const hy_schedule *s, uint64_t off)
{
    return hy_staged(s, HY_AT(HY_OUT, off), off);
}

static void root_side(hy_schedule *s)
{
    hy_round(s);
    for (hy_peers p = owners(s); next_of(&p);) {
        hy_block slice = slice_of(&s->shape, p.rank);
        hy_place out = HY_AT(HY_OUT, slice.off);
        hy_stage(s, out, slice.off, slice.len);
        hy_stream_await(s, p.rank, HY_OUT);
        hy_stream_push(s, p.rank, staged(s, slice.off), out, slice.len);
    }
    hy_round(s);
    hy_round(s);
    for (hy_peers p = owners(s); next_of(&p);) hy_stream_drain(s, p.rank);
}

static void ready_for_all(hy_schedule *s, bool own)
{
    if (own) hy_stream_ready(s, s->shape.root, HY_OUT);
    for (hy_peers p = owners(s); next_of(&p);) hy_stream_ready(s, p.rank, HY_OUT);
}

static void from_root(hy_schedule *s, hy_block slice)
{
    hy_place out = HY_AT(HY_OUT, slice.off);
    hy_stream_pull(s, s->shape.root, staged(s, slice.off), out, slice.len);
    hy_stage(s, out, slice.off, slice.len);
    if (slice.len > 0) hy_stream_finish(s, s->shape.root);
}

/* The part of a slice at `off` in it. */
static hy_block part_of(hy_block slice, uint64_t off, uint64_t most)
{
    uint64_t done = hy_min(off, slice.len);
    return (hy_block){slice.off + done, hy_min(most, slice.len - done)};
}

/* Parts are small enough that all ranks can push one to all before any rank pulls. */
static void bcast_scatter_allgather_exchange(hy_schedule *s, hy_block own)
{
    const hy_shape *shape = &s->shape;
    uint64_t longest = slice_of(shape, hy_to_rank(shape, 1)).len, most = longest;
    if (hy_way_prepared(s) && !hy_way_gets(s)) most = hy_piece(shape) * HY_SCHED_DEPTH;
    for (hy_peers p = readers(s, own); next_of(&p);) hy_stream_await(s, p.rank, HY_OUT);
    for (uint64_t off = 0; off < longest && !hy_emit_enough(s); off += most) {
        hy_block mine = part_of(own, off, most);
        for (hy_peers p = readers(s, mine); next_of(&p);)
            hy_stream_push(s, p.rank, staged(s, mine.off), HY_AT(HY_OUT, mine.off), mine.len);
        for (hy_peers p = owners(s); next_of(&p);) {
            hy_block part = part_of(slice_of(shape, p.rank), off, most);
            hy_stream_pull(s, p.rank, staged(s, part.off), HY_AT(HY_OUT, part.off), part.len);
        }
    }
}

/* Other ranks read only a rank's own slice, so it may fill the rest of its OUT meanwhile. */
static void leaf_side(hy_schedule *s)
{
    hy_block own = slice_of(&s->shape, s->shape.rank);
    ready_for_all(s, own.len > 0);
    hy_round(s);
    from_root(s, own);
    hy_round(s);
    bcast_scatter_allgather_exchange(s, own);
    hy_round(s);
    for (hy_peers p = owners(s); next_of(&p);) hy_stream_finish(s, p.rank);
    for (hy_peers p = readers(s, own); next_of(&p);) hy_stream_drain(s, p.rank);
}

static int bcast_scatter_allgather_build(hy_schedule *s)
{
    if (s->shape.rank == s->shape.root) root_side(s);
    else leaf_side(s);
    return hy_emit_end(s);
}

static double bcast_scatter_allgather_formula(const hy_model *model, const hy_shape *shape,
                                              const hy_way *way)
{
    double others = shape->size - 2, sync = hy_formula_signal(model);
    uint64_t slice = slice_of(shape, hy_to_rank(shape, 1)).len;
    double move = hy_formula_move(model, way, slice);
    double send = way->transfer == HY_TRANSFER_GET ? 0 : hy_rooted_share(model, way, slice);
    if (way->sync == HY_SYNC_BARRIER)
        return 3 * hy_log2_ceil(shape->size) * sync + others * (send + move) + move;
    return (hy_formula_extra(way) + 2) * sync + others * (send + model->signal) + move +
           others * (move + model->signal + model->take);
}

const hy_algorithm hy_bcast_scatter_allgather = {
    .name = "scatter_allgather",
    .title = "a slice from the root, the other slices from each other",
    .coll = HY_COLL_BCAST,
    .ways = HY_WAYS_ALL,
    .applies = bcast_scatter_allgather_applies,
    .needs = "three ranks or more",
    .build = bcast_scatter_allgather_build,
    .formula = bcast_scatter_allgather_formula,
};
