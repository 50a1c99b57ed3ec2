/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derives the shape of each level from that of the whole, and emits its steps through the generator
 * of the level's algorithm.
 */
#include "sched/parts.h"

#include "base/status.h"
#include "sched/nodes.h"

#define NOTHING HY_COLL_COUNT

/* The collective of a level, and what its IN and OUT are. */
typedef struct level {
    hy_coll coll;
    hy_role in, out;
} level;

#define SAME HY_ROLE_SAME
#define NODE HY_ROLE_NODE
#define ALL HY_ROLE_ALL
#define CAME HY_ROLE_CAME
#define GOES HY_ROLE_GOES

static const level levels[][HY_LEVELS] = {
    [HY_COLL_BARRIER] = {{HY_COLL_BARRIER}, {HY_COLL_BARRIER}, {HY_COLL_BARRIER}},
    [HY_COLL_BCAST] = {{NOTHING}, {HY_COLL_BCAST}, {HY_COLL_BCAST}},
    [HY_COLL_REDUCE] = {{HY_COLL_REDUCE, SAME, NODE}, {HY_COLL_REDUCE, SAME, NODE}, {NOTHING}},
    [HY_COLL_ALLREDUCE] = {{HY_COLL_REDUCE}, {HY_COLL_ALLREDUCE}, {HY_COLL_BCAST}},
    [HY_COLL_GATHER] = {{HY_COLL_GATHER, SAME, NODE}, {HY_COLL_GATHER, NODE, ALL}, {NOTHING}},
    [HY_COLL_SCATTER] = {{NOTHING}, {HY_COLL_SCATTER, ALL, NODE}, {HY_COLL_SCATTER, NODE, SAME}},
    [HY_COLL_ALLGATHER] = {{HY_COLL_GATHER, SAME, NODE},
                           {HY_COLL_ALLGATHER, NODE, ALL},
                           {HY_COLL_BCAST, SAME, ALL}},
    [HY_COLL_ALLTOALL] = {{HY_COLL_GATHER, SAME, CAME},
                          {HY_COLL_ALLTOALL, GOES, CAME},
                          {HY_COLL_SCATTER, GOES, SAME}},
};

#define COLLS (sizeof levels / sizeof levels[0])

const char *hy_level_name(int level)
{
    static const char *const names[HY_LEVELS] = {"up", "across", "down"};
    return names[level];
}

bool hy_part_coll(hy_coll coll, int level, hy_coll *part)
{
    if ((size_t)coll >= COLLS || levels[coll][level].coll == NOTHING) return false;
    *part = levels[coll][level].coll;
    return true;
}

/* Inside a node of an alltoall, a block is a rank's whole row. */
static bool has_rows(const hy_shape *shape, int level)
{
    return shape->coll == HY_COLL_ALLTOALL && level != HY_LEVEL_ACROSS;
}

/* The shape without rank, size and root. bytes: all blocks, if the whole has blocks and the part
 * has none, or has rows of them. */
static hy_shape stem(const hy_shape *shape, int level)
{
    hy_shape part = {.bytes = shape->bytes, .unit = shape->unit, .wired = shape->wired};
    hy_part_coll(shape->coll, level, &part.coll);
    bool all = hy_coll_has_blocks(shape->coll) && !hy_coll_has_blocks(part.coll);
    if (all || has_rows(shape, level)) part.bytes = hy_pool_bytes(shape);
    return part;
}

/* Blocks that begin on a peer where they begin on the calling rank. */
static void set_blocks(hy_shape *part, const hy_block *blocks)
{
    bool both = part->coll == HY_COLL_ALLTOALL;
    part->uneven = true;
    part->at_peer = blocks[part->rank].off;
    if (both || part->coll == HY_COLL_SCATTER) part->in_blocks = blocks;
    if (both || part->coll != HY_COLL_SCATTER) part->out_blocks = blocks;
}

static hy_shape in_node(const hy_pool *pool, int level)
{
    const hy_shape *shape = &pool->shape;
    const hy_nodes *nodes = shape->nodes;
    int32_t node = nodes->of[shape->rank];
    hy_shape part = stem(shape, level);
    part.size = hy_nodes_ranks(nodes, node);
    part.rank = nodes->place[shape->rank];
    part.root = nodes->place[hy_nodes_leader(nodes, node, hy_pool_root(shape))];
    if (shape->uneven && hy_coll_has_blocks(part.coll))
        set_blocks(&part, pool->members + nodes->first[node]);
    return part;
}

/* Whether all nodes have the same number of bytes. */
static bool alike(const hy_shape *shape)
{
    const hy_nodes *nodes = shape->nodes;
    return !shape->uneven && (int64_t)nodes->largest * nodes->count == nodes->size;
}

static hy_shape across(const hy_pool *pool)
{
    const hy_shape *shape = &pool->shape;
    hy_shape part = stem(shape, HY_LEVEL_ACROSS);
    part.size = shape->nodes->count;
    part.rank = shape->nodes->of[shape->rank];
    if (hy_pool_root(shape) >= 0) part.root = shape->nodes->of[shape->root];
    if (!hy_coll_has_blocks(part.coll)) return part;
    part.bytes = pool->nodes[part.rank].len;
    if (!alike(shape)) set_blocks(&part, pool->nodes);
    return part;
}

hy_shape hy_part_largest(const hy_shape *shape, int level)
{
    const hy_nodes *nodes = shape->nodes;
    hy_shape part = stem(shape, level);
    bool whole = level == HY_LEVEL_ACROSS;
    part.size = whole ? nodes->count : nodes->largest;
    if (!hy_coll_has_blocks(part.coll)) return part;
    if (whole) part.bytes *= (uint64_t)nodes->largest;
    if (whole && shape->coll == HY_COLL_ALLTOALL) part.bytes *= (uint64_t)nodes->largest;
    part.uneven = whole ? !alike(shape) : shape->uneven;
    return part;
}

uint32_t hy_part_possible(const hy_algorithm *algorithm, const hy_shape *part, int level)
{
    if (!algorithm->applies(part)) return 0;
    if (part->uneven && !(algorithm->traits & HY_TRAIT_UNEVEN)) return 0;
    uint32_t possible = hy_way_possible(algorithm, part);
    return level == HY_LEVEL_ACROSS ? possible & ~(uint32_t)HY_WAY_GET_PREPARED : possible;
}

hy_way hy_part_way(const hy_part *part)
{
    return (hy_way){.transfer = part->transfer,
                    .buffers = part->buffers,
                    .sync = part->sync,
                    .arity = part->arity,
                    .segment = part->segment};
}

hy_part hy_part_of(const hy_algorithm *algorithm, const hy_way *way)
{
    return (hy_part){algorithm, way->transfer, way->buffers, way->sync, way->arity, way->segment};
}

/* An algorithm that applies to any shape, with some transfer method. */
static const hy_algorithm *plain(hy_coll coll)
{
    if (hy_coll_has_blocks(coll)) return hy_algorithm_find(coll, "linear");
    return hy_algorithm_find(coll, coll == HY_COLL_ALLREDUCE ? "recursive_doubling" : "binomial");
}

static int parts_refuse(const hy_part *part, const hy_shape *shape, int level)
{
    char way[96];
    const hy_way wanted = hy_part_way(part);
    hy_way_text(part->algorithm, &wanted, way, sizeof way);
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "%s algorithm %s %s cannot be used %s (%d ranks there); choose another one",
                   hy_coll_name(shape->coll), part->algorithm->name, way,
                   level == HY_LEVEL_ACROSS ? "across nodes" : "inside the nodes", shape->size);
}

static int parts_complete(hy_part *part, const hy_shape *shape, int level)
{
    if (!part->algorithm) part->algorithm = plain(shape->coll);
    hy_way way = hy_part_way(part);
    if (part->algorithm->coll != shape->coll || (part->algorithm->traits & HY_TRAIT_PARTS) ||
        !part->algorithm->applies(shape) ||
        (shape->uneven && !(part->algorithm->traits & HY_TRAIT_UNEVEN)))
        return parts_refuse(part, shape, level);
    int rc = hy_way_complete(part->algorithm, shape, &way);
    if (rc) return rc;
    *part = hy_part_of(part->algorithm, &way);
    bool possible = hy_part_possible(part->algorithm, shape, level) & hy_way_bit(&way);
    return possible ? HAYATE_OK : parts_refuse(part, shape, level);
}

int hy_parts_complete(const hy_shape *shape, hy_way *way)
{
    hy_coll coll;
    int rc = HAYATE_OK;
    for (int level = 0; level < HY_LEVELS && !rc; level++) {
        hy_shape part = hy_part_largest(shape, level);
        if (hy_part_coll(shape->coll, level, &coll))
            rc = parts_complete(&way->parts[level], &part, level);
    }
    return rc;
}

/* Adapts a part to a smaller node. The result is the same on all ranks of the node, because nothing
 * depends on the rank. */
static void adapt(hy_part *part, const hy_shape *shape)
{
    hy_way way = hy_part_way(part);
    if (hy_part_possible(part->algorithm, shape, HY_LEVEL_UP) & hy_way_bit(&way)) return;
    const hy_algorithm *other = plain(shape->coll);
    if (!(hy_part_possible(other, shape, HY_LEVEL_UP) & hy_way_bit(&way))) way = (hy_way){0};
    if (!(other->traits & HY_TRAIT_SEGMENTS)) way.segment = HY_SEGMENT_NONE;
    hy_way_complete(other, shape, &way); /* this always succeeds with some transfer method */
    *part = hy_part_of(other, &way);
}

int hy_emit_part(hy_schedule *s, const hy_pool *pool, int number)
{
    const hy_shape whole = s->shape;
    const hy_way way = s->way;
    const hy_algorithm *algorithm = s->algorithm;
    const level *its = &levels[whole.coll][number];
    bool inside = number != HY_LEVEL_ACROSS;
    hy_part part = way.parts[number];
    s->shape = inside ? in_node(pool, number) : across(pool);
    if (inside) adapt(&part, &s->shape);
    s->scope = (hy_scope){pool, inside ? whole.nodes->of[whole.rank] : -1, its->in, its->out};
    s->way = hy_part_way(&part);
    s->algorithm = part.algorithm;
    int rc = hy_emit_all(s);
    s->scope = (hy_scope){0};
    s->shape = whole;
    s->way = way;
    s->algorithm = algorithm;
    return rc;
}
