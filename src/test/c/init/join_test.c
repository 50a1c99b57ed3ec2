/* SPDX-License-Identifier: Apache-2.0 */
/* A job of one: opening, closing, memory. */
#include "base/test.h"

#include <stdlib.h>
#include <string.h>

#include "wire/group.h"
#include "init/join.h"

#define HEAP (UINT64_C(4) << 20)

static hy_job *job;

static int set_up(void **state)
{
    (void)state;
    setenv("HAYATE_HEAP", "4M", 1);
    return hy_job_open(&job);
}

static int tear_down(void **state)
{
    (void)state;
    hy_job_close(job);
    hy_job_free(job);
    return 0;
}

TEST(should_be_rank_0_of_1)
{
    assert_int_equal(job->rank, 0);
    assert_int_equal(job->size, 1);
    assert_ptr_equal(job->eps[0].single, &hy_path_direct);
    assert_ok(hy_job_check(job, 0));
    assert_ok(hy_job_check(job, -1));
    assert_ok(hy_job_check_all(job));
}

TEST(should_open_one_at_a_time_and_again_after_close)
{
    hy_job *second = NULL;
    assert_int_equal(hy_job_open(&second), HAYATE_ERR_STATE);
    assert_null(second);
    for (int i = 0; i < 20; i++) {
        tear_down(state);
        assert_ok(set_up(state));
    }
}

TEST(should_close_twice_and_say_so_to_later_calls)
{
    uint8_t *memory = hy_job_alloc(job, 100);
    assert_non_null(memory);
    memset(memory, 7, 100);
    hy_job_close(job);
    hy_job_close(job);
    assert_int_equal(memory[99], 7);
    assert_null(hy_job_alloc(job, 64));
    assert_int_equal(hy_job_check(job, -1), HAYATE_ERR_CLOSED);
}

TEST(should_align_small_buffers_to_lines_and_large_ones_to_pages)
{
    static const uint64_t sizes[] = {1, 63, 64, 65, 32767, 32768, 100000};
    for (int i = 0; i < 7; i++) {
        uint8_t *memory = hy_job_alloc(job, sizes[i]);
        assert_non_null(memory);
        uint64_t offset = hy_job_heap_offset(job, memory, sizes[i]);
        assert_int_not_equal(offset, HY_NOT_IN_HEAP);
        assert_int_equal(offset % (sizes[i] >= 32768 ? 4096 : 64), 0);
        assert_int_equal((uintptr_t)memory % (sizes[i] >= 32768 ? 4096 : 64), 0);
        memset(memory, 1, sizes[i]);
    }
}

TEST(should_tell_what_is_of_the_heap)
{
    uint8_t *start = job->part + job->heap_start, *end = job->part + job->part_bytes, other;
    assert_int_equal(hy_job_heap_offset(job, start, 1), job->heap_start);
    assert_int_equal(hy_job_heap_offset(job, start, HEAP), job->heap_start);
    assert_int_equal(hy_job_heap_offset(job, start, HEAP + 1), HY_NOT_IN_HEAP);
    assert_int_equal(hy_job_heap_offset(job, start - 1, 1), HY_NOT_IN_HEAP);
    assert_int_equal(hy_job_heap_offset(job, end, 1), HY_NOT_IN_HEAP);
    assert_int_equal(hy_job_heap_offset(job, end - 1, 2), HY_NOT_IN_HEAP);
    assert_int_equal(hy_job_heap_offset(job, end - 1, UINT64_MAX), HY_NOT_IN_HEAP);
    assert_int_equal(hy_job_heap_offset(job, job->part, 1), HY_NOT_IN_HEAP);
    assert_int_equal(hy_job_heap_offset(job, &other, 1), HY_NOT_IN_HEAP);
    assert_int_equal(hy_job_heap_offset(job, NULL, 1), HY_NOT_IN_HEAP);
}

TEST(should_say_how_much_is_left_when_the_heap_is_exhausted)
{
    uint8_t *most = hy_job_alloc(job, HEAP - 4096);
    assert_non_null(most);
    assert_null(hy_job_alloc(job, 4097));
    assert_non_null(
        strstr(hayate_error(), "no room for 4097 bytes: at most 4096 of 4194304 are left"));
    static const uint64_t sizes[] = {0, HEAP + 1, UINT64_MAX, INT64_MAX};
    for (int i = 0; i < 4; i++) assert_null(hy_job_alloc(job, sizes[i]));
    assert_non_null(hy_job_alloc(job, 4096));
    assert_ok(hy_job_release(job, most));
}

TEST(should_refuse_to_free_what_is_no_allocation)
{
    uint8_t *memory = hy_job_alloc(job, 256), other;
    void *bad[] = {NULL, &other, memory + 1, memory + 64, job->part, job->part + job->part_bytes};
    for (int i = 0; i < 6; i++) assert_int_equal(hy_job_release(job, bad[i]), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_job_release(job, memory));
    assert_refused(hy_job_release(job, memory), HAYATE_ERR_ARGUMENT, "freed twice");
}

TEST(should_zero_the_room_of_the_system_area_that_is_used_again)
{
    uint64_t first, second;
    assert_ok(hy_job_system_take(job, 10000, &first));
    assert_int_equal(first % (2 * HY_LINE), 0);
    assert_ok(hy_job_system_take(job, 40000, &second));
    assert_int_equal(second % 4096, 0);
    memset(job->part + first, 0xff, 10000);
    memset(job->part + second, 0xff, 40000);
    hy_job_system_give(job, first);
    hy_job_system_give(job, second);
    assert_ok(hy_job_system_take(job, 20000, &second));
    assert_int_equal(second, first);
    for (uint64_t i = 0; i < 20000; i++) assert_int_equal(job->part[second + i], 0);
    uint64_t most = job->heap_start;
    assert_int_equal(hy_job_system_take(job, most, &first), HAYATE_ERR_NO_MEMORY);
    assert_int_equal(hy_job_system_take(job, UINT64_MAX, &first), HAYATE_ERR_NO_MEMORY);
}

TEST(should_keep_late_memory_until_the_ranks_have_met)
{
    uint8_t *memory = hy_job_alloc(job, 4096);
    uint64_t used = job->heap.used;
    hy_job_release_late(job, memory);
    assert_int_equal(job->heap.used, used);
    size_t before = hy_job_late(job);
    hy_job_release_late(job, hy_job_alloc(job, 64));
    hy_job_late_over(job, before);
    assert_int_equal(job->heap.used, 64);
    hy_job_late_over(job, hy_job_late(job));
    assert_int_equal(job->heap.used, 0);
    hy_job_late_over(job, 5);
}

TEST(should_open_a_group_of_one_and_of_none)
{
    hy_group group;
    for (int i = 0; i < 50; i++) {
        assert_ok(hy_group_open(&group, job, i % 2, NULL));
        assert_int_equal(group.size, i % 2);
        hy_group_close(&group);
        hy_group_close(&group);
    }
    assert_int_equal(job->system.used, sizeof(hy_counters) + sizeof(hy_waits));
}

TEST(should_refuse_settings_that_cannot_be_understood)
{
    static const char *const bad[][2] = {
        {"HAYATE_EAGER_LIMIT", "55"},   {"HAYATE_EAGER_LIMIT", "1048577"},
        {"HAYATE_EAGER_LIMIT", "lots"}, {"HAYATE_RENDEZVOUS", "fast"},
        {"HAYATE_WAIT", "busy"},        {"HAYATE_HEAP", "1"},
    };
    tear_down(state);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv(bad[i][0], bad[i][1], 1);
        assert_refused(hy_job_open(&job), HAYATE_ERR_ARGUMENT, bad[i][0]);
        unsetenv(bad[i][0]);
    }
    assert_ok(set_up(state));
}

int main(void)
{
    static const char *const names[] = {"HAYATE_RANK", "HAYATE_SIZE", "HAYATE_LOCAL_RANK",
                                        "HAYATE_BOOT_FD"};
    for (int i = 0; i < 4; i++) unsetenv(names[i]);
    tests_each(set_up, tear_down);
    return tests_run();
}
