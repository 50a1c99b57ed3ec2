/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, slices: everybody exposes its data, rank r reduces slice r of all of them and puts the
 * outcome into the root's memory. All ranks compute at once. Slice r of everybody is read by r
 * only, so r may overwrite the root's and the root may accumulate in place; the others accumulate a
 * block in TMP, since their OUT must stay. The reduce-scatter half of Rabenseifner, "Optimization
 * of collective reduction operations", 2004, with one-sided reads.
 *
 *   T = 2 W + [4 (P - 1) o + n/P ((P - 1) (Gd + Gr) + Gl + Gd)]
 */
#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/slices.h"

static void fold_all(hy_schedule *s, hy_place from, hy_place into, uint64_t len)
{
    for (int i = 1; i < s->shape.size; i++)
        hy_emit_reduce(s, hy_next_rank(&s->shape, i), from, into, len);
}

static void work(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t off, len, block = hy_block(shape);
    hy_slice(shape->bytes, shape->unit, shape->size, shape->rank, &off, &len);
    for (uint64_t end = off + len, part; off < end; off += part) {
        part = hy_min(block, end - off);
        hy_place out = HY_AT(HY_OUT, off), tmp = HY_AT(HY_TMP, 0);
        if (shape->rank == shape->root) {
            fold_all(s, out, out, part);
            continue;
        }
        hy_emit_tmp(s, part);
        hy_emit_copy(s, out, tmp, part);
        fold_all(s, out, tmp, part);
        hy_emit_put(s, shape->root, tmp, out, part);
    }
}

static int build(hy_schedule *s)
{
    hy_slices_open(s);
    work(s);
    hy_slices_close(s);
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    double others = s->size - 1, slice = (double)s->bytes / s->size;
    double work = 4 * others * m->overhead + slice * others * (m->byte_direct + m->byte_reduce) +
                  slice * (m->byte_local + m->byte_direct);
    return 2 * hy_cost_phase(m, s->size) + hy_cost_parallel(m, s->size, work);
}

const hy_algorithm hy_reduce_slices = {
    .name = "slices",
    .title = "every rank reduces one slice in everybody's memory",
    .coll = HY_COLL_REDUCE,
    .applies = hy_applies_always,
    .build = build,
    .cost = cost,
};
