/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that know that they are tasks: they export memory and look at that of others. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/wait.h>

#include <hayate/pvas.h>

#include "pvas/task.h"

#define BYTES (1 << 20)
#define PATIENCE_MS 60000

static unsigned char one[BYTES], two[BYTES];

#define CHECK_CODE(call, expected) \
    do { \
        int code_ = (call); \
        if (code_ != (expected)) { \
            dprintf(2, "%s:%d: %s gave %d: %s\n", __FILE__, __LINE__, #call, code_, \
                    hayate_error()); \
            _exit(TASK_WRONG); \
        } \
    } while (0)
#define CHECK_REFUSED(call, expected) \
    do { \
        CHECK_CODE(call, expected); \
        CHECK(hayate_error()[0]); \
    } while (0)

/* "NAME FILL": exports, ends when it is told to. With "late" not before it is told a first time. */
static int exports(int argc, char **argv)
{
    CHECK(argc > 1);
    memset(one, atoi(argv[1]), BYTES);
    SAY("ready\n");
    if (argc > 2) await_word();
    CHECK_CODE(pvas_export(0, argv[0], one, BYTES), 0);
    SAY("exported\n");
    await_word();
    return one[0] == atoi(argv[1]) ? 0 : one[0]; /* what the test wrote into it */
}

static int exports_and_ends(int argc, char **argv)
{
    CHECK(argc > 1);
    memset(one, atoi(argv[1]), BYTES);
    CHECK_CODE(pvas_export(0, argv[0], one, BYTES), 0);
    _exit(3);
}

static int exports_and_becomes_another(int argc, char **argv)
{
    CHECK(argc > 1);
    memset(one, atoi(argv[1]), BYTES);
    CHECK_CODE(pvas_export(0, argv[0], one, BYTES), 0);
    execl("/proc/self/exe", argv[-2], "no-task", (char *)NULL);
    return 99;
}

static int replaces(int argc, char **argv)
{
    (void)argc, (void)argv;
    memset(one, 1, BYTES);
    memset(two, 2, BYTES);
    CHECK_CODE(pvas_export(0, "x", one, BYTES), 0);
    SAY("first\n");
    await_word();
    CHECK_CODE(pvas_export(0, "x", two, BYTES / 2), 0);
    SAY("second\n");
    await_word();
    CHECK_CODE(pvas_export(0, "x", NULL, 0), 0);
    SAY("third\n");
    await_word();
    CHECK_CODE(pvas_export(0, "x", one, 1), 0);
    SAY("fourth\n");
    await_word();
    return 0;
}

static int tries_names(int argc, char **argv)
{
    (void)argc, (void)argv;
    char name[PVAS_NAME_MAX + 2];
    memset(name, 'n', sizeof name);
    name[PVAS_NAME_MAX + 1] = '\0';
    CHECK_REFUSED(pvas_export(0, name, one, 1), HAYATE_ERR_ARGUMENT);
    name[PVAS_NAME_MAX] = '\0';
    CHECK_CODE(pvas_export(0, name, one, 1), 0);
    CHECK_REFUSED(pvas_export(0, "", one, 1), HAYATE_ERR_ARGUMENT);
    CHECK_REFUSED(pvas_export(0, NULL, one, 1), HAYATE_ERR_ARGUMENT);
    for (int i = 1; i < PVAS_EXPORTS_MAX; i++) {
        snprintf(name, sizeof name, "name %d", i);
        CHECK_CODE(pvas_export(0, name, one + i, 1), 0);
    }
    CHECK_REFUSED(pvas_export(0, "one more", one, 1), HAYATE_ERR_NO_MEMORY);
    CHECK_CODE(pvas_export(0, "name 1", two, 1), 0); /* replacing needs no room */
    for (int i = 0; i < 3 * PVAS_EXPORTS_MAX; i++) { /* nor does a name that comes and goes */
        CHECK_CODE(pvas_export(0, i % 2 ? "one more" : "name 7", NULL, 0), 0);
        CHECK_CODE(pvas_export(0, i % 2 ? "name 7" : "one more", two, 1), 0);
    }
    SAY("ready\n");
    await_word();
    return 0;
}

static int tries_foreign_memory(int argc, char **argv)
{
    (void)argc, (void)argv;
    void *base = NULL;
    uint64_t bytes = 0;
    int self = pvas_self();
    CHECK_CODE(pvas_partition(0, self, &base, &bytes), 0);
    CHECK_REFUSED(pvas_export(0, "a", (char *)base - 4096, 10), HAYATE_ERR_ARGUMENT);
    CHECK_REFUSED(pvas_export(0, "a", (char *)base + bytes, 10), HAYATE_ERR_ARGUMENT);
    CHECK_REFUSED(pvas_export(0, "a", one, bytes), HAYATE_ERR_ARGUMENT);
    CHECK_REFUSED(pvas_export(0, "a", one, SIZE_MAX - 10), HAYATE_ERR_ARGUMENT);
    CHECK_REFUSED(pvas_export(0, "a", (void *)(uintptr_t)4096, 10), HAYATE_ERR_ARGUMENT);
    return 0;
}

/* Each line "TASK NAME": finds it and tells the sum of its bytes. "TASK NAME FILL" also writes. */
static int imports(int argc, char **argv)
{
    (void)argc, (void)argv;
    char line[256], name[128];
    SAY("ready\n");
    while (hear(line, sizeof line)) {
        int task = 0, fill = -1;
        void *memory = NULL;
        size_t bytes = 0;
        unsigned long sum = 0;
        CHECK(sscanf(line, "%d %127s %d", &task, name, &fill) >= 2);
        int code = pvas_import(0, task, name, PATIENCE_MS, &memory, &bytes);
        for (size_t i = 0; code == 0 && i < bytes; i++) sum += ((unsigned char *)memory)[i];
        if (code == 0 && fill >= 0) memset(memory, fill, bytes);
        SAY("code %d sum %lu.\n", code, sum);
    }
    return 0;
}

/* What goes from task to task round the ring: each writes into its neighbour's memory. */
typedef struct seat {
    _Atomic uint64_t turn;
    uint64_t words[1000];
} seat;

/* Hears "NEIGHBOUR FIRST": the task to the right, and whether it begins. */
static int rings(int argc, char **argv)
{
    static seat mine;
    int neighbour = 0, first = 0, rounds = number(argc, argv, 0, 50);
    char line[64];
    seat *right;
    size_t bytes = 0;
    CHECK_CODE(pvas_export(0, "seat", &mine, sizeof mine), 0);
    SAY("ready\n");
    CHECK(hear(line, sizeof line) && sscanf(line, "%d %d", &neighbour, &first) == 2);
    CHECK_CODE(pvas_import(0, neighbour, "seat", PATIENCE_MS, (void **)&right, &bytes), 0);
    CHECK(bytes == sizeof *right);
    for (uint64_t round = 1; round <= (uint64_t)rounds; round++) {
        if (!first || round > 1)
            while (atomic_load(&mine.turn) != round - (uint64_t)first) sched_yield();
        for (int i = 0; i < 1000; i++) CHECK(first || mine.words[i] == round * 1000 + (uint64_t)i);
        for (int i = 0; i < 1000; i++) right->words[i] = round * 1000 + (uint64_t)i;
        atomic_store(&right->turn, round);
    }
    return 0;
}

/* "TASK BASE BYTES": what this task knows of where it is. */
static int shows_itself(int argc, char **argv)
{
    (void)argv;
    void *base = NULL;
    uint64_t bytes = 0;
    CHECK_CODE(pvas_partition(0, pvas_self(), &base, &bytes), 0);
    CHECK((char *)one > (char *)base && (char *)one < (char *)base + bytes);
    CHECK((char *)&argc > (char *)base && (char *)&argc < (char *)base + bytes);
    SAY("%d %p %llu\n", pvas_self(), base, (unsigned long long)bytes);
    return 0;
}

/* The child of fork() is no task, nor a program that it executes. */
static int forks(int argc, char **argv)
{
    (void)argc;
    int status = 0, self = pvas_self();
    void *memory;
    size_t bytes;
    CHECK(self >= 0);
    pid_t pid = fork();
    if (pid == 0) {
        CHECK_REFUSED(pvas_self(), HAYATE_ERR_STATE);
        CHECK_REFUSED(pvas_export(0, "child", one, 1), HAYATE_ERR_STATE);
        CHECK_REFUSED(pvas_import(0, self, "x", 0, &memory, &bytes), HAYATE_ERR_STATE);
        execl(argv[-2], argv[-2], "no-task", (char *)NULL);
        _exit(99);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 21);
    CHECK(pvas_self() == self);
    CHECK_CODE(pvas_export(0, "x", one, 1), 0);
    return 0;
}

static int is_no_task(int argc, char **argv)
{
    (void)argc, (void)argv;
    SAY("no task now\n");
    CHECK_REFUSED(pvas_self(), HAYATE_ERR_STATE);
    CHECK_REFUSED(pvas_export(0, "x", one, 1), HAYATE_ERR_STATE);
    return 21;
}

static void *import_and_export(void *argument)
{
    char name[32];
    void *memory;
    size_t bytes;
    int me = (int)(intptr_t)argument, self = pvas_self();
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "thread %d", me);
        CHECK_CODE(pvas_export(0, name, &one[me * 1000 + i], (size_t)i + 1), 0);
        CHECK_CODE(pvas_import(0, self, name, 0, &memory, &bytes), 0);
        CHECK(memory == &one[me * 1000 + i] && bytes == (size_t)i + 1);
        CHECK_CODE(pvas_export(0, name, NULL, 0), 0);
        CHECK_CODE(pvas_import(0, self, name, 0, &memory, &bytes), HAYATE_IN_PROGRESS);
    }
    return NULL;
}

static int exports_from_threads(int argc, char **argv)
{
    (void)argc, (void)argv;
    pthread_t threads[8];
    for (intptr_t i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, import_and_export, (void *)i) == 0);
    for (int i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}

/* Only a process that is no task forms spaces. */
static int forms_a_space(int argc, char **argv)
{
    (void)argc, (void)argv;
    int space = -7;
    CHECK_REFUSED(pvas_create(1, 0, &space), HAYATE_ERR_UNSUPPORTED);
    CHECK(space == -7);
    CHECK(pvas_kill(0, pvas_self(), 9) < 0 && pvas_destroy(0) < 0);
    return 0;
}

int main(int argc, char **argv)
{
    static const task_action actions[] = {{"export", exports},
                                          {"export-and-end", exports_and_ends},
                                          {"export-and-exec", exports_and_becomes_another},
                                          {"replace", replaces},
                                          {"names", tries_names},
                                          {"foreign", tries_foreign_memory},
                                          {"import", imports},
                                          {"ring", rings},
                                          {"self", shows_itself},
                                          {"fork", forks},
                                          {"no-task", is_no_task},
                                          {"space", forms_a_space},
                                          {"threads", exports_from_threads},
                                          {NULL, NULL}};
    return task_run(actions, argc, argv);
}
