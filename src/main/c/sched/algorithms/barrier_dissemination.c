/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, dissemination: in round i a rank signals the one 2^i above and waits for the one 2^i
 * below; after d rounds it knows that all have arrived. Hensgen, Finkel, Manber, "Two algorithms
 * for barrier synchronization", 1988.
 *
 *   T = d S
 */
#include "sched/algorithms/algorithms.h"

static int barrier_dissemination_build(hy_schedule *s)
{
    int size = s->shape.size;
    for (int64_t distance = 1; distance < size; distance <<= 1) {
        hy_emit_signal(s, hy_next_rank(&s->shape, (int)distance));
        hy_emit_wait(s, hy_next_rank(&s->shape, (int)(size - distance)));
    }
    return hy_emit_end(s);
}

static double barrier_dissemination_formula(const hy_model *model, const hy_shape *shape,
                                            const hy_way *way)
{
    (void)way;
    return hy_log2_ceil(shape->size) * hy_formula_signal(model);
}

const hy_algorithm hy_barrier_dissemination = {
    .name = "dissemination",
    .title = "rounds of signals over doubling distances",
    .coll = HY_COLL_BARRIER,
    .ways = HY_WAY_PUT_PREPARED,
    .traits = HY_TRAIT_ALIKE,
    .applies = hy_applies_always,
    .build = barrier_dissemination_build,
    .formula = barrier_dissemination_formula,
};
