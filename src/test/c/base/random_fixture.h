/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by chance that are the same with the same seed: Marsaglia, "Xorshift RNGs", 2003. */
#ifndef HY_TEST_RANDOM_FIXTURE_H
#define HY_TEST_RANDOM_FIXTURE_H

#include <stdint.h>

/* The seed is any number but 0, and belongs to one thread. */
static inline uint64_t random_draw(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed;
}

static inline uint64_t random_below(uint64_t *seed, uint64_t bound)
{
    return random_draw(seed) % bound;
}

#endif
