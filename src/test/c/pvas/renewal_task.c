/* SPDX-License-Identifier: Apache-2.0 */
/* What exec keeps and what it takes away: a program that has a bit of everything becomes another,
 * which reports what it finds. As a process and as a task the report is the same. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "pvas/task.h"

#define LOW_FD 40
#define HIGH_FD 60

extern char **environ;
static volatile long zeroed[3000]; /* .bss: of the new program, not what was there */

static void nothing(int signal)
{
    (void)signal;
}

static void take_memory(void)
{
    for (int i = 0; i < 30; i++) memset(malloc(100000), 0xaa, 100000);
    for (int i = 0; i < 8; i++) {
        char *mapped = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                            0);
        CHECK(mapped != MAP_FAILED);
        memset(mapped, 0xbb, 1 << 20);
    }
    for (int i = 0; i < 3000; i++) zeroed[i] = 1;
}

static void set_signals(void)
{
    static char alternate[65536];
    sigset_t blocked;
    CHECK(signal(SIGUSR1, SIG_IGN) != SIG_ERR && signal(SIGUSR2, nothing) != SIG_ERR);
    CHECK(signal(SIGSYS, nothing) != SIG_ERR && signal(SIGCHLD, SIG_IGN) != SIG_ERR);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGALRM);
    CHECK(sigprocmask(SIG_BLOCK, &blocked, NULL) == 0 && raise(SIGTERM) == 0);
    CHECK(sigaltstack(&(stack_t){.ss_sp = alternate, .ss_size = sizeof alternate}, NULL) == 0);
}

#define TIMERS 200

/* exec keeps the alarm, and deletes the others: the first and the last, here. */
static void set_timers(void)
{
    int timer;
    for (int i = 0; i < TIMERS; i++)
        CHECK(syscall(SYS_timer_create, CLOCK_MONOTONIC, NULL, &timer) == 0 && timer == i);
    for (int i = 1; i < TIMERS - 1; i++) CHECK(syscall(SYS_timer_delete, i) == 0);
    CHECK(setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {1000, 0}}, NULL) == 0);
}

/* "PROGRAM ARGUMENTS...": becomes it. */
static int prepares(int argc, char **argv)
{
    static char *const environment[] = {"FIRST=1", "SECOND=two words", "", "FOURTH=", NULL};
    CHECK(argc > 0 && chdir("/usr") == 0);
    umask(027);
    take_memory();
    CHECK(setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) == 0);
    CHECK(prctl(PR_SET_NAME, "before") == 0 && prctl(PR_SET_PDEATHSIG, SIGUSR1) == 0);
    for (int fd = LOW_FD; fd < HIGH_FD; fd++) CHECK(dup2(1, fd) == fd);
    for (int fd = LOW_FD; fd < HIGH_FD; fd += 3) CHECK(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0);
    set_signals();
    set_timers();
    execve(argv[0], argv, environment);
    dprintf(2, "%s: %s\n", argv[0], strerror(errno));
    return 99;
}

static void *runs(void *argument)
{
    return argument;
}

static void report_signals(void)
{
    sigset_t mask, pending;
    stack_t stack;
    CHECK(sigprocmask(SIG_SETMASK, NULL, &mask) == 0 && sigpending(&pending) == 0);
    SAY("signals ");
    for (int signal = 1; signal < 32; signal++) {
        struct sigaction action;
        CHECK(sigaction(signal, NULL, &action) == 0);
        SAY("%c%s%s",
            action.sa_handler == SIG_DFL   ? 'd'
            : action.sa_handler == SIG_IGN ? 'i'
                                           : 'c',
            sigismember(&mask, signal) ? "b" : "", sigismember(&pending, signal) ? "p" : "");
    }
    CHECK(sigaltstack(NULL, &stack) == 0);
    SAY(" stack %d\n", stack.ss_flags);
}

static void report_timers(void)
{
    struct itimerval real;
    CHECK(getitimer(ITIMER_REAL, &real) == 0);
    SAY("timers %d", real.it_value.tv_sec > 900);
    for (int i = 0; i < TIMERS; i += TIMERS - 1) SAY(" %ld", syscall(SYS_timer_delete, i));
    SAY("\n");
}

static void report_memory(void)
{
    pthread_t thread;
    long sum = 0;
    void *result = NULL;
    for (int i = 0; i < 3000; i++) sum += zeroed[i];
    take_memory();
    CHECK(pthread_create(&thread, NULL, runs, &sum) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == &sum);
    SAY("memory %ld %d\n", sum, sbrk(0) != (void *)-1);
}

static int reports(int argc, char **argv)
{
    char name[16] = "", exe[4096] = "", directory[4096];
    int signal = 0;
    mode_t mask = umask(0);
    for (int i = -2; i < argc; i++) SAY("argument '%s'\n", argv[i]);
    for (char **variable = environ; *variable; variable++) SAY("variable '%s'\n", *variable);
    CHECK(getcwd(directory, sizeof directory) && prctl(PR_GET_NAME, name) == 0);
    CHECK(readlink("/proc/self/exe", exe, sizeof exe - 1) > 0);
    CHECK(prctl(PR_GET_PDEATHSIG, &signal) == 0);
    SAY("%s %03o %s %s %d\n", directory, (unsigned)mask, name, exe, signal);
    for (int fd = LOW_FD; fd < HIGH_FD; fd++) SAY("%d", fcntl(fd, F_GETFD));
    SAY(" execfn %s secure %lu own %d\n", (char *)getauxval(AT_EXECFN), getauxval(AT_SECURE),
        getauxval(AT_ENTRY) != 0 && getpid() == (int)syscall(SYS_gettid));
    report_signals();
    report_timers();
    report_memory();
    return 33;
}

/* "N PROGRAM ARGUMENTS...": becomes itself N times, then that. */
static int counts_down(int argc, char **argv)
{
    char left[16];
    CHECK(argc > 1);
    int count = atoi(argv[0]);
    take_memory();
    if (count == 0) execv(argv[1], argv + 1);
    snprintf(left, sizeof left, "%d", count - 1);
    argv[0] = left;
    execv("/proc/self/exe", argv - 2);
    return 99;
}

static int becomes_itself_for_ever(int argc, char **argv)
{
    (void)argc;
    take_memory();
    execv("/proc/self/exe", argv - 2);
    return 99;
}

/* Each exec fails as the kernel has it, and nothing has changed afterwards. */
static int fails(int argc, char **argv)
{
    (void)argc;
    static char *none[] = {"x", NULL}, *wild[] = {"x", (char *)8, NULL};
    static char *many[2000];
    take_memory();
    CHECK_ERRNO(execv("/no/such/program", none), ENOENT);
    CHECK_ERRNO(execv("/etc/passwd/x", none), ENOTDIR);
    CHECK_ERRNO(execv("/", none), EACCES);
    CHECK_ERRNO(execv("/etc/passwd", none), EACCES);
    CHECK_ERRNO(execv("", none), ENOENT);
    CHECK_ERRNO(syscall(SYS_execve, (char *)8, none, environ), EFAULT);
    CHECK_ERRNO(syscall(SYS_execve, argv[-2], (char **)8, environ), EFAULT);
    CHECK_ERRNO(syscall(SYS_execve, argv[-2], wild, environ), EFAULT);
    CHECK_ERRNO(syscall(SYS_execve, argv[-2], none, (char **)8), EFAULT);
    CHECK_ERRNO(syscall(SYS_execve, argv[-2], none, wild), EFAULT);
    for (size_t i = 0; i + 1 < sizeof many / sizeof *many; i++)
        many[i] = memset(calloc(1, 4001), 'x', 4000);
    CHECK_ERRNO(execv(argv[-2], many), E2BIG);
    report_memory();
    report_timers();
    return 34;
}

int main(int argc, char **argv)
{
    static const task_action actions[] = {
        {"prepare", prepares},  {"report", reports},
        {"count", counts_down}, {"for-ever", becomes_itself_for_ever},
        {"fail", fails},        {NULL, NULL}};
    return task_run(actions, argc, argv);
}
