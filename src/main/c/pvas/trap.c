/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the task by the address of the trapped instruction, carries out the call, and writes the
 * result into the interrupted context.
 */
#include "pvas/trap.h"

#if defined(__x86_64__)

#include <errno.h>
#include <linux/audit.h>

#include "pvas/filter.h"
#include "pvas/region.h"

#define SYS_SECCOMP_CODE 1 /* si_code of a trapped call */

HY_BARE static long dispatch(hy_trap_call *call)
{
    switch (call->number) {
    case SYS_mmap: return hy_trap_mmap(call);
    case SYS_munmap: return hy_trap_munmap(call);
    case SYS_mprotect:
    case SYS_pkey_mprotect:
    case SYS_madvise:
    case SYS_mlock:
    case SYS_mlock2:
    case SYS_munlock:
    case SYS_mbind:
    case HY_NR_SET_MEMPOLICY_HOME_NODE:
    case SYS_remap_file_pages: return hy_trap_range(call);
    case SYS_shmdt: return -EINVAL;
    case SYS_mremap: return hy_trap_mremap(call);
    case SYS_brk: return hy_trap_brk(call);
    case SYS_shmat: return hy_trap_shmat(call);
    case SYS_rt_sigprocmask: return hy_trap_sigprocmask(call);
    case SYS_rt_sigaction: return hy_trap_sigaction(call);
    case SYS_rt_sigreturn: return hy_trap_sigreturn(call);
    case SYS_rt_sigsuspend:
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
    case HY_NR_EPOLL_PWAIT2:
    case HY_NR_IO_URING_ENTER: return hy_trap_masked_wait(call);
    case SYS_readlink:
    case SYS_readlinkat: return hy_trap_readlink(call);
    case SYS_execve:
    case SYS_execveat: return hy_trap_exec(call);
    case SYS_rseq: return hy_trap_rseq(call);
    case SYS_prctl:
    case SYS_arch_prctl: return hy_trap_prctl(call);
    case SYS_clone: return -EINVAL;
    case SYS_move_pages:
    case SYS_migrate_pages:
    case SYS_mlockall:
    case SYS_munlockall: return -EPERM;
    default: return -ENOSYS; /* also for the other calls that the filter lists */
    }
}

/* Handles a SIGSYS that somebody sent, or that a filter of the program's own raised, as the program
 * asked. */
HY_BARE static void pass_on(hy_partition *own, int signal, siginfo_t *info, ucontext_t *context)
{
    hy_action action = own->sigsys;
    if (action.handler == hy_address(SIG_IGN)) return;
    if (action.handler != hy_address(SIG_DFL)) {
        ((void (*)(int, siginfo_t *, void *))(uintptr_t)action.handler)(signal, info, context);
        return;
    }
    hy_sys4(SYS_rt_sigaction, SIGSYS, hy_address(&action), 0, 8);
    hy_sys4(SYS_tgkill, (uint64_t)hy_sys2(SYS_getpid, 0, 0), (uint64_t)hy_sys2(SYS_gettid, 0, 0),
            SIGSYS, 0);
}

HY_BARE static void on_sigsys(int signal, siginfo_t *info, void *context)
{
    ucontext_t *interrupted = context;
    greg_t *registers = interrupted->uc_mcontext.gregs;
    /* Identified by the address of the call: nothing else tells tasks apart here. */
    hy_partition *own = hy_region_partition((uint64_t)registers[REG_RIP]);
    if (!own) return; /* a signal that was sent while the thread was in the vDSO: it is lost */
    if (info->si_code != SYS_SECCOMP_CODE || info->si_errno != HY_TRAP_MARK) {
        pass_on(own, signal, info, interrupted);
        return;
    }
    hy_trap_call call = {.own = own, .context = interrupted, .number = info->si_syscall};
    call.arguments[0] = (uint64_t)registers[REG_RDI];
    call.arguments[1] = (uint64_t)registers[REG_RSI];
    call.arguments[2] = (uint64_t)registers[REG_RDX];
    call.arguments[3] = (uint64_t)registers[REG_R10];
    call.arguments[4] = (uint64_t)registers[REG_R8];
    call.arguments[5] = (uint64_t)registers[REG_R9];
    long result = info->si_arch == AUDIT_ARCH_X86_64 ? dispatch(&call) : -ENOSYS;
    if (!call.again) registers[REG_RAX] = result;
}

/* Uses the alternate stack if there is one: the stack of the caller can be very small. */
HY_BARE long hy_trap_install(void)
{
    hy_action action = {.handler = hy_address(on_sigsys),
                        .flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART | HY_SA_RESTORER,
                        .restorer = hy_address(hy_bare_restorer),
                        .mask = ~hy_signal_bit(SIGSYS)};
    return hy_sys4(SYS_rt_sigaction, SIGSYS, hy_address(&action), 0, 8);
}

#endif
