/* SPDX-License-Identifier: Apache-2.0 */
/* What leaders of an alltoall copy between its levels, block by block. */
#include <stdlib.h>

#include "base/test.h"
#include "maps_fixture.h"
#include "sched/turn.h"

#define BYTES 8

static hy_shape shape_on(const hy_nodes *nodes, int rank)
{
    return (hy_shape){.coll = HY_COLL_ALLTOALL,
                      .rank = rank,
                      .size = nodes->size,
                      .bytes = BYTES,
                      .unit = BYTES,
                      .nodes = nodes};
}

/* Leader `rank`'s copies at that level. */
static hy_schedule turned(const hy_nodes *nodes, int rank, int level)
{
    hy_block slots[8];
    hy_schedule s = {.shape = shape_on(nodes, rank), .limit = UINT64_MAX};
    hy_turn_slots(&s.shape, slots);
    hy_turn(&s, slots, level);
    assert_ok(hy_emit_end(&s));
    return s;
}

/* Leader `rank`'s slot of a node, in blocks. */
static void assert_slot(const hy_nodes *nodes, int rank, int node, uint64_t off, uint64_t len)
{
    hy_block slots[8];
    const hy_shape shape = shape_on(nodes, rank);
    hy_turn_slots(&shape, slots);
    assert_int_equal(slots[node].off, off * BYTES);
    assert_int_equal(slots[node].len, len * BYTES);
}

/* Nodes 0 2 4 and 1 3: the slots of all leaders are 3 ranks of a node apart from each other. */
TEST(should_have_slots_at_the_same_places_on_all_leaders)
{
    hy_nodes *nodes = nodes_by(CYCLIC_ON_2, 5);
    const hy_shape shape = shape_on(nodes, 0);
    assert_slot(nodes, 0, 0, 0, 3 * 3);
    assert_slot(nodes, 0, 1, 3 * 3, 3 * 2);
    assert_slot(nodes, 1, 0, 0, 2 * 3);
    assert_slot(nodes, 1, 1, 3 * 3, 2 * 2);
    assert_int_equal(hy_turn_area(&shape), 5 * 3 * BYTES);
    hy_nodes_free(nodes);
}

/* What the copies make of blocks, each of which has a number. */
static void carry(const hy_schedule *s, const int *came, int *goes)
{
    uint64_t area = hy_turn_area(&s->shape);
    for (uint32_t i = 0; i < s->count; i++) {
        const hy_step *step = &s->steps[i];
        assert_int_equal(step->kind, HY_STEP_COPY);
        assert_true(step->remote_off + step->len <= area && step->local_off >= area);
        for (uint64_t at = 0; at < step->len; at += BYTES)
            goes[(step->local_off - area + at) / BYTES] = came[(step->remote_off + at) / BYTES];
    }
}

/* Sender and receiver of a block in one number. */
static int between(int sender, int receiver)
{
    return 100 * sender + receiver;
}

TEST(should_order_rows_by_node_sender_and_receiver)
{
    hy_nodes *nodes = nodes_by(CYCLIC_ON_2, 5);
    hy_schedule s = turned(nodes, 1, HY_LEVEL_UP);
    int came[15] = {0}, goes[15] = {0};
    const int slots[] = {100, 102, 104, 300, 302, 304, 0, 0, 0, 101, 103, 301, 303};
    for (int row = 0; row < 2; row++)
        for (int rank = 0; rank < 5; rank++) came[row * 5 + rank] = between(1 + 2 * row, rank);
    carry(&s, came, goes);
    assert_memory_equal(goes, slots, sizeof slots);
    hy_schedule_release(&s);
    hy_nodes_free(nodes);
}

TEST(should_order_slots_by_receiver_and_sender)
{
    hy_nodes *nodes = nodes_by(CYCLIC_ON_2, 5);
    hy_schedule s = turned(nodes, 1, HY_LEVEL_ACROSS);
    const int came[15] = {1, 3, 201, 203, 401, 403, 0, 0, 0, 101, 103, 301, 303};
    int goes[15] = {0};
    carry(&s, came, goes);
    for (int row = 0; row < 2; row++)
        for (int rank = 0; rank < 5; rank++)
            assert_int_equal(goes[row * 5 + rank], between(rank, 1 + 2 * row));
    hy_schedule_release(&s);
    hy_nodes_free(nodes);
}

TEST(should_copy_at_once_what_goes_to_ranks_in_a_row)
{
    hy_nodes *blocks = nodes_of(12, 4), *cyclic = nodes_by(CYCLIC_ON_2, 12);
    hy_schedule s = turned(blocks, 4, HY_LEVEL_UP);
    assert_int_equal(s.count, 4 * 3); /* of each rank, for each node */
    hy_schedule_release(&s);
    s = turned(cyclic, 1, HY_LEVEL_UP);
    assert_int_equal(s.count, 6 * 12);
    hy_schedule_release(&s);
    hy_nodes_free(blocks);
    hy_nodes_free(cyclic);
}

TEST(should_know_what_is_too_long_to_be_counted)
{
    hy_nodes *nodes = nodes_of(64, 8);
    hy_shape shape = shape_on(nodes, 0);
    const uint64_t most = UINT64_C(1) << (58 - 3 - 3 - 3);
    shape.bytes = most;
    assert_true(hy_turn_fits(&shape));
    shape.bytes = most + 1;
    assert_false(hy_turn_fits(&shape));
    hy_nodes_free(nodes);
}

int main(void)
{
    return tests_run();
}
