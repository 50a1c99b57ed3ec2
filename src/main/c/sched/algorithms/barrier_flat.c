/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, flat: every rank signals every other and waits for every other. One phase, so ranks that
 * share cores need one round of the scheduler only; the signals grow with P. Idea: the centralised
 * barrier's one step of depth without its shared counter.
 *
 *   T = W + [2 (P - 1) o]
 */
#include "sched/algorithms/algorithms.h"

static int build(hy_schedule *s)
{
    for (int i = 1; i < s->shape.size; i++) hy_emit_signal(s, hy_next_rank(&s->shape, i));
    for (int i = 1; i < s->shape.size; i++) hy_emit_wait(s, hy_next_rank(&s->shape, i));
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    return hy_cost_phase(m, s->size) +
           hy_cost_parallel(m, s->size, 2.0 * (s->size - 1) * m->overhead);
}

const hy_algorithm hy_barrier_flat = {
    .name = "flat",
    .title = "every rank signals every other",
    .coll = HY_COLL_BARRIER,
    .applies = hy_applies_always,
    .build = build,
    .cost = cost,
};
