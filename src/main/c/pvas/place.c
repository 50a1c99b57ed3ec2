/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tries addresses from a cursor on, in growing steps; if these are occupied, searches
 * /proc/self/maps for a gap.
 */
#include "pvas/place.h"

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <linux/mman.h>
#include <sys/mman.h>

#include "pvas/gaps.h"

#define HUGE_PAGE (UINT64_C(2) << 20)
#define TRIES 64 /* from the cursor on, before the gaps are searched one by one */

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* Explicit huge pages require their alignment; for other large mappings it is only an advantage. */
HY_BARE static uint64_t alignment_of(const hy_mapping *mapping, uint64_t length)
{
    if (mapping->flags & MAP_HUGETLB) {
        uint64_t shift = (mapping->flags >> MAP_HUGE_SHIFT) & MAP_HUGE_MASK;
        return shift ? UINT64_C(1) << shift : HUGE_PAGE;
    }
    return length >= HUGE_PAGE ? HUGE_PAGE : HY_PAGE;
}

HY_BARE static long map_at(const hy_mapping *mapping, uint64_t address)
{
    return hy_sys6(SYS_mmap, address, mapping->length, mapping->protection,
                   mapping->flags | MAP_FIXED_NOREPLACE, mapping->fd, mapping->offset);
}

/* Moves the cursor over [start, start + length) and returns start; wraps at the end of the area.
 * The cursor is only a hint, so its order relative to other memory does not matter. */
HY_BARE static uint64_t place_take(hy_partition *own, uint64_t length, uint64_t alignment)
{
    for (;;) {
        uint64_t seen = atomic_load_explicit(&own->cursor, memory_order_relaxed);
        uint64_t start = (seen + alignment - 1) & ~(alignment - 1);
        if (start < own->map_low || start > own->map_high || own->map_high - start < length)
            start = (own->map_low + alignment - 1) & ~(alignment - 1);
        if (atomic_compare_exchange_weak_explicit(&own->cursor, &seen, start + length,
                                                  memory_order_relaxed, memory_order_relaxed))
            return start;
    }
}

/* Whatever occupies an address is probably larger than the requested length: the steps grow. */
HY_BARE static long map_near_cursor(hy_partition *own, const hy_mapping *mapping, uint64_t length,
                                    uint64_t alignment)
{
    uint64_t area = own->map_high - own->map_low;
    for (uint64_t tries = 0, step = length; tries < TRIES; tries++) {
        uint64_t start = place_take(own, length, alignment);
        if (start > own->map_high || own->map_high - start < length) return -EEXIST;
        long result = map_at(mapping, start);
        if (result != -EEXIST) return result;
        uint64_t behind = start + length;
        atomic_compare_exchange_strong_explicit(&own->cursor, &behind, behind + step,
                                                memory_order_relaxed, memory_order_relaxed);
        if (step < area / 32) step *= 2;
    }
    return -EEXIST;
}

/* Slow and exact: fails only if no gap is long enough. */
HY_BARE static long map_in_gap(hy_partition *own, const hy_mapping *mapping, uint64_t length,
                               uint64_t alignment)
{
    hy_gaps gaps;
    hy_range gap;
    long result = -ENOMEM;
    if (!hy_gaps_open(&gaps, own->map_low, own->map_high)) return -ENOMEM;
    while (hy_gaps_next(&gaps, &gap)) {
        uint64_t start = (gap.start + alignment - 1) & ~(alignment - 1);
        if (start < gap.start || start > gap.end || gap.end - start < length) continue;
        result = map_at(mapping, start);
        if (result != -EEXIST) break; /* otherwise another thread was faster */
        result = -ENOMEM;
    }
    hy_gaps_close(&gaps);
    return result;
}

HY_BARE long hy_place(hy_partition *own, const hy_mapping *mapping)
{
    uint64_t length = hy_page_up(mapping->length);
    if (mapping->length == 0) return -EINVAL;
    if (length < mapping->length) return -ENOMEM;
    uint64_t alignment = alignment_of(mapping, length);
    if (mapping->flags & MAP_HUGETLB) length = (length + alignment - 1) & ~(alignment - 1);
    if (length > own->map_high - own->map_low) return -ENOMEM;
    long result = map_near_cursor(own, mapping, length, alignment);
    if (result != -EEXIST) return result;
    if (!(mapping->flags & MAP_HUGETLB)) alignment = HY_PAGE;
    return map_in_gap(own, mapping, length, alignment);
}

HY_BARE long hy_place_room(hy_partition *own, uint64_t length)
{
    hy_mapping room = {.length = length,
                       .protection = PROT_NONE,
                       .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                       .fd = (uint64_t)-1};
    return hy_place(own, &room);
}

#endif
