/* SPDX-License-Identifier: Apache-2.0 */
/* The node map: which rank is on which node, by the layout of the job (boot/layout.h). A process
 * has the rule; a list, if the layout has one, is in the segment. */
#ifndef HY_NODES_NODE_MAP_H
#define HY_NODES_NODE_MAP_H

#include "job/job.h"

/* Reads the control area, which others write: CORRUPT if its contents are inconsistent. */
int hy_node_map_open(hy_job *job);

/* The ranks of a node in ascending order: how many, and each. Whatever others write into a list,
 * these are ranks of the job. */
static inline int hy_node_map_count(const hy_job *job, int node)
{
    return (int)hy_layout_count(&job->layout, (uint32_t)node);
}
static inline int hy_node_map_rank(const hy_job *job, int node, int index)
{
    int rank = hy_layout_rank(&job->layout, (uint32_t)node, (uint32_t)index);
    return rank < 0 ? 0 : rank;
}

/* The first rank of a node. */
static inline int hy_node_map_leader(const hy_job *job, int node)
{
    return hy_node_map_rank(job, node, 0);
}

/* All ranks in the order of their nodes: where a node begins, and the index of a rank. */
static inline int hy_node_map_start(const hy_job *job, int node)
{
    return (int)hy_layout_before(&job->layout, (uint32_t)node);
}
static inline int hy_node_map_index(const hy_job *job, int rank)
{
    uint32_t part, node = hy_layout_node(&job->layout, (uint32_t)rank, &part);
    uint32_t index = hy_layout_before(&job->layout, node) + part;
    return index < (uint32_t)job->size ? (int)index : 0;
}

#endif
