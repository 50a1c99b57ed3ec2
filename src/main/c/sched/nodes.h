/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node map of a communicator: which ranks share a node. Each node has a *leader*, through which
 * its ranks communicate with those of other nodes: the root if the collective has one and it is on
 * the node, else the node's lowest rank.
 */
#ifndef HY_SCHED_NODES_H
#define HY_SCHED_NODES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hy_nodes {
    int32_t size, count; /* ranks, nodes */
    int32_t largest;     /* number of ranks of the largest node */
    int32_t *of;         /* [size]: node of each rank; nodes are numbered in the order of their
                          * lowest ranks */
    int32_t *place;      /* [size]: index of each rank in its node */
    int32_t *first;      /* [count + 1]: where each node's ranks begin in `members` */
    int32_t *members;    /* [size]: ranks by node, in ascending order */
} hy_nodes;

/* node_of[size]: any numbers, equal for ranks that share a node. *nodes is NULL if all ranks do.
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

/* Whether this rank is a leader that, in a reduction, collects the node's contribution but must not
 * change its OUT. */
static inline bool hy_nodes_needs_spare(const hy_nodes *nodes, int32_t rank, int32_t root)
{
    int32_t node = nodes->of[rank];
    return rank != root && hy_nodes_ranks(nodes, node) > 1 &&
           hy_nodes_leader(nodes, node, root) == rank;
}

/* nodes NULL: one node. */
static inline bool hy_nodes_far(const hy_nodes *nodes, int32_t a, int32_t b)
{
    return nodes && nodes->of[a] != nodes->of[b];
}

#endif
