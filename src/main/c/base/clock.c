/* SPDX-License-Identifier: Apache-2.0 */
/* What a reading of the clock costs. */
#include "base/clock.h"

/* The best of several means: the resolution of the clock is coarser than the time of a reading. */
double hy_clock_cost(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 20; i++) {
        uint64_t start = hy_now_ns();
        for (int j = 1; j < 100; j++) hy_now_ns();
        uint64_t took = hy_now_ns() - start;
        if (took < least) least = took;
    }
    return (double)least / 100;
}
