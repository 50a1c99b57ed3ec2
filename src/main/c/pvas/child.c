/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The child restores in itself what exec would reset (signal handlers, descriptors, names),
 * registers with the guard, installs the trap handler and the filter, and enters the program.
 */
#include "pvas/child.h"

#if defined(__x86_64__)

#include <asm/prctl.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>

#include "pvas/trap.h"

#define EXIT_NOT_STARTED 127

_Static_assert(sizeof(hy_partition) <= HY_START_OFFSET, "the control area is too small");
_Static_assert(HY_START_OFFSET + sizeof(hy_start) + (UINT64_C(64) << 10) <= HY_CONTROL_BYTES,
               "there is no room for a stack in the control area");

HY_BARE static _Noreturn void child_give_up(const hy_start *start, long error)
{
    atomic_store_explicit(&start->member->failed, (int32_t)-error, memory_order_relaxed);
    for (;;) hy_sys2(SYS_exit_group, EXIT_NOT_STARTED, 0);
}

/* Resets handlers, which are functions of the spawner; as with exec, ignored signals stay
 * ignored. */
HY_BARE static void reset_handlers(void)
{
    hy_action action, usual = {.handler = hy_address(SIG_DFL)};
    for (uint64_t signal = 1; signal <= HY_SIGNALS; signal++) {
        if (hy_sys4(SYS_rt_sigaction, signal, 0, hy_address(&action), 8) != 0) continue;
        if (action.handler == hy_address(SIG_DFL) || action.handler == hy_address(SIG_IGN))
            continue;
        hy_sys4(SYS_rt_sigaction, signal, hy_address(&usual), 0, 8);
    }
}

/* A process without privileges may install a filter only if it cannot gain any (no_new_privs). */
HY_BARE static long install_filter(const hy_filter *filter)
{
    struct sock_fprog program = {.len = filter->count,
                                 .filter = (struct sock_filter *)(uintptr_t)filter->code};
    for (int way = 0; way < 2; way++) {
        /* Tasks share their memory anyway: slower speculation would protect nothing. */
        long result = hy_sys4(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                              hy_address(&program), 0);
        if (result != -EACCES || way == 1) return result;
        hy_sys6(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
    }
    return -EACCES;
}

HY_BARE static void child_check(const hy_start *start, long result)
{
    if (hy_sys_failed(result)) child_give_up(start, result);
}

/* Handles both orders of events: either the guard finds the pid, or this process sees that the
 * spawner is no longer its parent. */
HY_BARE static void meet_guard(const hy_start *start)
{
    atomic_store_explicit(&start->member->pid, (int32_t)hy_sys2(SYS_getpid, 0, 0),
                          memory_order_seq_cst);
    if (hy_sys2(SYS_getppid, 0, 0) != start->spawner) child_give_up(start, -ECHILD);
}

/* All signals are blocked until the mask is set at the end. */
HY_BARE void hy_child_run(void *argument)
{
    hy_start *start = argument;
    hy_sys2(SYS_arch_prctl, ARCH_SET_FS, 0); /* the spawner's thread-local storage must not be
                                              * used */
    hy_sys2(SYS_arch_prctl, ARCH_SET_GS, 0);
    if (!start->executing) meet_guard(start);
    if (start->has_handlers) reset_handlers();
    child_check(start, hy_descriptors_move(start->pairs, start->pair_count));
    if (start->directory >= 0)
        child_check(start, hy_sys2(SYS_fchdir, (uint64_t)start->directory, 0));
    hy_descriptors_close_on_exec();
    if (start->has_files)
        child_check(start, hy_sys4(SYS_prlimit64, 0, RLIMIT_NOFILE, hy_address(&start->files), 0));
    if (start->new_group) hy_sys2(SYS_setpgid, 0, 0);
    hy_sys6(SYS_prctl, PR_SET_NAME, hy_address(start->name), 0, 0, 0, 0);
    for (int i = 0; i < start->tail_count; i++)
        hy_bare_clear(hy_at(void, start->tails[i].start),
                      start->tails[i].end - start->tails[i].start);
    child_check(start, hy_trap_install());
    if (!start->executing) child_check(start, install_filter(&start->filter));
    hy_sys4(SYS_rt_sigprocmask, SIG_SETMASK, hy_address(&start->mask), 0, 8);
    hy_bare_enter(start->stack, start->entry);
}

#endif
