/* SPDX-License-Identifier: Apache-2.0 */
/* A table of the peers that were ever used, indexed by rank. Pages are allocated on demand. The
 * caller holds the network's lock. */
#ifndef HY_PATH_NET_TABLE_H
#define HY_PATH_NET_TABLE_H

#include <stddef.h>

typedef struct hy_net_table {
    int ranks;
    void ***pages;
} hy_net_table;

/* NO_MEMORY. */
int hy_net_table_make(hy_net_table *table, int ranks);

/* The entry of this rank; NULL: no memory, and hy_fail() has been called. */
void **hy_net_table_place(hy_net_table *table, int rank);

/* NULL: there is no entry. */
void *hy_net_table_look(const hy_net_table *table, int rank);

/* The first entry at *rank or behind it; *rank becomes its rank. NULL: none. */
void *hy_net_table_next(const hy_net_table *table, int *rank);

/* Frees the entries as well. */
void hy_net_table_free(hy_net_table *table);

#endif
