/* SPDX-License-Identifier: Apache-2.0 */
/* prctl and arch_prctl: what they would do to the address space is refused, as it is not the task's
 * alone. */
#include "pvas/trap.h"

#if defined(__x86_64__)

#include <errno.h>
#include <sys/prctl.h>

/* Newer than some headers. */
#define SET_MDWE 65         /* no mapping may be writable and executable */
#define SET_MEMORY_MERGE 67 /* equal pages become one */
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
    return hy_sys6(SYS_prctl, a[0], a[1], a[2], a[3], a[4], 0);
}

#endif
