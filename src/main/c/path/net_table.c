/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A two-level table: an array of pages, each of which is allocated when a rank in it is first used.
 */
#include "path/net_table.h"

#include <stdlib.h>

#include "base/line.h"
#include "base/status.h"

#define PAGE 1024 /* peers per page */

int hy_net_table_make(hy_net_table *table, int ranks)
{
    table->ranks = ranks;
    table->pages = calloc(((size_t)ranks + PAGE - 1) / PAGE, sizeof *table->pages);
    if (table->pages) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network of %d ranks", ranks);
}

void **hy_net_table_place(hy_net_table *table, int rank)
{
    void ***page = &table->pages[rank / PAGE];
    if (hy_unlikely(!*page)) *page = calloc(PAGE, sizeof **page);
    if (hy_likely(*page)) return &(*page)[rank % PAGE];
    (void)hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a connection to rank %d", rank);
    return NULL;
}

void *hy_net_table_look(const hy_net_table *table, int rank)
{
    void **page = table->pages[rank / PAGE];
    return page ? page[rank % PAGE] : NULL;
}

void *hy_net_table_next(const hy_net_table *table, int *rank)
{
    for (int i = *rank; table->pages && i < table->ranks; i++) {
        if (!table->pages[i / PAGE]) {
            i |= PAGE - 1;
            continue;
        }
        void *found = table->pages[i / PAGE][i % PAGE];
        if (!found) continue;
        *rank = i;
        return found;
    }
    return NULL;
}

void hy_net_table_free(hy_net_table *table)
{
    void *entry;
    for (int i = 0; (entry = hy_net_table_next(table, &i)); i++) free(entry);
    for (int i = 0; table->pages && i < table->ranks; i += PAGE) free(table->pages[i / PAGE]);
    free(table->pages);
    table->pages = NULL;
}
