/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a task does between clone, or an exec that stays in the space (in_place.h), and the first
 * instruction of its program. It runs while the spawner goes on, so that all it needs is in its own
 * control area.
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
    uint64_t mask; /* of signals, for the program */
    hy_range tails[2 * HY_ELF_SEGMENTS_MAX];
    int tail_count;
    int directory; /* descriptor; -1: stays where it is */
    int new_group;
    bool executing;    /* another program, in a task that has all that is not a program's own */
    bool has_handlers; /* the kernel has not reset them */
    bool has_files;
    struct rlimit files; /* RLIMIT_NOFILE, if has_files */
    int pair_count;
    char name[16];
    hy_filter filter;
    hy_pair pairs[HY_PAIRS_MAX];
} hy_start;

/* Offsets in the control area; the rest of it is the stack of hy_child_run(). */
#define HY_START_OFFSET (UINT64_C(16) << 10)

/* Given to hy_bare_clone() with a hy_start; on the stack in the control area. If the program cannot
 * be started, the task exits with 127 and the reason in hy_member.failed. */
HY_BARE void hy_child_run(void *start);

#endif
#endif
