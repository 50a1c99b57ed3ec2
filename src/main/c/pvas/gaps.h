/* SPDX-License-Identifier: Apache-2.0 */
/* The unmapped ranges of this address space between two addresses, in ascending order, from
 * /proc/self/maps. Needs no C library and little stack: see bare.h. */
#ifndef HY_PVAS_GAPS_H
#define HY_PVAS_GAPS_H

#include "pvas/partition.h"

#if defined(__x86_64__)
typedef struct hy_gaps {
    int fd;
    uint64_t low, high; /* the range that is still to be examined */
    int used, filled;
    char text[512];
} hy_gaps;

/* False: the list cannot be read. */
HY_BARE bool hy_gaps_open(hy_gaps *gaps, uint64_t low, uint64_t high);
HY_BARE bool hy_gaps_next(hy_gaps *gaps, hy_range *gap);
HY_BARE void hy_gaps_close(hy_gaps *gaps);
#endif

#endif
