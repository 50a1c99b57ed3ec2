/* SPDX-License-Identifier: Apache-2.0 */
/* Finds free numbers, and replaces the array of places by a larger one. */
#include "base/handles.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PLACES 64u
#define WORD_BITS 64u

static int table_grow(hy_handles *table)
{
    hy_handle_array *old = hy_load_relaxed(&table->array);
    uint32_t had = old ? old->count : 0, count = had ? 2 * had : FIRST_PLACES;
    hy_handle_array *array = count > INT_MAX
                                 ? NULL
                                 : calloc(1, sizeof *array + count * sizeof array->objects[0]);
    uint64_t *taken = array ? realloc(table->taken, count / WORD_BITS * sizeof *taken) : NULL;
    if (!taken) {
        free(array);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a table of more than %u places", had);
    }
    memset(taken + had / WORD_BITS, 0, (count - had) / WORD_BITS * sizeof *taken);
    table->taken = taken;
    array->before = old;
    array->count = count;
    for (uint32_t i = 0; i < had; i++)
        hy_store_relaxed(&array->objects[i], hy_load_relaxed(&old->objects[i]));
    hy_store_release(&table->array, array); /* the places are written before */
    return HAYATE_OK;
}

int hy_handles_take(hy_handles *table, int *number)
{
    uint32_t words = (uint32_t)hy_handles_places(table) / WORD_BITS, word = 0;
    while (word < words && table->taken[word] == UINT64_MAX) word++;
    if (word == words) {
        int rc = table_grow(table);
        if (rc) return rc;
    }
    uint32_t bit = (uint32_t)__builtin_ctzll(~table->taken[word]);
    table->taken[word] |= UINT64_C(1) << bit;
    *number = (int)(word * WORD_BITS + bit);
    return HAYATE_OK;
}

void hy_handles_put(hy_handles *table, int number, void *object)
{
    hy_store_release(&hy_load_relaxed(&table->array)->objects[number], object);
}

void hy_handles_give(hy_handles *table, int number)
{
    hy_store_relaxed(&hy_load_relaxed(&table->array)->objects[number], NULL);
    table->taken[(uint32_t)number / WORD_BITS] &= ~(UINT64_C(1) << (uint32_t)number % WORD_BITS);
}

void hy_handles_close(hy_handles *table)
{
    for (hy_handle_array *array = hy_load_relaxed(&table->array), *before; array; array = before) {
        before = array->before;
        free(array);
    }
    free(table->taken);
    *table = (hy_handles){0};
}
