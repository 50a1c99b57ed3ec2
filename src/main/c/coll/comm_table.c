/* SPDX-License-Identifier: Apache-2.0 */
/* The table of communicators: finds free numbers, and replaces the array of places by a larger
 * one. */
#include "coll/comm_table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PLACES 64u
#define WORD_BITS 64u

static int table_grow(hy_comm_table *table)
{
    hy_comm_array *old = hy_load_relaxed(&table->array);
    uint32_t had = old ? old->count : 0, count = had ? 2 * had : FIRST_PLACES;
    hy_comm_array *array = count > INT_MAX
                               ? NULL
                               : calloc(1, sizeof *array + count * sizeof array->comms[0]);
    uint64_t *taken = array ? realloc(table->taken, count / WORD_BITS * sizeof *taken) : NULL;
    if (!taken) {
        free(array);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for more than %u communicators", had);
    }
    memset(taken + had / WORD_BITS, 0, (count - had) / WORD_BITS * sizeof *taken);
    table->taken = taken;
    array->before = old;
    array->count = count;
    for (uint32_t i = 0; i < had; i++)
        hy_store_relaxed(&array->comms[i], hy_load_relaxed(&old->comms[i]));
    hy_store_release(&table->array, array); /* the places are written before */
    return HAYATE_OK;
}

int hy_comm_table_take(hy_comm_table *table, int *number)
{
    uint32_t words = (uint32_t)hy_comm_table_places(table) / WORD_BITS, word = 0;
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

void hy_comm_table_put(hy_comm_table *table, int number, hy_comm *comm)
{
    hy_store_release(&hy_load_relaxed(&table->array)->comms[number], comm);
}

void hy_comm_table_give(hy_comm_table *table, int number)
{
    hy_store_relaxed(&hy_load_relaxed(&table->array)->comms[number], NULL);
    table->taken[(uint32_t)number / WORD_BITS] &= ~(UINT64_C(1) << (uint32_t)number % WORD_BITS);
}

void hy_comm_table_close(hy_comm_table *table)
{
    for (hy_comm_array *array = hy_load_relaxed(&table->array), *before; array; array = before) {
        before = array->before;
        free(array);
    }
    free(table->taken);
    *table = (hy_comm_table){0};
}
