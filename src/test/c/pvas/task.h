/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs have in common that tests start as tasks: `PROGRAM ACTION ARGUMENTS...` does
 * one thing, and says on stderr what was not as it should be. Nothing of Hayate is in them, save in
 * sharing_task.c. They are also compiled against musl. */
#ifndef HY_TEST_TASK_H
#define HY_TEST_TASK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TASK_WRONG 100 /* exit code: a check failed */
#define TASK_NO_ACTION 101

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            dprintf(2, "%s:%d: not so: %s (errno %d, %s)\n", __FILE__, __LINE__, #condition, \
                    errno, strerror(errno)); \
            _exit(TASK_WRONG); \
        } \
    } while (0)

/* Fails as CHECK does when the call does not fail with `code`. */
#define CHECK_ERRNO(call, code) \
    do { \
        errno = 0; \
        CHECK((long)(call) == -1); \
        CHECK(errno == (code)); \
    } while (0)

/* Fails as CHECK does when the call succeeds. */
#define CHECK_FAILS(call) CHECK((long)(call) == -1)

typedef struct task_action {
    const char *name;
    int (*run)(int argc, char **argv); /* what follows the name of the action */
} task_action;

/* Tells the test a line; the test awaits it. */
#define SAY(...) dprintf(1, __VA_ARGS__)

/* Reads a line of the test; 0 when it has none more. */
static inline int hear(char *line, size_t bytes)
{
    size_t used = 0;
    char c;
    while (used + 1 < bytes && read(0, &c, 1) == 1 && c != '\n') line[used++] = c;
    line[used] = '\0';
    return used > 0;
}

static inline void await_word(void)
{
    char line[256];
    hear(line, sizeof line);
}

static inline int task_run(const task_action *actions, int argc, char **argv)
{
    for (; argc > 1 && actions->name; actions++)
        if (strcmp(actions->name, argv[1]) == 0) return actions->run(argc - 2, argv + 2);
    dprintf(2, "%s: no such action\n", argc > 1 ? argv[1] : "(none)");
    return TASK_NO_ACTION;
}

static inline int number(int argc, char **argv, int index, int otherwise)
{
    return index < argc ? atoi(argv[index]) : otherwise;
}

#endif
