/* SPDX-License-Identifier: Apache-2.0 */
/* Reduction up any tree, by any transfer method: the common part of the tree reductions. */
#ifndef HY_SCHED_REDUCE_TREE_H
#define HY_SCHED_REDUCE_TREE_H

#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/tree.h"

int hy_reduce_tree_build(hy_schedule *s, const hy_tree *tree);

/*
 * The time for `depth` levels, in each of which a rank folds up to `fanout` children one after the
 * other, with at most `degree` children over all levels. With m bytes in each of k segments, A =
 * the child's part of R (putting, filling payloads, staging; all children at once) and F = R - A
 * the parent's:
 *
 *   T = E S + depth (S + A(m) + fanout F(m)) + (k - 1) (A(m) + degree F(m))
 *
 * and with barriers T = (depth + 1) d S + depth (A(n) + fanout F(n)).
 */
double hy_reduce_tree_formula(const hy_model *model, const hy_shape *shape, const hy_way *way,
                              int depth, int fanout, int degree);

#endif
