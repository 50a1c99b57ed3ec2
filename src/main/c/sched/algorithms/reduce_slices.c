/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, slices: rank r reduces slice r of all ranks and puts the result into the root's
 * memory, so all ranks compute at the same time. Only rank r reads slice r of each rank, so r may
 * overwrite the root's, and the root may accumulate in place; the others accumulate a block in TMP,
 * because their OUT must not change. Boxed, they accumulate in BOX, from which the root fetches.
 * The reduce-scatter half of Rabenseifner, "Optimization of collective reduction operations", 2004,
 * with one-sided reads.
 *
 *   T = 2 V + (P - 1) Rg(m) + C(m) + put(m),  m = n/P, V = hy_formula_all(), Rg = reduce_get
 *   boxed: 2 V + C(n) + (P - 1) (Rg(m) + get(m)) + C(m)
 */
#include "sched/algorithms/slices.h"

static void fold_block(hy_schedule *s, uint64_t off, uint64_t len)
{
    hy_place out = HY_AT(HY_OUT, off), box = hy_staged(s, out, off), tmp = HY_AT(HY_TMP, 0);
    if (hy_way_boxed(s) || s->shape.rank == s->shape.root) {
        hy_slices_fold(s, box, box, len);
        return;
    }
    hy_emit_tmp(s, len);
    hy_emit_copy(s, out, tmp, len);
    hy_slices_fold(s, out, tmp, len);
    hy_emit_put(s, s->shape.root, tmp, out, len);
}

static void reduce_slices_work(hy_schedule *s)
{
    hy_block own = hy_slice_of(&s->shape, s->shape.rank);
    uint64_t block = hy_block_bytes(&s->shape), end = own.off + own.len;
    for (uint64_t off = own.off; off < end && !hy_emit_enough(s); off += block)
        fold_block(s, off, hy_min(block, end - off));
}

static void fetch_all(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    hy_block own = hy_slice_of(shape, shape->rank);
    hy_place mine = HY_AT(HY_BOX, own.off);
    if (shape->rank != shape->root) {
        hy_stream_push(s, shape->root, mine, mine, own.len);
        return;
    }
    hy_emit_copy(s, mine, HY_AT(HY_OUT, own.off), own.len);
    for (int i = 1; i < shape->size && !hy_emit_enough(s); i++) {
        hy_block b = hy_slice_of(shape, hy_next_rank(shape, i));
        hy_stream_pull(s, hy_next_rank(shape, i), HY_AT(HY_BOX, b.off), HY_AT(HY_OUT, b.off),
                       b.len);
    }
}

static int reduce_slices_build(hy_schedule *s)
{
    hy_slices_open(s);
    reduce_slices_work(s);
    if (hy_way_boxed(s)) fetch_all(s);
    else hy_slices_close(s);
    return hy_emit_end(s);
}

static double reduce_slices_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    uint64_t slice = s->bytes / (uint64_t)s->size;
    double others = s->size - 1, fold = others * hy_curve_at(&m->reduce_get, slice);
    double copy = hy_curve_at(&m->copy, slice), both = 2 * hy_formula_all(m, s, w);
    if (hy_way_bit(w) == HY_WAY_GET_PREPARED)
        return both + hy_curve_at(&m->copy, s->bytes) + fold +
               others * hy_curve_at(&m->get, slice) + copy;
    return both + fold + copy + hy_curve_at(&m->put, slice);
}

const hy_algorithm hy_reduce_slices = {
    .name = "slices",
    .title = "every rank reduces one slice from the memory of all",
    .coll = HY_COLL_REDUCE,
    .ways = HY_WAY_PUT_STRAIGHT | HY_WAY_PUT_BARRIER | HY_WAY_GET_PREPARED,
    .applies = hy_applies_always,
    .build = reduce_slices_build,
    .formula = reduce_slices_formula,
};
