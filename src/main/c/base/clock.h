/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HY_BASE_CLOCK_H
#define HY_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of the monotonic clock; a vDSO call, about 20 ns. */
static inline uint64_t hy_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
