/* SPDX-License-Identifier: Apache-2.0 */
#include "base/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "boot/node_place.h"

typedef int reader(const char *text, int rank, int size, hy_node_place *place);

static void is_at(reader *read, const char *text, int rank, int size, int first, int count)
{
    hy_node_place place = {-1, -1};
    assert_ok(read(text, rank, size, &place));
    assert_int_equal(place.first, first);
    assert_int_equal(place.count, count);
}

static void is_refused(reader *read, const char *text, int rank, int size)
{
    hy_node_place place;
    if (read(text, rank, size, &place) == HAYATE_OK) fail_msg("\"%s\" was taken", text);
    assert_non_null(strstr(hayate_error(), "the launcher's text about rank"));
}

/* Of a job that is small; nothing is written behind its ranks. */
static int map(const char *text, int rank, int size, hy_node_place *place)
{
    (void)rank, (void)place;
    int32_t nodes[64];
    for (int i = 0; i < 64; i++) nodes[i] = INT32_MIN;
    int rc = hy_place_map(text, size, nodes);
    for (int i = rc || size < 0 ? 0 : size; i < 64; i++) assert_int_equal(nodes[i], INT32_MIN);
    return rc;
}

TEST(should_find_the_node_of_a_rank_in_a_mapping)
{
    is_at(hy_place_of_mapping, "(vector,(0,1,4))", 3, 4, 0, 4);
    is_at(hy_place_of_mapping, "(vector,(0,2,2))", 3, 4, 2, 2);
    is_at(hy_place_of_mapping, "(vector,(0,2,2))", 0, 3, 0, 2);
    is_at(hy_place_of_mapping, "(vector,(0,2,2))", 2, 3, 2, 1);
    is_at(hy_place_of_mapping, "(vector,(0,1,3),(1,1,1))", 3, 4, 3, 1);
}

TEST(should_begin_a_mapping_again_until_all_ranks_have_a_node)
{
    is_at(hy_place_of_mapping, "(vector,(0,2,1))", 2, 6, 0, 3);
    is_at(hy_place_of_mapping, "(vector,(0,2,1))", 5, 6, 1, 3);
    is_at(hy_place_of_mapping, "(vector,(0,1,1))", 7, 8, 0, 8);
}

TEST(should_tell_the_node_of_every_rank)
{
    int32_t nodes[6];
    assert_ok(hy_place_map("(vector,(0,1,3),(1,2,1))", 6, nodes));
    assert_memory_equal(nodes, ((int32_t[]){0, 0, 0, 1, 2, 0}), sizeof nodes);
    assert_int_equal(hy_place_map("(vector,(0,0,3))", 6, nodes), HAYATE_ERR_LAUNCH);
    assert_int_equal(hy_place_map("(vector,(0,1,3))", 0, nodes), HAYATE_ERR_LAUNCH);
    assert_int_equal(hy_place_map("(vector,(0,1,3))", HY_PLACE_RANKS + 1, nodes),
                     HAYATE_ERR_LAUNCH);
}

/* Rank by rank and all at once are two walks over the same text. */
TEST(should_tell_the_same_of_one_rank_and_of_all)
{
    static const char *const texts[] = {
        "(vector,(0,1,64))",        "(vector,(0,2,1))",         "(vector,(0,3,2))",
        "(vector,(0,1,3),(1,2,1))", "(vector,(7,2,5),(0,1,1))", "(vector,(3,1,1),(3,1,2),(1,1,1))"};
    int32_t nodes[64];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int size = 1; size <= 64; size += 7) {
            assert_ok(map(texts[i], 0, size, NULL));
            assert_ok(hy_place_map(texts[i], size, nodes));
            for (int rank = 0; rank < size; rank++) {
                int first = 0, count = 0;
                while (nodes[first] != nodes[rank]) first++;
                for (int other = 0; other < size; other++) count += nodes[other] == nodes[rank];
                is_at(hy_place_of_mapping, texts[i], rank, size, first, count);
            }
        }
}

TEST(should_refuse_mappings_that_cannot_be)
{
    static const char *const texts[] = {"",
                                        "vector",
                                        "(vector)",
                                        "(vector,)",
                                        "(vector,(0,1,4)",
                                        "(vector,(0,1,4)) ",
                                        "(vector,(0,0,4))",
                                        "(vector,(0,4,0))",
                                        "(vector,(-1,1,4))",
                                        "(vector,(0,1,99999999999999999999))",
                                        "(vector,(0,1))",
                                        "(tensor,(0,1,4))",
                                        "(vector,(0,1,4),)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        is_refused(hy_place_of_mapping, texts[i], 0, 4);
        is_refused(map, texts[i], 0, 4);
    }
    is_refused(hy_place_of_mapping, "(vector,(0,1,4))", 4, 4);
    is_refused(hy_place_of_mapping, "(vector,(0,1,4))", -1, 4);
    is_refused(hy_place_of_mapping, "(vector,(0,1,4))", 0, HY_PLACE_RANKS + 1);
}

TEST(should_refuse_a_mapping_of_too_many_blocks)
{
    enum { BLOCKS = 257 };
    char *text = malloc(BLOCKS * 8 + 16), *at = text;
    assert_non_null(text);
    at += sprintf(at, "(vector");
    for (int i = 0; i < BLOCKS; i++) at += sprintf(at, ",(0,1,1)");
    sprintf(at, ")");
    is_refused(hy_place_of_mapping, text, 0, 4);
    is_refused(map, text, 0, 4);
    free(text);
}

TEST(should_count_the_peers_of_a_node)
{
    is_at(hy_place_of_peers, "0", 0, 1, 0, 1);
    is_at(hy_place_of_peers, "0,1,2,3", 2, 4, 0, 4);
    is_at(hy_place_of_peers, "4-7,2", 5, 9, 2, 5);
    is_at(hy_place_of_peers, "3,1", 1, 4, 1, 2);
}

TEST(should_refuse_peers_that_cannot_be)
{
    static const char *const texts[] = {"",    ",",   "0,",     "1,2",         "0,4",
                                        "0-4", "3-0", "0,1,2a", "0,0,0,0,0",   "0-3,0",
                                        "-1",  "0 1", "0x1",    "99999999999", "0,1-"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        is_refused(hy_place_of_peers, texts[i], 0, 4);
    is_refused(hy_place_of_peers, "0,1", 2, 2);
    is_refused(hy_place_of_peers, "0,1", 0, -1);
}

int main(void)
{
    return tests_run();
}
