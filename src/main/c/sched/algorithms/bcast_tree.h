/* SPDX-License-Identifier: Apache-2.0 */
/* Broadcast down any tree, by any transfer method: the common part of the tree broadcasts. */
#ifndef HY_SCHED_BCAST_TREE_H
#define HY_SCHED_BCAST_TREE_H

#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/tree.h"

int hy_bcast_tree_build(hy_schedule *s, const hy_tree *tree);

/*
 * The time for `depth` levels, in each of which a rank serves up to `fanout` children one after the
 * other, with at most `degree` children of a rank over all levels. With m bytes in each of k
 * segments, q signals per segment (1; pieces in prepared put), and B = the time that a push takes
 * its sender in addition to its signals (prepared put: half of M; get: nothing):
 *
 *   T = E S + depth ((fanout - 1) (B + q signal) + M(m) + q signal + flight + q take)
 *           + (k - 1) (M(m) - B + q take + degree (B + q signal))
 *
 * and with barriers T = (depth + 1) d S + depth ((fanout - 1) B + M(n)).
 */
double hy_bcast_tree_formula(const hy_model *model, const hy_shape *shape, const hy_way *way,
                             int depth, int fanout, int degree);

#endif
