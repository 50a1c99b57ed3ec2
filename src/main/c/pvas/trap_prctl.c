/* SPDX-License-Identifier: Apache-2.0 */
/* Handles prctl and arch_prctl: refuses whatever would affect the address space, because it is
 * shared with other tasks. */
#include "pvas/trap.h"

#if defined(__x86_64__)

#include <errno.h>
#include <sys/prctl.h>

/* Not in all headers yet. */
#define SET_MDWE 65         /* forbids mappings that are writable and executable */
#define SET_MEMORY_MERGE 67 /* merges equal pages */
#define FUTEX_HASH 78       /* the table of all futexes of the space */
#define SET_VMA 0x53564d41  /* names a range, and for this divides mappings */
#define FUTEX_HASH_SET 1
#define SHADOW_STACK_ENABLE 0x5001

HY_BARE long hy_trap_prctl(hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    if (call->number == SYS_arch_prctl) {
        if (a[0] == SHADOW_STACK_ENABLE) return -EOPNOTSUPP; /* the kernel would place it */
        return hy_sys2(SYS_arch_prctl, a[0], a[1]);
    }
    if (a[0] == PR_SET_DUMPABLE || a[0] == PR_SET_MM || a[0] == SET_MDWE) return -EPERM;
    if (a[0] == PR_SET_THP_DISABLE || a[0] == SET_MEMORY_MERGE) return -EPERM;
    if (a[0] == FUTEX_HASH && a[1] == FUTEX_HASH_SET) return -EPERM;
    if (a[0] == SET_VMA && hy_trap_may_change(call->own, a[2], a[3])) return -ENOMEM;
    return hy_sys6(SYS_prctl, a[0], a[1], a[2], a[3], a[4], 0);
}

#endif
