/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alltoall, Bruck: a block for the rank j above travels by the one bits of j: in step i, all blocks
 * with bit i in their j go to the rank 2^i above. So there are d steps instead of P - 1, for d / 2
 * times the bytes: for short blocks. Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms
 * for all-to-all communications in multiport message-passing systems", 1997.
 *
 * The blocks of a step are packed in the order of falling j, and arrive at a separate place in TMP.
 * There they stay until they travel on (they are packed from where they arrived last) or, if that
 * was the last bit of their j, are copied into OUT, where the block with j is that of the rank j
 * below: falling j are rising ranks, so runs of them are copied at once. Nothing is moved within
 * TMP, and no place is written twice in a run.
 *
 *    T = (d + E) S + sum over i < d of (o(m_i n) + M(m_i n) + C(m_i n)) + C(P n),
 *        m_i: the number of j below P with bit i, about P / 2
 *        (fetched from BOX: packed there, without C(m_i n))
 */
#include "sched/algorithms/exchange.h"

/* The schedule keeps up to 32 times the blocks of all ranks. */
#define HY_BRUCK_MAX (UINT64_C(1) << 58)

static bool alltoall_bruck_applies(const hy_shape *s)
{
    return s->bytes <= HY_BRUCK_MAX / (uint64_t)s->size;
}

static uint64_t bit(int step)
{
    return UINT64_C(1) << step;
}

/* The number of j < end that have the bit of that step. */
static uint64_t with_bit(uint64_t end, int step)
{
    uint64_t rest = end & (2 * bit(step) - 1);
    return (end >> (step + 1) << step) + (rest > bit(step) ? rest - bit(step) : 0);
}

/* Room for the blocks of a step: at most half of all have a bit. */
static uint64_t room(const hy_shape *shape)
{
    return (uint64_t)shape->size / 2 * shape->bytes;
}

/* Where block j arrived in that step. */
static hy_place came(const hy_schedule *s, int step, uint64_t j)
{
    uint64_t higher = with_bit((uint64_t)s->shape.size, step) - with_bit(j + 1, step);
    return HY_AT(HY_TMP, (uint64_t)step * room(&s->shape) + higher * s->shape.bytes);
}

/* Where the blocks of that step are packed. If they are fetched, each step has a separate place,
 * because nobody reports before the end that they were fetched. */
static hy_place packed(const hy_schedule *s, int step)
{
    uint64_t own = (uint64_t)(hy_way_gets(s) ? step : 0) * room(&s->shape);
    uint64_t behind = (uint64_t)hy_log2_ceil(s->shape.size) * room(&s->shape);
    return hy_staged(s, HY_AT(HY_TMP, behind + own), own);
}

static void take_room(hy_schedule *s)
{
    uint64_t all = (uint64_t)hy_log2_ceil(s->shape.size) * room(&s->shape);
    if (hy_way_boxed(s)) hy_emit_box(s, all);
    else hy_emit_tmp(s, all + (hy_way_gets(s) ? all : room(&s->shape)));
    hy_emit_tmp(s, all);
}

/* Packs the run base <= j < end, all of which have the bit of the step and the same higher bits;
 * base has no lower bits, so it is still in IN. Returns the place behind it. */
static hy_place pack_run(hy_schedule *s, int step, uint64_t base, uint64_t end, hy_place to)
{
    const hy_shape *shape = &s->shape;
    for (int last = step - 1; last >= 0; last--) {
        uint64_t low = base + bit(last), high = hy_min(low + bit(last), end);
        if (low >= high) continue;
        hy_emit_copy(s, came(s, last, high - 1), to, (high - low) * shape->bytes);
        to = hy_further(to, (high - low) * shape->bytes);
    }
    uint64_t block = ((uint64_t)shape->rank + base) % (uint64_t)shape->size;
    hy_emit_copy(s, HY_AT(HY_IN, block * shape->bytes), to, shape->bytes);
    return hy_further(to, shape->bytes);
}

static void pack(hy_schedule *s, int step)
{
    hy_place to = packed(s, step);
    uint64_t size = (uint64_t)s->shape.size, runs = (size - 1 + bit(step)) >> (step + 1);
    for (uint64_t run = runs; run-- > 0 && !hy_emit_enough(s);) {
        uint64_t base = (run << (step + 1)) + bit(step);
        to = pack_run(s, step, base, hy_min(base + bit(step), size), to);
    }
}

/* Copies the blocks that do not travel further after that step into OUT: two runs if they wrap
 * around. */
static void deliver(hy_schedule *s, int step)
{
    uint64_t size = (uint64_t)s->shape.size, n = s->shape.bytes;
    uint64_t end = hy_min(2 * bit(step), size), blocks = end - bit(step);
    uint64_t first = ((uint64_t)s->shape.rank + size - (end - 1)) % size;
    uint64_t straight = hy_min(blocks, size - first);
    hy_place from = came(s, step, end - 1);
    hy_emit_copy(s, from, HY_AT(HY_OUT, first * n), straight * n);
    hy_emit_copy(s, hy_further(from, straight * n), HY_AT(HY_OUT, 0), (blocks - straight) * n);
}

static int to_of(const hy_schedule *s, int step)
{
    return hy_next_rank(&s->shape, (int)bit(step));
}

static int from_of(const hy_schedule *s, int step)
{
    return hy_next_rank(&s->shape, s->shape.size - (int)bit(step));
}

static void step_through(hy_schedule *s, int step)
{
    uint64_t size = (uint64_t)s->shape.size, len = with_bit(size, step) * s->shape.bytes;
    hy_place from = packed(s, step), to = HY_AT(HY_TMP, (uint64_t)step * room(&s->shape));
    const hy_flow out = {to_of(s, step), from, to, len}, in = {from_of(s, step), from, to, len};
    pack(s, step);
    hy_exchange_begin(s, &out, hy_exchange_part(s));
    if (step > 0) deliver(s, step - 1);
    hy_exchange_end(s, &out, &in, hy_exchange_part(s));
}

/* A rank may be above in one step and below in another, so only data are signalled between the
 * steps: then both ends agree on the order of their signals. */
static int alltoall_bruck_build(hy_schedule *s)
{
    int steps = hy_log2_ceil(s->shape.size);
    uint64_t own = (uint64_t)s->shape.rank * s->shape.bytes;
    take_room(s);
    for (int i = 0; i < steps; i++) hy_stream_ready(s, from_of(s, i), HY_TMP);
    hy_emit_copy(s, HY_AT(HY_IN, own), HY_AT(HY_OUT, own), s->shape.bytes);
    for (int i = 0; i < steps; i++) hy_stream_await(s, to_of(s, i), HY_TMP);
    for (int i = 0; i < steps && !hy_emit_enough(s); i++) step_through(s, i);
    for (int i = 0; i < steps; i++) hy_stream_finish(s, from_of(s, i));
    deliver(s, steps - 1);
    for (int i = 0; i < steps; i++) hy_stream_drain(s, to_of(s, i));
    return hy_emit_end(s);
}

static double alltoall_bruck_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    bool boxed = w->transfer == HY_TRANSFER_GET && w->buffers == HY_BUFFERS_PREPARED;
    int steps = hy_log2_ceil(s->size);
    double sum = hy_formula_levels(m, s, w, steps) +
                 hy_curve_at(&m->copy, s->bytes * (uint64_t)s->size);
    for (int i = 0; i < steps; i++) {
        uint64_t len = with_bit((uint64_t)s->size, i) * s->bytes;
        sum += hy_formula_signals(m, s, w, len) + hy_formula_move(m, w, len);
        if (!boxed) sum += hy_curve_at(&m->copy, len);
    }
    return sum;
}

const hy_algorithm hy_alltoall_bruck = {
    .name = "bruck",
    .title = "blocks travel by the bits of their distance, packed",
    .coll = HY_COLL_ALLTOALL,
    .ways = HY_WAYS_COUNTED,
    .traits = HY_TRAIT_ALIKE | HY_TRAIT_LARGE_BOX,
    .applies = alltoall_bruck_applies,
    .needs = "less than 2^58 B on all ranks together",
    .build = alltoall_bruck_build,
    .formula = alltoall_bruck_formula,
};
