/* SPDX-License-Identifier: Apache-2.0 */
/* What the control groups of a process allow it, in versions 1 and 2: the group's own limit, and
 * those of all groups above it that can be seen here. */
#ifndef HY_BOOT_CONTROL_GROUPS_H
#define HY_BOOT_CONTROL_GROUPS_H

#include <stdint.h>

/* The files of a controller, by version - 1. They hold a number of bytes, or "max". */
typedef struct hy_control_group_files {
    const char *controller;
    const char *limit[2];
    const char *usage[2]; /* NULL: what is used already does not count */
} hy_control_group_files;

/* How many bytes are still allowed, from these files of the process's /proc directory; UINT64_MAX:
 * no limit found. */
uint64_t hy_control_groups_allow(const hy_control_group_files *files, const char *cgroup,
                                 const char *mountinfo);

/* The memory that all processes of its groups may have together. */
uint64_t hy_memory_allowed(const char *cgroup, const char *mountinfo);

#endif
