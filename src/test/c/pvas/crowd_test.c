/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Many tasks: at once, one after another, from many threads, of a big spawner. What they took is
 * given back to the page and to the descriptor. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "pvas/maps_fixture.h"

/* By its spawner: in its start, or with its threads running. */
static void kill_once(const char *path, int round)
{
    char *const words[] = {(char *)path, "last", "3", NULL};
    pvas_spawning how = {.descriptors = nowhere};
    pvas_status status = {0};
    int number;
    assert_ok(pvas_spawn(space, path, words, NULL, &how, &number, NULL));
    for (int i = 0; i < round % 4; i++) sched_yield();
    assert_ok(pvas_kill(space, number, SIGKILL));
    assert_ok(pvas_wait(space, number, PATIENCE_MS, &status));
    assert_true(!status.exited && status.code == SIGKILL);
    assert_ok(pvas_reclaim(space, number));
}

TEST(should_leave_nothing_after_a_thousand_spawns)
{
    static const struct {
        const char *program, *action, *word;
        int code;
    } cases[] = {{"dynamic/life", "_exit", "5", 5},
                 {"static/life", "exit", "5", 5},
                 {"dynamic/life", "fault", "", -1000 - SIGSEGV},
                 {"dynamic/life", "threads", "5", 0},
                 {"no such program", "x", "", HAYATE_ERR_SYSTEM},
                 {"fixed/life", "x", "", HAYATE_ERR_UNSUPPORTED},
                 {"dynamic/life", "abort", "", -1000 - SIGABRT},
                 {"static/life", "kill", "9", -1000 - SIGKILL}};
    char paths[COUNT(cases)][1024];
    footprint before = {0};
    need_exact_figures();
    new_space(4, 0);
    for (size_t i = 0; i < COUNT(cases); i++) strcpy(paths[i], program(cases[i].program));
    for (int i = -20; i < 1000; i++) {
        if (i == 0) before = footprint_now();
        size_t k = i % 10 > 3 ? (size_t)(i & 1) : (size_t)(i + 60) % COUNT(cases);
        int code = run_once(space, paths[k], cases[k].action, cases[k].word, nowhere);
        if (i % 7 == 3) kill_once(paths[0], i);
        if (code != cases[k].code && code != RECLAIMED)
            fail_msg("round %d, %s %s: %d: %s", i, paths[k], cases[k].action, code, hayate_error());
    }
    assert_same_footprint(before, footprint_now());
}

TEST(should_leave_nothing_of_spaces)
{
    footprint before = {0};
    char path[1024];
    need_exact_figures();
    new_space(1, GIGA); /* or skip */
    strcpy(path, program("dynamic/life"));
    for (int i = -5; i < 100; i++) {
        int other, number;
        char *const words[] = {path, "last", NULL};
        pvas_spawning how = {.descriptors = nowhere};
        if (i == 0) before = footprint_now();
        assert_ok(pvas_create(i % 2 ? 0 : 4, i % 3 ? GIGA : 0, &other));
        for (int k = 0; k < 2; k++) {
            int code = run_once(other, path, "exit", "5", nowhere);
            assert_true(code == 5 || code == RECLAIMED);
        }
        assert_ok(pvas_spawn(other, path, words, NULL, &how, &number, NULL));
        assert_ok(pvas_spawn(other, path, words, NULL, &how, &number, NULL));
        assert_ok(pvas_destroy(other));
    }
    assert_same_footprint(before, footprint_now());
}

TEST(should_leave_nothing_of_refused_spawns)
{
    static const char *const bad[] = {"/no/such/file", "/usr", "/etc/passwd"};
    const int closed[] = {3999, 1, 2};
    footprint before = {0};
    char *const words[] = {"x", NULL};
    char path[1024];
    int number;
    need_exact_figures();
    new_space(2, GIGA);
    strcpy(path, program("dynamic/life"));
    for (int i = -5; i < 200; i++) {
        if (i == 0) before = footprint_now();
        for (size_t k = 0; k < COUNT(bad); k++)
            assert_true(pvas_spawn(space, bad[k], words, NULL, NULL, &number, NULL) < 0);
        pvas_spawning how = {.descriptors = closed};
        assert_true(pvas_spawn(space, path, words, NULL, &how, &number, NULL) < 0);
        how = (pvas_spawning){.directory = "/no/such/directory"};
        assert_true(pvas_spawn(space, path, words, NULL, &how, &number, NULL) < 0);
        how = (pvas_spawning){.stack_bytes = SIZE_MAX - 4096};
        assert_true(pvas_spawn(space, path, words, NULL, &how, &number, NULL) < 0);
    }
    assert_same_footprint(before, footprint_now());
}

TEST(should_keep_a_hundred_tasks_alive)
{
    enum { TASKS = 100 };
    static const char *const programs[] = {"dynamic/life", "static/life", "musl/life",
                                           "musl-static/life"};
    static task *t[TASKS];
    new_space(0, 0);
    for (int i = 0; i < TASKS; i++) {
        const char *name = program_is_there(programs[i % 4]) ? programs[i % 4] : programs[i % 2];
        t[i] = START(name, "answer");
    }
    for (int i = 0; i < TASKS; i++) task_await(t[i], "ready");
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < TASKS; i++) {
            char answer[48];
            task_tell(t[i], text_of("%d of %d\n", i, round));
            snprintf(answer, sizeof answer, "heard %d of %d.", i, round);
            task_await(t[i], answer);
        }
    for (int i = 0; i < TASKS; i += 3) assert_ok(pvas_kill(space, t[i]->number, SIGKILL));
    for (int i = 0; i < TASKS; i++) {
        if (i % 3 == 0) assert_killed(t[i], SIGKILL);
        else assert_exit(t[i], 0);
    }
}

TEST(should_have_a_pid_of_its_own_for_each_task)
{
    enum { TASKS = 64 };
    static task *t[TASKS];
    new_space(TASKS, GIGA);
    for (int i = 0; i < TASKS; i++) t[i] = START("dynamic/life", "wait");
    for (int i = 0; i < TASKS; i++) {
        assert_int_equal(kill(t[i]->pid, 0), 0);
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(t[i]->pid, t[k]->pid);
            assert_int_not_equal(t[i]->number, t[k]->number);
        }
    }
    for (int i = 0; i < TASKS; i++) assert_exit(t[i], 0);
}

static const char *thread_path;

static void *spawn_often(void *argument)
{
    intptr_t wrong = 0;
    for (int i = 0; i < 25; i++) {
        const char *word = text_of("%d", (int)(intptr_t)argument * 25 + i);
        int code = run_once(space, thread_path, i % 2 ? "exit" : "_exit", word, nowhere);
        wrong += code != atoi(word) && code != RECLAIMED;
        if (code < 0) fprintf(stderr, "%d: %s\n", code, hayate_error());
    }
    return (void *)wrong;
}

TEST(should_spawn_from_many_threads_at_once)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    void *wrong;
    new_space(THREADS, GIGA);
    thread_path = program("dynamic/life");
    for (intptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, spawn_often, (void *)i), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_int_equal((intptr_t)wrong, 0);
    }
}

static volatile int storm_ends;

static void *fork_and_open(void *argument)
{
    while (!storm_ends) { /* descriptors and children of the spawner come and go meanwhile */
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) == 0) close(ends[0]), close(ends[1]);
        pid_t pid = fork();
        if (pid == 0) _exit(7);
        int status = 0;
        if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7) return (void *)1;
        free(malloc(1 << 20));
    }
    return argument;
}

TEST(should_spawn_while_other_threads_fork_and_allocate)
{
    pthread_t threads[2];
    void *wrong;
    new_space(2, GIGA);
    thread_path = program("dynamic/life");
    storm_ends = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fork_and_open, NULL), 0);
    for (intptr_t i = 0; i < 4; i++) assert_ptr_equal(spawn_often((void *)i), NULL);
    storm_ends = 1;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_ptr_equal(wrong, NULL);
    }
}

TEST(should_have_its_own_children_beside_the_tasks)
{
    new_space(2, GIGA);
    task *t = START("dynamic/life", "wait", "8");
    pid_t child = fork();
    if (child == 0) _exit(3);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_int_equal(system("exit 4") >> 8, 4);
    assert_exit(t, 8);
}

TEST(should_spawn_from_a_big_process)
{
    size_t bytes = (size_t)(SANITIZED ? 64 : 512) << 20;
    new_space(2, GIGA);
    thread_path = program("dynamic/life");
    char *big = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(big, MAP_FAILED);
    memset(big, 1, bytes);
    for (int i = 0; i < 20; i++) {
        int code = run_once(space, thread_path, "exit", "5", nowhere);
        assert_true(code == 5 || code == RECLAIMED);
    }
    for (size_t i = 0; i < bytes; i += 4096) assert_int_equal(big[i], 1);
    munmap(big, bytes);
}

int main(void)
{
    return pvas_tests_run(NULL, NULL);
}
