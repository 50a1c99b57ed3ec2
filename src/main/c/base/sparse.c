/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of places: the first one, larger ones, and the search behind the first place. */
#include "base/sparse.h"

#include <stdlib.h>

#include "base/status.h"

#define FIRST_BITS 6
#define STEP_BITS 2 /* each array has four times the places of the one before */
#define KEY_BITS 64
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / the golden ratio: Knuth, vol. 3, 6.4 */

/* Nothing is ever found in it. */
static const struct {
    hy_sparse_array array;
    hy_sparse_object object;
    uint64_t key;
} none = {.array = {.factor = 0, .shift = KEY_BITS - 1}};

static hy_sparse_object *objects_of(hy_sparse_array *array)
{
    return (hy_sparse_object *)(void *)(array + 1);
}

static bool is_empty(const hy_sparse_object *objects)
{
    return !objects || objects == &none.object;
}

static uint64_t places_of(const hy_sparse_object *objects)
{
    return UINT64_C(1) << hy_sparse_array_of(objects)->bits;
}

/* The newest array; NULL: there is none. */
static const hy_sparse_array *newest(const hy_sparse *table)
{
    const hy_sparse_object *objects = hy_load_relaxed(&table->objects);
    return is_empty(objects) ? NULL : hy_sparse_array_of(objects);
}

static bool is_direct(const hy_sparse *table)
{
    return table->numbers <= HY_SPARSE_DIRECT;
}

static uint32_t bits_for(uint64_t places)
{
    uint32_t bits = 0;
    while (UINT64_C(1) << bits < places) bits++;
    return bits;
}

/* Half of its places are enough for all numbers. */
static uint32_t last_bits(const hy_sparse *table)
{
    return is_direct(table) ? bits_for(table->numbers) : bits_for(2 * table->numbers);
}

static uint64_t bytes_of(uint32_t bits)
{
    const uint64_t place = sizeof(void *) + sizeof(uint64_t);
    return hy_round_up(sizeof(hy_sparse_array) + (place << bits), HY_LINE);
}

void hy_sparse_open(hy_sparse *table, uint64_t numbers)
{
    *table = (hy_sparse){.objects = &none.object, .numbers = numbers};
}

int hy_sparse_open_reserved(hy_sparse *table, uint64_t numbers)
{
    uint64_t bytes = 0;
    hy_sparse_open(table, numbers);
    uint32_t last = last_bits(table), bits = is_direct(table) ? last : FIRST_BITS;
    for (; bits < last + STEP_BITS; bits += STEP_BITS) bytes += bytes_of(bits);
    table->reserve = table->rest = calloc(1, bytes);
    if (table->reserve) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no address space for a table of %llu bytes",
                   (unsigned long long)bytes);
}

void hy_sparse_close(hy_sparse *table)
{
    for (const hy_sparse_array *array = newest(table), *before; array; array = before) {
        before = array->before;
        if (!array->reserved) free((void *)(uintptr_t)array);
    }
    free(table->reserve);
    *table = (hy_sparse){.numbers = 0};
}

/* ---- adding ---- */

static hy_sparse_array *array_make(hy_sparse *table, uint32_t bits)
{
    hy_sparse_array *array = (hy_sparse_array *)(void *)table->rest;
    if (array) table->rest += bytes_of(bits);
    else array = calloc(1, bytes_of(bits));
    if (!array) return NULL;
    array->reserved = table->reserve != NULL;
    array->bits = bits;
    /* One place: any shift by which nothing is left. */
    array->shift = bits ? KEY_BITS - bits : KEY_BITS - 1;
    for (uint64_t i = 0; table->nobody && i < UINT64_C(1) << bits; i++)
        hy_store_relaxed(&objects_of(array)[i], table->nobody);
    array->factor = !bits ? 0 : is_direct(table) ? UINT64_C(1) << array->shift : GOLDEN;
    return array;
}

/* The object is written before its key, and for hy_sparse_guess() what it contains before. */
static void put(hy_sparse_object *objects, uint64_t number, void *object)
{
    uint64_t mask = places_of(objects) - 1, place = hy_sparse_place(objects, number);
    _Atomic uint64_t *keys = hy_sparse_keys(objects);
    while (hy_load_relaxed(&keys[place])) place = (place + 1) & mask;
    hy_store_release(&objects[place], object);
    hy_store_release(&keys[place], number + 1);
}

static bool is_full(const hy_sparse *table, const hy_sparse_array *array)
{
    if (!array) return true;
    return !is_direct(table) && 2 * (table->count + 1) > UINT64_C(1) << array->bits;
}

static int sparse_grow(hy_sparse *table, const hy_sparse_array *old)
{
    uint32_t bits = old ? old->bits + STEP_BITS : is_direct(table) ? last_bits(table) : FIRST_BITS;
    hy_sparse_array *array = array_make(table, bits);
    if (!array)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a table of %llu objects",
                       (unsigned long long)table->count + 1);
    uint64_t place = 0, number;
    for (void *object; (object = hy_sparse_next(table, &place, &number));)
        put(objects_of(array), number, object);
    array->before = (hy_sparse_array *)(uintptr_t)old;
    hy_store_release(&table->objects, objects_of(array));
    return HAYATE_OK;
}

int hy_sparse_open_guessed(hy_sparse *table, uint64_t numbers, void *nobody)
{
    hy_sparse_open(table, numbers);
    table->nobody = nobody;
    return sparse_grow(table, NULL);
}

int hy_sparse_add(hy_sparse *table, uint64_t number, void *object)
{
    const hy_sparse_array *array = newest(table);
    int rc = is_full(table, array) ? sparse_grow(table, array) : HAYATE_OK;
    if (rc) return rc;
    put((hy_sparse_object *)(uintptr_t)hy_load_relaxed(&table->objects), number, object);
    table->count++;
    return HAYATE_OK;
}

/* ---- finding ---- */

/* A direct table has no number at another place; a hashed one always has a free place. */
void *hy_sparse_probe(const hy_sparse_object *objects, uint64_t number)
{
    uint64_t mask = places_of(objects) - 1, place = hy_sparse_place(objects, number);
    const _Atomic uint64_t *keys = hy_sparse_keys(objects);
    for (uint64_t i = 0; i <= mask; i++, place = (place + 1) & mask) {
        uint64_t key = hy_load_acquire(&keys[place]);
        if (key == number + 1) return hy_load_relaxed(&objects[place]);
        if (!key) break;
    }
    return NULL;
}

void *hy_sparse_next(const hy_sparse *table, uint64_t *place, uint64_t *number)
{
    const hy_sparse_object *objects = hy_load_acquire(&table->objects);
    while (!is_empty(objects) && *place < places_of(objects)) {
        uint64_t at = (*place)++, key = hy_load_acquire(&hy_sparse_keys(objects)[at]);
        if (!key) continue;
        if (number) *number = key - 1;
        return hy_load_relaxed(&objects[at]);
    }
    return NULL;
}

uint64_t hy_sparse_bytes(const hy_sparse *table)
{
    uint64_t bytes = 0;
    for (const hy_sparse_array *array = newest(table); array; array = array->before)
        bytes += bytes_of(array->bits);
    return bytes;
}
