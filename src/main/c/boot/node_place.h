/* SPDX-License-Identifier: Apache-2.0 */
/* Parses texts of launchers that tell which ranks share a node. The texts are not trusted. */
#ifndef HY_BOOT_NODE_PLACE_H
#define HY_BOOT_NODE_PLACE_H

#include <stdint.h>

/* The most ranks of a job for which a node can be looked up. */
#define HY_PLACE_RANKS (1 << 24)

typedef struct hy_node_place {
    int first; /* the lowest rank of this node */
    int count; /* ranks on this node, including this one */
} hy_node_place;

/* PMI-1: "(vector,(first node,nodes,ranks per node),...)", repeated until all ranks have a node. */
int hy_place_of_mapping(const char *text, int rank, int size, hy_node_place *place);

/* The launcher's node number of every rank, from the same text. */
int hy_place_map(const char *text, int size, int32_t *node_of);

/* PMIx: the ranks of this node, such as "0,1,4-7". */
int hy_place_of_peers(const char *text, int rank, int size, hy_node_place *place);

#endif
