/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Calls of several threads about the same spaces and tasks: each has an answer, and nothing is
 * left. */
#include <pthread.h>
#include <stdatomic.h>

#include "pvas/pvas_fixture.h"

#define THREADS 6
#define NUMBERS 8

static _Atomic int numbers[NUMBERS]; /* of tasks, perhaps stale */
static atomic_int ends, unexpected;
static const char *life;

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 8;
}

static void expect(const char *what, int code, int codes)
{
    if (code < -30 || !(codes & 1 << (code == HAYATE_IN_PROGRESS ? 30 : -code))) {
        fprintf(stderr, "%s gave %d: %s\n", what, code, hayate_error());
        unexpected++;
    }
}

#define OK_OR(code) (1 | 1 << -(code))

static void spawn_one(_Atomic int *number, unsigned seed)
{
    static const int nowhere[] = {-1, -1, -1};
    static const char *const actions[] = {"exit", "_exit", "abort", "last", "threads"};
    char *const words[] = {(char *)life, (char *)actions[seed % COUNT(actions)], "3", NULL};
    int task = -1;
    int code = pvas_spawn(space, life, words, NULL, &(pvas_spawning){.descriptors = nowhere}, &task,
                          NULL);
    expect("spawn", code, OK_OR(HAYATE_ERR_NO_MEMORY) | 1 << -HAYATE_ERR_CLOSED);
    if (code == HAYATE_OK) atomic_store(number, task);
}

/* One call about one of the tasks; what it may answer is known, which of it is not. */
static void call_any(unsigned *seed)
{
    _Atomic int *number = &numbers[next(seed) % NUMBERS];
    int task = atomic_load(number), in_progress = 1 << 30, gone = OK_OR(HAYATE_ERR_ARGUMENT);
    pvas_status status;
    void *memory;
    uint64_t bytes;
    size_t length;
    switch (next(seed) % 10) {
    case 0:
    case 1: spawn_one(number, next(seed)); break;
    case 2: expect("kill", pvas_kill(space, task, SIGKILL), gone); break;
    case 3: expect("wait", pvas_wait(space, task, 5, &status), gone | in_progress); break;
    case 4: expect("look", pvas_wait(space, task, 0, &status), gone | in_progress); break;
    case 5:
    case 6: expect("reclaim", pvas_reclaim(space, task), gone | 1 << -HAYATE_ERR_BUSY); break;
    case 7: expect("partition", pvas_partition(space, task, &memory, &bytes), gone); break;
    case 8:
        expect("import", pvas_import(space, task, "x", 3, &memory, &length),
               1 << -HAYATE_ERR_ARGUMENT | in_progress | 1 << -HAYATE_ERR_PEER_FAILED);
        break;
    default:
        if (pvas_hold(space, task) == HAYATE_OK) expect("drop", pvas_drop(space, task), 1);
    }
}

static void *call_often(void *argument)
{
    unsigned seed = (unsigned)(uintptr_t)argument;
    while (!atomic_load(&ends)) call_any(&seed);
    return NULL;
}

static void run_threads(int ms, pthread_t *threads)
{
    atomic_store(&ends, 0);
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, (void *)(i * 99 + 7)), 0);
    int64_t end = now_ms() + ms;
    while (now_ms() < end) poll(NULL, 0, 10);
}

static void join_threads(pthread_t *threads)
{
    atomic_store(&ends, 1);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(unexpected, 0);
}

static void reset(void)
{
    for (int i = 0; i < NUMBERS; i++) numbers[i] = 1000000;
    unexpected = 0;
    life = program("dynamic/life");
}

TEST(should_answer_threads_that_call_about_the_same_tasks)
{
    pthread_t threads[THREADS];
    new_space(6, GIGA);
    reset();
    run_threads(3000, threads);
    join_threads(threads);
}

static void *destroy_in_a_thread(void *argument)
{
    (void)argument;
    return (void *)(intptr_t)pvas_destroy(space);
}

/* Whoever is in the middle of a call gets an answer; one of two destroys wins. */
TEST(should_be_destroyed_while_threads_call)
{
    pthread_t threads[THREADS], others[2];
    void *codes[2];
    for (int round = 0; round < 10; round++) {
        new_space(6, GIGA);
        reset();
        run_threads(100, threads);
        int busy;
        do {
            for (int i = 0; i < 2; i++)
                assert_int_equal(pthread_create(&others[i], NULL, destroy_in_a_thread, NULL), 0);
            for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(others[i], &codes[i]), 0);
            busy = (intptr_t)codes[0] == HAYATE_ERR_BUSY && (intptr_t)codes[1] == HAYATE_ERR_BUSY;
        } while (busy); /* some thread held a task just then */
        join_threads(threads);
        assert_true(((intptr_t)codes[0] == 0) != ((intptr_t)codes[1] == 0));
        space = -1;
    }
}

static void *wait_without_limit(void *argument)
{
    pvas_status status = {-1, -1, -1};
    int code = pvas_wait(space, *(int *)argument, -1, &status);
    return (void *)(intptr_t)(code == HAYATE_OK ? 1000 + status.code : code);
}

static void *import_without_limit(void *argument)
{
    void *memory;
    size_t bytes;
    return (void *)(intptr_t)pvas_import(space, *(int *)argument, "never", -1, &memory, &bytes);
}

/* Those who wait without a limit when a space is destroyed wait no longer. */
TEST(should_end_all_waiting_when_a_space_is_destroyed)
{
    static int creator = PVAS_CREATOR;
    pthread_t threads[3], destroyer;
    void *codes[3], *code;
    for (int round = 0; round < 5; round++) {
        new_space(1, GIGA);
        task *t = START("dynamic/life", "last");
        task_await(t, "ready");
        pthread_create(&threads[0], NULL, wait_without_limit, &t->number);
        pthread_create(&threads[1], NULL, import_without_limit, &t->number);
        pthread_create(&threads[2], NULL, import_without_limit, &creator);
        poll(NULL, 0, round * 10); /* most of the times they wait already */
        pthread_create(&destroyer, NULL, destroy_in_a_thread, NULL);
        struct timespec limit;
        clock_gettime(CLOCK_REALTIME, &limit);
        limit.tv_sec += 10;
        if (pthread_timedjoin_np(destroyer, &code, &limit) != 0) {
            space = -1; /* and the thread stays in it */
            fail_msg("pvas_destroy() waits for those who wait");
        }
        assert_ok((intptr_t)code);
        space = -1;
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_timedjoin_np(threads[i], &codes[i], &limit), 0);
        assert_true((intptr_t)codes[0] == 1000 + SIGKILL ||
                    (intptr_t)codes[0] == HAYATE_ERR_ARGUMENT);
        for (int i = 1; i < 3; i++) assert_in_range(-(intptr_t)codes[i], 1, 14);
    }
}

/* A reclaim beside waits for the same task: all of them get the status, or hear that it is gone. */
TEST(should_reclaim_beside_those_who_wait)
{
    pthread_t threads[4];
    void *code;
    new_space(1, GIGA);
    for (int round = 0; round < 200; round++) {
        task *t = START("dynamic/life", "_exit", "9");
        int number = t->number, reclaimed;
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, wait_without_limit, &number), 0);
        int64_t end = now_ms() + PATIENCE_MS;
        do {
            reclaimed = pvas_reclaim(space, number);
        } while (reclaimed == HAYATE_ERR_BUSY && now_ms() < end);
        assert_ok(reclaimed);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(pthread_join(threads[i], &code), 0);
            assert_true((intptr_t)code == 1009 || (intptr_t)code == HAYATE_ERR_ARGUMENT);
        }
    }
}

TEST(should_have_tasks_though_it_ignores_the_ends_of_children)
{
    new_space(2, GIGA);
    for (int way = 0; way < 2; way++) {
        struct sigaction action = {.sa_handler = way ? SIG_DFL : SIG_IGN,
                                   .sa_flags = way ? SA_NOCLDWAIT : 0},
                         was;
        assert_int_equal(sigaction(SIGCHLD, &action, &was), 0);
        task *ended = START("dynamic/life", "exit", "31"), *killed = START("dynamic/life", "abort");
        assert_exit(ended, 31);
        assert_killed(killed, SIGABRT);
        reclaim(ended);
        reclaim(killed);
        assert_int_equal(sigaction(SIGCHLD, &was, NULL), 0);
    }
}

/* It is told not to; but it does not wait for ever then. */
TEST(should_notice_that_somebody_else_waited_for_a_task)
{
    pvas_status status;
    new_space(1, GIGA);
    task *t = START("dynamic/life", "exit", "3");
    assert_int_equal(waitpid(t->pid, NULL, 0), t->pid);
    assert_code(pvas_wait(space, t->number, PATIENCE_MS, &status), HAYATE_ERR_SYSTEM);
    reclaim(t);
    assert_exit(START("dynamic/life", "exit", "4"), 4);
}

int main(void)
{
    return pvas_tests_run(NULL, NULL);
}
