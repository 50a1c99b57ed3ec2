/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse table (base/sparse.h) that is walked in the order of the ranks. */
#include "net/net_table.h"

#include <stdlib.h>

#include "base/status.h"

void hy_net_table_make(hy_net_table *table, int ranks)
{
    hy_sparse_open(&table->entries, (uint64_t)ranks);
}

int hy_net_table_add(hy_net_table *table, int rank, void *entry)
{
    return hy_sparse_add(&table->entries, (uint32_t)rank, entry);
}

void *hy_net_table_next(const hy_net_table *table, int *rank)
{
    void *found = NULL;
    while (table->entries.count && !found && *rank < (int)table->entries.numbers) {
        found = hy_net_table_look(table, *rank);
        if (!found) ++*rank;
    }
    return found;
}

void hy_net_table_free(hy_net_table *table)
{
    uint64_t place = 0;
    for (void *entry; (entry = hy_sparse_next(&table->entries, &place, NULL));) free(entry);
    hy_sparse_close(&table->entries);
}
