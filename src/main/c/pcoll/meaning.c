/* SPDX-License-Identifier: Apache-2.0 */
/* Describes and compares requests. */
#include "pcoll/meaning.h"

/* ---- what a member requests ---- */

static uint64_t hash(const void *data, size_t bytes)
{
    const uint8_t *byte = data;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++) h = (h ^ byte[i]) * UINT64_C(0x100000001b3);
    return h;
}

static bool same_blocks_everywhere(const hy_shape *s)
{
    return s->coll == HY_COLL_ALLGATHER || s->coll == HY_COLL_REDUCE_SCATTER;
}

static uint64_t largest_block(const hy_shape *s)
{
    uint64_t largest = s->bytes;
    for (int i = 0; i < s->size; i++) {
        if (s->in_blocks && s->in_blocks[i].len > largest) largest = s->in_blocks[i].len;
        if (s->out_blocks && s->out_blocks[i].len > largest) largest = s->out_blocks[i].len;
    }
    return largest;
}

hy_meaning hy_meaning_of(const hy_pcoll *op, int reduction, const hy_hint *options, bool outside,
                         bool measured)
{
    const hy_shape *s = &op->shape;
    hy_hint hint = *options;
    hint.progress = hint.choice = 0; /* members may differ in progress; see `measured` */
    const hy_block *common = s->in_blocks ? s->in_blocks : s->out_blocks;
    bool same = s->uneven && same_blocks_everywhere(s);
    return (hy_meaning){.coll = (uint32_t)s->coll,
                        .unit = s->unit,
                        .op = hy_coll_reduces(s->coll) ? (uint32_t)reduction : 0,
                        .root = hy_coll_has_root(s->coll) ? (uint32_t)s->root : 0,
                        .uneven = s->uneven,
                        .outside = outside,
                        .measured = measured,
                        .bytes = s->uneven ? 0 : s->bytes,
                        .largest = largest_block(s),
                        .blocks = same ? hash(common, (size_t)s->size * sizeof *common) : 0,
                        .hint = hash(&hint, sizeof hint)};
}

void hy_meaning_for(const hy_pcoll *op, int peer, hy_meaning *m)
{
    const hy_shape *s = &op->shape;
    if (!s->uneven) return;
    if (s->coll == HY_COLL_ALLTOALL || same_blocks_everywhere(s)) {
        m->sends = s->in_blocks ? s->in_blocks[peer].len : s->bytes;
        m->expects = s->out_blocks ? s->out_blocks[peer].len : s->bytes;
    } else if (s->coll == HY_COLL_GATHER) {
        if (peer == s->root) m->sends = s->bytes;
        if (s->rank == s->root) m->expects = s->out_blocks[peer].len;
    } else {
        if (s->rank == s->root) m->sends = s->in_blocks[peer].len;
        if (peer == s->root) m->expects = s->bytes;
    }
}

/* ---- agreement ---- */

static int disagree(const hy_pcoll *op, int peer, const char *what, uint64_t theirs, uint64_t mine)
{
    int rank = hy_group_member(&op->comm->group, peer);
    return hy_fail_peer(
        HAYATE_ERR_MISMATCH, rank,
        "%s: rank %d passes %s %llu, but this rank %llu: all members must pass the same",
        hy_coll_name(op->shape.coll), rank, what, (unsigned long long)theirs,
        (unsigned long long)mine);
}

static int other_collective(const hy_pcoll *op, int peer, uint32_t coll)
{
    int rank = hy_group_member(&op->comm->group, peer);
    return hy_fail_peer(HAYATE_ERR_MISMATCH, rank,
                        "rank %d prepares %s, but this rank %s: all members must prepare the same "
                        "operations in the same order",
                        rank, hy_coll_name((hy_coll)coll), hy_coll_name(op->shape.coll));
}

static int others(const hy_pcoll *op, int peer, const char *what)
{
    int rank = hy_group_member(&op->comm->group, peer);
    return hy_fail_peer(HAYATE_ERR_MISMATCH, rank, "%s: rank %d passes other %s than this rank",
                        hy_coll_name(op->shape.coll), rank, what);
}

static int other_length(const hy_pcoll *op, int peer, uint64_t sends, uint64_t expected)
{
    int rank = hy_group_member(&op->comm->group, peer);
    return hy_fail_peer(HAYATE_ERR_MISMATCH, rank,
                        "%s: rank %d sends %llu bytes to this rank, which expects %llu bytes",
                        hy_coll_name(op->shape.coll), rank, (unsigned long long)sends,
                        (unsigned long long)expected);
}

int hy_meaning_compare(const hy_pcoll *op, int peer, const hy_meaning *mine,
                       const hy_meaning *theirs)
{
    if (theirs->coll != mine->coll) return other_collective(op, peer, theirs->coll);
    if (theirs->uneven != mine->uneven)
        return disagree(op, peer, "blocks of unequal length", theirs->uneven, mine->uneven);
    if (theirs->root != mine->root) return disagree(op, peer, "root", theirs->root, mine->root);
    if (theirs->op != mine->op) return disagree(op, peer, "reduction", theirs->op, mine->op);
    if (theirs->unit != mine->unit)
        return disagree(op, peer, "an element size of", theirs->unit, mine->unit);
    if (theirs->bytes != mine->bytes)
        return disagree(op, peer, "a size of", theirs->bytes, mine->bytes);
    if (theirs->sends != mine->expects) return other_length(op, peer, theirs->sends, mine->expects);
    if (theirs->blocks != mine->blocks) return others(op, peer, "sizes or offsets of blocks");
    if (theirs->hint != mine->hint || theirs->measured != mine->measured)
        return others(op, peer, "options");
    return HAYATE_OK;
}
