/* SPDX-License-Identifier: Apache-2.0 */
#include "base/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "boot/control.h"

#define RANKS 3
#define CONTROL_BYTES hy_control_size(RANKS, RANKS, 4096)

static uint64_t bytes; /* of a healthy segment */

static hy_control healthy(void)
{
    bytes = CONTROL_BYTES + RANKS * 8192;
    hy_control header = {.magic = HY_CONTROL_MAGIC,
                         .abi = HY_ABI,
                         .size = RANKS,
                         .control_bytes = CONTROL_BYTES,
                         .part_bytes = 8192,
                         .heap_bytes = 4096,
                         .cpus = 1,
                         .parts = RANKS,
                         .nodes = 1};
    hy_layout_find_rule(&header.layout, NULL, RANKS, 1);
    return header;
}

static void assert_damaged(const hy_control *header, const char *field)
{
    int rc = hy_control_verify(header, RANKS, bytes);
    assert_refused(rc, HAYATE_ERR_CORRUPT, field);
}

TEST(should_accept_a_consistent_header)
{
    hy_control header = healthy();
    assert_ok(hy_control_verify(&header, RANKS, bytes));
}

TEST(should_refuse_a_foreign_or_other_segment)
{
    hy_control header = healthy();
    header.magic ^= 1;
    assert_damaged(&header, "magic");
    header = healthy();
    header.size = RANKS + 1;
    assert_damaged(&header, "size");
    header = healthy();
    header.abi = HY_ABI + 1;
    assert_refused(hy_control_verify(&header, RANKS, bytes), HAYATE_ERR_LAUNCH, "abi");
}

TEST(should_refuse_a_control_area_of_impossible_size)
{
    static const uint64_t sizes[] = {0, 4095, 1u << 30, UINT64_MAX, UINT64_MAX - 4095};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hy_control header = healthy();
        header.control_bytes = sizes[i];
        assert_damaged(&header, "control_bytes");
    }
}

TEST(should_refuse_a_delegation_area_outside_of_its_place)
{
    const uint64_t from = hy_control_list_at(RANKS, RANKS), most = CONTROL_BYTES - from;
    static const uint64_t sound[] = {HY_LINE, 2 * HY_LINE};
    const uint64_t places[][2] = {{from, most + HY_LINE},
                                  {from, UINT64_MAX - HY_LINE + 1},
                                  {from, HY_LINE + 1},
                                  {from - HY_LINE, HY_LINE},
                                  {from + 8, HY_LINE},
                                  {CONTROL_BYTES, HY_LINE},
                                  {UINT64_MAX - HY_LINE + 1, HY_LINE},
                                  {0, HY_LINE},
                                  {from, 0}};
    hy_control header = healthy();
    assert_null(hy_control_delegation(&header));
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        header.delegation_at = CONTROL_BYTES - sound[i];
        header.delegation_bytes = sound[i];
        assert_ok(hy_control_verify(&header, RANKS, bytes));
    }
    header.delegation_at = from;
    header.delegation_bytes = most;
    assert_ok(hy_control_verify(&header, RANKS, bytes));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        header.delegation_at = places[i][0];
        header.delegation_bytes = places[i][1];
        assert_damaged(&header, "delegation_at");
    }
}

TEST(should_refuse_parts_that_do_not_fill_the_segment)
{
    static const uint64_t sizes[] = {0, 4096, 8193, 12288, UINT64_MAX, UINT64_MAX / RANKS + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hy_control header = healthy();
        header.part_bytes = sizes[i];
        assert_damaged(&header, "part_bytes");
    }
}

TEST(should_refuse_more_parts_than_a_node_may_have)
{
    hy_control header = healthy();
    header.size = header.parts = HY_MAX_PARTS + 1;
    header.control_bytes = hy_control_size(header.size, header.parts, 4096);
    uint64_t all = header.control_bytes + header.parts * header.part_bytes;
    assert_refused(hy_control_verify(&header, header.size, all), HAYATE_ERR_CORRUPT, "parts");
    header.size = header.parts = HY_MAX_PARTS;
    hy_layout_find_rule(&header.layout, NULL, HY_MAX_PARTS, 1);
    header.control_bytes = hy_control_size(header.size, header.parts, 4096);
    all = header.control_bytes + header.parts * header.part_bytes;
    assert_ok(hy_control_verify(&header, header.size, all));
}

TEST(should_refuse_a_layout_of_another_job)
{
    static const int32_t irregular[] = {0, 1, 1, 0, 1, 0, 0, 1};
    hy_control header = healthy();
    header.layout.kind = 77;
    assert_damaged(&header, "layout");
    header = healthy();
    header.layout.by_node.count = RANKS + 1;
    assert_damaged(&header, "layout");
    header = healthy();
    header.nodes = 2;
    header.parts = 4;
    hy_layout_find_rule(&header.layout, irregular, 8, 2);
    header.size = 8;
    header.control_bytes = hy_control_size(8, 4, 4096);
    assert_ok(hy_control_verify(&header, 8, header.control_bytes + UINT64_C(4) * 8192));
}

/* Whatever is in the header, the number is that of a part. */
TEST(should_find_the_parts_of_this_node_alone)
{
    static const int32_t irregular[] = {0, 1, 1, 0, 1, 0, 0, 1};
    static const int part[] = {-1, 0, 1, -1, 2, -1, -1, 3};
    hy_control *control = aligned_alloc(4096, hy_control_size(8, 4, 4096));
    memset(control, 0, hy_control_size(8, 4, 4096));
    control->size = 8;
    control->nodes = 2;
    control->node = 1;
    control->parts = 4;
    for (int i = 0; i < 8; i++)
        if (part[i] >= 0) hy_control_kept(control)[part[i]] = (uint32_t)i;
    hy_layout_find_rule(&control->layout, irregular, 8, 2);
    for (int i = 0; i < 8; i++) assert_int_equal(hy_control_part_number(control, i), part[i]);
    control->layout.kind = HY_LAYOUT_RULE;
    control->layout.by_node = hy_deal_make(8, 2, 2, 0);
    for (int i = 0; i < 8; i++)
        assert_int_equal(hy_control_part_number(control, i), i / 2 % 2 ? i / 4 * 2 + i % 2 : -1);
    memset(&control->layout.by_node, 0xff, sizeof control->layout.by_node);
    for (int i = 0; i < 8; i++) assert_in_range(hy_control_part_number(control, i) + 1, 0, 4);
    free(control);
}

/* Of a rank about which nothing was written, nothing is read. */
TEST(should_look_at_records_that_were_written_alone)
{
    enum { MANY = 3 * HY_CONTROL_BLOCK };
    hy_control *control = aligned_alloc(4096, hy_control_size(MANY, 1, 4096));
    memset(control, 0, hy_control_size(MANY, 1, 4096));
    control->size = MANY;
    for (int i = 0; i < MANY; i++) hy_control_live_of(control)->ranks[i].state = HY_RANK_DEAD;
    hy_control_publish(control, HY_CONTROL_BLOCK, HY_RANK_LEFT, 0);
    for (int i = 0; i < MANY; i++) {
        bool known = i / HY_CONTROL_BLOCK == 1;
        assert_int_equal(hy_control_look(control, i) != NULL, known);
        assert_int_equal(hy_control_state(control, i), !known                  ? HY_RANK_EXPECTED
                                                       : i == HY_CONTROL_BLOCK ? HY_RANK_LEFT
                                                                               : HY_RANK_DEAD);
    }
    free(control);
}

TEST(should_refuse_a_heap_larger_than_its_part)
{
    hy_control header = healthy();
    header.heap_bytes = 12288;
    assert_damaged(&header, "heap_bytes");
    header.heap_bytes = 100;
    assert_damaged(&header, "heap_bytes");
}

TEST(should_refuse_odd_page_sizes_and_no_cpus)
{
    hy_control header = healthy();
    header.huge = 3000;
    assert_damaged(&header, "huge");
    header = healthy();
    header.cpus = 0;
    assert_damaged(&header, "cpus");
}

/* The reason must be there for whoever sees the state, the state for whoever sees the count. */
TEST(should_publish_a_death_and_ring_sleepers)
{
    size_t size = hy_control_size(RANKS, RANKS, 4096);
    hy_control *control = aligned_alloc(4096, size);
    memset(control, 0, size);
    control->size = control->parts = RANKS;
    hy_store_relaxed(&hy_control_entry_of(control, 2)->bell.sleepers, 1);
    hy_control_publish(control, 1, HY_RANK_DEAD, 256 + 9);
    assert_int_equal(hy_load_acquire(&hy_control_live_of(control)->failures), 1);
    assert_int_equal(hy_load_acquire(&hy_control_live_of(control)->ranks[1].state), HY_RANK_DEAD);
    assert_int_equal(hy_load_relaxed(&hy_control_live_of(control)->ranks[1].why), 256 + 9);
    assert_int_equal(hy_load_relaxed(&hy_control_entry_of(control, 2)->bell.seq), 1);
    assert_int_equal(hy_load_relaxed(&hy_control_entry_of(control, 0)->bell.seq), 0);
    free(control);
}

/* Leaving is no failure; a rank may end because another one has failed. */
TEST(should_remember_which_rank_failed_first)
{
    size_t size = hy_control_size(RANKS, RANKS, 4096);
    hy_control *control = aligned_alloc(4096, size);
    memset(control, 0, size);
    control->size = control->parts = RANKS;
    assert_int_equal(hy_control_failed_first(control), -1);
    hy_control_publish(control, 0, HY_RANK_LEFT, 0);
    assert_int_equal(hy_control_failed_first(control), -1);
    hy_control_publish(control, 2, HY_RANK_STOPPED, 0);
    hy_control_publish(control, 1, HY_RANK_DEAD, 1);
    assert_int_equal(hy_control_failed_first(control), 2);
    free(control);
}

/* Several ranks may find the same end. */
TEST(should_count_each_death_once_and_remember_the_last)
{
    size_t size = hy_control_size(RANKS, RANKS, 4096);
    hy_control *control = aligned_alloc(4096, size);
    memset(control, 0, size);
    control->size = control->parts = RANKS;
    assert_int_equal(hy_control_failed_last(control), -1);
    hy_control_publish(control, 0, HY_RANK_LEFT, 0);
    assert_int_equal(hy_control_deaths(control), 0);
    hy_control_publish(control, 2, HY_RANK_STOPPED, 0);
    hy_control_publish(control, 1, HY_RANK_DEAD, 1);
    hy_control_publish(control, 2, HY_RANK_DEAD, 0);
    hy_control_publish(control, 1, HY_RANK_DEAD, 1);
    assert_int_equal(hy_control_deaths(control), 2);
    assert_int_equal(hy_control_failed_last(control), 1);
    free(control);
}

int main(void)
{
    return tests_run();
}
