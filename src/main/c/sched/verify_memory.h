/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbolic memory of all ranks: an array of cells, a cell being one element. A cell knows what it
 * holds (whose contributions to which element of which run) and who touched it last, as vector
 * clocks: an access is a race unless the conflicting one before it happened before it.
 */
#ifndef HY_SCHED_VERIFY_MEMORY_H
#define HY_SCHED_VERIFY_MEMORY_H

#include <stdint.h>

#include "sched/schedule.h"

#define HY_VERIFY_RANKS 64 /* a set of ranks is one word */

typedef struct hy_value {
    uint64_t ranks; /* whose contributions; 0: never written */
    uint32_t run;
    uint32_t index; /* which element */
} hy_value;

typedef struct hy_cell {
    hy_value value;
    uint64_t readers; /* ranks that have read it since it was written */
    uint32_t write_clock;
    int32_t writer;
} hy_cell;

typedef struct hy_memory {
    int size;
    uint64_t grain; /* bytes of a cell */
    uint64_t out_cells, rank_cells;
    hy_cell *cells;        /* [rank][OUT then TMP] */
    uint32_t *read_clocks; /* [cell][reader], valid where cell.readers says so */
    uint32_t *clocks;      /* [rank][rank], a vector clock each */
} hy_memory;

/* A run of cells of one region of one rank. */
typedef struct hy_span {
    int rank;
    hy_region region;
    uint64_t first, count; /* in cells, from the region's start */
} hy_span;

int hy_memory_open(hy_memory *m, int size, uint64_t grain, uint64_t out, uint64_t tmp);
void hy_memory_reset(hy_memory *m); /* nothing written, nothing touched */
void hy_memory_close(hy_memory *m);

hy_cell *hy_memory_cells(const hy_memory *m, hy_span span);

static inline uint32_t *hy_memory_clock(const hy_memory *m, int rank)
{
    return m->clocks + (size_t)rank * (size_t)m->size;
}

/* Records the access of rank `by`. The rank it races with, or -1; *at is then the cell. */
int hy_memory_read(hy_memory *m, int by, hy_span span, uint64_t *at);
int hy_memory_write(hy_memory *m, int by, hy_span span, uint64_t *at);

#endif
