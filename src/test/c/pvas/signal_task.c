/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers, masks and alternate stacks of a program that knows nothing of SIGSYS, and of one that
 * tries everything with it. After each attempt memory must still be had from the system. */
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "pvas/task.h"

static sigjmp_buf back;
static char alternate[1 << 16];
static volatile sig_atomic_t handled;

static void map_memory(void)
{
    size_t bytes = 1 << 20;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    memory[0] = memory[bytes - 1] = 1;
    memory = mremap(memory, bytes, 4 * bytes, MREMAP_MAYMOVE);
    CHECK(memory != MAP_FAILED && memory[0] == 1 && memory[bytes - 1] == 1);
    CHECK(munmap(memory, 4 * bytes) == 0);
}

static void on_any(int signal)
{
    map_memory();
    handled = signal;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    char here;
    CHECK(signal == SIGSEGV && context);
    CHECK((uintptr_t)info->si_addr == 8);
    CHECK(&here >= alternate && &here < alternate + sizeof alternate);
    map_memory();
    siglongjmp(back, 1);
}

static void on_overflow(int signal)
{
    char here;
    CHECK(signal == SIGSEGV && &here >= alternate && &here < alternate + sizeof alternate);
    _exit(42);
}

static void handle(int signal, void (*handler)(int), const sigset_t *mask, int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, set;
    if (mask) action.sa_mask = *mask;
    CHECK(sigaction(signal, &action, NULL) == 0);
    CHECK(sigaction(signal, NULL, &set) == 0 && set.sa_handler == handler);
}

static void use_alternate_stack(void)
{
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate}, was;
    CHECK(sigaltstack(&stack, &was) == 0 && (was.ss_flags & SS_DISABLE));
}

static int catches_faults(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    volatile int caught = 0;
    volatile uintptr_t nowhere = 8;
    use_alternate_stack();
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    for (int i = 0; i < 100; i++) {
        if (sigsetjmp(back, 1) == 0) {
            *(volatile int *)nowhere = i;
            CHECK(!"a fault");
        }
        caught++;
        map_memory();
    }
    return caught == 100 ? 0 : 1;
}

static int dive(int depth)
{
    volatile char block[4096];
    block[0] = (char)depth;
    return depth > (1 << 30) / 4096 ? 0 : dive(depth + 1) + block[0];
}

/* "caught": by a handler on another stack; else it dies of it. */
static int overflows(int argc, char **argv)
{
    (void)argv;
    if (argc > 0) {
        use_alternate_stack();
        handle(SIGSEGV, on_overflow, NULL, SA_ONSTACK);
    }
    return dive(0) & 1;
}

static sigset_t everything(void)
{
    sigset_t all;
    sigfillset(&all);
    return all;
}

/* Every way to block SIGSYS that goes through a call. */
static int blocks_everything(int argc, char **argv)
{
    (void)argc, (void)argv;
    sigset_t all = everything(), mask, none;
    sigemptyset(&none);
    CHECK(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
    map_memory();
    CHECK(sigprocmask(SIG_SETMASK, NULL, &mask) == 0);
    CHECK(sigismember(&mask, SIGUSR1) == 1 && sigismember(&mask, SIGKILL) == 0);
    CHECK(sigprocmask(SIG_UNBLOCK, &all, NULL) == 0);
    CHECK(sigprocmask(SIG_BLOCK, NULL, &mask) == 0 && sigismember(&mask, SIGUSR1) == 0);
    CHECK(pthread_sigmask(SIG_SETMASK, &all, &mask) == 0);
    map_memory();
    CHECK(sigismember(&mask, SIGUSR1) == 0);
    CHECK(pthread_sigmask(SIG_SETMASK, &none, &mask) == 0 && sigismember(&mask, SIGUSR1) == 1);
    CHECK_ERRNO(sigprocmask(77, &all, NULL), EINVAL);
    sigemptyset(&all);
    sigaddset(&all, SIGSYS);
    CHECK(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
    map_memory();
    return 0;
}

static int takes_sigsys(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct sigaction was;
    CHECK(sigaction(SIGSYS, NULL, &was) == 0 && was.sa_handler == SIG_DFL);
    CHECK(signal(SIGSYS, SIG_IGN) == SIG_DFL);
    map_memory();
    CHECK(signal(SIGSYS, on_any) == SIG_IGN);
    map_memory();
    CHECK(signal(SIGSYS, SIG_DFL) == on_any);
    map_memory();
    return 0;
}

/* Handlers that run with everything blocked: by their own mask, by that of the waiting call. */
static int maps_in_handlers(int argc, char **argv)
{
    (void)argc, (void)argv;
    sigset_t all = everything(), but_one = all, one;
    struct timespec soon = {.tv_nsec = 500000000};
    sigdelset(&but_one, SIGUSR1);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    handle(SIGUSR1, on_any, &all, 0);
    CHECK(raise(SIGUSR1) == 0 && handled == SIGUSR1);
    CHECK(sigprocmask(SIG_BLOCK, &one, NULL) == 0);
    for (int way = 0; way < 3; way++) {
        handled = 0;
        CHECK(raise(SIGUSR1) == 0 && handled == 0);
        if (way == 0) CHECK_ERRNO(sigsuspend(&but_one), EINTR);
        if (way == 1) CHECK_ERRNO(ppoll(NULL, 0, &soon, &but_one), EINTR);
        if (way == 2) CHECK_ERRNO(pselect(0, NULL, NULL, NULL, &soon, &but_one), EINTR);
        CHECK(handled == SIGUSR1);
        map_memory();
    }
    return 0;
}

static int waits_for_signals(int argc, char **argv)
{
    (void)argc, (void)argv;
    sigset_t one;
    int got = 0;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    CHECK(sigprocmask(SIG_BLOCK, &one, NULL) == 0);
    SAY("ready\n");
    CHECK(sigwait(&one, &got) == 0 && got == SIGUSR2);
    map_memory();
    handle(SIGALRM, on_any, NULL, SA_RESTART);
    struct itimerval timer = {.it_value.tv_usec = 2000, .it_interval.tv_usec = 2000};
    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
    for (int i = 0; i < 5; i++) {
        handled = 0;
        while (!handled) map_memory();
    }
    return 33;
}

/* What a wait on a ring is told, here and in memory that the ring knows. */
typedef struct uring_extended {
    const sigset_t *mask;
    uint64_t mask_bytes;
    const struct timespec *limit;
} uring_extended;

typedef struct uring_known {
    struct timespec limit;
    uint32_t least, flags;
    const sigset_t *mask;
    uint32_t mask_bytes, zero[7];
} uring_known;

#define URING_SETUP 425
#define URING_ENTER 426
#define URING_REGISTER 427

static void wait_on_ring(int ring, unsigned flags, const void *mask, size_t bytes, int result)
{
    handled = 0;
    CHECK(raise(SIGUSR1) == 0 && handled == 0);
    CHECK_ERRNO(syscall(URING_ENTER, ring, 0, 1, 1 | flags, mask, bytes), result);
    CHECK(handled == (result == EINTR ? SIGUSR1 : 0));
    map_memory();
    sigset_t none;
    sigemptyset(&none);
    if (!handled) CHECK_ERRNO(sigsuspend(&none), EINTR);
}

/* io_uring_enter with the mask in each of its places; SIGUSR1 is pending. */
static int waits_on_rings(int argc, char **argv)
{
    (void)argc, (void)argv;
    static uint64_t page[512] __attribute__((aligned(4096)));
    uint32_t parameters[30] = {[2] = 1 << 6 /* disabled until it is enabled */};
    struct timespec soon = {0, 1000000};
    sigset_t one, but_one;
    CHECK_ERRNO(syscall(SYS_io_pgetevents, 0, 0, 0, NULL, NULL, NULL), ENOSYS); /* has one, too */
    int ring = (int)syscall(URING_SETUP, 4, parameters);
    if (ring < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL)) return 77;
    CHECK(ring >= 0);
    uint64_t area[8] = {(uintptr_t)page, sizeof page, 1}, told[4] = {(uintptr_t)area, 1};
    bool knows = syscall(URING_REGISTER, ring, 34, told, 1) == 0; /* since Linux 6.13 */
    CHECK(syscall(URING_REGISTER, ring, 12, NULL, 0) == 0);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigfillset(&but_one);
    sigdelset(&but_one, SIGUSR1);
    handle(SIGUSR1, on_any, NULL, 0);
    CHECK(sigprocmask(SIG_BLOCK, &one, NULL) == 0);
    wait_on_ring(ring, 0, &but_one, 8, EINTR);
    uring_extended extended = {&but_one, 8, NULL};
    uring_known known = {.flags = 1, .mask = &but_one, .mask_bytes = 8};
    if (parameters[5] & 1 << 8) {
        wait_on_ring(ring, 8, &extended, sizeof extended, EINVAL);
        extended = (uring_extended){NULL, 8, &soon};
        wait_on_ring(ring, 8, &extended, sizeof extended, ETIME);
    }
    if (knows) {
        memcpy(page, &known, sizeof known);
        wait_on_ring(ring, 8 | 64, NULL, sizeof known, EINVAL);
    }
    SAY(knows ? "with known memory\n" : "without known memory\n");
    return 0;
}

typedef struct vectors {
    uint64_t ymm15[4], zmm31[8], k7;
} vectors;

/* Makes a system call with `stack` as stack pointer, and *v in vector registers meanwhile. */
static long call_on(char *stack, vectors *v, long number, const long *a)
{
    long result;
    register long r10 __asm__("r10") = a[3];
    register long r8 __asm__("r8") = a[4];
    register long r9 __asm__("r9") = a[5];
    register char *r12 __asm__("r12") = stack;
    register vectors *r13 __asm__("r13") = v;
    register long r14 __asm__("r14") = !!__builtin_cpu_supports("avx512f");
    __asm__ volatile("mov %%rsp, %%rbx\n"
                     "mov %%r12, %%rsp\n"
                     "vmovdqu (%%r13), %%ymm15\n"
                     "test %%r14, %%r14\n"
                     "jz 1f\n"
                     "vmovdqu64 32(%%r13), %%zmm31\n"
                     "kmovw 96(%%r13), %%k7\n"
                     "1: syscall\n"
                     "mov %%rbx, %%rsp\n"
                     "vmovdqu %%ymm15, (%%r13)\n"
                     "test %%r14, %%r14\n"
                     "jz 1f\n"
                     "vmovdqu64 %%zmm31, 32(%%r13)\n"
                     "kmovw %%k7, 96(%%r13)\n"
                     "1: vzeroupper\n"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9),
                       "r"(r12), "r"(r13), "r"(r14)
                     : "rbx", "rcx", "r11", "xmm15", "cc", "memory");
    return result;
}

/* In calls that are made again after the handler of SIGSYS. What the kernel saves for the handler
 * begins at the next multiple of 64 below the stack: each stack pointer leaves another gap. */
static int keeps_registers(int argc, char **argv)
{
    (void)argc;
    sigset_t none;
    struct timespec now = {0};
    struct {
        void *set;
        long bytes;
    } pair = {&none, 8};
    const vectors before = {{1, 2, 3, UINT64_MAX}, {4, 5, 6, 7, 8, 9, 10, UINT64_MAX}, 0xa5};
    const long calls[][7] = {
        {SYS_ppoll, 0, 0, (long)&now, (long)&none, 8, 0},
        {SYS_pselect6, 0, 0, 0, 0, (long)&now, (long)&pair},
        {SYS_epoll_pwait, -1, (long)alternate, 1, 0, (long)&none, 8},
        {SYS_execve, (long)"/no/such/program", (long)argv, (long)argv},
    };
    const long results[] = {0, 0, -EBADF, -ENOENT};
    if (!__builtin_cpu_supports("avx")) return 0;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (uintptr_t gap = 0; gap < 64; gap += 8) {
            uintptr_t end = (uintptr_t)(alternate + sizeof alternate) & ~(uintptr_t)63;
            vectors v = before;
            CHECK(call_on((char *)end - 64 - gap, &v, calls[i][0], calls[i] + 1) == results[i]);
            CHECK(memcmp(&v, &before, sizeof v) == 0);
        }
    return 0;
}

static int wins_of(int signal)
{
    struct sigaction action;
    if (sigaction(signal, NULL, &action) != 0) return '?';
    return action.sa_handler == SIG_DFL ? 'd' : action.sa_handler == SIG_IGN ? 'i' : 'h';
}

/* A character for the action of each signal, 1 to 64, then one for whether it is blocked. */
static int shows_signals(int argc, char **argv)
{
    (void)argc, (void)argv;
    char line[2][65] = {{0}};
    sigset_t mask;
    CHECK(sigprocmask(SIG_BLOCK, NULL, &mask) == 0);
    for (int i = 1; i <= 64; i++) {
        int hidden = i == 32 || i == 33 || i == 34; /* a C library keeps these to itself */
        line[0][i - 1] = hidden ? '-' : (char)wins_of(i);
        line[1][i - 1] = hidden ? '-' : sigismember(&mask, i) == 1 ? 'b' : '.';
    }
    SAY("actions %s\nblocked %s\n", line[0], line[1]);
    return 0;
}

int main(int argc, char **argv)
{
    static const task_action actions[] = {
        {"fault", catches_faults},         {"overflow", overflows},
        {"block", blocks_everything},      {"sigsys", takes_sigsys},
        {"in-handlers", maps_in_handlers}, {"wait", waits_for_signals},
        {"registers", keeps_registers},    {"rings", waits_on_rings},
        {"show", shows_signals},           {NULL, NULL}};
    return task_run(actions, argc, argv);
}
