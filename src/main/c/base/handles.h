/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects by number. The table grows: as many objects can exist as there is memory for. Threads
 * look numbers up without a lock, while another thread lets the table grow. So the places are in an
 * array that is replaced by a larger one, and an array that a reader may still use is kept until
 * the table is closed. As each is twice as long as the one before, all of them take less than twice
 * the memory of the last.
 */
#ifndef HY_BASE_HANDLES_H
#define HY_BASE_HANDLES_H

#include "base/line.h"
#include "base/status.h"

typedef struct hy_handle_array hy_handle_array;
struct hy_handle_array {
    hy_handle_array *before; /* the array that this one replaced */
    uint32_t count;          /* places, a multiple of 64 */
    void *_Atomic objects[];
};

typedef struct hy_handles {
    hy_handle_array *_Atomic array; /* NULL: empty */
    uint64_t *taken;                /* a bit for each place, for the owner's lock */
} hy_handles;

/* NULL: there is no such object. Any thread; no lock. Whoever finds an object sees everything that
 * was written before it was put here. */
static inline void *hy_handles_get(const hy_handles *table, int number)
{
    const hy_handle_array *array = hy_load_acquire(&table->array);
    if (hy_unlikely(!array || (uint32_t)number >= array->count)) return NULL;
    return hy_load_acquire(&array->objects[number]);
}

/* The caller holds the owner's lock. *number becomes the lowest that is free, and is taken
 * afterwards. NO_MEMORY. */
int hy_handles_take(hy_handles *table, int *number);
void hy_handles_put(hy_handles *table, int number, void *object);
/* Frees the number; afterwards no thread can find an object under it. */
void hy_handles_give(hy_handles *table, int number);

/* The number of places: all objects have smaller numbers. */
static inline int hy_handles_places(const hy_handles *table)
{
    const hy_handle_array *array = hy_load_acquire(&table->array);
    return array ? (int)array->count : 0;
}

void hy_handles_close(hy_handles *table);

#endif
