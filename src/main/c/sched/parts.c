/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/parts.h"

#include "base/status.h"
#include "sched/nodes.h"

#define NOTHING HY_COLL_COUNT

static const hy_coll colls[][HY_LEVELS] = {
    [HY_COLL_BARRIER] = {HY_COLL_BARRIER, HY_COLL_BARRIER, HY_COLL_BARRIER},
    [HY_COLL_BCAST] = {NOTHING, HY_COLL_BCAST, HY_COLL_BCAST},
    [HY_COLL_REDUCE] = {HY_COLL_REDUCE, HY_COLL_REDUCE, NOTHING},
    [HY_COLL_ALLREDUCE] = {HY_COLL_REDUCE, HY_COLL_ALLREDUCE, HY_COLL_BCAST},
};

#define COLLS (sizeof colls / sizeof colls[0])

const char *hy_level_name(int level)
{
    static const char *const names[HY_LEVELS] = {"up", "across", "down"};
    return names[level];
}

bool hy_part_coll(hy_coll coll, int level, hy_coll *part)
{
    if ((size_t)coll >= COLLS || colls[coll][level] == NOTHING) return false;
    *part = colls[coll][level];
    return true;
}

/* -1: any leader will do. */
static int32_t root_of(const hy_shape *shape)
{
    return hy_coll_has_root(shape->coll) ? shape->root : -1;
}

/* Without rank, size and root. */
static hy_shape stem(const hy_shape *shape, int level)
{
    hy_shape part = {.bytes = shape->bytes, .unit = shape->unit, .wired = shape->wired};
    hy_part_coll(shape->coll, level, &part.coll);
    return part;
}

static hy_shape in_node(const hy_shape *shape, int level)
{
    const hy_nodes *nodes = shape->nodes;
    int32_t node = nodes->of[shape->rank];
    hy_shape part = stem(shape, level);
    part.size = hy_nodes_ranks(nodes, node);
    part.rank = nodes->place[shape->rank];
    part.root = nodes->place[hy_nodes_leader(nodes, node, root_of(shape))];
    return part;
}

static hy_shape across(const hy_shape *shape)
{
    hy_shape part = stem(shape, HY_LEVEL_ACROSS);
    part.size = shape->nodes->count;
    part.rank = shape->nodes->of[shape->rank];
    if (root_of(shape) >= 0) part.root = shape->nodes->of[shape->root];
    return part;
}

hy_shape hy_part_shape(const hy_shape *shape, int level)
{
    return level == HY_LEVEL_ACROSS ? across(shape) : in_node(shape, level);
}

hy_shape hy_part_largest(const hy_shape *shape, int level)
{
    hy_shape part = stem(shape, level);
    part.size = level == HY_LEVEL_ACROSS ? shape->nodes->count : shape->nodes->largest;
    return part;
}

uint32_t hy_part_possible(const hy_algorithm *algorithm, const hy_shape *part, int level)
{
    if (!algorithm->applies(part)) return 0;
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

/* Goes with any shape, in some way. */
static const hy_algorithm *plain(hy_coll coll)
{
    return hy_algorithm_find(coll, coll == HY_COLL_ALLREDUCE ? "recursive_doubling" : "binomial");
}

static int refuse(const hy_part *part, const hy_shape *shape, int level)
{
    char way[96];
    const hy_way wanted = hy_part_way(part);
    hy_way_text(part->algorithm, &wanted, way, sizeof way);
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "%s algorithm %s %s cannot be used %s (%d ranks there); choose another one",
                   hy_coll_name(shape->coll), part->algorithm->name, way,
                   level == HY_LEVEL_ACROSS ? "across nodes" : "inside the nodes", shape->size);
}

static int complete(hy_part *part, const hy_shape *shape, int level)
{
    if (!part->algorithm) part->algorithm = plain(shape->coll);
    hy_way way = hy_part_way(part);
    if (part->algorithm->coll != shape->coll || (part->algorithm->traits & HY_TRAIT_PARTS) ||
        !part->algorithm->applies(shape))
        return refuse(part, shape, level);
    int rc = hy_way_complete(part->algorithm, shape, &way);
    if (rc) return rc;
    *part = hy_part_of(part->algorithm, &way);
    bool possible = hy_part_possible(part->algorithm, shape, level) & hy_way_bit(&way);
    return possible ? HAYATE_OK : refuse(part, shape, level);
}

int hy_parts_complete(const hy_shape *shape, hy_way *way)
{
    hy_coll coll;
    int rc = HAYATE_OK;
    for (int level = 0; level < HY_LEVELS && !rc; level++) {
        hy_shape part = hy_part_largest(shape, level);
        if (hy_part_coll(shape->coll, level, &coll))
            rc = complete(&way->parts[level], &part, level);
    }
    return rc;
}

/* A smaller node: the same on all its ranks, as nothing depends on the rank. */
static void adapt(hy_part *part, const hy_shape *shape)
{
    hy_way way = hy_part_way(part);
    if (hy_part_possible(part->algorithm, shape, HY_LEVEL_UP) & hy_way_bit(&way)) return;
    const hy_algorithm *other = plain(shape->coll);
    if (!(hy_part_possible(other, shape, HY_LEVEL_UP) & hy_way_bit(&way))) way = (hy_way){0};
    if (!(other->traits & HY_TRAIT_SEGMENTS)) way.segment = HY_SEGMENT_NONE;
    hy_way_complete(other, shape, &way); /* in some way it can always be done */
    *part = hy_part_of(other, &way);
}

static hy_scope scope_of(const hy_shape *shape, int level)
{
    bool aside = shape->coll == HY_COLL_REDUCE;
    return (hy_scope){.nodes = shape->nodes,
                      .node = level == HY_LEVEL_ACROSS ? -1 : shape->nodes->of[shape->rank],
                      .root = root_of(shape),
                      .tmp = aside ? shape->bytes : 0,
                      .aside = aside};
}

int hy_emit_part(hy_schedule *s, int level)
{
    const hy_shape whole = s->shape;
    const hy_way way = s->way;
    const hy_algorithm *algorithm = s->algorithm;
    hy_part part = way.parts[level];
    hy_shape shape = hy_part_shape(&whole, level);
    if (shape.size == 1) return HAYATE_OK;
    if (level != HY_LEVEL_ACROSS) adapt(&part, &shape);
    s->scope = scope_of(&whole, level);
    s->shape = shape;
    s->way = hy_part_way(&part);
    s->algorithm = part.algorithm;
    int rc = part.algorithm->build(s);
    s->scope = (hy_scope){0};
    s->shape = whole;
    s->way = way;
    s->algorithm = algorithm;
    return rc;
}
