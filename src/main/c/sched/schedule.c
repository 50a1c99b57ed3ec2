/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks shapes, computes the sizes of regions, and builds schedules; the trivial cases, with one
 * rank or without data, are built here.
 */
#include "sched/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/status.h"
#include "sched/builder.h"
#include "sched/nodes.h"

bool hy_coll_has_root(hy_coll coll)
{
    return coll == HY_COLL_BCAST || coll == HY_COLL_REDUCE || coll == HY_COLL_GATHER ||
           coll == HY_COLL_SCATTER;
}

bool hy_coll_has_blocks(hy_coll coll)
{
    return coll >= HY_COLL_GATHER && coll <= HY_COLL_REDUCE_SCATTER;
}

const hy_algorithm *hy_algorithm_find(hy_coll coll, const char *name)
{
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
        if ((*a)->coll == coll && strcmp((*a)->name, name) == 0) return *a;
    return NULL;
}

/* End of the last block. */
static uint64_t extent(const hy_shape *s, const hy_block *blocks)
{
    uint64_t end = 0;
    if (!blocks) return s->bytes * (uint64_t)s->size;
    for (int i = 0; i < s->size; i++)
        if (blocks[i].len && blocks[i].off + blocks[i].len > end)
            end = blocks[i].off + blocks[i].len;
    return end;
}

static uint64_t in_bytes(const hy_shape *s)
{
    switch (s->coll) {
    case HY_COLL_GATHER:
    case HY_COLL_ALLGATHER:
    case HY_COLL_SCAN:
    case HY_COLL_EXSCAN: return s->bytes;
    case HY_COLL_SCATTER: return s->rank == s->root ? extent(s, s->in_blocks) : 0;
    case HY_COLL_ALLTOALL:
    case HY_COLL_REDUCE_SCATTER: return extent(s, s->in_blocks);
    default: return 0;
    }
}

static uint64_t out_bytes(const hy_shape *s)
{
    switch (s->coll) {
    case HY_COLL_BARRIER: return 0;
    case HY_COLL_GATHER: return s->rank == s->root ? extent(s, s->out_blocks) : 0;
    case HY_COLL_ALLGATHER:
    case HY_COLL_ALLTOALL: return extent(s, s->out_blocks);
    default: return s->bytes;
    }
}

uint64_t hy_region_bytes(const hy_shape *shape, hy_region region)
{
    return region == HY_IN ? in_bytes(shape) : region == HY_OUT ? out_bytes(shape) : 0;
}

bool hy_shape_is_private(const hy_shape *shape)
{
    return shape->uneven && shape->coll != HY_COLL_ALLGATHER &&
           shape->coll != HY_COLL_REDUCE_SCATTER;
}

const hy_block *hy_shape_view(const hy_shape *shape, hy_region region)
{
    if (!hy_shape_is_private(shape)) return NULL;
    return region == HY_IN ? shape->in_blocks : region == HY_OUT ? shape->out_blocks : NULL;
}

uint64_t hy_shape_view_bytes(const hy_shape *shape, hy_region region, int peer)
{
    const hy_block *own = region == HY_IN ? shape->out_blocks : shape->in_blocks;
    return own ? own[peer].len : shape->bytes;
}

/* The data of `turns` turns on the root; and as many lines, one for each rank and turn. */
static bool turns_fit(const hy_shape *s, uint32_t turns)
{
    uint64_t most = HY_WIRED_BYTES / turns, size = (uint64_t)s->size;
    uint64_t blocks = hy_coll_has_blocks(s->coll) ? size : 1;
    return s->bytes <= most / blocks && size * HY_LINE <= most;
}

uint32_t hy_wired_depth(const hy_shape *shape)
{
    uint32_t depth = HY_WIRED_DEPTH_MOST;
    if (!hy_coll_has_root(shape->coll) || shape->uneven) return HY_WIRED_DEPTH;
    while (depth > HY_WIRED_DEPTH && !turns_fit(shape, depth)) depth /= 2;
    return depth;
}

static int check_blocks(const hy_shape *s, const hy_block *blocks, const char *side)
{
    for (int i = 0; blocks && i < s->size; i++) {
        const hy_block *b = &blocks[i];
        if (b->len % s->unit || b->off % s->unit || b->off > INT64_MAX ||
            b->len > INT64_MAX - b->off)
            return hy_fail(HAYATE_ERR_ARGUMENT,
                           "%s: block %d of %s (%llu B at %llu) is not of whole elements of %u B",
                           hy_coll_name(s->coll), i, side, (unsigned long long)b->len,
                           (unsigned long long)b->off, s->unit);
    }
    if (blocks && blocks[s->rank].len != s->bytes)
        return hy_fail(
            HAYATE_ERR_ARGUMENT,
            "%s: this rank's block %d of %s has %llu B, expected the %llu B of the shape",
            hy_coll_name(s->coll), s->rank, side, (unsigned long long)blocks[s->rank].len,
            (unsigned long long)s->bytes);
    return HAYATE_OK;
}

/* Without its blocks, an uneven shape would be treated as an even one. */
static int check_uneven(const hy_shape *s)
{
    bool in = s->coll == HY_COLL_ALLTOALL || s->coll == HY_COLL_REDUCE_SCATTER ||
              (s->coll == HY_COLL_SCATTER && s->rank == s->root);
    bool out = s->coll == HY_COLL_ALLTOALL || s->coll == HY_COLL_ALLGATHER ||
               (s->coll == HY_COLL_GATHER && s->rank == s->root);
    if (s->uneven && !hy_coll_has_blocks(s->coll))
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s has no blocks that could be uneven",
                       hy_coll_name(s->coll));
    if (!s->uneven && (s->in_blocks || s->out_blocks))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s: blocks are given, but expected for uneven shapes only",
                       hy_coll_name(s->coll));
    if (s->uneven && ((in && !s->in_blocks) || (out && !s->out_blocks)))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s: uneven, but %s has no blocks; expected one per rank",
                       hy_coll_name(s->coll), in && !s->in_blocks ? "IN" : "OUT");
    return HAYATE_OK;
}

int hy_shape_check(const hy_shape *s)
{
    if ((unsigned)s->coll >= HY_COLL_COUNT)
        return hy_fail(HAYATE_ERR_ARGUMENT, "collective number %d is unknown, expected 0 .. %d",
                       (int)s->coll, HY_COLL_COUNT - 1);
    if (s->size < 1 || s->rank < 0 || s->rank >= s->size || s->root < 0 || s->root >= s->size)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s: rank %d and root %d: expected ranks of a communicator of %d",
                       hy_coll_name(s->coll), s->rank, s->root, s->size);
    if (s->unit < 1 || s->bytes % s->unit != 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %llu B are not whole elements of %u B",
                       hy_coll_name(s->coll), (unsigned long long)s->bytes, s->unit);
    if (s->bytes > (uint64_t)INT64_MAX / (uint64_t)s->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %llu B on %d ranks are more than can be addressed",
                       hy_coll_name(s->coll), (unsigned long long)s->bytes, s->size);
    if (s->nodes && s->nodes->size != s->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %d ranks, but the node map is for %d",
                       hy_coll_name(s->coll), s->size, s->nodes->size);
    int rc = check_uneven(s);
    if (rc == HAYATE_OK) rc = check_blocks(s, s->in_blocks, "IN");
    return rc ? rc : check_blocks(s, s->out_blocks, "OUT");
}

static int check_algorithm(const hy_algorithm *algorithm, const hy_shape *s)
{
    if (!algorithm)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: no algorithm given", hy_coll_name(s->coll));
    if (algorithm->coll != s->coll)
        return hy_fail(HAYATE_ERR_ARGUMENT, "algorithm %s is for %s, not for %s", algorithm->name,
                       hy_coll_name(algorithm->coll), hy_coll_name(s->coll));
    if (!algorithm->applies(s))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s algorithm %s does not apply to %d ranks and elements of %u B (it needs "
                       "%s); choose another one",
                       hy_coll_name(s->coll), algorithm->name, s->size, s->unit,
                       algorithm->needs ? algorithm->needs : "something else");
    if (s->uneven && !(algorithm->traits & HY_TRAIT_UNEVEN))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s algorithm %s needs blocks of equal length; choose another one",
                       hy_coll_name(s->coll), algorithm->name);
    return HAYATE_OK;
}

/* Only one rank, or nothing to move: generators need not handle these cases. In an uneven
 * collective, some rank may have data to move nevertheless. */
static bool trivial(const hy_shape *s)
{
    return s->coll != HY_COLL_BARRIER && s->bytes == 0 && !s->uneven;
}

static hy_place own_in(const hy_shape *s)
{
    bool each = s->coll != HY_COLL_GATHER && s->coll != HY_COLL_ALLGATHER;
    return HY_AT(HY_IN, each ? hy_in_block(s, s->rank).off : 0);
}

static hy_place own_out(const hy_shape *s)
{
    bool each = s->coll != HY_COLL_SCATTER && s->coll != HY_COLL_REDUCE_SCATTER;
    return HY_AT(HY_OUT, each ? hy_out_block(s, s->rank).off : 0);
}

/* A single rank moves its own block at most. */
static int build_alone(hy_schedule *schedule)
{
    const hy_shape *s = &schedule->shape;
    if (s->coll == HY_COLL_SCAN)
        hy_emit_copy(schedule, HY_AT(HY_IN, 0), HY_AT(HY_OUT, 0), s->bytes);
    if (hy_coll_has_blocks(s->coll)) hy_emit_copy(schedule, own_in(s), own_out(s), s->bytes);
    return hy_emit_end(schedule);
}

int hy_emit_all(hy_schedule *schedule)
{
    if (trivial(&schedule->shape)) return HAYATE_OK;
    if (schedule->shape.size == 1) return build_alone(schedule);
    return schedule->algorithm->build(schedule);
}

int hy_schedule_window(hy_schedule *schedule, const hy_algorithm *algorithm, const hy_shape *shape,
                       const hy_way *way, uint64_t first, uint64_t limit)
{
    int rc = hy_shape_check(shape);
    if (rc == HAYATE_OK) rc = check_algorithm(algorithm, shape);
    if (rc != HAYATE_OK) return rc;
    hy_schedule fresh = {.shape = *shape,
                         .way = way ? *way : (hy_way){0},
                         .algorithm = algorithm,
                         .capacity = schedule->capacity,
                         .steps = schedule->steps,
                         .first = first,
                         .limit = limit};
    rc = hy_way_complete(algorithm, shape, &fresh.way);
    if (rc != HAYATE_OK) return rc;
    *schedule = fresh;
    rc = hy_emit_all(schedule);
    if (rc != HAYATE_OK) hy_schedule_release(schedule);
    return rc;
}

int hy_schedule_build(hy_schedule *schedule, const hy_algorithm *algorithm, const hy_shape *shape,
                      const hy_way *way)
{
    memset(schedule, 0, sizeof *schedule);
    return hy_schedule_window(schedule, algorithm, shape, way, 0, UINT64_MAX);
}

void hy_schedule_release(hy_schedule *schedule)
{
    free(schedule->steps);
    free(schedule->places);
    memset(schedule, 0, sizeof *schedule);
}
