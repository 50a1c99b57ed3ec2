/* SPDX-License-Identifier: Apache-2.0 */
/* What a network keeps of each peer that was ever used, by rank: pages, of which only those exist
 * that are wanted. The network's lock is held. */
#ifndef HY_PATH_NET_TABLE_H
#define HY_PATH_NET_TABLE_H

#include <stddef.h>

typedef struct hy_net_table {
    int ranks;
    void ***pages;
} hy_net_table;

/* NO_MEMORY. */
int hy_net_table_make(hy_net_table *table, int ranks);

/* The place of this rank; NULL: no memory, which was said. */
void **hy_net_table_place(hy_net_table *table, int rank);

/* NULL: nothing is there. */
void *hy_net_table_look(const hy_net_table *table, int rank);

/* The first entry at *rank or behind it, whose rank *rank becomes; NULL: none. */
void *hy_net_table_next(const hy_net_table *table, int *rank);

/* Entries are freed as well. */
void hy_net_table_free(hy_net_table *table);

#endif
