/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbolic memory of all ranks: an array of cells, a cell being one element. A cell knows what it
 * holds (whose contributions to which element of which run) and who touched it last, as vector
 * clocks: an access is a race unless the conflicting one before it happened before it.
 *
 * Of the readers since the last write only the latest is kept while each read happened before the
 * next one, else a clock for each rank: Flanagan and Freund, "FastTrack: efficient and precise
 * dynamic race detection", 2009. Most cells have one reader, so 64 ranks fit.
 */
#ifndef HY_SCHED_VERIFY_MEMORY_H
#define HY_SCHED_VERIFY_MEMORY_H

#include <stdint.h>

#include "sched/schedule.h"

#define HY_VERIFY_RANKS 64 /* a set of ranks is one word */

/* Index of what lies between blocks: nobody may read or write it. */
#define HY_VERIFY_GAP UINT32_MAX

typedef struct hy_value {
    uint64_t ranks; /* whose contributions; 0: never written */
    uint32_t run;
    uint32_t
        index; /* which element: of these ranks' IN, or of OUT when the collective is in place */
} hy_value;

typedef struct hy_cell {
    hy_value value;
    uint32_t write_clock, read_clock; /* read_clock 0: not read since it was written */
    uint32_t readers;                 /* many readers: number of their clocks, from 1 on */
    uint8_t writer, reader;
} hy_cell;

typedef struct hy_memory {
    int size;
    uint64_t grain; /* bytes of a cell */
    uint64_t rank_cells;
    hy_cell *cells;   /* [rank][cell] */
    uint32_t *clocks; /* [rank][rank], a vector clock each */
    uint32_t *reads;  /* [number - 1][rank]: clocks of cells with many readers; [0]: next free */
    uint32_t reads_count, reads_capacity, reads_free;
} hy_memory;

/* A run of cells of one region of one rank. */
typedef struct hy_span {
    int rank;
    hy_region region;
    uint64_t base;         /* of the region in the rank's cells */
    uint64_t first, count; /* in cells, from the region's start */
} hy_span;

int hy_memory_open(hy_memory *m, int size, uint64_t grain, uint64_t rank_cells);
void hy_memory_reset(hy_memory *m); /* nothing written, nothing touched */
void hy_memory_close(hy_memory *m);

static inline hy_cell *hy_memory_cells(const hy_memory *m, hy_span span)
{
    return m->cells + (size_t)((uint64_t)span.rank * m->rank_cells + span.base + span.first);
}

static inline uint32_t *hy_memory_clock(const hy_memory *m, int rank)
{
    return m->clocks + (size_t)rank * (size_t)m->size;
}

#define HY_NO_RACE (-1)
#define HY_RACE_UNKNOWN (-2) /* memory is out */

/* Records the access of rank `by`. The rank it races with, or the above; *at is then the cell. */
int hy_memory_read(hy_memory *m, int by, hy_span span, uint64_t *at);
int hy_memory_write(hy_memory *m, int by, hy_span span, uint64_t *at);

#endif
