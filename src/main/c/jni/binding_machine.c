/* SPDX-License-Identifier: Apache-2.0 */
/* The defaults for jobs on this machine, for `hayate info`. */
#include <hayate/hayate.h>

#include "boot/boot.h"

/* CPUs that this process may run on. */
HAYATE_API int hayate_binding_machine_cpus(void)
{
    return hy_cpus();
}

/* Symmetric heap per rank for `ranks` ranks, in bytes. */
HAYATE_API int64_t hayate_binding_machine_heap(int ranks)
{
    return (int64_t)hy_heap_default(ranks);
}

/* A version that changes with everything that the processes of a job share. */
HAYATE_API int hayate_binding_machine_abi(void)
{
    return (int)HY_ABI;
}
