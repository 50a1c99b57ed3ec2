/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates ranges of offsets within [0, size). All bookkeeping is private memory, so that a peer
 * that scribbles over the shared range cannot break it. First fit in address order, therefore
 * deterministic: the same calls in the same order give the same offsets in every process.
 * For set-up, not for the hot path: O(live blocks). Not locked: the owner does that.
 */
#ifndef HY_BASE_HEAP_H
#define HY_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct hy_heap_block hy_heap_block;

typedef struct hy_heap {
    hy_heap_block *first; /* all blocks, used and free, in address order */
    uint64_t size, used;
} hy_heap;

/* NO_MEMORY when the bookkeeping has no room. */
int hy_heap_open(hy_heap *heap, uint64_t size);
void hy_heap_close(hy_heap *heap);

/* A run of at least `bytes` (> 0), its offset a multiple of `align` (a power of two, at least 64).
 * NO_MEMORY, without a reason. */
int hy_heap_take(hy_heap *heap, uint64_t bytes, uint64_t align, uint64_t *offset);

/* ARGUMENT when `offset` is not the start of a run that is taken. Its length in *bytes if wanted.
 */
int hy_heap_give(hy_heap *heap, uint64_t offset, uint64_t *bytes);

/* The longest run that could be taken now. */
uint64_t hy_heap_longest(const hy_heap *heap);

#endif
