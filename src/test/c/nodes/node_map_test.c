/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nodes/node_map.h"

#define RANKS 7
#define NODES 3

static hy_control *control;
static hy_job job;

/* Ranks 0, 3, 6 and 1, 4 and 2, 5; this one is of the second node. */
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
    for (int rank = 0; rank < RANKS; rank++)
        control->ranks[rank] = (hy_control_rank){.node = rank % NODES,
                                                 .part = (uint32_t)(rank / NODES)};
    job = (hy_job){.rank = 1, .size = RANKS, .boot = {.control = control, .size = RANKS}};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hy_node_map_close(&job);
    free(control);
    return 0;
}

static void should_list_the_ranks_of_each_node(void **state)
{
    static const int first[] = {0, 1, 2}, many[] = {3, 2, 2};
    (void)state;
    assert_int_equal(hy_node_map_open(&job), HAYATE_OK);
    for (int node = 0, index = 0; node < NODES; node++) {
        int count;
        const int *ranks = hy_node_map_of(&job, node, &count);
        assert_int_equal(count, many[node]);
        assert_int_equal(hy_node_map_leader(&job, node), first[node]);
        for (int i = 0; i < count; i++, index++) {
            assert_int_equal(ranks[i], node + i * NODES);
            assert_int_equal(hy_node_map_index(&job, ranks[i]), index);
        }
    }
}

static void is_corrupt(const char *why)
{
    assert_int_equal(hy_node_map_open(&job), HAYATE_ERR_CORRUPT);
    assert_non_null(strstr(hayate_error(), why));
}

static void should_refuse_a_rank_on_a_node_that_is_not_there(void **state)
{
    (void)state;
    control->ranks[4].node = NODES;
    is_corrupt("the segment places rank 4 on node 3 of 3");
    hy_node_map_close(&job);
    control->ranks[4].node = -1;
    is_corrupt("the segment places rank 4 on node -1");
}

static void should_refuse_a_node_without_ranks(void **state)
{
    (void)state;
    for (int rank = 2; rank < RANKS; rank += NODES) control->ranks[rank].node = 0;
    is_corrupt("the segment places no rank on node 2");
}

static void should_refuse_another_first_rank(void **state)
{
    (void)state;
    control->leader = 4;
    is_corrupt("the segment gives rank 4 as the first of node 1");
}

/* The tables are this process's own; the numbers in the segment are not. */
static void should_stay_in_its_tables_when_the_numbers_change_later(void **state)
{
    (void)state;
    assert_int_equal(hy_node_map_open(&job), HAYATE_OK);
    control->ranks[4].node = 1 << 30;
    assert_int_equal(hy_node_map_index(&job, 4), 0);
    control->ranks[5].part = UINT32_MAX;
    assert_int_equal(hy_node_map_index(&job, 5), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(should_list_the_ranks_of_each_node, set_up, tear_down),
        cmocka_unit_test_setup_teardown(should_refuse_a_rank_on_a_node_that_is_not_there, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(should_refuse_a_node_without_ranks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(should_refuse_another_first_rank, set_up, tear_down),
        cmocka_unit_test_setup_teardown(should_stay_in_its_tables_when_the_numbers_change_later,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
