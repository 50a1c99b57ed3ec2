/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock, exact or as of the kernel's last tick. */
#ifndef HY_BASE_CLOCK_H
#define HY_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t hy_clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Nanoseconds of the monotonic clock; a vDSO call of about 20 ns. */
static inline uint64_t hy_now_ns(void)
{
    return hy_clock_ns(CLOCK_MONOTONIC);
}

/* The same clock at the kernel's last tick, up to 10 ms ago: about 7 ns, and no system call even
 * if the vDSO cannot read the machine's clock. */
static inline uint64_t hy_tick_ns(void)
{
    return hy_clock_ns(CLOCK_MONOTONIC_COARSE);
}

/* Nanoseconds that a reading of the monotonic clock takes on this processor, measured now. */
double hy_clock_cost(void);

#endif
