/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/simulate_heap.h"

#include <math.h>
#include <stdlib.h>

bool hy_sim_heap_reset(hy_sim_heap *heap, int size)
{
    if (size > heap->capacity) {
        hy_sim_heap_release(heap);
        heap->keys = malloc((size_t)size * sizeof *heap->keys);
        heap->items = malloc((size_t)size * sizeof *heap->items);
        heap->places = malloc((size_t)size * sizeof *heap->places);
        if (!heap->keys || !heap->items || !heap->places) return false;
        heap->capacity = size;
    }
    heap->count = 0;
    for (int i = 0; i < size; i++) heap->places[i] = -1;
    return true;
}

void hy_sim_heap_release(hy_sim_heap *heap)
{
    free(heap->keys);
    free(heap->items);
    free(heap->places);
    *heap = (hy_sim_heap){0};
}

static bool earlier(const hy_sim_heap *heap, int a, int b)
{
    return heap->keys[a] < heap->keys[b] || (heap->keys[a] == heap->keys[b] && a < b);
}

static void place(hy_sim_heap *heap, int at, int item)
{
    heap->items[at] = item;
    heap->places[item] = at;
}

static void sift(hy_sim_heap *heap, int at, int item)
{
    while (at > 0 && earlier(heap, item, heap->items[(at - 1) / 2])) {
        place(heap, at, heap->items[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (int child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && earlier(heap, heap->items[child + 1], heap->items[child]))
            child++;
        if (!earlier(heap, heap->items[child], item)) break;
        place(heap, at, heap->items[child]);
    }
    place(heap, at, item);
}

void hy_sim_heap_set(hy_sim_heap *heap, int item, double key)
{
    if (heap->places[item] < 0) place(heap, heap->count++, item);
    heap->keys[item] = key;
    sift(heap, heap->places[item], item);
}

void hy_sim_heap_remove(hy_sim_heap *heap, int item)
{
    int at = heap->places[item];
    if (at < 0) return;
    heap->places[item] = -1;
    if (at == --heap->count) return;
    sift(heap, at, heap->items[heap->count]);
}

double hy_sim_heap_key(const hy_sim_heap *heap, int item)
{
    return heap->places[item] < 0 ? INFINITY : heap->keys[item];
}
