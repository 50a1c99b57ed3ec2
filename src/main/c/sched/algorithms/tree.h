/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees over the ranks counted from the root ("relative" ranks, v). Only the rank's own place is
 * stored: children are computed one by one, so that a root with a million of them needs no array.
 *
 *   n-ary      v's parent is (v - 1) / n, its children n v + 1 .. n v + n. Arity 1 is the chain,
 *              2 the binary tree, P - 1 the flat one.
 *   k-nomial   v's parent is v with its lowest digit in base k that is not 0 made 0; its children
 *              are v with one of the zeros below that digit changed. The subtree of v is the run
 *              v .. v + span - 1, as far as there are ranks. Arity 2 is the binomial tree.
 *
 * An edge has a *level*, greater than that of the edge above it: data that go down use the edges of
 * level 0, 1, ..., data that go up those of the last level first. The number of levels depends on
 * size and arity only. Children are numbered in the order of their levels, in a k-nomial tree the
 * largest subtrees first: iterate upwards on the way down, downwards on the way up.
 */
#ifndef HY_SCHED_TREE_H
#define HY_SCHED_TREE_H

#include "sched/builder.h"

typedef struct hy_tree {
    int32_t root, size, self; /* self: relative */
    int32_t arity;
    int32_t levels;       /* of the whole tree */
    int32_t parent;       /* rank; -1 on the root */
    int32_t parent_level; /* of the edge to it; -1 on the root */
    int32_t degree;       /* number of children */
    int64_t span;         /* k-nomial: ranks of a full subtree of this place; n-ary: 0 */
} hy_tree;

typedef struct hy_tree_edge {
    int32_t rank, level;
    int32_t relative;
} hy_tree_edge;

static inline int hy_tree_rank(const hy_tree *tree, int64_t relative)
{
    return (int)((relative + tree->root) % tree->size);
}

/* Depth of v in an n-ary tree. */
static inline int hy_tree_nary_depth(int v, int arity)
{
    if (arity == 1) return v;
    int depth = 0;
    for (; v > 0; v = (v - 1) / arity) depth++;
    return depth;
}

static inline hy_tree hy_tree_nary(const hy_shape *s, int arity)
{
    int v = hy_from_root(s, s->rank), depth = hy_tree_nary_depth(v, arity);
    int64_t below = s->size - 1 - (int64_t)arity * v; /* ranks from the first child on */
    return (hy_tree){.root = s->root,
                     .size = s->size,
                     .self = v,
                     .arity = arity,
                     .levels = hy_tree_nary_depth(s->size - 1, arity),
                     .parent = v ? hy_to_rank(s, (v - 1) / arity) : -1,
                     .parent_level = depth - 1,
                     .degree = (int)(below < 0       ? 0
                                     : below < arity ? below
                                                     : arity)};
}

static inline hy_tree hy_tree_linear(const hy_shape *s)
{
    return hy_tree_nary(s, s->size - 1);
}

static inline hy_tree hy_tree_chain(const hy_shape *s)
{
    return hy_tree_nary(s, 1);
}

static inline hy_tree hy_tree_binary(const hy_shape *s)
{
    return hy_tree_nary(s, 2);
}

/* Children that differ from v in the digit of that weight. */
static inline int hy_tree_digits(const hy_tree *tree, int64_t weight)
{
    int64_t room = (tree->size - 1 - tree->self) / weight;
    return (int)(room < tree->arity - 1 ? room : tree->arity - 1);
}

static inline hy_tree hy_tree_knomial(const hy_shape *s, int arity)
{
    hy_tree tree = {.root = s->root,
                    .size = s->size,
                    .self = hy_from_root(s, s->rank),
                    .arity = arity,
                    .parent = -1,
                    .parent_level = -1,
                    .span = 1};
    int digit = 0;
    for (int64_t weight = 1; weight < s->size; weight *= arity) {
        tree.levels++;
        if (tree.parent >= 0) continue;
        int value = (int)(tree.self / weight % arity);
        if (value) {
            tree.parent = hy_tree_rank(&tree, tree.self - value * weight);
        } else {
            tree.span *= arity;
            tree.degree += hy_tree_digits(&tree, weight);
            digit++;
        }
    }
    if (tree.parent >= 0) tree.parent_level = tree.levels - 1 - digit;
    return tree;
}

static inline hy_tree hy_tree_binomial(const hy_shape *s)
{
    return hy_tree_knomial(s, 2);
}

/* Child `index` of 0 .. degree - 1. */
static inline hy_tree_edge hy_tree_child(const hy_tree *tree, int index)
{
    int level = tree->parent_level + 1;
    int64_t child = (int64_t)tree->arity * tree->self + 1 + index;
    for (int64_t weight = tree->span / tree->arity; weight > 0; weight /= tree->arity, level++) {
        int here = hy_tree_digits(tree, weight);
        child = tree->self + (index + 1) * weight;
        if (index < here) break;
        index -= here;
    }
    return (hy_tree_edge){hy_tree_rank(tree, child), level, (int)child};
}

/* Ranks in the subtree of the child (k-nomial trees): relative, relative + 1, ... */
static inline int hy_tree_subtree(const hy_tree *tree, hy_tree_edge child)
{
    int64_t span = tree->span;
    for (int level = tree->parent_level; level < child.level; level++) span /= tree->arity;
    int64_t left = (int64_t)tree->size - child.relative;
    return (int)(span < left ? span : left);
}

#endif
