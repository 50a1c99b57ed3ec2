/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of a partition, and the control area at its start. The area belongs to the task: the
 * spawner writes it before the task runs, then only the handler of trapped calls changes it.
 *
 *     base                                                                                  end
 *     | control | program, its interpreter | stack | mapped memory ... | brk ...  | not mapped |
 *
 * A partition is aligned to its size, so that the handler finds the control area by masking the
 * address of the trapped instruction.
 */
#ifndef HY_PVAS_PARTITION_H
#define HY_PVAS_PARTITION_H

#include <limits.h>

#include "base/task.h"
#include "pvas/outside.h"
#include "pvas/stack.h"

#define HY_PARTITION_LEAST (UINT64_C(1) << 30)
#define HY_PARTITION_MOST (UINT64_C(1) << 42)
#define HY_PARTITION_USUAL (UINT64_C(1) << 36)

#define HY_CONTROL_BYTES (UINT64_C(128) << 10)
#define HY_IMAGE_OFFSET (UINT64_C(1) << 20)
#define HY_GUARD_GAP \
    (UINT64_C(1) << 20) /* unmapped: on both sides of the stack, and at the end \
                         */

#if defined(__x86_64__)
/* A registration of restartable sequences, which the kernel writes to. */
typedef struct hy_rseq {
    uint64_t address, bytes, signature; /* address 0: none */
} hy_rseq;

typedef struct hy_partition {
    hy_task task; /* the auxiliary vector contains its address */
    uint64_t brk_low, brk_high;
    _Atomic uint64_t brk;
    uint64_t map_low, map_high;
    _Atomic uint64_t cursor; /* where place.c continues its search */
    hy_outside *outside;     /* in the table of the space */
    hy_action sigsys;        /* what the program believes to have installed for SIGSYS */
    hy_rseq rseq;            /* of the main thread */
    hy_inherited inherited;
    char exe[PATH_MAX]; /* the task's /proc/self/exe */
} hy_partition;
#endif

#endif
