/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* The memory of a task is in its partition, however it gets it, and ends there. */
#include <sys/resource.h>

#include "pvas/maps_fixture.h"

static const char *const kinds[] = {"dynamic/memory", "static/memory", "musl/memory",
                                    "musl-static/memory"};
static char before[1 << 18], after[1 << 18];

/* The action, told where it is, ends with 0 as a program of every kind, and beside others. */
static void all_kinds(uint64_t partition, const char *action, const char *argument)
{
    new_space(4, partition);
    task *neighbours[2] = {START("dynamic/life", "globals", "51"), NULL};
    task *later = START("dynamic/life", "exit", "0"); /* its place, in the middle, is used now */
    neighbours[1] = START("static/life", "globals", "52");
    assert_exit(later, 0);
    reclaim(later);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!program_is_there(kinds[i])) continue;
        fprintf(stderr, "%s %s\n", kinds[i], action);
        task *t = START(kinds[i], action, argument);
        task_await(t, "ready");
        tell_partition(t);
        pvas_status status = task_end(t);
        if (status.exited && status.code == 77) skip_because("this kernel cannot do that");
        if (!status.exited || status.code != 0)
            fail_msg("%s %s: %d %d: %s", kinds[i], action, status.exited, status.code, t->out);
        reclaim(t);
    }
    assert_exit(neighbours[0], 51);
    assert_exit(neighbours[1], 52);
}

/* While it is being stressed and after, nothing changes outside, and afterwards nothing is left. */
TEST(should_keep_all_mappings_in_the_partition)
{
    new_space(2, 0);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!program_is_there(kinds[i])) continue;
        task *t = START(kinds[i], "stress", "3");
        task_await(t, "ready");
        foreign_maps(t, before, sizeof before);
        tell_partition(t);
        task_await(t, "stressed");
        assert_string_equal(foreign_maps(t, after, sizeof after), before);
        assert_exit(t, 0);
        assert_string_equal(foreign_maps(t, after, sizeof after), before);
        reclaim(t);
    }
}

TEST(should_stress_memory_in_many_tasks_at_once)
{
    enum { TASKS = 8 };
    task *t[TASKS];
    new_space(TASKS, 4 * GIGA);
    for (int i = 0; i < TASKS; i++) {
        const char *seed = text_of("%d", i + 10);
        const char *kind = program_is_there(kinds[i % 4]) ? kinds[i % 4] : kinds[i % 2];
        t[i] = START(kind, "stress", seed);
    }
    for (int i = 0; i < TASKS; i++) task_await(t[i], "ready");
    for (int i = 0; i < TASKS; i++) tell_partition(t[i]);
    for (int i = 0; i < TASKS; i++) task_await(t[i], "stressed");
    for (int i = 0; i < TASKS; i++) assert_exit(t[i], 0);
}

TEST(should_have_a_break_of_its_own)
{
    char *mine = sbrk(0);
    all_kinds(GIGA, "brk", NULL); /* which moves it by 64 MB */
    assert_in_range((char *)sbrk(0) - mine, 0, 16 << 20);
}

TEST(should_have_big_allocations)
{
    all_kinds(0, "big", "2048");
}

TEST(should_be_told_when_the_partition_is_exhausted)
{
    all_kinds(GIGA, "exhaust", "16");
}

TEST(should_be_told_so_by_malloc_too)
{
    all_kinds(GIGA, "exhaust-heap", NULL);
}

TEST(should_not_take_room_of_its_neighbours)
{
    task *t[3];
    new_space(3, GIGA);
    for (int i = 0; i < 3; i++) t[i] = START("dynamic/memory", "exhaust", "4");
    for (int i = 0; i < 3; i++) task_await(t[i], "ready");
    for (int i = 0; i < 3; i++) tell_partition(t[i]);
    for (int i = 0; i < 3; i++) assert_exit(t[i], 0);
}

TEST(should_attach_system_v_segments)
{
    all_kinds(GIGA, "shm", NULL);
}

TEST(should_move_mappings_inside_the_partition)
{
    all_kinds(GIGA, "remap", NULL);
}

TEST(should_move_mappings_and_keep_the_old_ones)
{
    all_kinds(GIGA, "dontunmap", NULL);
}

TEST(should_refuse_to_map_outside_of_the_partition)
{
    all_kinds(GIGA, "outside", NULL);
}

TEST(should_not_change_memory_of_other_tasks)
{
    char segment[32];
    new_space(3, GIGA);
    task *other = START("dynamic/life", "globals", "53");
    task_await(other, "ready");
    volatile int *value = address_said(other);
    const char *at = text_of("%p", (void *)(uintptr_t)value);
    task *third = START("dynamic/memory", "segment");
    task_await(third, "ready");
    snprintf(segment, sizeof segment, "%p", address_said(third));
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!program_is_there(kinds[i])) continue;
        task *t = START(kinds[i], "others", at, segment);
        task_await(t, "ready");
        tell_partition(t);
        assert_exit(t, 0);
        assert_int_equal(*value, 53);
        reclaim(t);
    }
    assert_exit(third, 0);
    assert_exit(other, 53);
}

TEST(should_give_back_what_a_task_has_outside)
{
    new_space(2, GIGA);
    for (int killed = 0; killed < 2; killed++) {
        task *t = START("dynamic/memory", "far");
        task_await(t, "ready");
        tell_partition(t);
        task_await(t, "far");
        foreign_maps(t, before, sizeof before);
        assert_non_null(strstr(before, "180000000000-180000100000 rw"));
        assert_non_null(strstr(before, "180000300000-180000500000 rw"));
        if (killed) assert_ok(pvas_kill(space, t->number, SIGKILL));
        task_end(t);
        reclaim(t);
        task *other = START("dynamic/life", "exit", "0");
        foreign_maps(other, after, sizeof after);
        assert_null(strstr(after, "180000000000-"));
        assert_null(strstr(after, "180000300000-"));
        assert_exit(other, 0);
        reclaim(other);
    }
}

TEST(should_give_the_errors_that_the_kernel_gives)
{
    all_kinds(GIGA, "errors", NULL);
}

TEST(should_map_files)
{
    all_kinds(GIGA, "file", NULL);
}

TEST(should_go_on_when_its_memory_is_limited)
{
    all_kinds(GIGA, "limit", NULL);
    struct rlimit mine;
    assert_int_equal(getrlimit(RLIMIT_AS, &mine), 0);
    assert_int_not_equal(mine.rlim_cur, 0);
}

/* brk areas of the task and of this process are told apart while both grow. */
TEST(should_not_disturb_the_heap_of_the_spawner)
{
    char *blocks[200];
    new_space(4, 4 * GIGA);
    task *t[4];
    for (int i = 0; i < 4; i++) t[i] = START("dynamic/memory", "stress", "5");
    for (int i = 0; i < 4; i++) task_await(t[i], "ready");
    for (int i = 0; i < 4; i++) tell_partition(t[i]);
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < COUNT(blocks); i++) {
            blocks[i] = malloc(1000 * (i + 1));
            assert_non_null(blocks[i]);
            memset(blocks[i], (int)i, 1000 * (i + 1));
        }
        for (size_t i = 0; i < COUNT(blocks); i++) {
            for (size_t k = 0; k < 1000 * (i + 1); k += 997)
                assert_int_equal((unsigned char)blocks[i][k], i);
            free(blocks[i]);
        }
    }
    for (int i = 0; i < 4; i++) assert_exit(t[i], 0);
}

int main(void)
{
    return pvas_tests_run(NULL, NULL);
}
