/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the tables of a node map by sorting ranks by node. */
#include "sched/nodes.h"

#include <stdlib.h>

#include "base/status.h"

/* A rank with its node. */
typedef struct resident {
    int32_t node, lowest, rank; /* lowest: the lowest rank of its node */
} resident;

static int by_node(const void *left, const void *right)
{
    const resident *a = left, *b = right;
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int by_lowest(const void *left, const void *right)
{
    const resident *a = left, *b = right;
    if (a->lowest != b->lowest) return a->lowest < b->lowest ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Sorts ranks by node. Returns the number of nodes. */
static int32_t sort(resident *all, int32_t size)
{
    int32_t count = 0;
    qsort(all, (size_t)size, sizeof *all, by_node);
    for (int32_t i = 0; i < size; i++) {
        bool same = i > 0 && all[i].node == all[i - 1].node;
        all[i].lowest = same ? all[i - 1].lowest : all[i].rank;
        count += !same;
    }
    qsort(all, (size_t)size, sizeof *all, by_lowest);
    return count;
}

/* Allocates one block for all tables. */
static hy_nodes *allocate(int32_t size, int32_t count)
{
    size_t numbers = 3 * (size_t)size + (size_t)count + 1;
    hy_nodes *nodes = malloc(sizeof *nodes + numbers * sizeof(int32_t));
    if (!nodes) return NULL;
    int32_t *tables = (int32_t *)(nodes + 1);
    *nodes = (hy_nodes){.size = size,
                        .count = count,
                        .of = tables,
                        .place = tables + size,
                        .members = tables + 2 * (size_t)size,
                        .first = tables + 3 * (size_t)size};
    return nodes;
}

static void fill(hy_nodes *nodes, const resident *all)
{
    int32_t node = -1;
    for (int32_t i = 0; i < nodes->size; i++) {
        if (all[i].rank == all[i].lowest) nodes->first[++node] = i;
        nodes->members[i] = all[i].rank;
        nodes->of[all[i].rank] = node;
        nodes->place[all[i].rank] = i - nodes->first[node];
    }
    nodes->first[nodes->count] = nodes->size;
    for (node = 0; node < nodes->count; node++)
        if (hy_nodes_ranks(nodes, node) > nodes->largest)
            nodes->largest = hy_nodes_ranks(nodes, node);
}

int hy_nodes_make(const int32_t *node_of, int32_t size, hy_nodes **nodes)
{
    resident *all = malloc((size_t)size * sizeof *all);
    *nodes = NULL;
    if (!all) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the nodes of %d ranks", size);
    for (int32_t i = 0; i < size; i++) all[i] = (resident){.node = node_of[i], .rank = i};
    int32_t count = sort(all, size);
    if (count > 1) *nodes = allocate(size, count);
    if (*nodes) fill(*nodes, all);
    free(all);
    if (count > 1 && !*nodes)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the nodes of %d ranks", size);
    return HAYATE_OK;
}

void hy_nodes_free(hy_nodes *nodes)
{
    free(nodes);
}
