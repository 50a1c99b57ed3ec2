/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, flat: every rank signals every other and waits for every other, in the order in which
 * the signals arrive. It has one phase, so ranks that share cores need one round of the scheduler
 * only; the number of signals grows with P. Idea: the depth of one step of a centralised barrier,
 * without its shared counter.
 *
 *   T = (P - 1) signal + max(flight + take, (P - 1) take)
 */
#include "sched/algorithms/algorithms.h"

static int barrier_flat_build(hy_schedule *s)
{
    int size = s->shape.size;
    for (int i = 1; i < size && !hy_emit_enough(s); i++)
        hy_emit_signal(s, hy_next_rank(&s->shape, i));
    for (int i = 1; i < size && !hy_emit_enough(s); i++)
        hy_emit_wait(s, hy_next_rank(&s->shape, size - i));
    return hy_emit_end(s);
}

static double barrier_flat_formula(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    (void)way;
    double others = shape->size - 1, last = model->flight + model->take;
    double takes = others * model->take;
    return others * model->signal + (last > takes ? last : takes);
}

const hy_algorithm hy_barrier_flat = {
    .name = "flat",
    .title = "every rank signals every other",
    .coll = HY_COLL_BARRIER,
    .ways = HY_WAY_PUT_PREPARED,
    .traits = HY_TRAIT_ALIKE | HY_TRAIT_TO_ALL,
    .applies = hy_applies_always,
    .build = barrier_flat_build,
    .formula = barrier_flat_formula,
};
