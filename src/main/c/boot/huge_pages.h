/* SPDX-License-Identifier: Apache-2.0 */
/* Which huge pages a segment can use. The system's pool is shared, and a control group may allow
 * less of it; a process that touches a page beyond that gets SIGBUS, even if the page was
 * reserved. Therefore only pages that are certainly available are requested. */
#ifndef HY_BOOT_HUGE_PAGES_H
#define HY_BOOT_HUGE_PAGES_H

#include <stdint.h>

/* The size of the system's default huge page in bytes; 0: none. */
uint64_t hy_huge_page(void);

/* How many pages of this size are free, not reserved, and allowed to this process. */
uint64_t hy_huge_available(uint64_t page);

/* How many bytes the control groups of a process still allow, from these files of its /proc
 * directory; UINT64_MAX: no limit found. */
uint64_t hy_huge_allowed(uint64_t page, const char *cgroup, const char *mountinfo);

#endif
