/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects by number, of which few of very many exist: the table grows with the objects, not with
 * the numbers. If there are few numbers, the place of an object is its number; else a hash of it,
 * with linear probing in an array that is never more than half full. The hash is a multiplication
 * and a shift, and with a power of two it is the identity: so a lookup is the same code in both
 * cases.
 *
 * Threads look numbers up without a lock, while another thread adds objects. So an array that is
 * replaced by a larger one is kept until the table is closed (all of them together take less than
 * twice the memory of the last), and objects are never taken out.
 */
#ifndef HY_BASE_SPARSE_H
#define HY_BASE_SPARSE_H

#include <stdbool.h>

#include "base/line.h"

#define HY_SPARSE_DIRECT 4096 /* up to so many numbers, each has its own place */

typedef struct hy_sparse_entry {
    _Atomic uint64_t key; /* the number + 1; 0: free */
    void *_Atomic object;
} hy_sparse_entry;

typedef struct hy_sparse_array hy_sparse_array;
struct hy_sparse_array {
    uint64_t factor;
    uint32_t shift, bits; /* 1 << bits entries */
    hy_sparse_array *before;
    bool reserved; /* not to be freed by itself */
    hy_sparse_entry entries[];
};

typedef struct hy_sparse {
    const hy_sparse_array *_Atomic array;
    uint64_t numbers; /* all are smaller */
    uint64_t count;   /* objects; for the owner's lock, as `rest` */
    uint8_t *reserve, *rest;
} hy_sparse;

/* An empty table for numbers below `numbers`. */
void hy_sparse_open(hy_sparse *table, uint64_t numbers);
/* The same, with address space for all that it can ever need, so that hy_sparse_add() cannot fail;
 * pages take memory when they are used. NO_MEMORY. */
int hy_sparse_open_reserved(hy_sparse *table, uint64_t numbers);
/* Frees the table, not the objects. Also of a table that is all zero. */
void hy_sparse_close(hy_sparse *table);

/* Adds an object under a number that has none. The caller holds the owner's lock. NO_MEMORY. */
int hy_sparse_add(hy_sparse *table, uint64_t number, void *object);

/* Behind the first place. */
void *hy_sparse_probe(const hy_sparse_array *array, uint64_t number);

/* NULL: there is no such object. Any thread, no lock. Whoever finds an object sees everything that
 * was written before it was added. The table must be open. */
static inline void *hy_sparse_find(const hy_sparse *table, uint64_t number)
{
    const hy_sparse_array *array = hy_load_acquire(&table->array);
    const hy_sparse_entry *entry = &array->entries[number * array->factor >> array->shift];
    if (hy_likely(hy_load_acquire(&entry->key) == number + 1))
        return hy_load_relaxed(&entry->object);
    return hy_sparse_probe(array, number);
}

/* Walks over the objects, in no order: *place begins at 0. NULL: the end. Objects that are added
 * meanwhile may be missed; with an owner's lock, none is. */
void *hy_sparse_next(const hy_sparse *table, uint64_t *place, uint64_t *number);

/* The bytes of its arrays. */
uint64_t hy_sparse_bytes(const hy_sparse *table);

#endif
