/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, dissemination: in round i a rank signals the one 2^i above and waits for the one 2^i
 * below; after d rounds it has heard of all. Hensgen, Finkel, Manber, "Two algorithms for barrier
 * synchronization", 1988.
 *
 *   T = d (W + [2 o])
 */
#include "sched/algorithms/algorithms.h"

static int build(hy_schedule *s)
{
    int size = s->shape.size;
    for (int64_t distance = 1; distance < size; distance <<= 1) {
        hy_emit_signal(s, hy_next_rank(&s->shape, (int)distance));
        hy_emit_wait(s, hy_next_rank(&s->shape, (int)(size - distance)));
    }
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    return hy_log2_ceil(s->size) *
           (hy_cost_phase(m, s->size) + hy_cost_parallel(m, s->size, 2 * m->overhead));
}

const hy_algorithm hy_barrier_dissemination = {
    .name = "dissemination",
    .title = "rounds of signals over doubling distances",
    .coll = HY_COLL_BARRIER,
    .applies = hy_applies_always,
    .build = build,
    .cost = cost,
};
