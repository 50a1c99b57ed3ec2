/* SPDX-License-Identifier: Apache-2.0 */
/* Up to eight ranks in one process, without a launcher: jobs whose parts are separate allocations
 * (so that a sanitizer sees every step outside), and the group of all of them. "Single copy" is a
 * memcpy. Nothing here sleeps: who waits polls. */
#ifndef HY_TEST_WORLD_FIXTURE_H
#define HY_TEST_WORLD_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "wire/cells.h"

#define WORLD_MOST 8
#define WORLD_SYSTEM (UINT64_C(1) << 20)

typedef struct world {
    int size;
    hy_bell bells[WORLD_MOST];
    hy_job *jobs[WORLD_MOST];
    hy_group groups[WORLD_MOST];
} world;

static inline hy_job *world_job(uint64_t heap_bytes)
{
    hy_job *job = aligned_alloc(HY_LINE, hy_round_up(sizeof *job, HY_LINE));
    assert_non_null(job);
    *job = (hy_job){.part_bytes = WORLD_SYSTEM + heap_bytes, .heap_start = WORLD_SYSTEM};
    job->part = aligned_alloc(4096, job->part_bytes);
    assert_non_null(job->part);
    memset(job->part, 0, job->part_bytes);
    job->counters = (hy_counters *)(void *)job->part;
    job->eager_limit = job->eager_bytes = 4096;
    job->single_copy = true;
    pthread_mutex_init(&job->lock, NULL);
    pthread_mutex_init(&job->asking, NULL);
    uint64_t first;
    assert_ok(hy_heap_open(&job->system, WORLD_SYSTEM));
    assert_ok(hy_heap_open(&job->heap, heap_bytes));
    assert_ok(hy_heap_take(&job->system, sizeof(hy_counters), HY_LINE, &first));
    job->system_high = WORLD_SYSTEM;
    return job;
}

static inline void world_eps(world *w, int rank)
{
    hy_job *job = w->jobs[rank];
    job->rank = rank;
    job->size = w->size;
    job->bell = &w->bells[rank];
    job->eps = calloc((size_t)w->size, sizeof *job->eps);
    job->eps_count = (uint32_t)w->size;
    hy_sparse_open(&job->other_eps, (uint64_t)w->size);
    assert_non_null(job->eps);
    for (int peer = 0; peer < w->size; peer++)
        job->eps[peer] = (hy_ep){.ops = &hy_path_shm,
                                 .single = &hy_path_direct,
                                 .part = w->jobs[peer]->part,
                                 .part_bytes = w->jobs[peer]->part_bytes,
                                 .bell = &w->bells[peer],
                                 .here = true,
                                 .rank = peer};
}

static inline void world_group(world *w, int rank)
{
    hy_group *group = &w->groups[rank];
    hy_job *job = w->jobs[rank];
    size_t size = (size_t)w->size;
    *group = (hy_group){.job = job, .rank = rank, .size = w->size};
    group->stride = 1;
    group->opened = w->size;
    group->channels = aligned_alloc(HY_LINE, size * sizeof *group->channels);
    assert_true(group->channels != NULL);
    assert_int_equal(hy_job_system_take(job, size * sizeof(hy_match), &group->own.match_offset), 0);
    assert_int_equal(hy_job_system_take(job, size * HY_CHANNEL_FLAG_BYTES, &group->own.flag_offset),
                     0);
    assert_int_equal(hy_job_system_take(job, hy_cells_bytes(size), &group->own.cells_offset), 0);
    group->theirs = group->own;
}

/* All ranks have made the same calls: their offsets are the same. */
static inline void world_channels(world *w, int rank)
{
    hy_group *group = &w->groups[rank];
    uint64_t mine = (uint64_t)rank;
    for (int peer = 0; peer < w->size; peer++) {
        uint64_t its = (uint64_t)peer;
        uint8_t *part = group->job->part;
        uint8_t *in = part + group->own.flag_offset + its * HY_CHANNEL_FLAG_BYTES;
        uint8_t *match = part + group->own.match_offset + its * sizeof(hy_match);
        hy_channel_open(&group->channels[peer], group->job, peer, in, (hy_match *)(void *)match,
                        group->own.flag_offset + mine * HY_CHANNEL_FLAG_BYTES,
                        group->own.match_offset + mine * sizeof(hy_match));
    }
}

static inline void world_open(world *w, int size, uint64_t heap_bytes)
{
    *w = (world){.size = size};
    for (int i = 0; i < size; i++) w->jobs[i] = world_job(heap_bytes);
    for (int i = 0; i < size; i++) world_eps(w, i);
    for (int i = 0; i < size; i++) world_group(w, i);
    for (int i = 0; i < size; i++) world_channels(w, i);
}

static inline void world_close(world *w)
{
    for (int i = 0; i < w->size; i++) {
        hy_job *job = w->jobs[i];
        hy_group_close(&w->groups[i]);
        hy_heap_close(&job->system);
        hy_heap_close(&job->heap);
        pthread_mutex_destroy(&job->lock);
        pthread_mutex_destroy(&job->asking);
        free(job->late);
        free(job->eps);
        free(job->part);
        free(job);
    }
}

#endif
