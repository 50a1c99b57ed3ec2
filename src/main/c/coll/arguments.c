/* SPDX-License-Identifier: Apache-2.0 */
/* Checks numbers first, then blocks, then the memory of both sides. */
#include "coll/arguments.h"

#include <stdlib.h>

#include "sched/builder.h"

bool hy_arguments_has_side(const hy_shape *s, hy_region region)
{
    bool root = s->rank == s->root;
    switch (s->coll) {
    case HY_COLL_BARRIER: return false;
    case HY_COLL_GATHER: return region == HY_IN || root;
    case HY_COLL_SCATTER: return region == HY_OUT || root;
    case HY_COLL_BCAST:
    case HY_COLL_REDUCE:
    case HY_COLL_ALLREDUCE: return region == HY_OUT;
    default: return true;
    }
}

bool hy_arguments_reads_out(const hy_shape *s)
{
    if (s->coll == HY_COLL_BCAST) return s->rank == s->root;
    return s->uneven || s->coll == HY_COLL_REDUCE || s->coll == HY_COLL_ALLREDUCE;
}

bool hy_arguments_changes_out(const hy_shape *s)
{
    if (s->coll == HY_COLL_BCAST) return s->rank != s->root;
    if (s->coll == HY_COLL_REDUCE) return s->rank == s->root;
    return s->coll != HY_COLL_EXSCAN || s->rank > 0;
}

uint64_t hy_arguments_bytes(const hy_shape *s, hy_region region)
{
    return hy_arguments_has_side(s, region) ? hy_region_bytes(s, region) : 0;
}

/* ---- blocks ---- */

static int bad_block(const char *side, int i, int64_t size, int64_t offset, uint32_t unit)
{
    return hy_fail(
        HAYATE_ERR_ARGUMENT,
        "%s: block %d has %lld bytes at %lld: expected 0 or more, in whole elements of %u "
        "bytes",
        side, i, (long long)size, (long long)offset, unit);
}

static int fill_blocks(hy_block *blocks, const hy_shape *s, const int64_t *sizes,
                       const int64_t *offsets, const char *side)
{
    int64_t next = 0;
    for (int i = 0; i < s->size; i++) {
        int64_t offset = offsets ? offsets[i] : next;
        if (sizes[i] < 0 || offset < 0 || sizes[i] > INT64_MAX - offset || sizes[i] % s->unit ||
            offset % s->unit)
            return bad_block(side, i, sizes[i], offset, s->unit);
        next = offset + sizes[i];
        blocks[i] = (hy_block){(uint64_t)offset, (uint64_t)sizes[i]};
    }
    return HAYATE_OK;
}

static int by_offset(const void *a, const void *b)
{
    const hy_block *x = a, *y = b;
    return x->off < y->off ? -1 : x->off > y->off;
}

int hy_arguments_apart(const hy_shape *s)
{
    const hy_block *blocks = s->out_blocks;
    if (!blocks) return HAYATE_OK;
    hy_block *sorted = malloc((size_t)s->size * sizeof *sorted);
    if (!sorted) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to check %d blocks", s->size);
    int count = 0, rc = HAYATE_OK;
    for (int i = 0; i < s->size; i++)
        if (blocks[i].len) sorted[count++] = blocks[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_offset);
    for (int i = 1; i < count && !rc; i++) {
        if (sorted[i - 1].off + sorted[i - 1].len > sorted[i].off)
            rc = hy_fail(HAYATE_ERR_ARGUMENT, "out: the blocks at byte %llu and %llu overlap",
                         (unsigned long long)sorted[i - 1].off, (unsigned long long)sorted[i].off);
    }
    free(sorted);
    return rc;
}

/* Element counts of consecutive blocks. */
static int fill_counts(hy_block *blocks, const hy_shape *s, const int64_t *counts)
{
    int64_t next = 0, unit = (int64_t)s->unit;
    for (int i = 0; i < s->size; i++) {
        if (counts[i] < 0 || counts[i] > (INT64_MAX - next) / unit)
            return hy_fail(HAYATE_ERR_ARGUMENT, "block %d has %lld elements: expected 0 or more", i,
                           (long long)counts[i]);
        blocks[i] = (hy_block){(uint64_t)next, (uint64_t)(counts[i] * unit)};
        next += counts[i] * unit;
    }
    return HAYATE_OK;
}

static int set_in_blocks(hy_block *blocks, hy_shape *s, const hy_arguments *call)
{
    bool counts = s->coll == HY_COLL_REDUCE_SCATTER;
    if (counts && !call->in_counts)
        return hy_fail(HAYATE_ERR_ARGUMENT, "the counts of the blocks are null");
    if (!counts && !call->in_sizes)
        return hy_fail(HAYATE_ERR_ARGUMENT, "in: the sizes of the blocks are null");
    s->in_blocks = blocks;
    return counts ? fill_counts(blocks, s, call->in_counts)
                  : fill_blocks(blocks, s, call->in_sizes, call->in_offsets, "in");
}

static int set_out_blocks(hy_block *blocks, hy_shape *s, const hy_arguments *call)
{
    if (!call->out_sizes)
        return hy_fail(HAYATE_ERR_ARGUMENT, "out: the sizes of the blocks are null");
    s->out_blocks = blocks;
    return fill_blocks(blocks, s, call->out_sizes, call->out_offsets, "out");
}

static int set_blocks(hy_shape *s, const hy_arguments *call, hy_block *in_blocks,
                      hy_block *out_blocks)
{
    bool in = s->coll == HY_COLL_SCATTER || s->coll == HY_COLL_ALLTOALL ||
              s->coll == HY_COLL_REDUCE_SCATTER;
    bool out = s->coll == HY_COLL_GATHER || s->coll == HY_COLL_ALLGATHER ||
               s->coll == HY_COLL_ALLTOALL;
    int rc = HAYATE_OK;
    if (in && hy_arguments_has_side(s, HY_IN)) rc = set_in_blocks(in_blocks, s, call);
    if (!rc && out && hy_arguments_has_side(s, HY_OUT)) rc = set_out_blocks(out_blocks, s, call);
    if (s->coll == HY_COLL_ALLGATHER && !rc) s->bytes = out_blocks[s->rank].len;
    if (in && s->coll != HY_COLL_SCATTER && !rc) s->bytes = in_blocks[s->rank].len;
    return rc;
}

/* ---- sides ---- */

/* limit: bytes of the caller's object, -1: unknown. */
static int check_side(const hy_shape *s, hy_region region, uint64_t bytes, const hy_buffer *buffer,
                      int64_t limit, uint32_t align)
{
    const char *name = region == HY_IN ? "in" : "out";
    if (bytes == 0) return HAYATE_OK;
    if (!buffer->address && !buffer->managed)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s is null but has %llu bytes", name,
                       (unsigned long long)bytes);
    if (limit >= 0 && (uint64_t)limit < bytes)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s has %lld bytes, %s on %d ranks needs %llu", name,
                       (long long)limit, hy_coll_name(s->coll), s->size, (unsigned long long)bytes);
    if ((uintptr_t)buffer->address & (align - 1))
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s is not aligned to its elements of %u bytes", name,
                       align);
    return HAYATE_OK;
}

/* Where in the other side this rank's block may be already; -1: nowhere. */
static int64_t own_place(const hy_shape *s, bool *in_is_block)
{
    *in_is_block = s->coll == HY_COLL_GATHER || s->coll == HY_COLL_ALLGATHER;
    if (*in_is_block) return (int64_t)hy_out_block(s, s->rank).off;
    if (s->coll == HY_COLL_SCATTER) return (int64_t)hy_in_block(s, s->rank).off;
    return -1;
}

static int check_overlap(const hy_shape *s, int64_t in, int64_t out, const hy_arguments *call)
{
    int64_t out_behind_in;
    if (!in || !out || !hy_buffer_distance(&call->in, &call->out, &out_behind_in)) return HAYATE_OK;
    if (out_behind_in >= in || -out_behind_in >= out) return HAYATE_OK;
    bool in_is_block;
    int64_t place = own_place(s, &in_is_block);
    if (place >= 0 && (in_is_block ? -out_behind_in : out_behind_in) == place) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "in and out overlap: give separate memory%s",
                   place >= 0 ? ", or pass this rank's block where it belongs" : "");
}

int hy_arguments_check_memory(const hy_arguments *call, const hy_shape *s, uint64_t in_bytes,
                              uint64_t out_bytes, uint32_t align)
{
    if (call->apart) in_bytes = out_bytes;
    int rc = check_side(s, HY_IN, in_bytes, &call->in, call->in_limit, align);
    if (!rc) rc = check_side(s, HY_OUT, out_bytes, &call->out, call->out_limit, align);
    return rc ? rc : check_overlap(s, (int64_t)in_bytes, (int64_t)out_bytes, call);
}

/* ---- all ---- */

static int check_numbers(const hy_shape *s, const hy_arguments *call)
{
    if (call->count < 0 || call->count > INT64_MAX / s->unit / s->size)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%lld elements of %u bytes: expected 0 or more, and "
                       "no more than can be addressed",
                       (long long)call->count, s->unit);
    if (call->root < 0 || call->root >= s->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "root %d: expected 0 to %d", call->root, s->size - 1);
    return HAYATE_OK;
}

int hy_arguments_check(const hy_arguments *call, const hy_reduction *reduction, hy_shape *s,
                       hy_block *in_blocks, hy_block *out_blocks)
{
    uint32_t align = reduction ? reduction->align : 1;
    s->coll = call->coll;
    s->root = call->root;
    s->unit = reduction ? reduction->unit : 1;
    s->uneven = call->uneven;
    int rc = check_numbers(s, call);
    if (rc) return rc;
    s->bytes = (uint64_t)call->count * s->unit;
    if (call->uneven) rc = set_blocks(s, call, in_blocks, out_blocks);
    if (!rc) rc = hy_shape_check(s);
    return rc ? rc
              : hy_arguments_check_memory(call, s, hy_arguments_bytes(s, HY_IN),
                                          hy_arguments_bytes(s, HY_OUT), align);
}
