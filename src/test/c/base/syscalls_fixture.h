/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the system calls of the calling thread, exactly: between syscalls_begin() and
 * syscalls_end() the kernel sends it SIGSYS in place of each (syscall user dispatch, Linux 5.11),
 * whose handler counts the call and makes it. */
#ifndef HY_TEST_SYSCALLS_FIXTURE_H
#define HY_TEST_SYSCALLS_FIXTURE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SYSCALLS_NUMBERS 512

static uint64_t syscalls_all, syscalls_of[SYSCALLS_NUMBERS]; /* since syscalls_begin() */

/* False: it cannot be done here. */
static inline bool syscalls_begin(void);

/* How many. */
static inline uint64_t syscalls_end(void);

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) /* which instruments the handler */

#include <ucontext.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
enum { SYSCALLS_PASS = 0, SYSCALLS_STOP = 1 };

static volatile char syscalls_gate = SYSCALLS_PASS;

/* The handler returns through here: the one call that is made while the gate is shut. */
void syscalls_restorer(void);
extern char syscalls_restorer_end[];
__asm__(".text\n.globl syscalls_restorer\nsyscalls_restorer: mov $15, %eax\nsyscall\n"
        ".globl syscalls_restorer_end\nsyscalls_restorer_end: ud2\n");

static void syscalls_make(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    syscalls_gate = SYSCALLS_PASS;
    syscalls_all++;
    if ((unsigned)info->si_syscall < SYSCALLS_NUMBERS) syscalls_of[info->si_syscall]++;
    register long r10 __asm__("r10") = registers[REG_R10];
    register long r8 __asm__("r8") = registers[REG_R8];
    register long r9 __asm__("r9") = registers[REG_R9];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)info->si_syscall), "D"(registers[REG_RDI]),
                       "S"(registers[REG_RSI]), "d"(registers[REG_RDX]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    registers[REG_RAX] = result;
    syscalls_gate = SYSCALLS_STOP;
}

static inline bool syscalls_begin(void)
{
    const struct {
        void (*handler)(int, siginfo_t *, void *);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } action = {syscalls_make, SA_SIGINFO | SA_NODEFER | 0x04000000 /* SA_RESTORER */,
                syscalls_restorer, 0};
    uintptr_t from = (uintptr_t)syscalls_restorer;
    syscalls_all = 0;
    for (int i = 0; i < SYSCALLS_NUMBERS; i++) syscalls_of[i] = 0;
    if (syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, 8) != 0 ||
        prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, from, (uintptr_t)syscalls_restorer_end - from + 1,
              &syscalls_gate) != 0)
        return false;
    syscalls_gate = SYSCALLS_STOP;
    return true;
}

static inline uint64_t syscalls_end(void)
{
    syscalls_gate = SYSCALLS_PASS;
    prctl(PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0);
    return syscalls_all;
}

#else

static inline bool syscalls_begin(void)
{
    return false;
}

static inline uint64_t syscalls_end(void)
{
    return syscalls_all;
}

#endif

#endif
