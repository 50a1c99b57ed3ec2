/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify_terms.h"

#include <string.h>

#include "base/status.h"
#include "sched/builder.h"

/* ---- blocks ---- */

/* The side on which shape->rank has a block for each rank. */
static bool has_in_blocks(const hy_shape *s)
{
    if (s->coll == HY_COLL_SCATTER) return s->rank == s->root;
    return s->coll == HY_COLL_ALLTOALL || s->coll == HY_COLL_REDUCE_SCATTER;
}

static bool has_out_blocks(const hy_shape *s)
{
    if (s->coll == HY_COLL_GATHER) return s->rank == s->root;
    return s->coll == HY_COLL_ALLTOALL || s->coll == HY_COLL_ALLGATHER;
}

static bool moves_blocks(hy_coll coll)
{
    return hy_coll_has_blocks(coll);
}

/* ---- do the shapes fit together? ---- */

static int misfit(const hy_shape *s, const char *what)
{
    return hy_fail(HAYATE_ERR_ARGUMENT, "verify: the %s shapes do not fit together: rank %d, %s",
                   hy_coll_name(s->coll), s->rank, what);
}

static int check_sides(const hy_shape *s)
{
    if (!s->uneven) {
        if (s->in_blocks || s->out_blocks) return misfit(s, "has blocks but is not uneven");
        return HAYATE_OK;
    }
    if (!moves_blocks(s->coll)) return misfit(s, "is uneven, but there are no blocks");
    if (has_in_blocks(s) != (s->in_blocks != NULL)) return misfit(s, "blocks of IN");
    if (has_out_blocks(s) != (s->out_blocks != NULL)) return misfit(s, "blocks of OUT");
    return HAYATE_OK;
}

/* Bytes that `from` has for `to`. */
static uint64_t sent(const hy_shape *from, int to)
{
    return has_in_blocks(from) ? hy_in_block(from, to).len : from->bytes;
}

static uint64_t received(const hy_shape *to, int from)
{
    return has_out_blocks(to) ? hy_out_block(to, from).len : to->bytes;
}

static bool goes(const hy_shape *s, int from, int to)
{
    if (s->coll == HY_COLL_GATHER) return to == s->root;
    if (s->coll == HY_COLL_SCATTER) return from == s->root;
    return true;
}

static int check_blocks(const hy_schedule *all, int rank)
{
    const hy_shape *s = &all[rank].shape;
    for (int peer = 0; peer < s->size; peer++) {
        const hy_shape *p = &all[peer].shape;
        if (goes(s, rank, peer) && sent(s, peer) != received(p, rank))
            return misfit(s, "a block is not as long as its receiver says");
        if (s->coll == HY_COLL_REDUCE_SCATTER && s->uneven &&
            memcmp(&s->in_blocks[peer], &all[0].shape.in_blocks[peer], sizeof(hy_block)) != 0)
            return misfit(s, "has other blocks than rank 0");
        if (s->coll == HY_COLL_ALLGATHER && s->uneven &&
            memcmp(&s->out_blocks[peer], &all[0].shape.out_blocks[peer], sizeof(hy_block)) != 0)
            return misfit(s, "has other blocks than rank 0");
    }
    if (s->coll == HY_COLL_ALLTOALL && sent(s, rank) != s->bytes)
        return misfit(s, "bytes are not those of its block for itself");
    return HAYATE_OK;
}

static int check_alike(const hy_shape *s, const hy_shape *first, int rank)
{
    if (s->rank != rank || s->size != first->size) return misfit(s, "rank or size");
    if (s->coll != first->coll || s->unit != first->unit || s->root != first->root)
        return misfit(s, "collective, unit or root");
    if (s->wired != first->wired || s->boxes != first->boxes || s->uneven != first->uneven)
        return misfit(s, "wired, boxes or uneven");
    if (!s->uneven && s->bytes != first->bytes) return misfit(s, "bytes");
    return HAYATE_OK;
}

int hy_terms_check(const hy_schedule *all, int size)
{
    for (int rank = 0; rank < size; rank++) {
        const hy_shape *s = &all[rank].shape;
        int rc = hy_shape_check(s);
        if (rc == HAYATE_OK) rc = check_alike(s, &all[0].shape, rank);
        if (rc == HAYATE_OK) rc = check_sides(s);
        if (rc != HAYATE_OK) return rc;
    }
    for (int rank = 0; rank < size && moves_blocks(all[0].shape.coll); rank++) {
        int rc = check_blocks(all, rank);
        if (rc != HAYATE_OK) return rc;
    }
    return HAYATE_OK;
}

/* ---- values ---- */

static const hy_shape *own_shape(const hy_terms *t)
{
    return &t->all[t->rank].shape;
}

static uint64_t bit(int rank)
{
    return UINT64_C(1) << rank;
}

static uint64_t everybody(int size)
{
    return size == HY_VERIFY_RANKS ? UINT64_MAX : bit(size) - 1;
}

/* Elements `index`, `index` + 1 ... of `ranks` into a block. */
static void fill(const hy_terms *t, hy_value *values, hy_block block, uint64_t ranks,
                 uint64_t index)
{
    uint64_t first = block.off / t->grain, count = block.len / t->grain;
    for (uint64_t i = 0; i < count; i++)
        values[first + i] = (hy_value){ranks, t->run, (uint32_t)(index + i)};
}

static void fill_gap(const hy_terms *t, hy_value *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) values[i] = (hy_value){0, t->run, HY_VERIFY_GAP};
}

void hy_terms_given_in(const hy_terms *t, hy_value *values, uint64_t count)
{
    const hy_shape *s = own_shape(t);
    fill_gap(t, values, count);
    if (s->coll == HY_COLL_GATHER || s->coll == HY_COLL_ALLGATHER || s->coll >= HY_COLL_SCAN)
        fill(t, values, (hy_block){0, s->bytes}, bit(t->rank), 0);
    for (int peer = 0; has_in_blocks(s) && peer < s->size; peer++) {
        hy_block block = hy_in_block(s, peer);
        fill(t, values, block, bit(t->rank), block.off / t->grain);
    }
}

/* In-place collectives: the caller's data; the others: nothing that may be read. */
void hy_terms_given_out(const hy_terms *t, hy_value *values, uint64_t count)
{
    const hy_shape *s = own_shape(t);
    uint64_t ranks = s->coll >= HY_COLL_GATHER ? 0 : bit(t->rank);
    if (s->coll == HY_COLL_BCAST && t->rank != s->root) ranks = 0;
    fill_gap(t, values, count);
    if (!has_out_blocks(s)) fill(t, values, (hy_block){0, count * t->grain}, ranks, 0);
    for (int peer = 0; has_out_blocks(s) && peer < s->size; peer++)
        fill(t, values, hy_out_block(s, peer), 0, 0);
}

/* Where the block of `from` for t->rank begins in the IN of `from`. */
static uint64_t origin(const hy_terms *t, int from)
{
    const hy_shape *s = &t->all[from].shape;
    return has_in_blocks(s) ? hy_in_block(s, t->rank).off / t->grain : 0;
}

/* Whose contributions OUT shall have, when it is one block. */
static uint64_t promised_ranks(const hy_shape *s, int rank)
{
    if (s->coll == HY_COLL_BCAST || s->coll == HY_COLL_SCATTER) return bit(s->root);
    if (s->coll == HY_COLL_REDUCE && rank != s->root) return bit(rank);
    if (s->coll == HY_COLL_SCAN) return everybody(rank + 1);
    if (s->coll == HY_COLL_EXSCAN) return everybody(rank);
    return everybody(s->size);
}

void hy_terms_promised(const hy_terms *t, hy_value *values, uint64_t count)
{
    const hy_shape *s = own_shape(t);
    int from = s->coll == HY_COLL_SCATTER ? s->root : t->rank;
    fill_gap(t, values, count);
    if (!has_out_blocks(s))
        fill(t, values, (hy_block){0, count * t->grain}, promised_ranks(s, t->rank),
             origin(t, from));
    for (int peer = 0; has_out_blocks(s) && peer < s->size; peer++)
        fill(t, values, hy_out_block(s, peer), bit(peer), origin(t, peer));
}

hy_region hy_terms_alias(const hy_schedule *all, int rank, uint64_t *off)
{
    const hy_shape *s = &all[rank].shape;
    if (has_in_blocks(s) && !has_out_blocks(s)) {
        *off = hy_in_block(s, rank).off;
        return HY_OUT;
    }
    if (has_out_blocks(s) && !has_in_blocks(s)) {
        *off = hy_out_block(s, rank).off;
        return HY_IN;
    }
    return HY_NONE;
}

hy_block hy_terms_view(const hy_schedule *all, int rank, int owner, hy_region region)
{
    const hy_shape *s = &all[owner].shape;
    bool own_blocks = s->coll == HY_COLL_GATHER || s->coll == HY_COLL_SCATTER ||
                      s->coll == HY_COLL_ALLTOALL;
    if (rank != owner && s->uneven && own_blocks && region == HY_IN && has_in_blocks(s))
        return s->in_blocks[rank];
    if (rank != owner && s->uneven && own_blocks && region == HY_OUT && has_out_blocks(s))
        return s->out_blocks[rank];
    if (region == HY_TMP) return (hy_block){0, all[owner].tmp_bytes};
    if (region == HY_BOX) return (hy_block){0, all[owner].box_bytes};
    return (hy_block){0, hy_region_bytes(s, region)};
}
