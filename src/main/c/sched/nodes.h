/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ranks of a communicator share a node. Each node has a *leader*, through whom its ranks and
 * those of other nodes meet: the root, where the collective has one and it is there, else the
 * node's lowest rank.
 */
#ifndef HY_SCHED_NODES_H
#define HY_SCHED_NODES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hy_nodes {
    int32_t size, count; /* ranks, nodes */
    int32_t largest;     /* ranks of the node with the most */
    int32_t *of;         /* [size]: nodes are numbered in the order of their lowest ranks */
    int32_t *place;      /* [size]: which one of its node a rank is */
    int32_t *first;      /* [count + 1]: where a node's ranks begin in `members` */
    int32_t *members;    /* [size]: node by node, ascending in each */
} hy_nodes;

/* node_of[size]: any numbers, equal ones for ranks that share a node. *nodes is NULL when all do.
 * NO_MEMORY. */
int hy_nodes_make(const int32_t *node_of, int32_t size, hy_nodes **nodes);
void hy_nodes_free(hy_nodes *nodes);

static inline int32_t hy_nodes_ranks(const hy_nodes *nodes, int32_t node)
{
    return nodes->first[node + 1] - nodes->first[node];
}

/* root: -1: none. */
static inline int32_t hy_nodes_leader(const hy_nodes *nodes, int32_t node, int32_t root)
{
    if (root >= 0 && nodes->of[root] == node) return root;
    return nodes->members[nodes->first[node]];
}

/* In a reduction: is it a leader that collects what its node has, and must leave its OUT alone? */
static inline bool hy_nodes_aside(const hy_nodes *nodes, int32_t rank, int32_t root)
{
    int32_t node = nodes->of[rank];
    return rank != root && hy_nodes_ranks(nodes, node) > 1 &&
           hy_nodes_leader(nodes, node, root) == rank;
}

/* NULL: one node. */
static inline bool hy_nodes_far(const hy_nodes *nodes, int32_t a, int32_t b)
{
    return nodes && nodes->of[a] != nodes->of[b];
}

#endif
