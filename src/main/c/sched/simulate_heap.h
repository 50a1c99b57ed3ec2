/* SPDX-License-Identifier: Apache-2.0 */
/* Cores by a time, the earliest first, the lower number among equals, so that a simulation gives
 * the same everywhere. A core is in it once at most. */
#ifndef HY_SCHED_SIMULATE_HEAP_H
#define HY_SCHED_SIMULATE_HEAP_H

#include <stdbool.h>

typedef struct hy_sim_heap {
    double *keys; /* [item] */
    int *items;   /* the heap */
    int *places;  /* [item]: where it is, -1: nowhere */
    int count, capacity;
} hy_sim_heap;

/* Makes it empty, for items 0 .. size - 1. false: memory is out. */
bool hy_sim_heap_reset(hy_sim_heap *heap, int size);
void hy_sim_heap_release(hy_sim_heap *heap);

void hy_sim_heap_set(hy_sim_heap *heap, int item, double key); /* puts it in, or moves it */
void hy_sim_heap_remove(hy_sim_heap *heap, int item);          /* if it is in */
double hy_sim_heap_key(const hy_sim_heap *heap, int item);     /* INFINITY when it is not in */

/* Of a heap that is not empty. */
static inline int hy_sim_heap_first(const hy_sim_heap *heap)
{
    return heap->items[0];
}
static inline double hy_sim_heap_first_key(const hy_sim_heap *heap)
{
    return heap->keys[heap->items[0]];
}

#endif
