/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds room for mappings in a partition. Nothing is kept but a cursor, since a task unmaps without
 * telling: the kernel knows what is free, and MAP_FIXED_NOREPLACE asks it. May be called by any
 * thread at any time, from a signal handler that interrupted another call, and from the child of
 * vfork(): there is no lock.
 */
#ifndef HY_PVAS_PLACE_H
#define HY_PVAS_PLACE_H

#include "pvas/partition.h"

typedef struct hy_mapping {
    uint64_t length, protection, flags, fd, offset;
} hy_mapping;

#if defined(__x86_64__)
/* As mmap(2) without an address; the address, or -errno. */
HY_BARE long hy_place(hy_partition *own, const hy_mapping *mapping);

/* Reserves room that something else is to be mapped over. */
HY_BARE long hy_place_room(hy_partition *own, uint64_t length);
#endif

#endif
