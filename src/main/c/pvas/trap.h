/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handler of SIGSYS in a task: it carries out the calls that the filter does not let through,
 * so that their effects stay in the partition. It runs in the thread that made the call, possibly
 * on a small alternate stack, with all signals except SIGSYS blocked.
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
    bool again; /* the program repeats the call itself, and the handler sets no result */
} hy_trap_call;

/* Installs the handler, before the filter is installed. -errno. */
HY_BARE long hy_trap_install(void);

/* Whether a range is in the partition, but not in its control area. */
HY_BARE static inline bool hy_trap_inside(const hy_partition *own, uint64_t start, uint64_t length)
{
    return start >= own->task.base + HY_CONTROL_BYTES && start <= own->task.end &&
           length <= own->task.end - start;
}

/* Whether the task may change all pages of the range: 0, -EINVAL or, like the kernel for memory
 * that is not mapped, -ENOMEM. */
HY_BARE long hy_trap_may_change(const hy_partition *own, uint64_t start, uint64_t length);

/* Each returns the result of one call: >= 0 or -errno. */
HY_BARE long hy_trap_mmap(hy_trap_call *call);
HY_BARE long hy_trap_munmap(hy_trap_call *call);
HY_BARE long hy_trap_range(hy_trap_call *call);
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

/* What hy_bare_resume puts on the stack of the program, below its red zone. The handler must not:
 * the kernel's frame begins there, with the vector registers and the rights of protection keys. */
typedef struct hy_resume {
    uint64_t back;           /* where the program continues */
    uint64_t mask;           /* what the handler left in r11 */
    uint64_t set, set_bytes; /* the address of `mask`, and 8: the last argument of pselect6 */
    uint8_t red_zone[128];
} hy_resume;

/* Lets the program repeat the call after the handler has returned, from outside of the partition,
 * where the filter ignores it. The call then has the program's own signal mask, does not keep the
 * handler's frame, and may block for any time. The arguments come from `call`. */
HY_BARE void hy_trap_again(hy_trap_call *call);

/* Whether the kernel could read a signal set (eight bytes) at the address. */
HY_BARE bool hy_can_read_set(uint64_t address);

#endif
#endif
