/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communicators of a rank by number. The table grows: as many communicators can exist as there
 * is memory for. Threads look numbers up without a lock, while another thread lets the table grow.
 * So the places are in an array that is replaced by a larger one, and an array that a reader may
 * still use is kept until the table is closed. As each is twice as long as the one before, all of
 * them take less than twice the memory of the last.
 */
#ifndef HY_COLL_COMM_TABLE_H
#define HY_COLL_COMM_TABLE_H

#include "base/line.h"
#include "base/status.h"

typedef struct hy_comm hy_comm;

typedef struct hy_comm_array hy_comm_array;
struct hy_comm_array {
    hy_comm_array *before; /* the array that this one replaced */
    uint32_t count;        /* places, a multiple of 64 */
    hy_comm *_Atomic comms[];
};

typedef struct hy_comm_table {
    hy_comm_array *_Atomic array; /* NULL: empty */
    uint64_t *taken;              /* a bit for each place, for the owner's lock */
} hy_comm_table;

/* NULL: there is no such communicator. Any thread; no lock. Whoever finds a communicator sees
 * everything that was written before it was put here. */
static inline hy_comm *hy_comm_table_get(const hy_comm_table *table, int number)
{
    const hy_comm_array *array = hy_load_acquire(&table->array);
    if (hy_unlikely(!array || (uint32_t)number >= array->count)) return NULL;
    return hy_load_acquire(&array->comms[number]);
}

/* The caller holds the owner's lock. *number becomes the lowest that is free, and is taken
 * afterwards. NO_MEMORY. */
int hy_comm_table_take(hy_comm_table *table, int *number);
void hy_comm_table_put(hy_comm_table *table, int number, hy_comm *comm);
/* Frees the number; afterwards no thread can find a communicator under it. */
void hy_comm_table_give(hy_comm_table *table, int number);

/* The number of places: all communicators have smaller numbers. */
static inline int hy_comm_table_places(const hy_comm_table *table)
{
    const hy_comm_array *array = hy_load_acquire(&table->array);
    return array ? (int)array->count : 0;
}

void hy_comm_table_close(hy_comm_table *table);

#endif
