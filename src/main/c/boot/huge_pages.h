/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Huge pages that a segment can have. The system's pool is shared, and a control group may allow
 * less of it; who touches a page beyond that gets SIGBUS, even where it was promised. So what is
 * not certainly there is not asked for.
 */
#ifndef HY_BOOT_HUGE_PAGES_H
#define HY_BOOT_HUGE_PAGES_H

#include <stdint.h>

/* Bytes of the system's default huge page; 0: it has none. */
uint64_t hy_huge_page(void);

/* How many of this size are free, promised to nobody, and allowed to this process. */
uint64_t hy_huge_available(uint64_t page);

/* Bytes that the control groups of a process leave it, by these files of its /proc directory;
 * UINT64_MAX: they do not say. */
uint64_t hy_huge_allowed(uint64_t page, const char *cgroup, const char *mountinfo);

#endif
