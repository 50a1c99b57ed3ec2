/* SPDX-License-Identifier: Apache-2.0 */
/* The binomial tree over ranks counted from the root: the parent of v is v without its lowest set
 * bit, its children are v + 1, v + 2, v + 4 ... below that bit. */
#ifndef HY_SCHED_TREE_H
#define HY_SCHED_TREE_H

#include "sched/builder.h"

typedef struct hy_tree {
    int parent; /* rank, or -1 for the root */
    int degree;
    int child[32]; /* ranks, smallest subtree first */
} hy_tree;

static inline hy_tree hy_tree_of(const hy_shape *s)
{
    hy_tree tree = {.parent = -1};
    int v = hy_from_root(s, s->rank);
    for (int64_t bit = 1; bit < s->size; bit <<= 1) {
        if (v & bit) {
            tree.parent = hy_to_rank(s, (int)(v - bit));
            break;
        }
        if (v + bit < s->size) tree.child[tree.degree++] = hy_to_rank(s, (int)(v + bit));
    }
    return tree;
}

#endif
