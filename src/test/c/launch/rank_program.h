/* SPDX-License-Identifier: Apache-2.0 */
/* The program that the launcher tests start as a rank: `SELF --rank MODE [ARGUMENT...]`. It is the
 * test itself, so that there is nothing else to build or to find. Results go to stdout. */
#ifndef HY_TEST_RANK_PROGRAM_H
#define HY_TEST_RANK_PROGRAM_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hayate/hayate.h>

#include "base/clock.h"
#include "base/status.h"
#include "boot/boot.h"
#include "boot/wire.h"

static int rank_say(int code)
{
    printf("%d %s\n", code, code ? hayate_error() : "");
    fflush(stdout);
    return 0;
}

static int rank_open(hy_boot *boot)
{
    int rc = hy_boot_open(boot);
    if (!rc) rc = hy_boot_exchange(boot, &boot->rank, sizeof boot->rank);
    if (rc) rank_say(rc);
    return rc;
}

static int rank_leave(hy_boot *boot)
{
    boot->ops->close(boot);
    hy_boot_release(boot);
    return 0;
}

/* Prints what the records say, so that a wrong exchange shows. */
static int rank_join(void)
{
    hy_boot boot;
    if (rank_open(&boot)) return 0;
    int sum = 0, record;
    for (int i = 0; i < boot.size; i++) {
        memcpy(&record, hy_boot_record(&boot, i), sizeof record);
        sum += record;
    }
    printf("joined %d of %d by %s, sum %d\n", boot.rank, boot.size, boot.ops->name, sum);
    return rank_leave(&boot);
}

static const char *rank_variable(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "none";
}

/* Which rank this is, by the environment, and where it is, by the segment. */
static int rank_where(void)
{
    hy_boot boot;
    int rc = hy_boot_open(&boot);
    if (rc) return rank_say(rc);
    const hy_control *control = boot.control;
    int here = 0;
    for (int i = 0; i < boot.size; i++) here += hy_control_is_here(control, i);
    printf("rank %s of %s, local %s, part %u of %d, node %d of %d, leader %d, %s, PMI %s\n",
           rank_variable("HAYATE_RANK"), rank_variable("HAYATE_SIZE"),
           rank_variable("HAYATE_LOCAL_RANK"), (unsigned)hy_control_part_number(control, boot.rank),
           here, control->node, control->nodes, control->leader,
           control->delegation_at ? "delegated" : "alone",
           getenv("PMI_RANK") || getenv("PMIX_RANK") ? "known" : "unknown");
    printf("parts of %llu\n", (unsigned long long)control->part_bytes);
    return rank_leave(&boot);
}

static void rank_crash(void)
{
    volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would exit */
    *page = 1;
}

static void rank_end(hy_boot *boot, const char *how)
{
    printf("event at %llu\n", (unsigned long long)hy_now_ns()); /* base/told_fixture.h */
    fflush(stdout);
    if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(how, "crash") == 0) rank_crash();
    if (strcmp(how, "abort") == 0) abort();
    if (strcmp(how, "stop") == 0) kill(getpid(), SIGSTOP);
    if (strcmp(how, "exit") == 0) _exit(3);
    if (strcmp(how, "silent") == 0) _exit(0);
    if (strcmp(how, "give up") == 0) {
        hy_boot_abort(boot, 7);
        _exit(7);
    }
    if (strcmp(how, "leave") == 0) boot->ops->close(boot);
    if (strcmp(how, "hang up") == 0) {
        close(boot->socket);
        pause();
    }
    _exit(0);
}

/* Nobody ends before all have told what they know: else the next one would name that rank. */
static void rank_await_others(const hy_boot *boot)
{
    uint64_t deadline = hy_now_ns() + UINT64_C(5000000000);
    volatile uint8_t *told = &hy_control_entry_of(boot->control, boot->rank)->record[100];
    *told = 1;
    for (int i = 0; i < boot->size; i++) {
        told = &hy_control_entry_of(boot->control, i)->record[100];
        while (i != 1 && !*told && hy_now_ns() < deadline) poll(NULL, 0, 1);
    }
}

/* Of a process, as ps shows it: 'Z' is a zombie, 'T' is stopped; 0: there is none. */
static inline char state_of(pid_t pid)
{
    char path[32], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    const char *read = fgets(text, sizeof text, file), *end = strrchr(text, ')');
    fclose(file);
    return read && end ? end[2] : 0;
}

static inline bool is_alive(pid_t pid)
{
    char state = state_of(pid);
    return state && state != 'Z' && state != 'X';
}

/* Rank 1 ends as `how` says; the others wait for it in a fence, say what they were told, and exit
 * with `status`. */
static int rank_victim(const char *how, int status)
{
    hy_boot boot;
    if (rank_open(&boot)) return 0;
    if (boot.rank == 1) rank_end(&boot, how);
    int rc = hy_boot_fence(&boot);
    printf("told at %llu, peer %d: ", (unsigned long long)hy_now_ns(), hayate_error_peer());
    rank_say(rc);
    rank_await_others(&boot);
    return status;
}

/* Says its pid and waits to be killed; ended by SIGUSR1 in order. */
static void rank_quit(int signal)
{
    (void)signal;
    static const char text[] = "told to go\n";
    (void)!write(1, text, sizeof text - 1);
    _exit(0);
}

static void rank_refuse(int signal)
{
    (void)signal;
    static const char text[] = "no\n";
    (void)!write(1, text, sizeof text - 1);
}

static int rank_pause(bool stubborn)
{
    hy_boot boot;
    signal(SIGUSR1, rank_quit);
    if (stubborn) signal(SIGINT, rank_refuse);
    if (rank_open(&boot)) return 0;
    printf("pid %d\n", (int)getpid());
    fflush(stdout);
    for (;;) pause();
}

static int rank_raw_hello(int fd, uint32_t magic, uint32_t abi)
{
    hy_hello hello = {magic, abi};
    hy_welcome welcome;
    struct pollfd socket = {.fd = fd, .events = POLLIN};
    if (send(fd, &hello, sizeof hello, 0) < 0) return rank_say(hy_fail_errno("send"));
    if (poll(&socket, 1, 5000) != 1) return rank_say(hy_fail_errno("no answer"));
    if (recv(fd, &welcome, sizeof welcome, 0) != (ssize_t)sizeof welcome)
        return rank_say(hy_fail_errno("short answer"));
    printf("status %d: %s\n", welcome.status, welcome.reason);
    fflush(stdout);
    return 0;
}

static int rank_hello_twice(void)
{
    hy_boot boot;
    if (rank_open(&boot)) return 0;
    printf("first %d\n", (int)getpid());
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(rank_raw_hello(boot.socket, HY_HELLO_MAGIC, HY_ABI));
    waitpid(child, NULL, 0);
    hy_boot_fence(&boot);
    boot.ops->close(&boot);
    return 0;
}

static int rank_reopen(void)
{
    hy_boot boot;
    if (rank_open(&boot)) return 0;
    boot.ops->close(&boot);
    hy_boot_release(&boot);
    return rank_say(hy_boot_open(&boot));
}

/* Number of descriptors of a process that this rank starts after it has joined. */
static int rank_descriptors(void)
{
    hy_boot boot;
    if (rank_open(&boot)) return 0;
    int rc = system("echo fds $(ls /proc/self/fd | wc -l)");
    boot.ops->close(&boot);
    return rc;
}

static int rank_fences(int count)
{
    hy_boot boot;
    int rc = rank_open(&boot);
    for (int i = 0; i < count && !rc; i++) rc = hy_boot_fence(&boot);
    if (rc) return rank_say(rc);
    boot.ops->close(&boot);
    return 0;
}

/* What each rank tells the others of where it lives. */
typedef struct rank_place {
    uint64_t control, value_address;
    uint8_t space[16];
    int value;
} rank_place;

static volatile int rank_value;

static int rank_segment_mappings(void)
{
    char line[512];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps)) count += strstr(line, "memfd:hayate") != NULL;
    if (maps) fclose(maps);
    return count;
}

/* Reads a global variable of each rank that lives in the same address space. */
static int rank_in_space(void)
{
    static const uint8_t nowhere[16];
    hy_boot boot;
    int here = 0, read = 0, mapped = 0;
    if (hy_boot_open(&boot)) return rank_say(HAYATE_ERR_LAUNCH);
    rank_value = 1000 + boot.rank;
    rank_place mine = {.control = (uint64_t)(uintptr_t)boot.control,
                       .value_address = (uint64_t)(uintptr_t)&rank_value,
                       .value = rank_value},
               theirs;
    memcpy(mine.space, boot.space, sizeof mine.space);
    if (hy_boot_exchange(&boot, &mine, sizeof mine)) return rank_say(HAYATE_ERR_PEER_FAILED);
    for (int i = 0; i < boot.size && memcmp(mine.space, nowhere, sizeof nowhere) != 0; i++) {
        memcpy(&theirs, hy_boot_record(&boot, i), sizeof theirs);
        if (memcmp(theirs.space, mine.space, sizeof mine.space) != 0) continue;
        here++;
        mapped += theirs.control == mine.control;
        read += *(volatile int *)(uintptr_t)theirs.value_address == 1000 + i;
    }
    printf("rank %d: %d here, %d read, %d mapped alike, %d segments\n", boot.rank, here, read,
           mapped, rank_segment_mappings());
    fflush(stdout);
    hy_boot_fence(&boot);
    return rank_leave(&boot);
}

/* Leaves; then rank 1 sleeps until it is ended, or computes for a second. */
static int rank_linger(bool busy)
{
    hy_boot boot;
    volatile uint64_t turns = 0;
    if (rank_open(&boot)) return 0;
    bool stays = boot.rank == 1;
    boot.ops->close(&boot);
    hy_boot_release(&boot);
    uint64_t end = hy_now_ns() + UINT64_C(1000000000);
    while (stays && !busy) pause();
    while (stays && busy && hy_now_ns() < end) turns++;
    return 0;
}

/* All join and do nothing until they are ended ("idle"); or rank 1 computes for a second first
 * ("busy"), or all of them compute for so many ("crowd 4"). */
static int rank_quiet(const char *how)
{
    hy_boot boot;
    volatile uint64_t turns = 0;
    uint64_t seconds = 1;
    bool idle = strcmp(how, "idle") == 0, crowd = sscanf(how, "crowd %" SCNu64, &seconds) == 1;
    if (rank_open(&boot)) return 0;
    uint64_t end = hy_now_ns() + seconds * UINT64_C(1000000000);
    while (idle) pause();
    while ((boot.rank == 1 || crowd) && hy_now_ns() < end) turns++;
    hy_boot_fence(&boot);
    return rank_leave(&boot);
}

static void *rank_sleeps(void *argument)
{
    for (;;) pause();
    return argument;
}

/* Rank 1 becomes a process: exec by one of several threads takes it out of the address space. */
static int rank_half_exec(void)
{
    pthread_t thread;
    if (atoi(getenv("HAYATE_RANK")) == 1 && pthread_create(&thread, NULL, rank_sleeps, NULL) == 0)
        execl(getenv("SELF"), "SELF", "--rank", "space", (char *)NULL);
    return rank_in_space();
}

/* Rank 0 uses the segment after all others have left, released it and ended. */
static int rank_outlive(void)
{
    hy_boot boot;
    if (rank_open(&boot)) return 0;
    volatile uint8_t *last = (volatile uint8_t *)boot.control + boot.segment_bytes - 1;
    if (boot.rank == 0) {
        for (int i = 1; i < boot.size; i++)
            while (is_alive(hy_load_relaxed(&hy_control_live_of(boot.control)->ranks[i].pid)))
                poll(NULL, 0, 1);
        *last = 7;
        printf("still %d\n", *last);
    }
    return rank_leave(&boot);
}

/* The mask and the actions that a program starts with. */
static int rank_signals(void)
{
    sigset_t mask;
    struct sigaction action;
    int blocked = 0, ignored = 0, caught = 0;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int signal = 1; signal < SIGRTMIN; signal++) {
        if (signal == SIGTTOU || sigaction(signal, NULL, &action) != 0) continue;
        blocked += sigismember(&mask, signal) == 1;
        ignored += action.sa_handler == SIG_IGN;
        caught += action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL;
    }
    printf("blocked %d ignored %d caught %d\n", blocked, ignored, caught);
    return 0;
}

/* The library as programs use it. */
static int rank_init(void)
{
    int rc = hayate_init();
    rank_say(rc);
    if (!rc) hayate_finalize();
    return rc ? 5 : 0;
}

/* Rank 1 is a child of the one that was started, so a process. */
static int rank_half_init(void)
{
    if (atoi(getenv("HAYATE_RANK")) == 1) return system("exec $SELF --rank init") == 0 ? 0 : 5;
    return rank_init();
}

static int rank_nonblocking(void)
{
    return fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
}

#define WRITER_LINES (1 << 26)

/* Leaves a process behind that writes so many empty lines. Its own session keeps it from ending
 * with the rank; the pipe holds enough for many reads, in which it gets a processor again. */
static int rank_leave_writer(void)
{
    static char lines[65536];
    int present = 0;
    memset(lines, '\n', sizeof lines);
    fcntl(1, F_SETPIPE_SZ, 1 << 20);
    if (fork() == 0) {
        setsid();
        for (int left = WRITER_LINES; left > 0; left -= (int)sizeof lines)
            if (write(1, lines, sizeof lines) < 0) break;
        _exit(0);
    }
    while (!present && ioctl(1, FIONREAD, &present) == 0) poll(NULL, 0, 1);
    return 0;
}

static int rank_program(int argc, char **argv)
{
    const char *mode = argc > 0 ? argv[0] : "", *argument = argc > 1 ? argv[1] : "";
    const char *fd = getenv("HAYATE_BOOT_FD");
    if (strcmp(mode, "join") == 0) return rank_join();
    if (strcmp(mode, "where") == 0) return rank_where();
    if (strcmp(mode, "victim") == 0) return rank_victim(argument, argc > 2 ? atoi(argv[2]) : 0);
    if (strcmp(mode, "pause") == 0) return rank_pause(false);
    if (strcmp(mode, "linger") == 0) return rank_linger(strcmp(argument, "busy") == 0);
    if (strcmp(mode, "quiet") == 0) return rank_quiet(argument);
    if (strcmp(mode, "stubborn") == 0) return rank_pause(true);
    if (strcmp(mode, "abi") == 0) return rank_raw_hello(atoi(fd), HY_HELLO_MAGIC, HY_ABI + 7);
    if (strcmp(mode, "magic") == 0) return rank_raw_hello(atoi(fd), 0xbad, HY_ABI);
    if (strcmp(mode, "twice") == 0) return rank_hello_twice();
    if (strcmp(mode, "reopen") == 0) return rank_reopen();
    if (strcmp(mode, "descriptors") == 0) return rank_descriptors();
    if (strcmp(mode, "space") == 0) return rank_in_space();
    if (strcmp(mode, "half exec") == 0) return rank_half_exec();
    if (strcmp(mode, "outlive") == 0) return rank_outlive();
    if (strcmp(mode, "signals") == 0) return rank_signals();
    if (strcmp(mode, "init") == 0) return rank_init();
    if (strcmp(mode, "half init") == 0) return rank_half_init();
    if (strcmp(mode, "nonblocking") == 0) return rank_nonblocking();
    if (strcmp(mode, "leave writer") == 0) return rank_leave_writer();
    if (strcmp(mode, "fences") == 0) return rank_fences(atoi(argument));
    fprintf(stderr, "no rank mode '%s'\n", mode);
    return 9;
}

#endif
