/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code that a task runs between clone (or an exec that stays in the space, in_place.h) and the
 * first instruction of its program. The spawner continues meanwhile, so everything that this code
 * needs is in the task's own control area.
 */
#ifndef HY_PVAS_CHILD_H
#define HY_PVAS_CHILD_H

#include <sys/resource.h>

#include "pvas/descriptors.h"
#include "pvas/elf.h"
#include "pvas/filter.h"
#include "pvas/partition.h"
#include "pvas/space_table.h"

#if defined(__x86_64__)

typedef struct hy_start {
    hy_member *member;
    int spawner;
    uint64_t stack, entry;
    uint64_t mask; /* signal mask for the program */
    hy_range tails[2 * HY_ELF_SEGMENTS_MAX];
    int tail_count;
    int directory; /* descriptor of the working directory; -1: unchanged */
    int new_group;
    bool executing;    /* an exec of a running task: all that does not belong to the program is
                        * there */
    bool has_handlers; /* the kernel has not reset the signal handlers */
    bool has_files;
    struct rlimit files; /* RLIMIT_NOFILE, if has_files */
    int pair_count;
    char name[16];
    hy_filter filter;
    hy_pair pairs[HY_PAIRS_MAX];
} hy_start;

/* Offsets in the control area. The rest of it is the stack of hy_child_run(). */
#define HY_START_OFFSET (UINT64_C(16) << 10)

/* Passed to hy_bare_clone() with a hy_start; runs on the stack in the control area. If the program
 * cannot be started, the task exits with status 127 and leaves the reason in hy_member.failed. */
HY_BARE void hy_child_run(void *start);

#endif
#endif
