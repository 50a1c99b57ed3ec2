/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces and the numbers of their tasks: made, held, given back, and used when they are no more. */
#include "pvas/pvas_fixture.h"

/* By every call about a task. */
static void refuse_number(int of, int number)
{
    void *memory;
    uint64_t bytes;
    size_t length;
    pvas_status status;
    assert_refused(pvas_wait(of, number, 0, &status), HAYATE_ERR_ARGUMENT, "");
    assert_refused(pvas_kill(of, number, SIGKILL), HAYATE_ERR_ARGUMENT, "");
    assert_refused(pvas_reclaim(of, number), HAYATE_ERR_ARGUMENT, "");
    assert_refused(pvas_hold(of, number), HAYATE_ERR_ARGUMENT, "");
    assert_refused(pvas_drop(of, number), HAYATE_ERR_ARGUMENT, "");
    assert_refused(pvas_partition(of, number, &memory, &bytes), HAYATE_ERR_ARGUMENT, "");
    if (number != PVAS_CREATOR)
        assert_refused(pvas_import(of, number, "x", 0, &memory, &length), HAYATE_ERR_ARGUMENT, "");
}

TEST(should_refuse_a_space_of_wrong_size)
{
    int number = -7;
    static const uint64_t wrong[] = {1,        4096,        GIGA / 2,  GIGA + 1,
                                     3 * GIGA, 8192 * GIGA, UINT64_MAX};
    new_space(1, GIGA); /* or skip */
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(pvas_create(1, wrong[i], &number), HAYATE_ERR_ARGUMENT, "");
    assert_refused(pvas_create(1, GIGA, NULL), HAYATE_ERR_ARGUMENT, "");
    assert_int_equal(number, -7);
}

TEST(should_refuse_a_space_that_fits_nowhere)
{
    int number = -7;
    new_space(1, GIGA);
    assert_refused(pvas_create(4096, 4096 * GIGA, &number), HAYATE_ERR_NO_MEMORY, "");
    assert_int_equal(number, -7);
}

TEST(should_refuse_more_tasks_than_a_space_can_have)
{
    int number = -7;
    new_space(1, GIGA); /* or skip */
    assert_refused(pvas_create(PVAS_TASKS_MAX + 1, GIGA, &number), HAYATE_ERR_ARGUMENT,
                   "4097 tasks: expected 1 to 4096");
    assert_refused(pvas_create(UINT32_MAX, GIGA, &number), HAYATE_ERR_ARGUMENT, "4294967295");
    assert_int_equal(number, -7);
    assert_ok(pvas_create(PVAS_TASKS_MAX, GIGA, &number));
    assert_ok(pvas_destroy(number));
}

TEST(should_have_partitions_of_the_size_asked_for)
{
    static const uint64_t sizes[] = {GIGA, 8 * GIGA, 0};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        void *base[2];
        uint64_t bytes[2];
        new_space(4, sizes[i]);
        for (int k = 0; k < 2; k++) {
            task *t = START("dynamic/life", "wait");
            assert_ok(pvas_partition(space, t->number, &base[k], &bytes[k]));
            assert_int_equal(bytes[k], sizes[i] ? sizes[i] : 64 * GIGA);
        }
        uintptr_t distance = base[0] < base[1] ? (char *)base[1] - (char *)base[0]
                                               : (char *)base[0] - (char *)base[1];
        assert_true(distance >= bytes[0]);
        for (task *t = tasks; t; t = t->next)
            if (!t->ended) assert_exit(t, 0);
        assert_int_equal(space_teardown(NULL), 0);
    }
}

TEST(should_keep_two_spaces_apart)
{
    void *base, *other_base;
    uint64_t bytes, other_bytes;
    int other, number;
    pid_t pid;
    pvas_status status;
    new_space(0, 0);
    assert_ok(pvas_create(8, GIGA, &other));
    assert_int_not_equal(space, other);
    task *mine = START("dynamic/life", "wait", "5");
    const char *words[] = {"sharing", "self", NULL};
    assert_ok(pvas_spawn(other, program("dynamic/sharing"), (char *const *)words, NULL, NULL,
                         &number, &pid));
    assert_ok(pvas_partition(space, mine->number, &base, &bytes));
    assert_ok(pvas_partition(other, number, &other_base, &other_bytes));
    assert_true((char *)other_base >= (char *)base + bytes ||
                (char *)base >= (char *)other_base + other_bytes);
    assert_ok(pvas_wait(other, number, PATIENCE_MS, &status));
    assert_true(status.exited && status.code == 0);
    assert_ok(pvas_destroy(other));
    assert_refused(pvas_destroy(other), HAYATE_ERR_ARGUMENT, "");
    assert_exit(mine, 5);
}

TEST(should_kill_what_runs_when_a_space_is_destroyed)
{
    pid_t pids[6];
    new_space(8, GIGA);
    for (int i = 0; i < 6; i++) {
        task *t = i % 3 == 0   ? START("dynamic/life", "last", "3")
                  : i % 3 == 1 ? START("dynamic/life", "wait", "0", "stubborn")
                               : START("static/life", "wait");
        if (i < 5) task_await(t, "ready");
        pids[i] = t->pid;
    }
    assert_ok(pvas_kill(space, tasks->number, SIGSTOP)); /* one is not even running */
    assert_ok(pvas_destroy(space));
    for (int i = 0; i < 6; i++) {
        assert_int_equal(kill(pids[i], 0), -1);
        assert_int_equal(errno, ESRCH);
    }
    space = -1;
}

TEST(should_say_that_a_space_was_destroyed)
{
    pvas_status status;
    int number;
    pid_t pid;
    int gone = new_space(2, GIGA);
    task *t = START("dynamic/life", "exit", "0");
    assert_exit(t, 0);
    assert_ok(pvas_destroy(gone));
    space = -1;
    const char *words[] = {"life", "exit", NULL};
    assert_refused(
        pvas_spawn(gone, program("dynamic/life"), (char *const *)words, NULL, NULL, &number, &pid),
        HAYATE_ERR_CLOSED, "");
    assert_refused(pvas_destroy(gone), HAYATE_ERR_ARGUMENT, "");
    refuse_number(gone, t->number);
    assert_true(pvas_export(gone, "x", &status, sizeof status) < 0);
    assert_int_not_equal(new_space(2, GIGA), gone); /* numbers are not used twice */
}

TEST(should_refuse_numbers_that_never_were)
{
    static const int wrong[] = {-2, -1, 7, 1000000, INT32_MAX, INT32_MIN};
    pid_t pid;
    int number;
    new_space(2, GIGA);
    const char *words[] = {"life", "exit", NULL};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        refuse_number(space, wrong[i]);
        assert_refused(pvas_spawn(wrong[i] == 7 ? space + 1000 : wrong[i], program("dynamic/life"),
                                  (char *const *)words, NULL, NULL, &number, &pid),
                       HAYATE_ERR_ARGUMENT, "");
    }
}

TEST(should_refuse_a_spawn_without_path_or_arguments)
{
    char *const words[] = {"life", "exit", NULL};
    int number;
    pid_t pid;
    new_space(2, GIGA);
    assert_refused(pvas_spawn(space, NULL, words, NULL, NULL, &number, &pid), HAYATE_ERR_ARGUMENT,
                   "");
    assert_refused(pvas_spawn(space, program("dynamic/life"), NULL, NULL, NULL, &number, &pid),
                   HAYATE_ERR_ARGUMENT, "");
    assert_refused(pvas_spawn(space, program("dynamic/life"), words, NULL, NULL, NULL, &pid),
                   HAYATE_ERR_ARGUMENT, "");
    assert_ok(pvas_spawn(space, program("dynamic/life"), words, NULL, NULL, &number, NULL));
}

TEST(should_have_room_for_as_many_tasks_as_asked_for)
{
    task *t[3], *more;
    new_space(3, GIGA);
    for (int i = 0; i < 3; i++) t[i] = START("dynamic/life", "wait");
    const char *words[] = {"life", "wait", NULL};
    for (int i = 0; i < 3; i++)
        assert_refused(task_try(&more, "dynamic/life", words, NULL, NULL), HAYATE_ERR_NO_MEMORY,
                       "");
    assert_exit(t[1], 0); /* its memory is still there */
    assert_code(task_try(&more, "dynamic/life", words, NULL, NULL), HAYATE_ERR_NO_MEMORY);
    reclaim(t[1]);
    assert_ok(task_try(&more, "dynamic/life", words, NULL, NULL));
    assert_int_not_equal(more->number, t[1]->number);
    assert_exit(more, 0);
    assert_exit(t[0], 0);
    assert_exit(t[2], 0);
}

TEST(should_not_use_the_number_of_a_task_again)
{
    new_space(1, GIGA);
    for (int i = 0, last = -1; i < 20; i++) {
        task *t = START("dynamic/life", "exit", "9");
        assert_true(t->number > last);
        if (last >= 0) refuse_number(space, last); /* its place is taken by t, but it is not t */
        assert_exit(t, 9);
        reclaim(t);
        assert_refused(pvas_reclaim(space, t->number), HAYATE_ERR_ARGUMENT, "");
        last = t->number;
    }
}

TEST(should_not_reclaim_a_task_that_runs)
{
    new_space(2, GIGA);
    task *t = START("dynamic/life", "wait", "3");
    assert_refused(pvas_reclaim(space, t->number), HAYATE_ERR_BUSY, "");
    task_await(t, "ready");
    assert_refused(pvas_reclaim(space, t->number), HAYATE_ERR_BUSY, "");
    assert_exit(t, 3);
    reclaim(t);
}

TEST(should_keep_the_memory_of_a_task_while_it_is_held)
{
    new_space(1, GIGA);
    task *t = START("dynamic/life", "globals", "41");
    task_await(t, "ready");
    volatile int *value = address_said(t);
    assert_ok(pvas_hold(space, t->number));
    assert_ok(pvas_hold(space, t->number));
    assert_exit(t, 41);
    for (int i = 0; i < 2; i++) {
        assert_refused(pvas_reclaim(space, t->number), HAYATE_ERR_BUSY, "");
        assert_refused(pvas_destroy(space), HAYATE_ERR_BUSY, "");
        assert_int_equal(*value, 41);
        assert_ok(pvas_drop(space, t->number));
    }
    assert_refused(pvas_drop(space, t->number), HAYATE_ERR_ARGUMENT, "");
    reclaim(t);
}

TEST(should_do_nothing_when_a_space_in_use_is_destroyed)
{
    new_space(2, GIGA);
    task *held = START("dynamic/life", "wait", "1"), *runs = START("dynamic/life", "answer");
    task_await(runs, "ready");
    assert_ok(pvas_hold(space, held->number));
    assert_exit(held, 1);
    assert_refused(pvas_destroy(space), HAYATE_ERR_BUSY, "");
    task_tell(runs, "a word\n");
    task_await(runs, "heard a word.");
    assert_exit(runs, 0);
    reclaim(runs);
    assert_ok(pvas_drop(space, held->number));
    task *again = START("dynamic/life", "exit", "2"); /* it is open still */
    assert_exit(again, 2);
}

TEST(should_hold_a_task_that_runs)
{
    new_space(1, GIGA);
    task *t = START("dynamic/life", "wait", "4");
    assert_ok(pvas_hold(space, t->number));
    assert_ok(pvas_drop(space, t->number));
    assert_refused(pvas_drop(space, t->number), HAYATE_ERR_ARGUMENT, "");
    assert_exit(t, 4);
    reclaim(t);
}

TEST(should_say_that_this_process_is_no_task)
{
    int number;
    new_space(1, GIGA);
    assert_refused(pvas_self(), HAYATE_ERR_STATE, "");
    assert_true(pvas_export(space + 1, "x", &number, sizeof number) < 0);
}

TEST(should_be_of_no_use_to_a_child_of_fork)
{
    new_space(4, GIGA);
    task *t = START("dynamic/life", "answer");
    task_await(t, "ready");
    pid_t child = fork();
    if (child == 0) {
        char *const words[] = {"life", "exit", NULL};
        int number, wrong = 0;
        pvas_status status;
        wrong |= pvas_spawn(space, program("dynamic/life"), words, NULL, NULL, &number, NULL) >= 0;
        wrong |= (pvas_kill(space, t->number, SIGKILL) >= 0) << 1;
        wrong |= (pvas_wait(space, t->number, 0, &status) >= 0) << 2;
        wrong |= (pvas_destroy(space) >= 0) << 3;
        _exit(wrong);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    task_tell(t, "still there\n"); /* and the child's end did not end the task */
    task_await(t, "heard still there.");
    assert_exit(t, 0);
}

int main(void)
{
    return pvas_tests_run(NULL, NULL);
}
