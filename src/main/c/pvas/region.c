/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A space is reserved as one inaccessible mapping: other mappings are not placed there, and an
 * access to a task that is gone faults instead of reaching something else. The reservation costs no
 * memory and no page tables, but it counts in VmSize (and so against RLIMIT_AS). A partition in use
 * is a hole in the reservation; mapping the reservation over the hole closes it in one step.
 */
#include "pvas/region.h"

#if defined(__x86_64__)

#include <errno.h>
#include <sys/mman.h>

#include "base/status.h"
#include "pvas/gaps.h"

/* Distance from mappings that may grow, such as the heap of a PIE. */
#define MARGIN (UINT64_C(64) << 30)
#define TRIES 8

/* Read by handlers in tasks at any time: `base` is stored last and cleared first. */
static struct {
    _Atomic uint64_t base;
    _Atomic uint64_t end, bytes;
} regions[HY_REGIONS_MAX];

HY_BARE hy_partition *hy_region_partition(uint64_t address)
{
    for (int i = 0; i < HY_REGIONS_MAX; i++) {
        uint64_t base = atomic_load_explicit(&regions[i].base, memory_order_acquire);
        if (base <= 1 || address < base) continue;
        if (address >= atomic_load_explicit(&regions[i].end, memory_order_relaxed)) continue;
        uint64_t bytes = atomic_load_explicit(&regions[i].bytes, memory_order_relaxed);
        hy_partition *own = hy_at(hy_partition, address & ~(bytes - 1));
        return own->task.magic == HY_TASK_MAGIC ? own : NULL;
    }
    return NULL;
}

static bool region_note(const hy_pvas_region *region)
{
    for (int i = 0; i < HY_REGIONS_MAX; i++) {
        uint64_t nobody = 0;
        /* 1 is not the address of a partition: it marks an entry that is taken but not yet
         * readable. */
        if (!atomic_compare_exchange_strong(&regions[i].base, &nobody, 1)) continue;
        atomic_store_explicit(&regions[i].bytes, region->bytes, memory_order_relaxed);
        atomic_store_explicit(&regions[i].end, region->end, memory_order_relaxed);
        atomic_store_explicit(&regions[i].base, region->base, memory_order_release);
        return true;
    }
    return false;
}

static void forget(const hy_pvas_region *region)
{
    for (int i = 0; i < HY_REGIONS_MAX; i++) {
        uint64_t base = region->base;
        if (atomic_compare_exchange_strong(&regions[i].base, &base, 0)) return;
    }
}

static long reserve_at(uint64_t base, uint64_t length, uint64_t replace)
{
    return hy_sys6(SYS_mmap, base, length, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | replace, (uint64_t)-1, 0);
}

/* Leaves out MARGIN, except at the ends of the area, where nothing can grow into it. */
static uint64_t usable(const hy_range *gap, uint64_t bytes, uint64_t *start)
{
    uint64_t low = gap->start > HY_SPACES_LOW ? gap->start + MARGIN : gap->start;
    uint64_t high = gap->end < HY_SPACES_HIGH ? gap->end - MARGIN : gap->end;
    *start = (low + bytes - 1) & ~(bytes - 1);
    return high > *start ? (high - *start) / bytes : 0;
}

/* The first gap that has room; if no number of tasks is requested, the largest gap. */
static uint64_t find_gap(unsigned tasks, uint64_t bytes, uint64_t *base)
{
    hy_gaps gaps;
    hy_range gap;
    uint64_t best = 0, start;
    if (!hy_gaps_open(&gaps, HY_SPACES_LOW, HY_SPACES_HIGH)) {
        gap = (hy_range){HY_SPACES_LOW, HY_SPACES_LOW + (HY_SPACES_HIGH - HY_SPACES_LOW) / 2};
        return usable(&gap, bytes, base);
    }
    while (hy_gaps_next(&gaps, &gap)) {
        uint64_t room = gap.end - gap.start > 2 * MARGIN ? usable(&gap, bytes, &start) : 0;
        if (room <= best) continue;
        best = room;
        *base = start;
        if (tasks && best >= tasks) break;
    }
    hy_gaps_close(&gaps);
    return best;
}

static int region_refuse(unsigned tasks, uint64_t bytes, uint64_t room, long error)
{
    if (error == -ENOMEM)
        return hy_fail(HAYATE_ERR_NO_MEMORY,
                       "cannot reserve addresses for %u partitions of %llu GiB: the limit of "
                       "the address space (RLIMIT_AS, ulimit -v) or vm.max_map_count is too low",
                       tasks, (unsigned long long)(bytes >> 30));
    return hy_fail(HAYATE_ERR_NO_MEMORY,
                   "no free address range for %u partitions of %llu GiB, the largest one has room "
                   "for %llu: destroy other spaces, or ask for fewer or smaller partitions",
                   tasks, (unsigned long long)(bytes >> 30), (unsigned long long)room);
}

int hy_region_reserve(unsigned tasks, unsigned most, uint64_t bytes, hy_pvas_region *region)
{
    uint64_t base = 0, room = 0;
    long error = 0;
    for (int i = 0; i < TRIES; i++) {
        room = find_gap(tasks, bytes, &base);
        if (room == 0 || room < tasks) return region_refuse(tasks ? tasks : 1, bytes, room, 0);
        uint64_t count = tasks ? tasks : room < most ? room : most;
        do {
            error = reserve_at(base, count * bytes, MAP_FIXED_NOREPLACE);
        } while (error == -ENOMEM && !tasks && (count /= 2) > 0);
        *region = (hy_pvas_region){base, base + count * bytes, bytes};
        if (!hy_sys_failed(error)) {
            if (region_note(region)) return (int)count;
            hy_region_release(region);
            return hy_fail(HAYATE_ERR_NO_MEMORY, "%d spaces exist, which is the limit: destroy one",
                           HY_REGIONS_MAX);
        }
        if (error != -EEXIST) break; /* otherwise somebody mapped something meanwhile */
    }
    return region_refuse(tasks ? tasks : 1, bytes, room, error);
}

void hy_region_release(const hy_pvas_region *region)
{
    forget(region);
    hy_sys2(SYS_munmap, region->base, region->end - region->base);
}

long hy_region_open(uint64_t base, uint64_t bytes)
{
    return hy_sys2(SYS_munmap, base, bytes);
}

long hy_region_close(uint64_t base, uint64_t bytes)
{
    long result = reserve_at(base, bytes, MAP_FIXED);
    if (!hy_sys_failed(result)) return 0;
    return hy_sys2(SYS_munmap, base, bytes); /* too many mappings: give up the reservation */
}

#endif
