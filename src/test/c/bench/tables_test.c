/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a simulated job: what grows with what. */
#include "base/test.h"

#include "boot/layout.h"
#include "base/status.h"
#include "tables.h"

#define SECONDS 0.0001

static hy_tables_figures measure(hy_tables_layout layout, int ranks, int partners)
{
    hy_tables_figures f;
    const hy_tables_job job = {layout, ranks, 64, partners, 64};
    assert_int_equal(hy_tables_measure(&job, SECONDS, &f), HAYATE_OK);
    assert_true(f.ns > 0 && f.flat_ns > 0 && f.find_ns > 0 && f.flat_find_ns > 0);
    return f;
}

TEST(should_take_no_list_for_regular_layouts)
{
    for (int layout = HY_TABLES_BLOCK; layout <= HY_TABLES_CYCLIC; layout++) {
        hy_tables_figures f = measure((hy_tables_layout)layout, 1000000, 100);
        assert_int_equal(f.kind, HY_LAYOUT_RULE);
        assert_in_range(f.node_bytes, 1, 4200);
    }
}

TEST(should_take_three_bytes_for_each_rank_and_two_words_for_each_node_else)
{
    const uint64_t marks = 200000 / 256 + 1, nodes = 200000 / 32;
    hy_tables_figures f = measure(HY_TABLES_RANDOM, 200000, 100);
    assert_int_equal(f.kind, HY_LAYOUT_LIST);
    assert_in_range(f.node_bytes, 600000, 600000 + 8 * nodes + marks + 300);
    f = measure(HY_TABLES_RANGES, 200000, 100);
    assert_int_equal(f.kind, HY_LAYOUT_STARTS);
    assert_in_range(f.node_bytes, 8, 8 * nodes + marks + 300);
}

TEST(should_grow_with_the_partners_not_with_the_ranks)
{
    hy_tables_figures few = measure(HY_TABLES_BLOCK, 1000000, 10),
                      many = measure(HY_TABLES_BLOCK, 1000000, 1000),
                      small = measure(HY_TABLES_BLOCK, 65536, 100),
                      large = measure(HY_TABLES_BLOCK, 1000000, 100);
    assert_in_range(large.process_bytes, 1, 64 << 10);
    assert_in_range(large.process_bytes, small.process_bytes, small.process_bytes + 4 * 128);
    assert_in_range(many.process_bytes, 30 * few.process_bytes, 100 * few.process_bytes);
    assert_true(large.flat_process_bytes > 15 * small.flat_process_bytes);
}

TEST(should_refuse_jobs_that_cannot_be)
{
    static const hy_tables_job bad[] = {
        {HY_TABLES_BLOCK, 1, 1, 1, 1},    {HY_TABLES_BLOCK, 1 << 21, 64, 1, 1},
        {HY_TABLES_BLOCK, 64, 0, 1, 1},   {HY_TABLES_BLOCK, 64, 8, 65, 1},
        {HY_TABLES_LAYOUTS, 64, 8, 1, 1}, {HY_TABLES_BLOCK, 64, 8, 1, 0}};
    hy_tables_figures f;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(hy_tables_measure(&bad[i], SECONDS, &f), HAYATE_ERR_ARGUMENT);
}

int main(void)
{
    return tests_run();
}
