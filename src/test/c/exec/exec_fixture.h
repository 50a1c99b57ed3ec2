/* SPDX-License-Identifier: Apache-2.0 */
/* Executors of the ranks of a world, each with a schedule and a buffer of numbers. */
#ifndef HY_TEST_EXEC_FIXTURE_H
#define HY_TEST_EXEC_FIXTURE_H

#include "job/world_fixture.h"

#include "coll/reductions.h"
#include "exec/exec.h"
#include "exec/places.h"

#define HEAP (UINT64_C(2) << 20)

static world w;
static hy_exec execs[WORLD_MOST];
static hy_schedule schedules[WORLD_MOST];
static uint8_t *buffers[WORLD_MOST];

/* Whether signals go by cells, as far as they have room there. The numbers of collectives go on. */
static bool by_cells;
static uint64_t number, heads[HY_CELLS_DEPTH];

static inline uint8_t *place(int rank, uint64_t bytes, bool heap)
{
    uint8_t *memory = heap ? hy_job_alloc(w.jobs[rank], bytes + 64) : malloc(bytes + 64);
    assert_non_null(memory);
    return memory;
}

static inline void displace(int rank, uint8_t *memory, bool heap)
{
    if (heap) assert_ok(hy_job_release(w.jobs[rank], memory));
    else free(memory);
}

static inline int64_t start_value(int rank, uint64_t i)
{
    return rank * 1000003 + (int64_t)i * 7 + 1;
}

static inline void get_ready(int rank, const hy_algorithm *algorithm, const hy_way *way,
                             const hy_shape *shape, bool heap)
{
    hy_shape mine = *shape;
    hy_exec *exec = &execs[rank];
    mine.rank = rank;
    assert_ok(hy_schedule_build(&schedules[rank], algorithm, &mine, way));
    uint64_t tmp = schedules[rank].tmp_bytes;
    assert_ok(hy_exec_open(exec, &w.groups[rank]));
    exec->number = number;
    memcpy(exec->heads, heads, sizeof heads);
    if (by_cells) assert_ok(hy_places_find(&schedules[rank], &exec->cells));
    if (shape->boxes) assert_non_null(exec->cells.boxes);
    exec->base[HY_OUT] = buffers[rank] = place(rank, shape->bytes, heap);
    exec->bytes[HY_OUT] = shape->bytes;
    exec->base[HY_TMP] = place(rank, tmp, heap);
    exec->bytes[HY_TMP] = tmp;
    exec->fold.unit = shape->unit;
    exec->fold.reduce = hy_reductions[FMPL_LONG_SUM].apply;
    for (uint64_t i = 0; i < shape->bytes / 8; i++) {
        int64_t value = start_value(rank, i);
        memcpy(buffers[rank] + i * 8, &value, 8);
    }
    memset(buffers[rank] + shape->bytes, 0xee, 64);
    hy_exec_start(exec, &schedules[rank], 0xc00c1e);
    memcpy(heads, exec->heads, sizeof heads); /* the same on all */
}

static inline void clean_up(int rank, bool heap)
{
    displace(rank, buffers[rank], heap);
    displace(rank, execs[rank].base[HY_TMP], heap);
    hy_exec_close(&execs[rank]);
    hy_schedule_release(&schedules[rank]);
}

#endif
