/* SPDX-License-Identifier: Apache-2.0 */
#include "base/test.h"

#include <stdlib.h>
#include <string.h>

#include "nodes/node_map.h"

#define RANKS 7
#define NODES 3

static hy_control *control;
static hy_job job;

/* Ranks 0, 3, 6 and 1, 4 and 2, 5; this one is of the second node. */
static const int32_t cyclic[RANKS] = {0, 1, 2, 0, 1, 2, 0};
/* Ranks 0, 5, 6 and 1, 2 and 3, 4. */
static const int32_t irregular[RANKS] = {0, 1, 1, 2, 2, 0, 0};

static uint32_t *list(void)
{
    return (uint32_t *)(uintptr_t)hy_control_list(control);
}

static void lay_out(const int32_t *node_of)
{
    hy_layout_find_rule(&control->layout, node_of, RANKS, NODES);
    memset(list(), 0, hy_layout_bytes(&control->layout));
    hy_layout_write(&control->layout, node_of, list());
}

static int set_up(void **state)
{
    (void)state;
    size_t bytes = hy_control_size(RANKS, 2, 4096);
    control = aligned_alloc(4096, bytes);
    memset(control, 0, bytes);
    control->size = RANKS;
    control->nodes = NODES;
    control->node = control->leader = 1;
    control->parts = 2;
    lay_out(cyclic);
    job = (hy_job){.rank = 1, .size = RANKS, .boot = {.control = control, .size = RANKS}};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(control);
    return 0;
}

static void compare(const int32_t *node_of)
{
    lay_out(node_of);
    assert_ok(hy_node_map_open(&job));
    for (int node = 0, index = 0; node < NODES; node++) {
        int part = 0;
        assert_int_equal(hy_node_map_start(&job, node), index);
        for (int rank = 0; rank < RANKS; rank++) {
            if (node_of[rank] != node) continue;
            if (part == 0) assert_int_equal(hy_node_map_leader(&job, node), rank);
            assert_int_equal(hy_node_map_rank(&job, node, part), rank);
            assert_int_equal(hy_job_node_of(&job, rank), node);
            assert_int_equal(hy_node_map_index(&job, rank), index++);
            part++;
        }
        assert_int_equal(hy_node_map_count(&job, node), part);
    }
}

TEST(should_list_the_ranks_of_each_node)
{
    compare(cyclic);
    assert_null(job.layout.list);
    compare(irregular);
    assert_non_null(job.layout.list);
}

static void is_corrupt(const char *why)
{
    assert_refused(hy_node_map_open(&job), HAYATE_ERR_CORRUPT, why);
}

TEST(should_refuse_a_rank_on_a_node_that_is_not_there)
{
    lay_out(irregular);
    const uint32_t entry = NODES << control->layout.shift; /* of 3 bytes */
    memcpy((uint8_t *)list() + 3 * 4, &entry, 3);
    is_corrupt("the segment places rank 4 on node 3 of 3");
}

TEST(should_refuse_a_node_without_ranks)
{
    control->layout.by_node = hy_deal_make(RANKS, NODES, 4, 0);
    is_corrupt("the segment places 0 ranks on node 2");
}

TEST(should_refuse_another_first_rank)
{
    control->leader = 4;
    is_corrupt("the segment gives rank 4 as the first of node 1");
}

/* The rule is this process's own; the list in the segment is not. */
TEST(should_stay_in_the_job_when_the_list_changes_later)
{
    compare(irregular);
    for (size_t i = 0; i < hy_layout_bytes(&control->layout) / 4; i++) list()[i] = UINT32_MAX;
    control->layout.by_node.count = UINT32_MAX;
    for (int i = 0; i < RANKS; i++) {
        assert_in_range(hy_node_map_index(&job, i), 0, RANKS - 1);
        assert_in_range(hy_job_node_of(&job, i), 0, NODES - 1);
        assert_in_range(hy_node_map_rank(&job, 1, i), 0, RANKS - 1);
    }
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
