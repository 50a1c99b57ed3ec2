/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Which of two protocols messages take, from how long earlier ones took. */
#include "base/test.h"

#include "msg/crossover.h"

#define BYTES (UINT64_C(1) << 20)
#define TURNS 8

static hy_crossover crossover;

static int new_crossover(void **state)
{
    (void)state;
    crossover = (hy_crossover){0};
    return 0;
}

/* Of the next messages, those by a single copy. They take the microseconds given. */
static int singles(int messages, uint64_t bytes, uint64_t pipeline_us, uint64_t single_us)
{
    int count = 0;
    for (int i = 0; i < messages; i++) {
        bool single = hy_crossover_prefers_single(&crossover, bytes);
        count += single;
        hy_crossover_timed(&crossover, bytes, single, 1000 * (single ? single_us : pipeline_us));
    }
    return count;
}

TEST(should_let_both_take_turns_first)
{
    for (int i = 0; i < TURNS; i++) assert_int_equal(singles(1, BYTES, 100, 200), i % 2);
}

TEST(should_take_the_faster_one_and_one_in_64_times_the_other)
{
    singles(TURNS, BYTES, 100, 60);
    assert_int_equal(singles(640, BYTES, 100, 60), 630);
    singles(TURNS, 4 * BYTES, 100, 160);
    assert_int_equal(singles(640, 4 * BYTES, 100, 160), 10);
}

TEST(should_take_the_pipeline_if_both_are_about_equal)
{
    singles(TURNS, BYTES, 100, 95);
    assert_int_equal(singles(50, BYTES, 100, 95), 0);
}

TEST(should_keep_lengths_apart)
{
    singles(TURNS, HY_CROSSOVER_FROM, 10, 20);
    assert_int_equal(singles(TURNS, 2 * HY_CROSSOVER_FROM - 1, 10, 20), 0);
    assert_int_equal(singles(TURNS, 2 * HY_CROSSOVER_FROM, 20, 10), TURNS / 2);
    singles(TURNS, UINT64_C(1) << 30, 20000, 10000);
    assert_int_equal(singles(40, HY_CROSSOVER_FROM, 10, 20), 0);
    assert_int_equal(singles(50, 2 * HY_CROSSOVER_FROM, 20, 10), 50);
    assert_int_equal(singles(50, UINT64_C(1) << 28, 6000, 3000), 50);
}

TEST(should_take_the_pipeline_until_a_single_copy_was_timed)
{
    int count = 0;
    for (int i = 0; i < TURNS; i++) hy_crossover_prefers_single(&crossover, BYTES);
    for (int i = 0; i < 50; i++) count += hy_crossover_prefers_single(&crossover, BYTES);
    assert_int_equal(count, 0);
}

/* A side computed meanwhile. */
TEST(should_not_be_misled_by_a_message_that_took_long)
{
    singles(TURNS, BYTES, 100, 60);
    singles(1, BYTES, 100, 100000);
    assert_int_equal(singles(10, BYTES, 100, 60), 10);
}

TEST(should_change_when_the_other_one_has_become_faster)
{
    singles(TURNS, BYTES, 100, 60);
    singles(64, BYTES, 100, 300); /* more than the estimate needs to rise by two thirds */
    assert_int_equal(singles(50, BYTES, 100, 300), 0);
    singles(64, BYTES, 100, 60); /* one of them by a single copy, which is fast again */
    assert_int_equal(singles(6, BYTES, 100, 60), 6);
}

TEST(should_bear_times_out_of_range)
{
    for (int i = 0; i < 100; i++) {
        hy_crossover_timed(&crossover, HY_CROSSOVER_FROM, true, UINT64_MAX);
        hy_crossover_timed(&crossover, HY_CROSSOVER_FROM, false, 0);
    }
    singles(TURNS, HY_CROSSOVER_FROM, 0, UINT32_MAX);
    assert_int_equal(singles(50, HY_CROSSOVER_FROM, 0, UINT32_MAX), 0);
}

int main(void)
{
    tests_each(new_crossover, NULL);
    return tests_run();
}
