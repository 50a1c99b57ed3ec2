/* SPDX-License-Identifier: Apache-2.0 */
/* What the control groups of a process allow it, in versions 1 and 2: the group's own limit, and
 * those of all groups above it that can be seen here. */
#ifndef HY_BOOT_CONTROL_GROUPS_H
#define HY_BOOT_CONTROL_GROUPS_H

#include <stdint.h>

/* The files of a controller, by version - 1. They hold a number, or "max" or -1 for no limit. */
typedef struct hy_control_group_files {
    const char *controller;
    const char *limit[2];
    const char *usage[2];  /* NULL: what is used already does not count */
    const char *period[2]; /* the limit is an amount of each period, in this file; the same file as
                            * the limit: the period is its second word. NULL: it is an amount */
} hy_control_group_files;

/* How much is still allowed, from these files of the process's /proc directory: of a limit that has
 * periods, whole amounts in each, at least 1. UINT64_MAX: no limit found. */
uint64_t hy_control_groups_allow(const hy_control_group_files *files, const char *cgroup,
                                 const char *mountinfo);

/* The memory that all processes of its groups may have together. */
uint64_t hy_memory_allowed(const char *cgroup, const char *mountinfo);

/* The processors that they may keep busy together. */
uint64_t hy_cpus_allowed(const char *cgroup, const char *mountinfo);

#endif
