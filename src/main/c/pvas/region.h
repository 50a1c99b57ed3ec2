/* SPDX-License-Identifier: Apache-2.0 */
/* The address ranges of the spaces of this process: found, reserved, and told to the handler of
 * trapped calls. */
#ifndef HY_PVAS_REGION_H
#define HY_PVAS_REGION_H

#include "pvas/partition.h"

#define HY_REGIONS_MAX 64

typedef struct hy_pvas_region {
    uint64_t base, end;
    uint64_t bytes; /* of a partition */
} hy_pvas_region;

#if defined(__x86_64__)

/* Reserves room for `tasks` partitions, or, when that is 0, for as many as fit, at most `most`;
 * returns how many. NO_MEMORY. */
int hy_region_reserve(unsigned tasks, unsigned most, uint64_t bytes, hy_pvas_region *region);

void hy_region_release(const hy_pvas_region *region);

/* Takes a partition out of the reservation for a task to be loaded, and puts it back: with all that
 * is mapped there, at once. -errno. */
long hy_region_open(uint64_t base, uint64_t bytes);
long hy_region_close(uint64_t base, uint64_t bytes);

/* The partition that the address is in; NULL. Only of tasks: it must be in use. */
HY_BARE hy_partition *hy_region_partition(uint64_t address);

#endif
#endif
