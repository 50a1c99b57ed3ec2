/* SPDX-License-Identifier: Apache-2.0 */
/* Emits the copies that rearrange a leader's blocks between the levels of an alltoall. */
#include "sched/turn.h"

#include "sched/model.h"
#include "sched/nodes.h"

#define MOST (UINT64_C(1) << 58)

/* Between nodes, every node counts as the largest: nodes x largest x largest blocks. */
bool hy_turn_fits(const hy_shape *shape)
{
    uint64_t largest = (uint64_t)shape->nodes->largest, nodes = (uint64_t)shape->nodes->count;
    return shape->bytes <= MOST / largest / largest / nodes;
}

uint64_t hy_turn_area(const hy_shape *shape)
{
    return (uint64_t)shape->size * (uint64_t)shape->nodes->largest * shape->bytes;
}

void hy_turn_slots(const hy_shape *shape, hy_block *slots)
{
    const hy_nodes *nodes = shape->nodes;
    uint64_t own = (uint64_t)hy_nodes_ranks(nodes, nodes->of[shape->rank]);
    for (int32_t node = 0; node < nodes->count; node++) {
        uint64_t before = (uint64_t)nodes->first[node] * (uint64_t)nodes->largest;
        uint64_t between = own * (uint64_t)hy_nodes_ranks(nodes, node);
        slots[node] = (hy_block){before * shape->bytes, between * shape->bytes};
    }
}

/* Consecutive blocks on both sides are copied at once. */
typedef struct run {
    uint64_t from, to, len;
} run;

static void copy_run(hy_schedule *s, const run *run)
{
    uint64_t behind = hy_turn_area(&s->shape);
    hy_emit_copy(s, HY_AT(HY_TMP, run->from), HY_AT(HY_TMP, behind + run->to), run->len);
}

static void copy_block(hy_schedule *s, run *run, uint64_t from, uint64_t to)
{
    uint64_t bytes = s->shape.bytes;
    if (from != run->from + run->len || to != run->to + run->len) {
        copy_run(s, run);
        run->from = from, run->to = to, run->len = 0;
    }
    run->len += bytes;
}

/* Copies the blocks that go to a node, or came from it. A block inside this node that has the same
 * place in both orders has been in GOES since the first turn. */
static void turn_slot(hy_schedule *s, int32_t node, uint64_t slot, bool goes)
{
    const hy_nodes *nodes = s->shape.nodes;
    int32_t own = nodes->of[s->shape.rank];
    uint64_t size = (uint64_t)s->shape.size, bytes = s->shape.bytes;
    int32_t senders = hy_nodes_ranks(nodes, goes ? own : node);
    int32_t receivers = hy_nodes_ranks(nodes, goes ? node : own);
    run run = {0};
    for (int32_t i = 0; i < senders && !hy_emit_enough(s); i++)
        for (int32_t j = 0; j < receivers; j++, slot += bytes) {
            uint64_t row = (uint64_t)(goes ? i : j);
            uint64_t peer = (uint64_t)nodes->members[nodes->first[node] + (goes ? j : i)];
            uint64_t in_row = (row * size + peer) * bytes;
            bool there = !goes && node == own && slot == in_row;
            if (!there) copy_block(s, &run, goes ? in_row : slot, goes ? slot : in_row);
        }
    copy_run(s, &run);
}

void hy_turn(hy_schedule *s, const hy_block *slots, int level)
{
    for (int32_t node = 0; node < s->shape.nodes->count && !hy_emit_enough(s); node++)
        turn_slot(s, node, slots[node].off, level == HY_LEVEL_UP);
}

double hy_turn_formula(const hy_model *model, const hy_shape *shape)
{
    double blocks = (double)shape->size * shape->nodes->largest;
    return 2 * blocks * hy_curve_at(&model->copy, shape->bytes);
}
