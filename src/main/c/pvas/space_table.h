/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tasks of a space and its creator know about each other: memory of the creator that all
 * of them can access while the space exists. The creator writes the members; each process writes
 * its own exports. Tasks may run other versions of this code, so the layout has a number.
 */
#ifndef HY_PVAS_SPACE_TABLE_H
#define HY_PVAS_SPACE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hayate/pvas.h>

#include "pvas/outside.h"

#define HY_TABLE_MAGIC UINT64_C(0x656c6261742d796b)
#define HY_TABLE_LAYOUT 1
#define HY_NAME_WORDS ((PVAS_NAME_MAX + 1) / 8)

typedef struct hy_export {
    _Atomic uint64_t name[HY_NAME_WORDS]; /* padded with 0; all 0: free */
    _Atomic uint64_t memory, bytes;
} hy_export;

/* Odd during a change: see exports.h. */
typedef struct hy_exports {
    _Atomic uint32_t sequence;
    uint32_t unused;
    hy_export entries[PVAS_EXPORTS_MAX];
} hy_exports;

#define HY_NO_TASK (-2) /* PVAS_CREATOR is -1 */

/* The state of a partition. Its task writes `failed`. */
typedef struct hy_member {
    _Atomic int32_t number; /* HY_NO_TASK: none */
    _Atomic int32_t pid;    /* 0: not started yet, or waited for */
    _Atomic int32_t ended;
    _Atomic int32_t leads_group;
    _Atomic int32_t failed; /* the errno that kept the task from starting its program */
} hy_member;

typedef struct hy_table {
    uint64_t magic;
    uint32_t layout;
    uint32_t partitions;
    uint64_t base, partition_bytes;
    int32_t creator;         /* pid */
    _Atomic int32_t closing; /* not 0: the space is being destroyed */
    uint8_t id[16];
    uint64_t exports_offset; /* of hy_exports[partitions + 1], of which the last is the creator's */
    uint64_t outside_offset; /* of hy_outside[partitions], which the tasks write */
    hy_member members[];
} hy_table;

/* A table for `partitions` in one mapping of *bytes; NULL: no memory. */
hy_table *hy_table_make(uint32_t partitions, size_t *bytes);

HY_BARE static inline hy_exports *hy_table_exports(hy_table *table, uint32_t index)
{
    return (hy_exports *)((char *)table + table->exports_offset) + index;
}

static inline hy_outside *hy_table_outside(hy_table *table, uint32_t index)
{
    return (hy_outside *)((char *)table + table->outside_offset) + index;
}

/* The index of the task's partition; the number of partitions for PVAS_CREATOR; -1: there is no
 * such task. */
int hy_table_find(const hy_table *table, int task);

#endif
