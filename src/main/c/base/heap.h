/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates ranges of offsets within [0, size). All bookkeeping is in private memory, so that a
 * peer that overwrites the shared range cannot damage it. First fit in address order, and
 * therefore deterministic: the same calls in the same order give the same offsets in every
 * process. For set-up, not for the hot path: a take looks at the blocks from the first free one on,
 * a give at all in front of its own. The owner locks. */
#ifndef HY_BASE_HEAP_H
#define HY_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct hy_heap_block hy_heap_block;

typedef struct hy_heap {
    hy_heap_block *first; /* all blocks, used and free, in address order */
    hy_heap_block *from;  /* where a search begins: all blocks in front of it are taken */
    uint64_t size, used;
} hy_heap;

/* NO_MEMORY if there is no memory for the bookkeeping. */
int hy_heap_open(hy_heap *heap, uint64_t size);
void hy_heap_close(hy_heap *heap);

/* Allocates a range of at least `bytes` (> 0), whose offset is a multiple of `align` (a power of
 * two, at least 64). NO_MEMORY, without a reason. */
int hy_heap_take(hy_heap *heap, uint64_t bytes, uint64_t align, uint64_t *offset);

/* ARGUMENT if `offset` is not the start of an allocated range. *bytes (may be NULL) becomes its
 * length. */
int hy_heap_give(hy_heap *heap, uint64_t offset, uint64_t *bytes);

/* The longest range that could be allocated at the moment. */
uint64_t hy_heap_longest(const hy_heap *heap);

#endif
