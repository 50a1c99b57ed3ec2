/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the list of variables, appends an entry, and replaces the list by one store. */
#include "base/environment.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lists that were made here. Other threads may read them at any later time. */
typedef struct list {
    struct list *previous;
    size_t room; /* for entries, and the NULL behind them */
    char *entries[];
} list;

#define ROOM 16 /* in a new list, so that few are made */

static list *_Atomic lists;

static char **current(void)
{
    return __atomic_load_n(&environ, __ATOMIC_ACQUIRE);
}

static size_t count_of(char **entries)
{
    size_t count = 0;
    while (entries && __atomic_load_n(&entries[count], __ATOMIC_RELAXED)) count++;
    return count;
}

static list *copy_of(char **entries, const char *entry)
{
    size_t count = count_of(entries);
    list *copy = calloc(1, sizeof *copy + (count + ROOM) * sizeof *copy->entries);
    if (!copy) return NULL;
    copy->room = count + ROOM;
    if (count) memcpy(copy->entries, entries, count * sizeof *entries);
    copy->entries[count] = (char *)(uintptr_t)entry;
    return copy;
}

/* Behind the last entry of a list that was made here, where all places are NULL. */
static bool append(char **entries, const char *entry)
{
    list *newest = atomic_load(&lists);
    char *end = NULL;
    if (!newest || newest->entries != entries) return false;
    size_t count = count_of(entries);
    return count + 1 < newest->room &&
           __atomic_compare_exchange_n(&entries[count], &end, (char *)(uintptr_t)entry, false,
                                       __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

bool hy_environment_lend(const char *entry)
{
    for (int tries = 0; tries < 100; tries++) {
        char **before = current();
        if (append(before, entry)) return true;
        list *copy = copy_of(before, entry);
        if (!copy) return false;
        if (__atomic_compare_exchange_n(&environ, &before, copy->entries, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
            copy->previous = atomic_load(&lists);
            while (!atomic_compare_exchange_weak(&lists, &copy->previous, copy)) continue;
            return true;
        }
        free(copy); /* no thread has seen it */
    }
    return false;
}

void hy_environment_take_back(const char *entry)
{
    char **entries = current();
    size_t count = count_of(entries);
    if (count && entries[count - 1] == entry)
        __atomic_store_n(&entries[count - 1], NULL, __ATOMIC_RELEASE);
}
