/* SPDX-License-Identifier: Apache-2.0 */
/* An unordered array of disjoint ranges under a spin lock, which lies in the table of the space. */
#include "pvas/outside.h"

#if defined(__x86_64__)

#define PATIENCE 1000000

/* A thread that holds the lock cannot be interrupted, because handlers run with all signals
 * blocked, but it can be descheduled. The lock stays held for good only if a child of vfork() was
 * killed while it held it: the task then cannot map outside of its partition any more. */
HY_BARE static bool outside_enter(hy_outside *outside)
{
    for (int i = 0; i < PATIENCE; i++) {
        if (atomic_exchange_explicit(&outside->busy, 1, memory_order_acquire) == 0) return true;
        hy_sys2(SYS_sched_yield, 0, 0);
    }
    return false;
}

HY_BARE static void outside_leave(hy_outside *outside)
{
    atomic_store_explicit(&outside->busy, 0, memory_order_release);
}

HY_BARE static hy_range *outside_find(hy_outside *outside, uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < outside->count; i++) {
        hy_range *range = &outside->ranges[i];
        if (range->start <= start && start <= end && end <= range->end) return range;
    }
    return NULL;
}

/* Merges adjacent ranges: a program may unmap or remap them as one piece. */
HY_BARE static void join(hy_outside *outside, hy_range *range)
{
    for (uint32_t i = 0; i < outside->count; i++) {
        hy_range *other = &outside->ranges[i];
        if (other == range || other->start > range->end || other->end < range->start) continue;
        if (other->start < range->start) range->start = other->start;
        if (other->end > range->end) range->end = other->end;
        hy_range *last = &outside->ranges[--outside->count];
        *other = *last;
        if (range == last) range = other;
        i = UINT32_MAX; /* it is longer now: start again */
    }
}

HY_BARE bool hy_outside_add(hy_outside *outside, uint64_t start, uint64_t end)
{
    bool room;
    if (!outside_enter(outside)) return false;
    room = outside->count < HY_OUTSIDE_MAX;
    if (room) {
        hy_range *range = &outside->ranges[outside->count++];
        range->start = start;
        range->end = end;
        join(outside, range);
    }
    outside_leave(outside);
    return room;
}

HY_BARE bool hy_outside_has(hy_outside *outside, uint64_t start, uint64_t end)
{
    if (!outside_enter(outside)) return false;
    bool has = outside_find(outside, start, end);
    outside_leave(outside);
    return has;
}

HY_BARE static bool cut(hy_outside *outside, hy_range *range, uint64_t start, uint64_t end)
{
    if (start > range->start && end < range->end) {
        if (outside->count == HY_OUTSIDE_MAX) return false;
        hy_range *rest = &outside->ranges[outside->count++];
        rest->start = end;
        rest->end = range->end;
        range->end = start;
    } else if (start > range->start) {
        range->end = start;
    } else if (end < range->end) {
        range->start = end;
    } else {
        *range = outside->ranges[--outside->count];
    }
    return true;
}

HY_BARE bool hy_outside_remove(hy_outside *outside, uint64_t start, uint64_t end)
{
    if (!outside_enter(outside)) return false;
    hy_range *range = outside_find(outside, start, end);
    bool done = range && cut(outside, range, start, end);
    outside_leave(outside);
    return done;
}

HY_BARE_TOO void hy_outside_unmap(hy_outside *outside)
{
    uint32_t count = outside->count;
    if (count) outside->count = 0;
    if (count > HY_OUTSIDE_MAX) return; /* overwritten: nothing in it can be trusted */
    for (uint32_t i = 0; i < count; i++) {
        hy_range range = outside->ranges[i];
        if (range.start >= HY_OUTSIDE_LOW && range.end <= HY_OUTSIDE_HIGH &&
            range.start < range.end)
            hy_sys2(SYS_munmap, range.start, range.end - range.start);
    }
}

#endif
