/* SPDX-License-Identifier: Apache-2.0 */
/* The address ranges of the spaces of this process: finds and reserves them, and tells them to the
 * handler of trapped calls. */
#ifndef HY_PVAS_REGION_H
#define HY_PVAS_REGION_H

#include "pvas/partition.h"

#define HY_REGIONS_MAX 64

typedef struct hy_pvas_region {
    uint64_t base, end;
    uint64_t bytes; /* of each partition */
} hy_pvas_region;

#if defined(__x86_64__)

/* Reserves addresses for `tasks` partitions or, if that is 0, for as many as fit, but at most
 * `most`. Returns their number. NO_MEMORY. */
int hy_region_reserve(unsigned tasks, unsigned most, uint64_t bytes, hy_pvas_region *region);

void hy_region_release(const hy_pvas_region *region);

/* Takes a partition out of the reservation before a task is loaded, or returns it at once with
 * everything that is mapped there. Both return -errno. */
long hy_region_open(uint64_t base, uint64_t bytes);
long hy_region_close(uint64_t base, uint64_t bytes);

/* The partition that contains the address, or NULL. The partition must be in use. */
HY_BARE hy_partition *hy_region_partition(uint64_t address);

#endif
#endif
