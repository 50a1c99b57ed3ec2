/* SPDX-License-Identifier: Apache-2.0 */
/* A program's own globals, threads and ends. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "pvas/task.h"

#define ZEROES (3 << 20)

static volatile int initial = 7;
static volatile unsigned char zeroes[ZEROES];
static _Thread_local volatile int local = 11;
static _Thread_local volatile char local_zeroes[5000];
static atomic_int sum;
static volatile int value;

static void *own_of_a_thread(void *argument)
{
    CHECK(local == 11 && local_zeroes[4999] == 0);
    local = *(int *)argument;
    errno = *(int *)argument;
    for (int i = 0; i < 1000; i++) {
        CHECK(local == *(int *)argument && errno == *(int *)argument);
        if (i % 100 == 0) sched_yield();
    }
    sum += local;
    return NULL;
}

static void run_threads(int count)
{
    pthread_t threads[64];
    int numbers[64];
    sum = 0;
    for (int i = 0; i < count; i++) {
        numbers[i] = i + 1;
        CHECK(pthread_create(&threads[i], NULL, own_of_a_thread, &numbers[i]) == 0);
    }
    for (int i = 0; i < count; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(sum == count * (count + 1) / 2);
}

/* Says where its global is, and that nobody else changed what it wrote. */
static int globals(int argc, char **argv)
{
    int mine = number(argc, argv, 0, 1);
    CHECK(initial == 7 && value == 0 && local == 11);
    for (int i = 0; i < ZEROES; i++)
        if (zeroes[i]) CHECK(!"zeroes");
    initial = value = local = mine;
    memset((void *)zeroes, mine, ZEROES);
    run_threads(4);
    errno = mine;
    SAY("value @%p is ready\n", (void *)&value);
    await_word();
    CHECK(initial == mine && value == mine && local == mine);
    for (int i = 0; i < ZEROES; i++)
        if (zeroes[i] != (mine & 255)) CHECK(!"zeroes kept");
    return mine & 63;
}

/* Hears numbers, each the value that its global must have by then. */
static int changed(int argc, char **argv)
{
    (void)argc, (void)argv;
    char line[64];
    SAY("value @%p is ready\n", (void *)&value);
    while (hear(line, sizeof line)) {
        CHECK(value == atoi(line));
        SAY("seen %d.\n", value);
    }
    return 0;
}

static int threads(int argc, char **argv)
{
    for (int i = 0; i < 20; i++) run_threads(number(argc, argv, 0, 16));
    return 0;
}

static void bye(void)
{
    SAY("bye\n");
}

static int ends(int argc, char **argv)
{
    atexit(bye);
    printf("in the buffer of stdio\n");
    exit(number(argc, argv, 0, 0));
}

static int ends_at_once(int argc, char **argv)
{
    atexit(bye);
    printf("in the buffer of stdio\n");
    _exit(number(argc, argv, 0, 0));
}

static void *spin(void *argument)
{
    while (argument || 1) sched_yield();
    return NULL;
}

static void *exit_of_a_thread(void *argument)
{
    exit(*(int *)argument);
}

static int thread_ends_all(int argc, char **argv)
{
    int code = number(argc, argv, 0, 0);
    pthread_t thread;
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&thread, NULL, spin, NULL) == 0);
    CHECK(pthread_create(&thread, NULL, exit_of_a_thread, &code) == 0);
    for (;;) pause();
}

static void *outlive(void *argument)
{
    SAY("ready\n");
    await_word();
    run_threads(4);
    exit(*(int *)argument);
}

/* The first thread leaves, another one goes on. */
static int first_thread_leaves(int argc, char **argv)
{
    static int code;
    pthread_t thread;
    code = number(argc, argv, 0, 0);
    CHECK(pthread_create(&thread, NULL, outlive, &code) == 0);
    pthread_exit(NULL);
}

static int aborts(int argc, char **argv)
{
    (void)argc, (void)argv;
    abort();
}

static void *touch_null(void *argument)
{
    *(volatile int *)argument = 1;
    return NULL;
}

static int faults(int argc, char **argv)
{
    (void)argc, (void)argv;
    touch_null(NULL);
    return 0;
}

static int thread_faults(int argc, char **argv)
{
    (void)argc, (void)argv;
    pthread_t thread;
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&thread, NULL, spin, NULL) == 0);
    CHECK(pthread_create(&thread, NULL, touch_null, NULL) == 0);
    for (;;) pause();
}

static int kills_itself(int argc, char **argv)
{
    kill(getpid(), number(argc, argv, 0, SIGKILL));
    while (pause()) continue;
    return 0;
}

/* Goes on until it is told to end, with code N; "stubborn": whatever signal it can ignore it does,
 * and it closes every descriptor that it does not need. */
static int waits(int argc, char **argv)
{
    if (argc > 1) {
        sigset_t all;
        sigfillset(&all);
        for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
        CHECK(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
        for (int i = 3; i < 4096; i++) close(i);
        setsid();
    }
    SAY("ready\n");
    await_word();
    return number(argc, argv, 0, 0);
}

/* Never ends by itself, whatever its stdin says. */
static int lasts(int argc, char **argv)
{
    pthread_t thread;
    for (int i = 0; i < number(argc, argv, 0, 0); i++)
        CHECK(pthread_create(&thread, NULL, spin, NULL) == 0);
    SAY("ready\n");
    for (;;) pause();
}

static int answers(int argc, char **argv)
{
    (void)argc, (void)argv;
    char line[256];
    SAY("ready\n");
    while (hear(line, sizeof line)) SAY("heard %s.\n", line);
    return 0;
}

static int counts_down(int depth)
{
    volatile char block[4096];
    block[0] = (char)depth;
    block[4095] = (char)depth;
    if (depth <= 0) return 0;
    return counts_down(depth - 1) + (block[0] == block[4095] ? 1 : 1000000);
}

/* Uses N bytes of the stack of the first thread. */
static int deepens(int argc, char **argv)
{
    int blocks = number(argc, argv, 0, 4096) / 4096;
    CHECK(counts_down(blocks) == blocks);
    return 0;
}

static int stack_is_known(int argc, char **argv)
{
    (void)argc, (void)argv;
    pthread_attr_t attributes;
    void *stack;
    size_t bytes;
    volatile char here = 0;
    CHECK(pthread_getattr_np(pthread_self(), &attributes) == 0);
    CHECK(pthread_attr_getstack(&attributes, &stack, &bytes) == 0);
    CHECK((char *)&here >= (char *)stack && (char *)&here < (char *)stack + bytes);
    CHECK(bytes >= 65536);
    pthread_attr_destroy(&attributes);
    return 0;
}

int main(int argc, char **argv)
{
    static const task_action actions[] = {{"globals", globals},
                                          {"changed", changed},
                                          {"threads", threads},
                                          {"exit", ends},
                                          {"_exit", ends_at_once},
                                          {"thread-exit", thread_ends_all},
                                          {"first-leaves", first_thread_leaves},
                                          {"abort", aborts},
                                          {"fault", faults},
                                          {"thread-fault", thread_faults},
                                          {"kill", kills_itself},
                                          {"wait", waits},
                                          {"last", lasts},
                                          {"answer", answers},
                                          {"deepen", deepens},
                                          {"stack", stack_is_known},
                                          {NULL, NULL}};
    return task_run(actions, argc, argv);
}
