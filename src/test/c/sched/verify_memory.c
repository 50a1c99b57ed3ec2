/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define HY_VERIFY_CELLS (UINT64_C(1) << 24)

int hy_memory_open(hy_memory *m, int size, uint64_t grain, uint64_t rank_cells)
{
    memset(m, 0, sizeof *m);
    if (rank_cells > HY_VERIFY_CELLS / (uint64_t)size)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "cannot verify %llu elements a rank; take fewer, larger elements",
                       (unsigned long long)rank_cells);
    m->size = size;
    m->grain = grain;
    m->rank_cells = rank_cells;
    size_t ranks = (size_t)size, cells = (size_t)m->rank_cells * ranks;
    m->cells = calloc(cells + 1, sizeof *m->cells);
    m->clocks = calloc(ranks * ranks, sizeof *m->clocks);
    if (m->cells && m->clocks) return HAYATE_OK;
    hy_memory_close(m);
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to verify %d ranks of %zu elements", size,
                   (size_t)rank_cells);
}

void hy_memory_reset(hy_memory *m)
{
    size_t ranks = (size_t)m->size;
    memset(m->cells, 0, (size_t)m->rank_cells * ranks * sizeof *m->cells);
    memset(m->clocks, 0, ranks * ranks * sizeof *m->clocks);
    m->reads_count = m->reads_free = 0;
}

void hy_memory_close(hy_memory *m)
{
    free(m->cells);
    free(m->clocks);
    free(m->reads);
    m->cells = NULL;
    m->clocks = m->reads = NULL;
}

static uint32_t *reads_of(const hy_memory *m, uint32_t number)
{
    return m->reads + (size_t)(number - 1) * (size_t)m->size;
}

/* A number of new clocks, all zero; 0: memory is out. */
static uint32_t take_reads(hy_memory *m)
{
    uint32_t number = m->reads_free;
    size_t bytes = (size_t)m->size * sizeof *m->reads;
    if (number) {
        m->reads_free = reads_of(m, number)[0];
    } else if (m->reads_count == m->reads_capacity) {
        uint32_t capacity = m->reads_capacity ? m->reads_capacity * 2 : 64;
        uint32_t *reads = realloc(m->reads, capacity * bytes);
        if (!reads) return 0;
        m->reads = reads;
        m->reads_capacity = capacity;
    }
    if (!number) number = ++m->reads_count;
    memset(reads_of(m, number), 0, bytes);
    return number;
}

static void give_reads(hy_memory *m, uint32_t number)
{
    reads_of(m, number)[0] = m->reads_free;
    m->reads_free = number;
}

/* From one reader to many. */
static bool spread(hy_memory *m, hy_cell *cell)
{
    cell->readers = take_reads(m);
    if (cell->readers) reads_of(m, cell->readers)[cell->reader] = cell->read_clock;
    return cell->readers != 0;
}

int hy_memory_read(hy_memory *m, int by, hy_span span, uint64_t *at)
{
    hy_cell *cell = hy_memory_cells(m, span);
    const uint32_t *clock = hy_memory_clock(m, by);
    for (uint64_t i = 0; i < span.count; i++, cell++) {
        *at = span.first + i;
        if (cell->write_clock > clock[cell->writer]) return cell->writer;
        if (!cell->readers && cell->read_clock > clock[cell->reader] && !spread(m, cell))
            return HY_RACE_UNKNOWN;
        if (cell->readers) reads_of(m, cell->readers)[by] = clock[by];
        cell->reader = (uint8_t)by;
        cell->read_clock = clock[by];
    }
    return HY_NO_RACE;
}

static int racing_reader(const hy_memory *m, const hy_cell *cell, const uint32_t *clock)
{
    if (!cell->readers) return cell->read_clock > clock[cell->reader] ? cell->reader : HY_NO_RACE;
    const uint32_t *reads = reads_of(m, cell->readers);
    for (int reader = 0; reader < m->size; reader++)
        if (reads[reader] > clock[reader]) return reader;
    return HY_NO_RACE;
}

int hy_memory_write(hy_memory *m, int by, hy_span span, uint64_t *at)
{
    hy_cell *cell = hy_memory_cells(m, span);
    const uint32_t *clock = hy_memory_clock(m, by);
    for (uint64_t i = 0; i < span.count; i++, cell++) {
        int racer = racing_reader(m, cell, clock);
        if (racer < 0 && cell->write_clock > clock[cell->writer]) racer = cell->writer;
        *at = span.first + i;
        if (racer >= 0) return racer;
        if (cell->readers) give_reads(m, cell->readers);
        cell->readers = cell->read_clock = 0;
        cell->writer = (uint8_t)by;
        cell->write_clock = clock[by];
    }
    return HY_NO_RACE;
}
