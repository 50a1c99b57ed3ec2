/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping a node's segment, by those who did not make it and need not trust it. */
#ifndef HY_BOOT_SEGMENT_H
#define HY_BOOT_SEGMENT_H

#include "base/settings.h"
#include "boot/control.h"

/* Where the ranks of a job live. */
typedef struct hy_segment_nodes {
    int size, nodes;
    int node;               /* this one */
    const int32_t *node_of; /* [size], 0 to nodes - 1; NULL: there is one */
} hy_segment_nodes;

/* As hy_segment_create(), for the ranks of this node among those of others. */
int hy_segment_create_among(const hy_segment_nodes *nodes, uint64_t heap_bytes, int *fd,
                            uint64_t *bytes);

/* Maps all of `fd` after its size, its seals and its header have been found to agree with `size`
 * ranks and `bytes`. The caller owns the mapping. LAUNCH, CORRUPT, NO_MEMORY, SYSTEM. */
int hy_segment_map(int fd, uint32_t size, uint64_t bytes, hy_control **control);

/* Finds all of `fd` at `address`, where somebody else in this address space has mapped it: checked
 * alike, but nothing is mapped and nothing owned. The address itself is trusted. */
int hy_segment_borrow(int fd, uint32_t size, uint64_t bytes, uint64_t address,
                      hy_control **control);

/* Maps only the control area of a segment that this process made itself. */
int hy_segment_map_control(int fd, hy_control **control);

#endif
