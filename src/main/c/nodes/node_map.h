/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ranks live on which node, as each process of a job on several nodes keeps it: all that it
 * has to know of ranks which it never talks to. Four bytes a rank, four a node.
 */
#ifndef HY_NODES_NODE_MAP_H
#define HY_NODES_NODE_MAP_H

#include "job/job.h"

/* From what the control area says, which others write: CORRUPT when it makes no sense. NO_MEMORY.
 */
int hy_node_map_open(hy_job *job);
void hy_node_map_close(hy_job *job);

/* The ranks of a node, ascending: at least one. */
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

/* The place of a rank in that order, whatever others have written since. */
static inline int hy_node_map_index(const hy_job *job, int rank)
{
    const int *starts = job->node_map.starts;
    uint32_t node = (uint32_t)hy_job_node_of(job, rank);
    if (node >= (uint32_t)hy_job_nodes(job)) return 0;
    uint32_t part = job->boot.control->ranks[rank].part;
    return part < (uint32_t)(starts[node + 1] - starts[node]) ? starts[node] + (int)part : 0;
}

#endif
