/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Wired schedules by slices: long steps are cut, short ones stop in time, and the result is that of
 * a whole run. */
#include "base/test.h"
#include "exec/wired.h"

#define LONGS 10000
#define BYTES (LONGS * sizeof(int64_t))
#define SLICE 1000 /* not a whole number of elements of 16 bytes */
#define UNIT 16

static uint64_t longest; /* bytes of one call */

static void add(void *into, const void *from, size_t count, void *context)
{
    (void)context;
    if (count * UNIT > longest) longest = count * UNIT;
    for (size_t i = 0; i < 2 * count; i++) ((int64_t *)into)[i] += ((const int64_t *)from)[i];
}

static HY_ALIGNED int64_t sum[LONGS], given[LONGS], copy[LONGS + 8];

static hy_wired_step step_of(uint8_t kind, void *local, const void *remote, uint64_t len)
{
    return (hy_wired_step){
        .kind = kind, .local = local, .remote = (uint64_t)(uintptr_t)remote, .len = len};
}

static hy_wired wired_of(hy_wired_step *steps, uint32_t count)
{
    return (hy_wired){.steps = steps,
                      .count = count,
                      .depth = 4,
                      .size = 1,
                      .fold = {.reduce = add, .unit = UNIT}};
}

static void fill(void)
{
    for (int64_t i = 0; i < LONGS; i++) sum[i] = i, given[i] = 3 * i + 1, copy[i] = 5 * i;
}

static int slices_of(hy_wired *w)
{
    int slices = 1;
    hy_wired_start(w);
    for (; hy_wired_run_slice(w, SLICE) == HAYATE_IN_PROGRESS; slices++)
        assert_in_range(slices, 0, 10000);
    return slices;
}

TEST(should_cut_long_steps_and_give_the_same_result)
{
    hy_wired_step steps[] = {step_of(HY_STEP_REDUCE, sum, given, BYTES),
                             step_of(HY_STEP_COPY, copy, sum, BYTES)};
    hy_wired w = wired_of(steps, 2);
    fill();
    for (int run = 1; run <= 3; run++) {
        longest = 0;
        assert_in_range(slices_of(&w), 2 * BYTES / SLICE, 3 * BYTES / SLICE);
        assert_in_range(longest, UNIT, SLICE);
        for (int64_t i = 0; i < LONGS; i++) {
            assert_int_equal(sum[i], i + run * (3 * i + 1));
            assert_int_equal(copy[i], sum[i]);
        }
    }
}

TEST(should_begin_anew_after_a_run_that_was_given_up)
{
    hy_wired_step steps[] = {step_of(HY_STEP_COPY, copy, sum, BYTES)};
    hy_wired w = wired_of(steps, 1);
    fill();
    hy_wired_start(&w);
    assert_code(hy_wired_run_slice(&w, SLICE), HAYATE_IN_PROGRESS);
    memset(copy, 0xff, sizeof copy);
    slices_of(&w);
    assert_memory_equal(copy, sum, BYTES);
}

TEST(should_stop_after_many_short_steps)
{
    static hy_wired_step steps[LONGS];
    hy_wired w = wired_of(steps, LONGS);
    fill();
    for (int i = 0; i < LONGS; i++) steps[i] = step_of(HY_STEP_COPY, &copy[i], &sum[i], 8);
    assert_in_range(slices_of(&w), LONGS / 20, LONGS / 10);
    assert_memory_equal(copy, sum, BYTES);
}

/* Piece by piece, what is read later would be overwritten. */
TEST(should_not_cut_a_copy_onto_itself)
{
    hy_wired_step steps[] = {step_of(HY_STEP_COPY, copy + 5, copy, BYTES)};
    hy_wired w = wired_of(steps, 1);
    fill();
    slices_of(&w);
    for (int64_t i = 0; i < LONGS; i++) assert_int_equal(copy[i + 5], 5 * i);
    steps[0] = step_of(HY_STEP_COPY, copy, copy + 5, BYTES); /* backwards it may be */
    slices_of(&w);
    for (int64_t i = 0; i < LONGS; i++) assert_int_equal(copy[i], 5 * i);
}

int main(void)
{
    return tests_run();
}
