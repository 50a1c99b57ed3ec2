/* SPDX-License-Identifier: Apache-2.0 */
/* A wait for a network spins at first, then yields, then sleeps between its turns. Only for waits
 * in this room: the loop of those above (job/await.h) needs a job. */
#ifndef HY_NET_REST_H
#define HY_NET_REST_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

#include "base/wait.h"

#define HY_NET_SPINS 2000
#define HY_NET_YIELDS 20000
#define HY_NET_NAP_NS 50000

/* `turns`: failed turns before this one; HY_NET_SPINS yields at once. */
static inline void hy_net_rest(uint32_t turns)
{
    static const struct timespec nap = {.tv_nsec = HY_NET_NAP_NS};
    if (turns < HY_NET_SPINS) hy_pause();
    else if (turns < HY_NET_YIELDS) sched_yield();
    else nanosleep(&nap, NULL);
}

#endif
