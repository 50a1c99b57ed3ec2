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
    /* Room for the delegation area, a multiple of HY_LINE. 0: none. If there is one, parts of equal
     * heaps have the same size on all nodes, whatever pages these have. */
    uint64_t delegation_bytes;
    bool small; /* hardly used: on normal pages, even if huge ones are free */
} hy_segment_nodes;

/* Like hy_segment_create(), for the ranks of this node in a job on several nodes. */
int hy_segment_create_among(const hy_segment_nodes *nodes, uint64_t heap_bytes, int *fd,
                            uint64_t *bytes);

/* Maps all of `fd`, after checking that its size, its seals and its header agree with `size`
 * ranks and `bytes`. The caller owns the mapping. LAUNCH, CORRUPT, NO_MEMORY, SYSTEM. */
int hy_segment_map(int fd, uint32_t size, uint64_t bytes, hy_control **control);

/* Replaces the pages of the header, in a mapping of the segment, by read-only ones with this
 * checked copy and the ranks of the entries, which nobody else can change; not on huge pages.
 * SYSTEM. */
int hy_segment_keep(void *memory, const hy_control *header);

/* Uses the mapping of `fd` at `address` that another task of this address space has made. It is
 * checked in the same way, but nothing is mapped and nothing is owned. The address itself is
 * trusted. */
int hy_segment_borrow(int fd, uint32_t size, uint64_t bytes, uint64_t address,
                      hy_control **control);

/* Maps only the control area, after the same checks. */
int hy_segment_map_control(int fd, uint32_t size, uint64_t bytes, hy_control **control);

#endif
