/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allreduce, slices: everybody exposes its data; rank r reduces slice r of all of them into its own
 * and puts the outcome into everybody's. Slice r of every rank is touched by r alone until the end,
 * so it is done in place, without TMP; each slice is computed once, so all results are the same bit
 * for bit. Two phases: exposed, finished. Reduce-scatter + allgather of Rabenseifner, "Optimization
 * of collective reduction operations", 2004, with one-sided reads and writes; blocks of a slice
 * stay in cache between the two.
 *
 *   T = 2 W + [4 (P - 1) o + (P - 1) n/P (2 Gd + Gr)]
 */
#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/slices.h"

static void work(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t off, len, block = hy_block(shape);
    hy_slice(shape->bytes, shape->unit, shape->size, shape->rank, &off, &len);
    for (uint64_t end = off + len, part; off < end; off += part) {
        part = hy_min(block, end - off);
        hy_place out = HY_AT(HY_OUT, off);
        for (int i = 1; i < shape->size; i++)
            hy_emit_reduce(s, hy_next_rank(shape, i), out, out, part);
        for (int i = 1; i < shape->size; i++)
            hy_emit_put(s, hy_next_rank(shape, i), out, out, part);
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
    double work = 4 * others * m->overhead + others * slice * (2 * m->byte_direct + m->byte_reduce);
    return 2 * hy_cost_phase(m, s->size) + hy_cost_parallel(m, s->size, work);
}

const hy_algorithm hy_allreduce_slices = {
    .name = "slices",
    .title = "every rank reduces one slice and puts it everywhere",
    .coll = HY_COLL_ALLREDUCE,
    .applies = hy_applies_always,
    .build = build,
    .cost = cost,
};
