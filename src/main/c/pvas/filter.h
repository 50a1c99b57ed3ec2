/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seccomp filter of a task. It sends system calls that must not reach the kernel unchanged to
 * the handler (trap.h). It judges only calls made from inside the partition, so programs that a
 * task starts by exec, and the handler itself, are not affected. Calls that are not listed are
 * allowed by number alone, which the kernel (5.11 and later) keeps in a bitmap: they cost nothing.
 * The filter is short because the kernel compiles it for each task anew.
 */
#ifndef HY_PVAS_FILTER_H
#define HY_PVAS_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

#define HY_FILTER_MAX 224

typedef struct hy_filter {
    uint16_t count;
    struct sock_filter code[HY_FILTER_MAX];
} hy_filter;

/* The value that SECCOMP_RET_TRAP passes to the handler in si_errno: it tells our filter from
 * others. */
#define HY_TRAP_MARK 0x4879

/* System call numbers that some headers do not have yet. */
#define HY_NR_IO_PGETEVENTS 333
#define HY_NR_CLONE3 435
#define HY_NR_IO_URING_ENTER 426
#define HY_NR_PROCESS_MADVISE 440
#define HY_NR_EPOLL_PWAIT2 441
#define HY_NR_SET_MEMPOLICY_HOME_NODE 450
#define HY_NR_MAP_SHADOW_STACK 453
#define HY_NR_MSEAL 462

/* Flags of io_uring_enter: the last argument is a structure that begins with the address of a mask;
 * it is the offset of such a structure in memory that the kernel knows. */
#define HY_URING_EXTENDED 8
#define HY_URING_REGISTERED 64

void hy_filter_build(uint64_t base, uint64_t bytes, hy_filter *filter);

#endif
