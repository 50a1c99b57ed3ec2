/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the arguments of a call that can be checked on one rank alone, and fills in shape, blocks
 * and sides. */
#include <stdlib.h>

#include "pcoll/operation.h"
#include "sched/builder.h"

static bool has_side(const hy_shape *s, hy_region region)
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

/* Checks that no two blocks that are written overlap. */
static int check_apart(const hy_block *blocks, const hy_shape *s, const char *side)
{
    hy_block *sorted = malloc((size_t)s->size * sizeof *sorted);
    if (!sorted) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to check %d blocks", s->size);
    int count = 0, rc = HAYATE_OK;
    for (int i = 0; i < s->size; i++)
        if (blocks[i].len) sorted[count++] = blocks[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_offset);
    for (int i = 1; i < count && !rc; i++) {
        if (sorted[i - 1].off + sorted[i - 1].len > sorted[i].off)
            rc = hy_fail(HAYATE_ERR_ARGUMENT, "%s: the blocks at byte %llu and %llu overlap", side,
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

static int take_counts(hy_block **blocks, const hy_shape *s, const int64_t *counts)
{
    if (!counts) return hy_fail(HAYATE_ERR_ARGUMENT, "the counts of the blocks are null");
    *blocks = calloc((size_t)s->size, sizeof **blocks);
    if (!*blocks) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d blocks", s->size);
    return fill_counts(*blocks, s, counts);
}

static int take_blocks(hy_block **blocks, const hy_shape *s, const int64_t *sizes,
                       const int64_t *offsets, const char *side)
{
    if (!sizes) return hy_fail(HAYATE_ERR_ARGUMENT, "%s: the sizes of the blocks are null", side);
    *blocks = calloc((size_t)s->size, sizeof **blocks);
    if (!*blocks) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d blocks", s->size);
    return fill_blocks(*blocks, s, sizes, offsets, side);
}

static int set_blocks(hy_pcoll *op, const hy_pcoll_call *call)
{
    hy_shape *s = &op->shape;
    bool in = s->coll == HY_COLL_SCATTER || s->coll == HY_COLL_ALLTOALL ||
              s->coll == HY_COLL_REDUCE_SCATTER;
    bool out = s->coll == HY_COLL_GATHER || s->coll == HY_COLL_ALLGATHER ||
               s->coll == HY_COLL_ALLTOALL;
    int rc = HAYATE_OK;
    if (s->coll == HY_COLL_REDUCE_SCATTER) rc = take_counts(&op->in_blocks, s, call->in_counts);
    else if (in && has_side(s, HY_IN))
        rc = take_blocks(&op->in_blocks, s, call->in_sizes, call->in_offsets, "in");
    if (!rc && out && has_side(s, HY_OUT)) {
        rc = take_blocks(&op->out_blocks, s, call->out_sizes, call->out_offsets, "out");
        if (!rc) rc = check_apart(op->out_blocks, s, "out");
    }
    s->in_blocks = op->in_blocks;
    s->out_blocks = op->out_blocks;
    if (s->coll == HY_COLL_ALLGATHER && !rc) s->bytes = op->out_blocks[s->rank].len;
    if (in && s->coll != HY_COLL_SCATTER && !rc) s->bytes = op->in_blocks[s->rank].len;
    return rc;
}

/* ---- sides ---- */

/* limit: bytes of the caller's object, -1: unknown. */
static int set_side(hy_side *side, const hy_shape *s, hy_region region, hy_buffer buffer,
                    int64_t limit, uint32_t align)
{
    const char *name = region == HY_IN ? "in" : "out";
    if (!has_side(s, region)) return HAYATE_OK;
    side->bytes = hy_region_bytes(s, region);
    side->buffer = buffer;
    if (side->bytes == 0) return HAYATE_OK;
    if (!buffer.address && !buffer.managed)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s is null but has %llu bytes", name,
                       (unsigned long long)side->bytes);
    if (limit >= 0 && (uint64_t)limit < side->bytes)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s has %lld bytes, %s on %d ranks needs %llu", name,
                       (long long)limit, hy_coll_name(s->coll), s->size,
                       (unsigned long long)side->bytes);
    if ((uintptr_t)buffer.address % align)
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

static int check_overlap(const hy_pcoll *op)
{
    int64_t out_behind_in;
    if (!op->in.bytes || !op->out.bytes) return HAYATE_OK;
    if (!hy_buffer_distance(&op->in.buffer, &op->out.buffer, &out_behind_in)) return HAYATE_OK;
    if (out_behind_in >= (int64_t)op->in.bytes || -out_behind_in >= (int64_t)op->out.bytes)
        return HAYATE_OK;
    bool in_is_block;
    int64_t place = own_place(&op->shape, &in_is_block);
    if (place >= 0 && (in_is_block ? -out_behind_in : out_behind_in) == place) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "in and out overlap: give separate memory%s",
                   place >= 0 ? ", or pass this rank's block where it belongs" : "");
}

/* ---- all ---- */

static int check_numbers(const hy_shape *s, const hy_pcoll_call *call)
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

int hy_pcoll_arguments(hy_pcoll *op, const hy_pcoll_call *call, const hy_reduction *reduction)
{
    const hy_group *group = &op->comm->group;
    hy_shape *s = &op->shape;
    uint32_t align = reduction ? reduction->align : 1;
    *s = (hy_shape){.coll = call->coll,
                    .rank = group->rank,
                    .size = group->size,
                    .root = call->root,
                    .unit = reduction ? reduction->unit : 1,
                    .wired = true,
                    .nodes = op->comm->nodes,
                    .uneven = call->uneven};
    int rc = check_numbers(s, call);
    if (rc) return rc;
    s->bytes = (uint64_t)call->count * s->unit;
    if (call->uneven) rc = set_blocks(op, call);
    if (!rc) rc = hy_shape_check(s);
    if (!rc) rc = set_side(&op->in, s, HY_IN, call->in, call->in_limit, align);
    if (!rc) rc = set_side(&op->out, s, HY_OUT, call->out, call->out_limit, align);
    return rc ? rc : check_overlap(op);
}
