/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a task mapped outside of its partition. Programs may map at addresses of their own choice
 * from HY_OUTSIDE_LOW to HY_OUTSIDE_HIGH, where they are free: ZGC cannot live without. It is
 * noted, so that it is given back with the task.
 */
#ifndef HY_PVAS_OUTSIDE_H
#define HY_PVAS_OUTSIDE_H

#include "pvas/bare.h"

#define HY_OUTSIDE_LOW (UINT64_C(4) << 40)
#define HY_OUTSIDE_HIGH (UINT64_C(31) << 40) /* keeps a distance from the spaces */
#define HY_OUTSIDE_MAX 64

/* Where all spaces lie. Below are the heaps of ZGC and the shadow of ASan, above are the memory
 * that the system maps for the spawner, and its stack. */
#define HY_SPACES_LOW (UINT64_C(32) << 40)
#define HY_SPACES_HIGH (UINT64_C(112) << 40)

typedef struct hy_range {
    uint64_t start, end;
} hy_range;

typedef struct hy_outside {
    _Atomic uint32_t busy; /* a spin lock: handlers block all signals */
    uint32_t count;
    hy_range ranges[HY_OUTSIDE_MAX]; /* disjoint, in no order */
} hy_outside;

#if defined(__x86_64__)
/* False: there is no room for one more. */
HY_BARE bool hy_outside_add(hy_outside *outside, uint64_t start, uint64_t end);

/* Whether all of [start, end) is noted, in one range. */
HY_BARE bool hy_outside_has(hy_outside *outside, uint64_t start, uint64_t end);

/* Forgets it; false: it was not noted, or its remains need an entry that is not there. */
HY_BARE bool hy_outside_remove(hy_outside *outside, uint64_t start, uint64_t end);

/* Unmaps and forgets all. Nobody else uses it any more. */
HY_BARE_TOO void hy_outside_unmap(hy_outside *outside);
#endif

#endif
