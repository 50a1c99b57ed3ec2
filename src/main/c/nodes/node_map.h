/* SPDX-License-Identifier: Apache-2.0 */
/* The node map: which rank is on which node, in each process of a job on several nodes. This is
 * all that a process knows about ranks to which it never talks: four bytes per rank and four per
 * node. */
#ifndef HY_NODES_NODE_MAP_H
#define HY_NODES_NODE_MAP_H

#include "job/job.h"

/* Reads the control area, which others write: CORRUPT if its contents are inconsistent.
 * NO_MEMORY. */
int hy_node_map_open(hy_job *job);
void hy_node_map_close(hy_job *job);

/* The ranks of a node in ascending order, at least one. */
static inline const int *hy_node_map_of(const hy_job *job, int node, int *count)
{
    const hy_node_map *all = &job->node_map;
    *count = all->starts[node + 1] - all->starts[node];
    return all->ranks + all->starts[node];
}

/* The first rank of a node. */
static inline int hy_node_map_leader(const hy_job *job, int node)
{
    return job->node_map.ranks[job->node_map.starts[node]];
}

/* The index of a rank in that order; it does not depend on later writes of others. */
static inline int hy_node_map_index(const hy_job *job, int rank)
{
    const int *starts = job->node_map.starts;
    uint32_t node = (uint32_t)hy_job_node_of(job, rank);
    if (node >= (uint32_t)hy_job_nodes(job)) return 0;
    uint32_t part = job->boot.control->ranks[rank].part;
    return part < (uint32_t)(starts[node + 1] - starts[node]) ? starts[node] + (int)part : 0;
}

#endif
