/* SPDX-License-Identifier: Apache-2.0 */
/* The limit of locked memory, in error texts: memory that a device accesses is locked, and the
 * system limits its amount. */
#ifndef HY_NET_MEMLOCK_H
#define HY_NET_MEMLOCK_H

#include <stdio.h>
#include <sys/resource.h>

#define HY_NET_RAISE_MEMLOCK \
    "Raise it (ulimit -l, LimitMEMLOCK= of the service, or limits.conf), or use a smaller heap"

/* Writes this process's limit as text. */
static inline void hy_net_say_memlock(char *text, size_t room)
{
    struct rlimit limit = {0};
    getrlimit(RLIMIT_MEMLOCK, &limit);
    if (limit.rlim_cur == RLIM_INFINITY) snprintf(text, room, "unlimited");
    else snprintf(text, room, "%llu KB", (unsigned long long)limit.rlim_cur >> 10);
}

#endif
