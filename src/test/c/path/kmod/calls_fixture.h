/* SPDX-License-Identifier: Apache-2.0 */
/* How many system calls a piece of code makes: it runs in a child that is traced. */
#ifndef HY_TEST_CALLS_FIXTURE_H
#define HY_TEST_CALLS_FIXTURE_H

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the traced child: begins and ends what is counted, itself one call each. */
static inline void calls_mark(void)
{
    raise(SIGSTOP);
}

/* Until the child stops by itself: system calls it made, or -1 when it ended. */
static inline int calls_to_mark(pid_t child, bool count)
{
    int status, halves = 0;
    for (;;) {
        ptrace(count ? PTRACE_SYSCALL : PTRACE_CONT, child, 0, 0);
        if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
        if (WSTOPSIG(status) == SIGSTOP) return halves / 2;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) halves++;
    }
}

/* body(argument) calls calls_mark() twice; what lies between them, and what one of the two costs,
 * is counted. `status`: how it ended. */
static inline int calls_of(int (*body)(void *), void *argument, int *status)
{
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        _exit(body(argument));
    }
    waitpid(child, status, 0);
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    int before = calls_to_mark(child, false), between = calls_to_mark(child, true);
    ptrace(PTRACE_CONT, child, 0, 0);
    waitpid(child, status, 0);
    return before < 0 ? -1 : between;
}

static inline int calls_nothing(void *unused)
{
    (void)unused;
    calls_mark();
    calls_mark();
    return 0;
}

#endif
