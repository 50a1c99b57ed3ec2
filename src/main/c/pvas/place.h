/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds room for mappings in a partition. It keeps no state but a cursor, because a task unmaps
 * without notice: the kernel knows what is free, and MAP_FIXED_NOREPLACE asks it. The functions may
 * be called by any thread at any time, also from a signal handler that interrupted another call and
 * from the child of vfork(), so they use no lock.
 */
#ifndef HY_PVAS_PLACE_H
#define HY_PVAS_PLACE_H

#include "pvas/partition.h"

typedef struct hy_mapping {
    uint64_t length, protection, flags, fd, offset;
} hy_mapping;

#if defined(__x86_64__)
/* Like mmap(2) without an address; returns the address, or -errno. */
HY_BARE long hy_place(hy_partition *own, const hy_mapping *mapping);

/* Reserves room over which the caller maps something else. */
HY_BARE long hy_place_room(hy_partition *own, uint64_t length);
#endif

#endif
