/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of tasks and of their spawner. */
#include <pthread.h>
#include <sys/prctl.h>

#include "pvas/pvas_fixture.h"
#include "pvas/spawner_fixture.h"

TEST(should_give_every_exit_code)
{
    new_space(4, GIGA);
    for (int code = 0; code < 256; code += 5) {
        task *t = START(code % 2 ? "dynamic/life" : "static/life", "_exit", text_of("%d", code));
        assert_exit(t, code);
        assert_string_equal(t->out, "");
        reclaim(t);
    }
}

TEST(should_run_what_is_to_run_at_exit)
{
    new_space(1, GIGA);
    task *t = START("dynamic/life", "exit", "11");
    assert_exit(t, 11);
    assert_string_equal(t->out, "bye\nin the buffer of stdio\n");
}

TEST(should_tell_of_every_signal_that_kills)
{
    static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT,
                                  SIGBUS,  SIGFPE,  SIGKILL, SIGUSR1, SIGSEGV, SIGPIPE,
                                  SIGALRM, SIGTERM, SIGXCPU, SIGPROF};
    new_space(2, GIGA);
    for (size_t i = 0; i < COUNT(signals); i++) {
        task *t = START("dynamic/life", "last");
        task_await(t, "ready");
        assert_ok(pvas_kill(space, t->number, signals[i]));
        assert_killed(t, signals[i]);
        reclaim(t);
    }
}

TEST(should_tell_of_ends_by_its_own_hand)
{
    static const struct {
        const char *action, *word;
        int exited, code;
    } ends[] = {{"abort", NULL, 0, SIGABRT},      {"fault", NULL, 0, SIGSEGV},
                {"kill", "9", 0, SIGKILL},        {"kill", "15", 0, SIGTERM},
                {"thread-fault", "", 0, SIGSEGV}, {"thread-exit", "23", 1, 23},
                {"first-leaves", "24", 1, 24}};
    new_space(COUNT(ends) * 2, GIGA);
    for (size_t i = 0; i < COUNT(ends) * 2; i++) {
        const char *name = i % 2 ? "static/life" : "dynamic/life";
        task *t = START(name, ends[i / 2].action, ends[i / 2].word);
        assert_status(t, ends[i / 2].exited, ends[i / 2].code);
    }
}

TEST(should_die_of_too_deep_a_stack_and_harm_nobody)
{
    new_space(3, GIGA);
    task *kept[2] = {START("dynamic/life", "globals", "31"), NULL};
    task *t = START("dynamic/signal", "overflow");
    kept[1] = START("dynamic/life", "globals", "32");
    assert_killed(t, SIGSEGV);
    assert_exit(kept[0], 31);
    assert_exit(kept[1], 32);
}

/* Many ways to die in the middle of many lives. */
TEST(should_not_disturb_others_by_dying)
{
    static const char *const deaths[] = {"abort",        "fault", "kill",
                                         "thread-fault", "_exit", "thread-exit"};
    task *kept[6];
    new_space(16, GIGA);
    for (int i = 0; i < 6; i++) {
        kept[i] = START(i % 2 ? "static/life" : "dynamic/life", "globals", text_of("%d", 40 + i));
        task_await(kept[i], "ready");
    }
    for (int round = 0; round < 10; round++) {
        task *dying[COUNT(deaths)];
        for (size_t i = 0; i < COUNT(deaths); i++) dying[i] = START("dynamic/life", deaths[i]);
        for (size_t i = 0; i < COUNT(deaths); i++) {
            task_end(dying[i]);
            reclaim(dying[i]);
        }
        for (int i = 0; i < 6; i++)
            assert_int_equal(*(volatile int *)address_said(kept[i]), 40 + i);
    }
    for (int i = 0; i < 6; i++) assert_exit(kept[i], 40 + i);
}

TEST(should_be_killed_at_any_moment_of_its_start)
{
    new_space(2, GIGA);
    for (int i = 0; i < 200; i++) {
        task *t = START("dynamic/life", "exit", "1");
        struct timespec span = {.tv_nsec = i * 10000};
        clock_nanosleep(CLOCK_MONOTONIC, 0, &span, NULL);
        assert_ok(pvas_kill(space, t->number, SIGKILL));
        pvas_status status = task_end(t);
        assert_true(status.exited ? status.code == 1 : status.code == SIGKILL);
        reclaim(t);
    }
}

TEST(should_look_at_a_task_without_waiting)
{
    pvas_status status = {-7, -7, -7};
    new_space(1, GIGA);
    task *t = START("dynamic/life", "wait", "6");
    assert_code(pvas_wait(space, t->number, 0, &status), HAYATE_IN_PROGRESS);
    int64_t start = now_ms();
    assert_code(pvas_wait(space, t->number, 60, &status), HAYATE_IN_PROGRESS);
    assert_in_range(now_ms() - start, 59, 59 + 5000);
    task_tell(t, "\n");
    assert_ok(pvas_wait(space, t->number, -1, &status));
    assert_true(status.exited == 1 && status.code == 6 && status.dumped == 0);
    for (int i = 0; i < 3; i++) { /* the answer stays */
        status = (pvas_status){-7, -7, -7};
        assert_ok(pvas_wait(space, t->number, i - 1, &status));
        assert_true(status.exited == 1 && status.code == 6);
    }
    assert_ok(pvas_kill(space, t->number, SIGTERM)); /* gets none, which is no error */
    assert_exit(t, 6);
}

TEST(should_refuse_a_signal_that_is_none)
{
    new_space(1, GIGA);
    task *t = START("dynamic/life", "wait", "6");
    assert_true(pvas_kill(space, t->number, 999) < 0);
    assert_true(pvas_kill(space, t->number, -1) < 0);
    assert_exit(t, 6);
}

static int waited_number;

static void *wait_in_a_thread(void *argument)
{
    pvas_status status = {0};
    int code = pvas_wait(space, waited_number, PATIENCE_MS, &status);
    *(int *)argument = code == HAYATE_OK && status.exited ? status.code : -1;
    return NULL;
}

TEST(should_answer_several_threads_that_wait)
{
    pthread_t threads[6];
    int codes[6];
    new_space(1, GIGA);
    for (int round = 0; round < 10; round++) {
        task *t = START("dynamic/life", "wait", "44");
        waited_number = t->number;
        for (int i = 0; i < 6; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, wait_in_a_thread, &codes[i]), 0);
        task_tell(t, "\n");
        for (int i = 0; i < 6; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (int i = 0; i < 6; i++) assert_int_equal(codes[i], 44);
        assert_exit(t, 44);
        reclaim(t);
    }
}

/* A task whose first thread has left is not ended; one that is stopped neither. */
TEST(should_not_take_a_lull_for_the_end)
{
    pvas_status status;
    new_space(2, GIGA);
    task *t = START("dynamic/life", "first-leaves", "9"),
         *stopped = START("dynamic/life", "answer");
    task_await(t, "ready");
    task_await(stopped, "ready");
    assert_ok(pvas_kill(space, stopped->number, SIGSTOP));
    assert_code(pvas_wait(space, stopped->number, 50, &status), HAYATE_IN_PROGRESS);
    assert_code(pvas_wait(space, t->number, 50, &status), HAYATE_IN_PROGRESS);
    assert_code(pvas_reclaim(space, t->number), HAYATE_ERR_BUSY);
    assert_ok(pvas_kill(space, stopped->number, SIGCONT));
    task_tell(stopped, "on\n");
    task_await(stopped, "heard on.");
    assert_exit(stopped, 0);
    assert_exit(t, 9);
}

static void *spawn_in_a_thread(void *argument)
{
    *(task **)argument = START("dynamic/life", "answer");
    return (void *)(intptr_t)gettid();
}

TEST(should_outlive_the_thread_that_spawned_it)
{
    pthread_t thread;
    task *t = NULL;
    void *id;
    new_space(1, GIGA);
    assert_int_equal(pthread_create(&thread, NULL, spawn_in_a_thread, &t), 0);
    assert_int_equal(pthread_join(thread, &id), 0);
    const char *path = text_of("/proc/self/task/%d", (int)(intptr_t)id);
    while (access(path, F_OK) == 0) sched_yield(); /* the kernel has forgotten it too */
    task_await(t, "ready");
    task_tell(t, "there\n");
    task_await(t, "heard there.");
    assert_exit(t, 0);
}

/* A spawner with `count` tasks ends as `end` says; signal 0: by itself. All tasks end with it. */
static void spawner_ends(const char *end, int signal, int count, const char *action,
                         const char *word)
{
    spawner s;
    spawner_start(&s, end, count, WORDS(program("dynamic/life"), action, "0", word));
    spawner_hear(&s, count);
    if (signal) kill(s.pid, signal);
    else spawner_go_on(&s);
    spawner_take_along(&s, end);
}

TEST(should_not_outlive_a_spawner_that_is_killed)
{
    new_space(1, GIGA); /* or skip */
    spawner_ends("wait", SIGKILL, 1, "last", NULL);
    spawner_ends("wait", SIGKILL, 40, "last", NULL);
    spawner_ends("wait", SIGTERM, 4, "last", NULL);
}

TEST(should_not_outlive_it_though_they_ignore_and_close_all)
{
    new_space(1, GIGA);
    spawner_ends("wait", SIGKILL, 5, "wait", "stubborn");
}

TEST(should_not_outlive_a_spawner_that_ends_by_itself)
{
    static const char *const ends[] = {"return", "thread", "fault", "abort", "destroy", "child"};
    new_space(1, GIGA);
    for (size_t i = 0; i < COUNT(ends); i++) spawner_ends(ends[i], 0, 4, "last", NULL);
}

int main(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what a killed spawner leaves is seen here */
    return pvas_tests_run(NULL, NULL);
}
