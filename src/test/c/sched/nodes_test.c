/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/test.h"
#include "maps_fixture.h"

TEST(should_be_no_map_where_all_share_a_node)
{
    const int32_t of[] = {4, 4, 4};
    hy_nodes *nodes = (hy_nodes *)(uintptr_t)8;
    assert_ok(hy_nodes_make(of, 3, &nodes));
    assert_null(nodes);
    assert_false(hy_nodes_far(nodes, 0, 2));
    hy_nodes_free(nodes);
}

TEST(should_number_nodes_by_their_lowest_ranks)
{
    const int32_t of[] = {9, -1, 9, 3, -1, 9};
    const int32_t expected[] = {0, 1, 0, 2, 1, 0}, members[] = {0, 2, 5, 1, 4, 3};
    const int32_t first[] = {0, 3, 5, 6}, place[] = {0, 0, 1, 0, 1, 2};
    hy_nodes *nodes;
    assert_ok(hy_nodes_make(of, 6, &nodes));
    assert_int_equal(nodes->size, 6);
    assert_int_equal(nodes->count, 3);
    assert_int_equal(nodes->largest, 3);
    assert_memory_equal(nodes->of, expected, sizeof expected);
    assert_memory_equal(nodes->members, members, sizeof members);
    assert_memory_equal(nodes->first, first, sizeof first);
    assert_memory_equal(nodes->place, place, sizeof place);
    assert_true(hy_nodes_far(nodes, 0, 1));
    assert_false(hy_nodes_far(nodes, 1, 4));
    hy_nodes_free(nodes);
}

TEST(should_lead_by_the_root_where_it_is_and_by_the_lowest_elsewhere)
{
    hy_nodes *nodes = nodes_of(8, 3); /* 0 1 2, 3 4 5, 6 7 */
    assert_int_equal(hy_nodes_leader(nodes, 1, -1), 3);
    assert_int_equal(hy_nodes_leader(nodes, 1, 5), 5);
    assert_int_equal(hy_nodes_leader(nodes, 2, 5), 6);
    assert_false(hy_nodes_needs_spare(nodes, 5, 5));
    assert_false(hy_nodes_needs_spare(nodes, 3, 5));
    assert_true(hy_nodes_needs_spare(nodes, 6, 5));
    hy_nodes_free(nodes);
}

TEST(should_hold_every_rank_once_in_every_map)
{
    for (int map = 0; map < MAPS; map++)
        for (int32_t size = 2; size <= 64; size++) {
            hy_nodes *nodes = nodes_by(map, size);
            if (!nodes) continue;
            int32_t seen = 0;
            for (int32_t node = 0; node < nodes->count; node++) {
                assert_in_range(hy_nodes_ranks(nodes, node), 1, nodes->largest);
                for (int32_t i = 0; i < hy_nodes_ranks(nodes, node); i++, seen++) {
                    int32_t rank = nodes->members[nodes->first[node] + i];
                    assert_int_equal(nodes->of[rank], node);
                    assert_int_equal(nodes->place[rank], i);
                }
            }
            assert_int_equal(seen, size);
            hy_nodes_free(nodes);
        }
}

int main(void)
{
    return tests_run();
}
