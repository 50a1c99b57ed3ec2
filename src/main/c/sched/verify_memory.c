/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define HY_VERIFY_CLOCKS (UINT64_C(1) << 27)

static int too_large(uint64_t cells)
{
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "cannot verify %llu elements a rank; take fewer, larger elements",
                   (unsigned long long)cells);
}

int hy_memory_open(hy_memory *m, int size, uint64_t grain, uint64_t out, uint64_t tmp)
{
    uint64_t limit = HY_VERIFY_CLOCKS / (uint64_t)size / (uint64_t)size;
    uint64_t out_cells = out / grain, tmp_cells = (tmp + grain - 1) / grain;
    memset(m, 0, sizeof *m);
    if (out_cells > limit || tmp_cells > limit - out_cells) return too_large(out_cells);
    m->size = size;
    m->grain = grain;
    m->out_cells = out_cells;
    m->rank_cells = out_cells + tmp_cells;
    size_t ranks = (size_t)size, cells = (size_t)m->rank_cells * ranks;
    m->cells = calloc(cells + 1, sizeof *m->cells);
    m->read_clocks = malloc((cells * ranks + 1) * sizeof *m->read_clocks);
    m->clocks = calloc(ranks * ranks, sizeof *m->clocks);
    if (m->cells && m->read_clocks && m->clocks) return HAYATE_OK;
    hy_memory_close(m);
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to verify %d ranks of %zu elements", size,
                   (size_t)m->rank_cells);
}

void hy_memory_reset(hy_memory *m)
{
    size_t ranks = (size_t)m->size;
    memset(m->cells, 0, (size_t)m->rank_cells * ranks * sizeof *m->cells);
    memset(m->clocks, 0, ranks * ranks * sizeof *m->clocks);
}

void hy_memory_close(hy_memory *m)
{
    free(m->cells);
    free(m->read_clocks);
    free(m->clocks);
    m->cells = NULL;
    m->read_clocks = m->clocks = NULL;
}

static size_t cell_index(const hy_memory *m, hy_span span)
{
    uint64_t base = (uint64_t)span.rank * m->rank_cells;
    return (size_t)(base + (span.region == HY_TMP ? m->out_cells : 0) + span.first);
}

hy_cell *hy_memory_cells(const hy_memory *m, hy_span span)
{
    return m->cells + cell_index(m, span);
}

int hy_memory_read(hy_memory *m, int by, hy_span span, uint64_t *at)
{
    size_t index = cell_index(m, span);
    const uint32_t *clock = hy_memory_clock(m, by);
    for (uint64_t i = 0; i < span.count; i++, index++) {
        hy_cell *cell = &m->cells[index];
        if (cell->write_clock > clock[cell->writer]) {
            *at = span.first + i;
            return cell->writer;
        }
        cell->readers |= UINT64_C(1) << by;
        m->read_clocks[index * (size_t)m->size + (size_t)by] = clock[by];
    }
    return -1;
}

static int racing_reader(const hy_memory *m, size_t index, const uint32_t *clock)
{
    const uint32_t *read = m->read_clocks + index * (size_t)m->size;
    for (uint64_t left = m->cells[index].readers; left; left &= left - 1) {
        int reader = __builtin_ctzll(left);
        if (read[reader] > clock[reader]) return reader;
    }
    return -1;
}

int hy_memory_write(hy_memory *m, int by, hy_span span, uint64_t *at)
{
    size_t index = cell_index(m, span);
    const uint32_t *clock = hy_memory_clock(m, by);
    for (uint64_t i = 0; i < span.count; i++, index++) {
        hy_cell *cell = &m->cells[index];
        int racer = racing_reader(m, index, clock);
        if (racer < 0 && cell->write_clock > clock[cell->writer]) racer = cell->writer;
        if (racer >= 0) {
            *at = span.first + i;
            return racer;
        }
        cell->readers = 0;
        cell->writer = by;
        cell->write_clock = clock[by];
    }
    return -1;
}
