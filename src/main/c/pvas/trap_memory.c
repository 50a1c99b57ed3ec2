/* SPDX-License-Identifier: Apache-2.0 */
/* Handles trapped calls that map memory. */
#include "pvas/trap.h"

#if defined(__x86_64__)

#include <errno.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "pvas/outside.h"
#include "pvas/place.h"

#define BRK_TRIES 10000

HY_BARE static long unmap(uint64_t start, uint64_t length)
{
    return hy_sys2(SYS_munmap, start, length);
}

HY_BARE static long map_as_asked(const hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    return hy_sys6(SYS_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
}

HY_BARE static bool may_be_outside(uint64_t start, uint64_t length)
{
    return start >= HY_OUTSIDE_LOW && start <= HY_OUTSIDE_HIGH && length <= HY_OUTSIDE_HIGH - start;
}

/* Maps where the kernel finds the addresses free. The range is recorded after it is mapped, so that
 * recorded ranges are always ours. */
HY_BARE static long map_free_outside(hy_trap_call *call, uint64_t length)
{
    uint64_t start = call->arguments[0];
    if (!may_be_outside(start, length)) return -EEXIST;
    long result = map_as_asked(call);
    if (hy_sys_failed(result) || hy_outside_add(call->own->outside, start, start + length))
        return result;
    unmap(start, length);
    return -ENOMEM;
}

HY_BARE static long map_fixed(hy_trap_call *call)
{
    uint64_t start = call->arguments[0], length = hy_page_up(call->arguments[1]);
    if (length < call->arguments[1]) return -ENOMEM;
    if (hy_trap_inside(call->own, start, length)) return map_as_asked(call);
    if (call->arguments[3] & MAP_FIXED_NOREPLACE) return map_free_outside(call, length);
    if (hy_outside_has(call->own->outside, start, start + length)) return map_as_asked(call);
    return -ENOMEM;
}

/* An address that the caller suggests is used if it is free. */
HY_BARE static long map_at_hint(hy_trap_call *call)
{
    uint64_t start = hy_page_down(call->arguments[0]);
    if (!hy_trap_inside(call->own, start, hy_page_up(call->arguments[1]))) return -EEXIST;
    return hy_sys6(SYS_mmap, start, call->arguments[1], call->arguments[2],
                   call->arguments[3] | MAP_FIXED_NOREPLACE, call->arguments[4],
                   call->arguments[5]);
}

HY_BARE long hy_trap_mmap(hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    if (a[3] & (MAP_FIXED | MAP_FIXED_NOREPLACE)) return map_fixed(call);
    if (a[3] & MAP_32BIT) return -ENOMEM; /* no partition is that low */
    long result = a[0] ? map_at_hint(call) : -EEXIST;
    if (result != -EEXIST) return result;
    hy_mapping mapping = {
        .length = a[1], .protection = a[2], .flags = a[3], .fd = a[4], .offset = a[5]};
    return hy_place(call->own, &mapping);
}

/* Of memory outside of the partition, the range is removed from the record first: if the
 * task is killed in between, the range stays mapped, which is better than unmapping memory that
 * belongs to another by then. */
HY_BARE long hy_trap_munmap(hy_trap_call *call)
{
    uint64_t start = call->arguments[0], length = hy_page_up(call->arguments[1]);
    if (length < call->arguments[1] || start + length < start) return -EINVAL;
    if (length == 0 || start != hy_page_up(start))
        return -EINVAL; /* the error that the kernel
                         * would return */
    if (hy_trap_inside(call->own, start, length)) return unmap(start, length);
    if (!hy_outside_remove(call->own->outside, start, start + length)) return -EINVAL;
    return unmap(start, length);
}

/* A call for no memory asks what the kernel can do. But a length of 0 behind the beginning of a
 * page means that page to mlock. */
HY_BARE long hy_trap_may_change(const hy_partition *own, uint64_t start, uint64_t length)
{
    uint64_t first = hy_page_down(start), end = hy_page_up(start + length);
    if (end < first || (length && end == first)) return -EINVAL;
    if (end == first || hy_trap_inside(own, first, end - first) ||
        hy_outside_has(own->outside, first, end))
        return 0;
    return -ENOMEM;
}

HY_BARE long hy_trap_range(hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    long refusal = hy_trap_may_change(call->own, a[0], a[1]);
    if (refusal) return refusal;
    return hy_sys6(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

HY_BARE static long trap_memory_move(hy_trap_call *call, uint64_t to)
{
    const uint64_t *a = call->arguments;
    return hy_sys6(SYS_mremap, a[0], a[1], a[2], a[3] | MREMAP_FIXED, to, 0);
}

HY_BARE static long move_to_room(hy_trap_call *call)
{
    uint64_t length = hy_page_up(call->arguments[2]);
    if (length < call->arguments[2]) return -EINVAL;
    long room = hy_place_room(call->own, length);
    if (hy_sys_failed(room)) return room;
    long result = trap_memory_move(call, (uint64_t)room);
    if (hy_sys_failed(result)) unmap((uint64_t)room, length);
    return result;
}

/* Removes the tail from the record first, like munmap. */
HY_BARE static long shrink_outside(hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    uint64_t keep = a[0] + hy_page_up(a[2]), end = a[0] + hy_page_up(a[1]);
    if (a[2] == 0) return -EINVAL;
    if (keep == end) return (long)a[0];
    if (!hy_outside_remove(call->own->outside, keep, end)) return -ENOMEM;
    long result = unmap(keep, end - keep);
    return hy_sys_failed(result) ? result : (long)a[0];
}

HY_BARE long hy_trap_mremap(hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    uint64_t length = hy_page_up(a[2]), flags = a[3];
    if (a[0] != hy_page_down(a[0])) return -EINVAL;
    bool grows = a[2] > a[1] || a[1] == 0 || (flags & MREMAP_DONTUNMAP);
    if (!hy_trap_inside(call->own, a[0], hy_page_up(a[1]))) {
        /* The task's own memory may shrink. */
        bool known = hy_outside_has(call->own->outside, a[0], a[0] + a[1]);
        if (!known) return -EFAULT;
        return grows || (flags & MREMAP_FIXED) ? -ENOMEM : shrink_outside(call);
    }
    if (flags & MREMAP_FIXED) {
        if (!hy_trap_inside(call->own, a[4], length)) return -EINVAL;
        return trap_memory_move(call, a[4]);
    }
    if (!hy_trap_inside(call->own, a[0], length)) /* in place, it would run over the end */
        return (flags & MREMAP_MAYMOVE) && a[1] ? move_to_room(call) : -ENOMEM;
    if (!(flags & MREMAP_MAYMOVE)) return hy_sys4(SYS_mremap, a[0], a[1], a[2], flags);
    if (flags & MREMAP_DONTUNMAP) return a[1] == a[2] ? move_to_room(call) : -EINVAL;
    if (a[1] == 0) return move_to_room(call); /* a second mapping of shared memory */
    long result = hy_sys4(SYS_mremap, a[0], a[1], a[2], flags & ~(uint64_t)MREMAP_MAYMOVE);
    return result == -ENOMEM ? move_to_room(call) : result;
}

/* The pages between two breaks. Growing maps first and then moves the break; if another thread has
 * moved it meanwhile, one of the two starts again. */
HY_BARE static bool trap_memory_grow(hy_partition *own, uint64_t from, uint64_t to)
{
    uint64_t start = hy_page_up(from), end = hy_page_up(to);
    if (end > start &&
        hy_sys_failed(hy_sys6(SYS_mmap, start, end - start, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, (uint64_t)-1, 0)))
        return false;
    if (atomic_compare_exchange_strong_explicit(&own->brk, &from, to, memory_order_acq_rel,
                                                memory_order_relaxed))
        return true;
    if (end > start) unmap(start, end - start);
    return false;
}

HY_BARE static bool shrink(hy_partition *own, uint64_t from, uint64_t to)
{
    uint64_t start = hy_page_up(to), end = hy_page_up(from);
    if (!atomic_compare_exchange_strong_explicit(&own->brk, &from, to, memory_order_acq_rel,
                                                 memory_order_relaxed))
        return false;
    if (end > start) unmap(start, end - start);
    return true;
}

HY_BARE long hy_trap_brk(hy_trap_call *call)
{
    hy_partition *own = call->own;
    uint64_t want = call->arguments[0], seen = 0, before;
    for (int i = 0; i < BRK_TRIES; i++) {
        before = seen;
        seen = atomic_load_explicit(&own->brk, memory_order_acquire);
        if (want < own->brk_low || want > own->brk_high) return (long)seen;
        if (want >= seen ? trap_memory_grow(own, seen, want) : shrink(own, seen, want))
            return (long)want;
        if (seen == before) break; /* no other thread is involved: the kernel refuses */
    }
    return (long)seen;
}

/* Only IPC_STAT tells the size of the segment. */
HY_BARE static long attach_anywhere(hy_trap_call *call)
{
    struct shmid_ds about;
    long result = hy_sys4(SYS_shmctl, call->arguments[0], IPC_STAT, hy_address(&about), 0);
    if (hy_sys_failed(result)) return result;
    uint64_t length = hy_page_up(about.shm_segsz);
    long room = hy_place_room(call->own, length);
    if (hy_sys_failed(room)) return room;
    result = hy_sys4(SYS_shmat, call->arguments[0], (uint64_t)room, call->arguments[2] | SHM_REMAP,
                     0);
    if (hy_sys_failed(result)) unmap((uint64_t)room, length);
    return result;
}

HY_BARE long hy_trap_shmat(hy_trap_call *call)
{
    struct shmid_ds about;
    const uint64_t *a = call->arguments;
    if (a[1] == 0) return attach_anywhere(call);
    long result = hy_sys4(SYS_shmctl, a[0], IPC_STAT, hy_address(&about), 0);
    if (hy_sys_failed(result)) return result;
    uint64_t length = hy_page_up(about.shm_segsz);
    if (!hy_trap_inside(call->own, hy_page_down(a[1]), length)) return -EINVAL;
    return hy_sys4(SYS_shmat, a[0], a[1], a[2], 0);
}

#endif
