/* SPDX-License-Identifier: Apache-2.0 */
/* Barrier up any tree and down it: the common part of the tree barriers. */
#ifndef HY_SCHED_BARRIER_TREE_H
#define HY_SCHED_BARRIER_TREE_H

#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/tree.h"

/* Arrivals are reported up the tree, then the release goes down. */
static inline int hy_barrier_tree_build(hy_schedule *s, const hy_tree *tree)
{
    for (int i = tree->degree - 1; i >= 0 && !hy_emit_enough(s); i--)
        hy_emit_wait(s, hy_tree_child(tree, i).rank);
    if (tree->parent >= 0) {
        hy_emit_signal(s, tree->parent);
        hy_emit_wait(s, tree->parent);
    }
    for (int i = 0; i < tree->degree && !hy_emit_enough(s); i++)
        hy_emit_signal(s, hy_tree_child(tree, i).rank);
    return hy_emit_end(s);
}

#endif
