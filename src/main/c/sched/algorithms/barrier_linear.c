/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, linear: every rank reports to rank 0, which releases all of them. It has 2 (P - 1)
 * signals, the fewest, and each rank but one waits once: for many ranks on few cores, where each
 * wait is a turn of the scheduler. Mellor-Crummey, Scott, "Algorithms for scalable synchronization
 * on shared-memory multiprocessors", 1991 (centralised barrier), with signals in place of its
 * counter.
 *
 *   T = P (signal + take) + 2 flight
 */
#include "sched/algorithms/barrier_tree.h"

static int barrier_linear_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_linear(&s->shape);
    return hy_barrier_tree_build(s, &tree);
}

static double barrier_linear_formula(const hy_model *model, const hy_shape *shape,
                                     const hy_way *way)
{
    (void)way;
    return shape->size * (model->signal + model->take) + 2 * model->flight;
}

const hy_algorithm hy_barrier_linear = {
    .name = "linear",
    .title = "rank 0 waits for all and releases them",
    .coll = HY_COLL_BARRIER,
    .ways = HY_WAY_PUT_PREPARED,
    .applies = hy_applies_always,
    .build = barrier_linear_build,
    .formula = barrier_linear_formula,
};
