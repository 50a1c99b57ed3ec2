/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates the table of a space, and finds tasks in it. */
#include "pvas/space_table.h"

#include <sys/mman.h>

#include "base/line.h"

hy_table *hy_table_make(uint32_t partitions, size_t *bytes)
{
    size_t offset = hy_round_up(sizeof(hy_table) + (uint64_t)partitions * sizeof(hy_member),
                                HY_LINE);
    size_t outside = offset + (uint64_t)(partitions + 1) * sizeof(hy_exports);
    *bytes = hy_round_up(outside + (uint64_t)partitions * sizeof(hy_outside), 4096);
    hy_table *table = mmap(NULL, *bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) return NULL;
    table->magic = HY_TABLE_MAGIC;
    table->layout = HY_TABLE_LAYOUT;
    table->partitions = partitions;
    table->exports_offset = offset;
    table->outside_offset = outside;
    for (uint32_t i = 0; i < partitions; i++)
        hy_store_relaxed(&table->members[i].number, HY_NO_TASK);
    return table;
}

int hy_table_find(const hy_table *table, int task)
{
    if (task == PVAS_CREATOR) return (int)table->partitions;
    if (task < 0) return -1;
    /* Acquire: pairs with the release of the number, so that the entry is complete. */
    for (uint32_t i = 0; i < table->partitions; i++)
        if (hy_load_acquire(&table->members[i].number) == task) return (int)i;
    return -1;
}
