/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the node map from the control area by counting, and checks it. */
#include "nodes/node_map.h"

#include <stdlib.h>

/* Counts the ranks of each node in starts[node + 1]. */
static int node_map_count(hy_job *job)
{
    int nodes = hy_job_nodes(job);
    for (int rank = 0; rank < job->size; rank++) {
        int node = hy_job_node_of(job, rank);
        if (node < 0 || node >= nodes)
            return hy_fail(HAYATE_ERR_CORRUPT, "the segment places rank %d on node %d of %d", rank,
                           node, nodes);
        job->node_map.starts[node + 1]++;
    }
    for (int node = 0; node < nodes; node++)
        if (job->node_map.starts[node + 1] == 0)
            return hy_fail(HAYATE_ERR_CORRUPT, "the segment places no rank on node %d", node);
    return HAYATE_OK;
}

/* Advances a node's start with each of its ranks, so that it becomes the start of the next node. */
static int fill(hy_job *job)
{
    hy_node_map *all = &job->node_map;
    int nodes = hy_job_nodes(job);
    for (int node = 0; node < nodes; node++) all->starts[node + 1] += all->starts[node];
    for (int rank = 0; rank < job->size; rank++) {
        int node = hy_job_node_of(job, rank);
        if (node < 0 || node >= nodes || all->starts[node] >= job->size)
            return hy_fail(HAYATE_ERR_CORRUPT, "the node of rank %d has changed", rank);
        all->ranks[all->starts[node]++] = rank;
    }
    memmove(all->starts + 1, all->starts, (size_t)nodes * sizeof *all->starts);
    all->starts[0] = 0;
    return HAYATE_OK;
}

int hy_node_map_open(hy_job *job)
{
    const hy_control *control = job->boot.control;
    size_t nodes = (size_t)control->nodes;
    int *tables = calloc(nodes + 1 + (size_t)job->size, sizeof *tables);
    if (!tables) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job of %d ranks", job->size);
    job->node_map = (hy_node_map){.starts = tables, .ranks = tables + nodes + 1};
    int rc = node_map_count(job);
    if (!rc) rc = fill(job);
    if (rc || hy_node_map_leader(job, control->node) == control->leader) return rc;
    return hy_fail(HAYATE_ERR_CORRUPT, "the segment gives rank %d as the first of node %d",
                   (int)control->leader, (int)control->node);
}

void hy_node_map_close(hy_job *job)
{
    free(job->node_map.starts);
    job->node_map = (hy_node_map){.starts = NULL};
}
