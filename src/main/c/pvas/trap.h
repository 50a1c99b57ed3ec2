/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handler of SIGSYS in a task: makes the calls that the filter does not let through, so that
 * they stay in the partition. It runs in whatever thread made the call, perhaps on a small
 * alternate stack, with all signals but SIGSYS blocked.
 */
#ifndef HY_PVAS_TRAP_H
#define HY_PVAS_TRAP_H

#include "pvas/partition.h"

#if defined(__x86_64__)

#include <signal.h>
#include <ucontext.h>

typedef struct hy_trap_call {
    hy_partition *own;
    ucontext_t *context;
    long number;
    uint64_t arguments[6];
    bool again; /* the program makes the call itself: the result is not the handler's matter */
} hy_trap_call;

/* Installs the handler; before the filter. -errno. */
HY_BARE long hy_trap_install(void);

/* Whether a range is in the partition, and not in its control area. */
HY_BARE static inline bool hy_trap_inside(const hy_partition *own, uint64_t start, uint64_t length)
{
    return start >= own->task.base + HY_CONTROL_BYTES && start <= own->task.end &&
           length <= own->task.end - start;
}

/* Each gives the result of one call: >= 0 or -errno. */
HY_BARE long hy_trap_mmap(hy_trap_call *call);
HY_BARE long hy_trap_munmap(hy_trap_call *call);
HY_BARE long hy_trap_mremap(hy_trap_call *call);
HY_BARE long hy_trap_brk(hy_trap_call *call);
HY_BARE long hy_trap_shmat(hy_trap_call *call);
HY_BARE long hy_trap_sigprocmask(hy_trap_call *call);
HY_BARE long hy_trap_sigaction(hy_trap_call *call);
HY_BARE long hy_trap_sigreturn(hy_trap_call *call);
HY_BARE long hy_trap_masked_wait(hy_trap_call *call);
HY_BARE long hy_trap_readlink(hy_trap_call *call);
HY_BARE long hy_trap_exec(hy_trap_call *call);
HY_BARE long hy_trap_rseq(hy_trap_call *call);
HY_BARE long hy_trap_prctl(hy_trap_call *call);

/* What hy_bare_resume finds on the stack of the program, below its red zone. */
typedef struct hy_resume {
    uint64_t back; /* where the program goes on */
    uint64_t mask; /* room for copies of what arguments point to */
    uint64_t set[2];
    uint8_t red_zone[128];
} hy_resume;

/* Lets the program make the call once more when the handler has returned, from outside of the
 * partition, where the filter does not see it: so with the program's own signal mask and without
 * the handler's frame, as long as it may take. Arguments come from `call`. */
HY_BARE hy_resume *hy_trap_again(hy_trap_call *call);

/* Whether the kernel could read eight bytes (or an action) there, or write eight. */
HY_BARE bool hy_can_read_set(uint64_t address);
HY_BARE bool hy_can_write_set(uint64_t address);
HY_BARE bool hy_can_read_action(uint64_t address);
HY_BARE bool hy_can_write_action(uint64_t address);

#endif
#endif
