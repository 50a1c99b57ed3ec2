/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects by number, of which few of very many exist: the table grows with the objects, not with
 * the numbers. If there are few numbers, the place of an object is its number; else a hash of it,
 * with linear probing in an array that is never more than half full. The hash is a multiplication
 * and a shift, and with a power of two it is the identity: so a lookup is the same code in both
 * cases.
 *
 * Threads look numbers up without a lock, while another thread adds objects. So an array that is
 * replaced by a larger one is kept until the table is closed (all of them together take a third
 * more than the last), and objects are never taken out.
 */
#ifndef HY_BASE_SPARSE_H
#define HY_BASE_SPARSE_H

#include <stdbool.h>

#include "base/line.h"

#define HY_SPARSE_DIRECT 1024 /* up to this number of keys, each has its own place */

/* Lies before its objects: void *_Atomic [places], and behind them the keys. */
typedef struct hy_sparse_array hy_sparse_array;
struct hy_sparse_array {
    uint64_t factor;
    uint32_t shift, bits; /* 1 << bits places */
    hy_sparse_array *before;
    bool reserved; /* not to be freed by itself */
};

typedef void *_Atomic hy_sparse_object;

static inline const hy_sparse_array *hy_sparse_array_of(const hy_sparse_object *objects)
{
    return (const hy_sparse_array *)(const void *)objects - 1;
}

/* Of each place: the number of its object + 1; 0: it is free. */
static inline _Atomic uint64_t *hy_sparse_keys(const hy_sparse_object *objects)
{
    uint64_t places = UINT64_C(1) << hy_sparse_array_of(objects)->bits;
    return (_Atomic uint64_t *)(uintptr_t)(objects + places);
}

/* Where the search for a number begins. */
static inline uint64_t hy_sparse_place(const hy_sparse_object *objects, uint64_t number)
{
    const hy_sparse_array *array = hy_sparse_array_of(objects);
    return number * array->factor >> array->shift;
}

typedef struct hy_sparse {
    const hy_sparse_object *_Atomic objects; /* of the last array */
    uint64_t numbers;                        /* all are smaller */
    uint64_t count;                          /* objects; for the owner's lock, as `rest` */
    void *nobody;                            /* in free places */
    uint8_t *reserve, *rest;
} hy_sparse;

/* An empty table for numbers below `numbers`. */
void hy_sparse_open(hy_sparse *table, uint64_t numbers);
/* The same for hy_sparse_guess(), with an object that no number has. NO_MEMORY. */
int hy_sparse_open_guessed(hy_sparse *table, uint64_t numbers, void *nobody);
/* An empty table, with address space for all that it can ever need, so that hy_sparse_add() cannot
 * fail; pages take memory when they are used. NO_MEMORY. */
int hy_sparse_open_reserved(hy_sparse *table, uint64_t numbers);
/* Frees the table, not the objects. Also of a table that is all zero. */
void hy_sparse_close(hy_sparse *table);

/* Adds an object under a number that has none. The caller holds the owner's lock. NO_MEMORY. */
int hy_sparse_add(hy_sparse *table, uint64_t number, void *object);

/* Looks at all places of a number. */
void *hy_sparse_probe(const hy_sparse_object *objects, uint64_t number);

/* NULL: there is no such object. Any thread, no lock. Whoever finds an object sees everything that
 * was written before it was added. The table must be open. */
static inline void *hy_sparse_find(const hy_sparse *table, uint64_t number)
{
    const hy_sparse_object *objects = hy_load_acquire(&table->objects);
    uint64_t place = hy_sparse_place(objects, number);
    if (hy_likely(hy_load_acquire(&hy_sparse_keys(objects)[place]) == number + 1))
        return hy_load_relaxed(&objects[place]);
    return hy_sparse_probe(objects, number);
}

/* For callers that know an object's number by itself: the object at the first place of the number,
 * which may be that of another number, or `nobody`. The number may be too large. */
static inline void *hy_sparse_guess(const hy_sparse *table, uint64_t number)
{
    const hy_sparse_object *objects = hy_load_acquire(&table->objects);
    return hy_load_acquire(&objects[hy_sparse_place(objects, number)]);
}

/* Walks over the objects, in no order: *place begins at 0. NULL: the end. Objects that are added
 * meanwhile may be missed; with an owner's lock, none is. */
void *hy_sparse_next(const hy_sparse *table, uint64_t *place, uint64_t *number);

/* The bytes of its arrays. */
uint64_t hy_sparse_bytes(const hy_sparse *table);

#endif
