/* SPDX-License-Identifier: Apache-2.0 */
/* Which ranks share this rank's node, as launchers write it down. The texts come from outside. */
#ifndef HY_BOOT_NODE_PLACE_H
#define HY_BOOT_NODE_PLACE_H

#include <stdint.h>

/* Ranks that a job may have where only their node is asked for. */
#define HY_PLACE_RANKS (1 << 24)

typedef struct hy_node_place {
    int first; /* the lowest rank of this node */
    int count; /* ranks on this node, with this one */
} hy_node_place;

/* PMI-1: "(vector,(first node,nodes,ranks per node),...)", repeated until all ranks have a node. */
int hy_place_of_mapping(const char *text, int rank, int size, hy_node_place *place);

/* Of all ranks, by the same text: the launcher's number of its node. */
int hy_place_map(const char *text, int size, int32_t *node_of);

/* PMIx: the ranks of this node, "0,1,4-7". */
int hy_place_of_peers(const char *text, int rank, int size, hy_node_place *place);

#endif
