/* SPDX-License-Identifier: Apache-2.0 */
/* A space for each test, and tasks that it talks to: their stdin is a socket of the test, their
 * stdout and stderr a pipe to it. Everything that waits has an end, so that a hang is a failure. */
#ifndef HY_TEST_PVAS_FIXTURE_H
#define HY_TEST_PVAS_FIXTURE_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hayate/pvas.h>

#include "base/test.h"
#include "base/text_fixture.h"
#include "base/text_fixture.h"
#include "pvas/tasks_probe.h"

#define SKIPPED 77
#define PATIENCE_MS 60000
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define GIGA (UINT64_C(1) << 30)
#define RECLAIMED 12345 /* and nobody asked how it ended: run_once() */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

typedef struct task {
    struct task *next;
    int number; /* in the space */
    pid_t pid;
    int to, from; /* -1: closed */
    bool ended;
    size_t used;
    char out[1 << 15]; /* what it wrote, with a closing 0 */
} task;

extern char **environ;

__attribute__((unused)) static const int nowhere[] = {-1, -1, -1}; /* descriptors */

static int space = -1; /* of the test that runs */
static task *tasks;

/* The compiler does not know that skip() does not come back. */
__attribute__((unused)) static _Noreturn void skip_because(const char *reason)
{
    fprintf(stderr, "skipped: %s\n", reason);
    skip();
    abort();
}

__attribute__((unused)) static _Noreturn void fail_with(const char *what, const char *detail)
{
    fail_msg("%s: %s", what, detail);
    abort();
}

static inline int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline int new_space(unsigned places, uint64_t bytes)
{
    if (!getenv("HAYATE_TEST_BIN")) skip_because("HAYATE_TEST_BIN is not set: see ctest.sh");
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* the core of a task is that of all */
    int code = pvas_create(places, bytes, &space);
    if (code == HAYATE_ERR_UNSUPPORTED && tasks_impossible()) skip_because(hayate_error());
    assert_ok(code);
    return space;
}

/* "dynamic/life" is life_task.c as a dynamic PIE; what begins with / is what it is. */
static inline const char *program(const char *name)
{
    static char paths[16][1024];
    static int next;
    if (name[0] == '/') return name;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/pvas/%s", getenv("HAYATE_TEST_BIN"), name);
    return path;
}

static inline bool program_is_there(const char *name)
{
    return access(program(name), X_OK) == 0;
}

static inline void need_program(const char *name)
{
    if (!program_is_there(name)) skip_because(name);
}

static inline task *task_new(int *its_in, int *its_out)
{
    int in[2], out[2];
    task *t = calloc(1, sizeof *t);
    assert_non_null(t);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    t->to = in[0], t->from = out[0], t->number = -1;
    *its_in = in[1], *its_out = out[1];
    t->next = tasks;
    tasks = t;
    return t;
}

/* As pvas_spawn(); descriptors of `how` that are not said are the ends of the conversation. */
static inline int task_try(task **to, const char *name, const char *const *argv,
                           const char *const *envp, const pvas_spawning *how)
{
    int in, out;
    task *t = task_new(&in, &out);
    int ends[] = {in, out, out};
    pvas_spawning spawning = how ? *how : (pvas_spawning){0};
    if (!spawning.descriptors) spawning.descriptors = ends;
    int code = pvas_spawn(space, program(name), (char *const *)argv, (char *const *)envp, &spawning,
                          &t->number, &t->pid);
    close(in);
    close(out);
    t->ended = code != HAYATE_OK;
    *to = t;
    return code;
}

static inline task *task_spawn(const char *name, const char *const *argv, const char *const *envp,
                               const pvas_spawning *how)
{
    task *t;
    assert_ok(task_try(&t, name, argv, envp, how));
    assert_true(t->number >= 0 && t->pid > 0);
    return t;
}

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})
/* START("dynamic/life", "wait"): the program's own name is put before its arguments. */
#define START(name, ...) task_spawn(name, WORDS(program(name), __VA_ARGS__), NULL, NULL)

/* Reads what there is, waits for it at most so long. False: there will be no more. */
static inline bool task_listen(task *t, int timeout_ms)
{
    struct pollfd poller = {.fd = t->from, .events = POLLIN};
    if (t->from < 0) return false;
    if (poll(&poller, 1, timeout_ms) <= 0) return true;
    if (t->used + 1 >= sizeof t->out) fail_with("a task says too much", t->out);
    ssize_t got = read(t->from, t->out + t->used, sizeof t->out - 1 - t->used);
    if (got > 0) t->used += (size_t)got;
    return got > 0;
}

static inline void task_await(task *t, const char *text)
{
    int64_t end = now_ms() + PATIENCE_MS;
    while (!strstr(t->out, text)) {
        if (!task_listen(t, 100) || now_ms() > end)
            fail_msg("task %d (pid %d) never said '%s': %s", t->number, (int)t->pid, text, t->out);
    }
}

static inline void task_tell(task *t, const char *line)
{
    send(t->to, line, strlen(line), MSG_NOSIGNAL);
}

/* Closes its stdin, waits for its end, and collects all it said. */
static inline pvas_status task_end(task *t)
{
    pvas_status status = {0};
    int64_t end = now_ms() + PATIENCE_MS;
    if (t->to >= 0) close(t->to);
    t->to = -1;
    int code = HAYATE_IN_PROGRESS;
    while (code == HAYATE_IN_PROGRESS && now_ms() < end) {
        if (!task_listen(t, 5)) poll(NULL, 0, 1);
        code = pvas_wait(space, t->number, 0, &status);
    }
    if (code == HAYATE_IN_PROGRESS) {
        pvas_kill(space, t->number, SIGKILL);
        fail_msg("task %d (pid %d) does not end: %s", t->number, (int)t->pid, t->out);
    }
    assert_ok(code);
    t->ended = true;
    for (size_t before = t->used + 1; before != t->used && task_listen(t, 0);) before = t->used;
    return status;
}

static inline void assert_status(task *t, int exited, int code)
{
    pvas_status status = task_end(t);
    if (status.exited != exited || status.code != code)
        fail_msg("task %d: %s %d, not %s %d: %s", t->number, status.exited ? "exit code" : "signal",
                 status.code, exited ? "exit code" : "signal", code, t->out);
}

static inline void assert_exit(task *t, int code)
{
    assert_status(t, 1, code);
}

static inline void assert_killed(task *t, int signal)
{
    assert_status(t, 0, signal);
}

static inline void assert_says(const task *t, const char *text)
{
    if (!strstr(t->out, text)) fail_msg("no '%s' in: %s", text, t->out);
}

/* The address in "... @0x123 ...". */
static inline void *address_said(const task *t)
{
    void *address = NULL;
    if (sscanf(t->out, "%*[^@]@%p", &address) != 1) fail_with("no address", t->out);
    return address;
}

static inline void reclaim(task *t)
{
    assert_ok(pvas_reclaim(space, t->number));
}

/* Tells memory_task.c where it is; nothing may be where it is not. */
static inline void tell_partition(task *t)
{
    void *base;
    uint64_t bytes;
    assert_ok(pvas_partition(space, t->number, &base, &bytes));
    const char *line = text_of("%lx %lx\n", (unsigned long)base, (unsigned long)base + bytes);
    task_tell(t, line);
}

/* Starts, waits for and reclaims one task, with nothing but the calls of pvas. */
static inline int run_once(int in_space, const char *name, const char *action, const char *word,
                           const int *streams)
{
    char *const words[] = {(char *)name, (char *)action, (char *)word, NULL};
    pvas_spawning how = {.descriptors = streams};
    pvas_status status = {0};
    int number;
    int code = pvas_spawn(in_space, name, words, environ, &how, &number, NULL);
    if (code) return code;
    /* Both ways to hear of the end: nobody needs to wait. */
    if (number % 3 == 0) {
        int64_t end = now_ms() + PATIENCE_MS;
        while ((code = pvas_reclaim(in_space, number)) == HAYATE_ERR_BUSY && now_ms() < end)
            sched_yield();
        return code ? code : RECLAIMED;
    }
    code = pvas_wait(in_space, number, PATIENCE_MS, &status);
    if (code) return code;
    code = pvas_reclaim(in_space, number);
    return code ? code : status.exited ? status.code : -1000 - status.code;
}

/* Each test: gives everything back, whatever became of it. */
static inline int space_teardown(void **state)
{
    (void)state;
    int code = space >= 0 ? pvas_destroy(space) : HAYATE_OK;
    if (code != HAYATE_OK) fprintf(stderr, "teardown: %s\n", hayate_error());
    space = -1;
    while (tasks) {
        task *t = tasks;
        tasks = t->next;
        if (t->to >= 0) close(t->to);
        close(t->from);
        free(t);
    }
    return code == HAYATE_OK ? 0 : -1;
}

/* Runs all tests between these two, or NULL; returns the exit code of the program. */
static inline int pvas_tests_run(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    tests_each(NULL, space_teardown);
    int failed = tests_run_in(set_up, tear_down);
    return failed ? failed : getenv("HAYATE_TEST_BIN") ? 0 : SKIPPED;
}

#endif
