/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system calls of a task that may not go to the kernel as they are: a seccomp filter sends them
 * to the handler (trap.h). It judges only calls made from inside the partition; so programs that a
 * task starts by exec, and the handler itself, are free of it. Calls that are not listed are
 * allowed by number alone, which the kernel (5.11 and later) keeps in a bitmap: they cost nothing.
 * It is short, as the kernel compiles it for each task anew.
 */
#ifndef HY_PVAS_FILTER_H
#define HY_PVAS_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

#define HY_FILTER_MAX 128

typedef struct hy_filter {
    uint16_t count;
    struct sock_filter code[HY_FILTER_MAX];
} hy_filter;

/* What SECCOMP_RET_TRAP hands to the handler in si_errno: that the filter is ours. */
#define HY_TRAP_MARK 0x4879

/* Numbers that are newer than some headers. */
#define HY_NR_CLONE3 435
#define HY_NR_EPOLL_PWAIT2 441
#define HY_NR_MAP_SHADOW_STACK 453
#define HY_NR_MSEAL 462

void hy_filter_build(uint64_t base, uint64_t bytes, hy_filter *filter);

#endif
