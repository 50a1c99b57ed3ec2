/* SPDX-License-Identifier: Apache-2.0 */
/* A doubly linked list of blocks in address order: taking splits a block, giving back merges it
 * with free neighbours. */
#include "base/heap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/line.h"
#include "base/status.h"

struct hy_heap_block {
    uint64_t offset, size;
    bool taken;
    hy_heap_block *next, *previous;
};

static hy_heap_block *block_insert(hy_heap_block *after, uint64_t offset, uint64_t size)
{
    hy_heap_block *block = calloc(1, sizeof *block);
    if (!block) return NULL;
    block->offset = offset;
    block->size = size;
    block->previous = after;
    if (after) {
        block->next = after->next;
        after->next = block;
        if (block->next) block->next->previous = block;
    }
    return block;
}

static void block_absorb_next(hy_heap_block *block)
{
    hy_heap_block *next = block->next;
    block->size += next->size;
    block->next = next->next;
    if (block->next) block->next->previous = block;
    free(next);
}

int hy_heap_open(hy_heap *heap, uint64_t size)
{
    *heap = (hy_heap){.size = size, .first = block_insert(NULL, 0, size)};
    heap->from = heap->first;
    return heap->first ? HAYATE_OK
                       : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the bookkeeping of a heap");
}

void hy_heap_close(hy_heap *heap)
{
    while (heap->first) {
        hy_heap_block *next = heap->first->next;
        free(heap->first);
        heap->first = next;
    }
}

static bool fits(const hy_heap_block *block, uint64_t bytes, uint64_t align)
{
    uint64_t start = hy_round_up(block->offset, align);
    uint64_t lost = start - block->offset;
    return !block->taken && lost <= block->size && bytes <= block->size - lost;
}

/* Splits `block` so that it begins at `start` and has `bytes`; the parts around it stay free. */
static hy_heap_block *cut(hy_heap_block *block, uint64_t start, uint64_t bytes)
{
    if (start > block->offset) {
        uint64_t lost = start - block->offset;
        hy_heap_block *rest = block_insert(block, start, block->size - lost);
        if (!rest) return NULL;
        block->size = lost;
        block = rest;
    }
    if (block->size > bytes) {
        if (!block_insert(block, start + bytes, block->size - bytes)) return NULL;
        block->size = bytes;
    }
    return block;
}

int hy_heap_take(hy_heap *heap, uint64_t bytes, uint64_t align, uint64_t *offset)
{
    if (bytes > heap->size) return HAYATE_ERR_NO_MEMORY;
    bytes = hy_round_up(bytes, HY_LINE);
    while (heap->from->taken && heap->from->next) heap->from = heap->from->next;
    hy_heap_block *block = heap->from;
    while (block && !fits(block, bytes, align)) block = block->next;
    if (block) block = cut(block, hy_round_up(block->offset, align), bytes);
    if (!block) return HAYATE_ERR_NO_MEMORY;
    block->taken = true;
    heap->used += block->size;
    *offset = block->offset;
    return HAYATE_OK;
}

int hy_heap_give(hy_heap *heap, uint64_t offset, uint64_t *bytes)
{
    hy_heap_block *block = heap->from; /* near what was taken last */
    while (block && block->offset < offset) block = block->next;
    while (block && block->offset > offset) block = block->previous;
    if (!block || block->offset != offset || !block->taken) return HAYATE_ERR_ARGUMENT;
    if (bytes) *bytes = block->size;
    heap->used -= block->size;
    block->taken = false;
    if (block->offset < heap->from->offset) heap->from = block; /* a free one in front stays it */
    if (block->next && !block->next->taken) block_absorb_next(block);
    if (block->previous && !block->previous->taken) block_absorb_next(block->previous);
    return HAYATE_OK;
}

uint64_t hy_heap_longest(const hy_heap *heap)
{
    uint64_t longest = 0;
    for (const hy_heap_block *block = heap->first; block; block = block->next) {
        if (!block->taken && block->size > longest) longest = block->size;
    }
    return longest;
}
