/* SPDX-License-Identifier: Apache-2.0 */
#include "base/test.h"
#include "choose/simulate_lines.h"

static hy_sim_lines lines;

static uint64_t write_by(int core, uint64_t off, uint64_t len)
{
    return hy_sim_lines_write(&lines, core, 0, HY_OUT, off, len);
}

static uint64_t read_by(int core, uint64_t off, uint64_t len)
{
    return hy_sim_lines_read(&lines, core, 0, HY_OUT, off, len);
}

static int clear(void **state)
{
    (void)state;
    hy_sim_lines_reset(&lines);
    return 0;
}

TEST(should_call_back_what_another_one_read_since)
{
    assert_int_equal(write_by(0, 0, 100), 0);
    read_by(1, 0, 100);
    assert_int_equal(write_by(0, 0, 100), 100);
    assert_int_equal(write_by(0, 0, 100), 0);
}

TEST(should_not_call_back_from_itself)
{
    write_by(0, 0, 100);
    read_by(0, 0, 100);
    assert_int_equal(write_by(0, 0, 100), 0);
}

TEST(should_take_over_what_another_one_wrote)
{
    write_by(1, 0, 100);
    read_by(0, 0, 100);
    assert_int_equal(write_by(0, 0, 100), 0);
    read_by(1, 0, 100);
    assert_int_equal(write_by(0, 0, 100), 100);
}

TEST(should_fetch_once_what_another_one_wrote)
{
    assert_int_equal(read_by(1, 0, 100), 0);
    write_by(0, 0, 100);
    assert_int_equal(read_by(0, 0, 100), 0);
    assert_int_equal(read_by(1, 20, 30), 30);
    assert_int_equal(read_by(1, 0, 100), 70);
    assert_int_equal(read_by(1, 0, 100), 0);
    assert_int_equal(read_by(2, 10, 200), 90);
    write_by(1, 50, 10);
    assert_int_equal(read_by(1, 0, 100), 0);
    assert_int_equal(read_by(0, 0, 100), 10);
}

TEST(should_tell_pieces_apart)
{
    write_by(0, 0, 100);
    read_by(1, 20, 30);
    assert_int_equal(write_by(0, 0, 20), 0);
    assert_int_equal(write_by(0, 10, 20), 10);
    assert_int_equal(write_by(0, 0, 100), 20);
    assert_int_equal(write_by(0, 0, 100), 0);
}

TEST(should_keep_regions_and_ranks_apart)
{
    write_by(0, 0, 100);
    hy_sim_lines_read(&lines, 1, 0, HY_IN, 0, 100);
    hy_sim_lines_read(&lines, 1, 1, HY_OUT, 0, 100);
    assert_int_equal(write_by(0, 0, 100), 0);
}

/* Two arrays of bytes say the same as the runs, as long as these have room. */
TEST(should_agree_with_a_map_of_bytes)
{
    enum { BYTES = 64 };
    int writer[BYTES];
    uint32_t readers[BYTES] = {0};
    uint32_t seed = 1;
    for (int i = 0; i < BYTES; i++) writer[i] = -1;
    for (int round = 0; round < 20000; round++) {
        seed = seed * 1103515245 + 12345;
        uint64_t off = (seed >> 8) % 15 * 4, len = ((seed >> 16) % (16 - off / 4) + 1) * 4;
        int core = (seed >> 24) % 3;
        uint32_t bit = 1u << core;
        uint64_t back = 0, fetched = 0;
        bool writes = seed >> 27 & 1;
        for (uint64_t i = off; i < off + len; i++) {
            bool known = writer[i] < 0 || writer[i] == core || readers[i] & bit;
            back += writer[i] == core && readers[i];
            fetched += !known;
            if (writes) writer[i] = core, readers[i] = 0;
            else if (!known) readers[i] |= bit;
        }
        if (writes) assert_int_equal(write_by(core, off, len), back);
        else assert_int_equal(read_by(core, off, len), fetched);
    }
}

TEST(should_stay_in_bounds_with_more_pieces_than_it_keeps)
{
    for (uint64_t i = 0; i < 1000; i++) {
        write_by((int)(i % 3), i % 2 ? i * 10 : (1000 - i) * 10, 5);
        read_by((int)(i % 2), i * 7, 3);
        assert_true(lines.counts[0][HY_OUT] <= HY_SIM_RUNS);
    }
}

int main(void)
{
    tests_each(clear, NULL);
    return tests_run();
}
