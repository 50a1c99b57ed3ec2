/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces of all heaps: what the ranks have allocated themselves, and locks that they name. */
#define RANKS 2
#include "ompl/spaces_fixture.h"

#define LINES 64

static uint8_t *memory[RANKS];
static uint64_t places[RANKS];

/* Takes memory of each heap; its first line is the lock. */
static void take_memory(void)
{
    open_spaces(0);
    for (int i = 0; i < RANKS; i++) {
        memory[i] = hy_job_alloc(members[i].job, LINES * HY_LINE);
        assert_non_null(memory[i]);
        memset(memory[i], 0, LINES * HY_LINE);
        places[i] = (uint64_t)(memory[i] - members[i].job->part);
    }
}

static void give_memory(void)
{
    for (int i = 0; i < RANKS; i++) assert_ok(hy_job_release(members[i].job, memory[i]));
    close_spaces();
}

TEST(should_reach_what_others_have_allocated)
{
    hy_ompl *space;
    int64_t number = 41, one = 1, back = 0;
    uint64_t before;
    take_memory();
    assert_ok(hy_ompl_open_heaps(&space, members[0].job, places));
    const hy_buffer from = {.address = (uint8_t *)&number}, by = {.address = (uint8_t *)&one},
                    to = {.address = (uint8_t *)&back};
    for (int i = 0; i < RANKS; i++) {
        uint64_t at = places[i] + 3 * HY_LINE;
        assert_ok(hy_ompl_put(space, &from, i, at, sizeof number));
        assert_ok(hy_ompl_accumulate(space, &by, NULL, i, at, sizeof one, FMPL_LONG_SUM));
        assert_ok(hy_ompl_atomic(space, i, at + 8, HY_ATOMIC_ADD, 7, 0, &before));
        assert_ok(hy_ompl_flush(space, i));
        assert_int_equal(((int64_t *)(void *)(memory[i] + 3 * HY_LINE))[0], 42);
        assert_int_equal(((int64_t *)(void *)(memory[i] + 3 * HY_LINE))[1], 7);
        assert_ok(hy_ompl_get(space, &to, i, at, sizeof back));
        assert_int_equal(back, 42);
    }
    hy_ompl_close(space);
    assert_code(hy_ompl_put(space, &from, 0, places[0], sizeof number), HAYATE_ERR_CLOSED);
    hy_ompl_free(space);
    assert_int_equal(((int64_t *)(void *)(memory[1] + 3 * HY_LINE))[0], 42);
    give_memory();
}

/* Two spaces are one to accumulates if they name the same locks. */
TEST(should_take_the_locks_that_are_named)
{
    hy_ompl *space;
    int64_t one = 1;
    const hy_buffer by = {.address = (uint8_t *)&one};
    take_memory();
    assert_ok(hy_ompl_open_heaps(&space, members[0].job, places));
    const hy_part_lock lock = {.ompl = space, .ep = hy_job_ep(members[0].job, 1), .at = places[1]};
    assert_ok(hy_part_lock_take(&lock));
    assert_int_equal(*(uint64_t *)(void *)memory[1], 1);
    assert_ok(hy_ompl_accumulate(space, &by, NULL, 0, places[0] + 64, 8, FMPL_LONG_SUM));
    assert_ok(hy_part_lock_give(&lock));
    assert_ok(hy_ompl_accumulate(space, &by, NULL, 1, places[1] + 64, 8, FMPL_LONG_SUM));
    assert_int_equal(*(uint64_t *)(void *)memory[1], 0);
    hy_ompl_close(space);
    hy_ompl_free(space);
    give_memory();
}

TEST(should_refuse_locks_outside_of_the_heap)
{
    take_memory();
    const uint64_t wrong[] = {1, places[1] + 8, UINT64_MAX - HY_LINE + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hy_ompl *space = NULL;
        const uint64_t locks[] = {places[0], wrong[i]};
        assert_code(hy_ompl_open_heaps(&space, members[0].job, locks), HAYATE_ERR_ARGUMENT);
        assert_null(space);
        assert_non_null(strstr(hayate_error(), "the lock of rank 1"));
    }
    give_memory();
}

int main(void)
{
    return tests_run();
}
