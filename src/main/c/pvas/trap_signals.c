/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles calls that could block SIGSYS: a trap while it is blocked would kill the task. SIGSYS is
 * removed from all masks; the program's own action for it is recorded, but not passed to the
 * kernel.
 */
#include "pvas/trap.h"

#if defined(__x86_64__)

#include <errno.h>

#include "pvas/filter.h"

#define NO_SUCH_HOW 99

_Static_assert(sizeof(hy_resume) == 160 && offsetof(hy_resume, mask) == 8 &&
                   offsetof(hy_resume, set) == 16 && offsetof(hy_resume, set_bytes) == 24,
               "hy_bare_resume knows the layout");

/* The kernel copies its argument before it checks the operation: the result is EFAULT or EINVAL. */
HY_BARE bool hy_can_read_set(uint64_t address)
{
    return hy_sys4(SYS_rt_sigprocmask, NO_SUCH_HOW, address, 0, 8) != -EFAULT;
}

HY_BARE static bool can_write_set(uint64_t address)
{
    return hy_sys4(SYS_rt_sigprocmask, SIG_BLOCK, 0, address, 8) != -EFAULT;
}

HY_BARE static bool can_read_action(uint64_t address)
{
    return hy_sys4(SYS_rt_sigaction, SIGKILL, address, 0, 8) != -EFAULT;
}

HY_BARE static bool can_write_action(uint64_t address)
{
    return hy_sys4(SYS_rt_sigaction, SIGKILL, 0, address, 8) != -EFAULT;
}

HY_BARE static uint64_t *mask_of(ucontext_t *context)
{
    return (uint64_t *)(void *)&context->uc_sigmask;
}

/* Changes the mask that the thread gets when the handler returns. */
HY_BARE long hy_trap_sigprocmask(hy_trap_call *call)
{
    uint64_t how = call->arguments[0], set = call->arguments[1], old = call->arguments[2];
    uint64_t *mask = mask_of(call->context), before = *mask;
    if (call->arguments[3] != 8) return -EINVAL;
    if (set) {
        if (!hy_can_read_set(set)) return -EFAULT;
        uint64_t signals = *hy_at(uint64_t, set);
        if (how == SIG_BLOCK) *mask |= signals;
        else if (how == SIG_UNBLOCK) *mask &= ~signals;
        else if (how == SIG_SETMASK) *mask = signals;
        else return -EINVAL;
        *mask &= ~hy_signal_bit(SIGSYS);
    }
    if (!old) return 0;
    if (!can_write_set(old)) return -EFAULT;
    *hy_at(uint64_t, old) = before;
    return 0;
}

HY_BARE static long set_sigsys(hy_partition *own, const hy_action *action, uint64_t old)
{
    hy_action before = own->sigsys;
    if (action) own->sigsys = *action;
    if (!old) return 0;
    if (!can_write_action(old)) return -EFAULT;
    *hy_at(hy_action, old) = before;
    return 0;
}

HY_BARE long hy_trap_sigaction(hy_trap_call *call)
{
    uint64_t signal = call->arguments[0], act = call->arguments[1], old = call->arguments[2];
    hy_action action = {0};
    if (call->arguments[3] != 8) return -EINVAL;
    if (act) {
        if (!can_read_action(act)) return -EFAULT;
        action = *hy_at(hy_action, act);
        action.mask &= ~hy_signal_bit(SIGSYS);
    }
    if (signal == SIGSYS) return set_sigsys(call->own, act ? &action : NULL, old);
    return hy_sys4(SYS_rt_sigaction, signal, act ? hy_address(&action) : 0, old, 8);
}

/* A handler may have written any mask into its frame. The stack pointer points behind the return
 * address of the frame, to its ucontext. */
HY_BARE long hy_trap_sigreturn(hy_trap_call *call)
{
    greg_t *registers = call->context->uc_mcontext.gregs;
    ucontext_t *frame = hy_at(ucontext_t, registers[REG_RSP]);
    if (hy_can_read_set(hy_address(&frame->uc_sigmask))) *mask_of(frame) &= ~hy_signal_bit(SIGSYS);
    registers[REG_RIP] = (greg_t)hy_address(hy_bare_restorer);
    call->again = true;
    return 0;
}

HY_BARE void hy_trap_again(hy_trap_call *call)
{
    greg_t *registers = call->context->uc_mcontext.gregs;
    registers[REG_RCX] = registers[REG_RIP];
    registers[REG_RIP] = (greg_t)hy_address(hy_bare_resume);
    registers[REG_RAX] = call->number;
    registers[REG_RDI] = (greg_t)call->arguments[0];
    registers[REG_RSI] = (greg_t)call->arguments[1];
    registers[REG_RDX] = (greg_t)call->arguments[2];
    registers[REG_R10] = (greg_t)call->arguments[3];
    registers[REG_R8] = (greg_t)call->arguments[4];
    registers[REG_R9] = (greg_t)call->arguments[5];
    call->again = true;
}

/* The address of a part of the hy_resume that will be there when the call is repeated. */
HY_BARE static uint64_t will_be_at(const hy_trap_call *call, size_t offset)
{
    uint64_t stack = (uint64_t)call->context->uc_mcontext.gregs[REG_RSP];
    return stack - sizeof(hy_resume) + offset;
}

/* Copies the mask without SIGSYS; for a mask that cannot be read, the kernel returns the error. */
HY_BARE static void without_sigsys(hy_trap_call *call, uint64_t *set)
{
    if (!*set || !hy_can_read_set(*set)) return;
    uint64_t mask = *hy_at(uint64_t, *set) & ~hy_signal_bit(SIGSYS);
    call->context->uc_mcontext.gregs[REG_R11] = (greg_t)mask;
    *set = will_be_at(call, offsetof(hy_resume, mask));
}

/* pselect6 takes a pointer to its mask and the length of it. The kernel refuses other lengths. */
HY_BARE static void pair_without_sigsys(hy_trap_call *call, uint64_t *pair)
{
    if (!hy_can_read_set(*pair) || !hy_can_read_set(*pair + 8)) return;
    uint64_t set = hy_at(uint64_t, *pair)[0], before = set;
    if (hy_at(uint64_t, *pair)[1] == 8) without_sigsys(call, &set);
    if (set != before) *pair = will_be_at(call, offsetof(hy_resume, set));
}

/* Calls that wait with another mask: handlers that end the wait run with that mask, too. */
HY_BARE long hy_trap_masked_wait(hy_trap_call *call)
{
    uint64_t *a = call->arguments;
    switch (call->number) {
    case HY_NR_IO_URING_ENTER:
        if (a[3] & HY_URING_REGISTERED) return -EINVAL;
        if (!(a[3] & HY_URING_EXTENDED)) without_sigsys(call, &a[4]);
        else if (hy_can_read_set(a[4]) && *hy_at(uint64_t, a[4])) return -EINVAL;
        break;
    case SYS_rt_sigsuspend: without_sigsys(call, &a[0]); break;
    case SYS_ppoll: without_sigsys(call, &a[3]); break;
    case SYS_pselect6: pair_without_sigsys(call, &a[5]); break;
    default: without_sigsys(call, &a[4]);
    }
    hy_trap_again(call);
    return 0;
}

#endif
