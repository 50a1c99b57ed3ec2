/* SPDX-License-Identifier: Apache-2.0 */
/* A table of the peers that were ever used, by rank. It grows with them. The caller holds the
 * network's lock. */
#ifndef HY_NET_NET_TABLE_H
#define HY_NET_NET_TABLE_H

#include "base/sparse.h"

typedef struct hy_net_table {
    hy_sparse entries;
} hy_net_table;

void hy_net_table_make(hy_net_table *table, int ranks);

/* Adds the entry of a rank that has none. NO_MEMORY. */
int hy_net_table_add(hy_net_table *table, int rank, void *entry);

/* NULL: there is no entry. */
static inline void *hy_net_table_look(const hy_net_table *table, int rank)
{
    return hy_sparse_find(&table->entries, (uint32_t)rank);
}

/* The first entry at *rank or behind it; *rank becomes its rank. NULL: none. */
void *hy_net_table_next(const hy_net_table *table, int *rank);

/* Frees the entries as well. Also of a table that was never made. */
void hy_net_table_free(hy_net_table *table);

#endif
