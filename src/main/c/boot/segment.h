/* SPDX-License-Identifier: Apache-2.0 */
/* Maps a node's segment in processes that did not make it and do not trust it, and creates
 * segments of a job on several nodes. */
#ifndef HY_BOOT_SEGMENT_H
#define HY_BOOT_SEGMENT_H

#include "base/settings.h"
#include "boot/control.h"

/* On which nodes the ranks of a job are. */
typedef struct hy_segment_nodes {
    int size, nodes;
    int node;               /* this node */
    const int32_t *node_of; /* [size], 0 to nodes - 1; NULL: one node */
} hy_segment_nodes;

/* Like hy_segment_create(), for the ranks of this node in a job on several nodes. */
int hy_segment_create_among(const hy_segment_nodes *nodes, uint64_t heap_bytes, int *fd,
                            uint64_t *bytes);

/* Maps all of `fd`, after checking that its size, its seals and its header agree with `size`
 * ranks and `bytes`. The caller owns the mapping. LAUNCH, CORRUPT, NO_MEMORY, SYSTEM. */
int hy_segment_map(int fd, uint32_t size, uint64_t bytes, hy_control **control);

/* Uses the mapping of `fd` at `address` that another task of this address space has made. It is
 * checked in the same way, but nothing is mapped and nothing is owned. The address itself is
 * trusted. */
int hy_segment_borrow(int fd, uint32_t size, uint64_t bytes, uint64_t address,
                      hy_control **control);

/* Maps only the control area of a segment that this process has made. */
int hy_segment_map_control(int fd, hy_control **control);

#endif
