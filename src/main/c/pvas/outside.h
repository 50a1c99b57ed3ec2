/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ranges that a task mapped outside of its partition. Programs may map at addresses of their
 * choice from HY_OUTSIDE_LOW to HY_OUTSIDE_HIGH, where these are free; ZGC requires this. The
 * ranges are recorded, so that they are unmapped when the task is reclaimed.
 */
#ifndef HY_PVAS_OUTSIDE_H
#define HY_PVAS_OUTSIDE_H

#include "pvas/bare.h"

#define HY_OUTSIDE_LOW (UINT64_C(4) << 40)
#define HY_OUTSIDE_HIGH (UINT64_C(31) << 40) /* keeps a distance from the spaces */
#define HY_OUTSIDE_MAX 64

/* The area of all spaces. Below are the heaps of ZGC and the shadow memory of ASan; above are the
 * spawner's mappings and its stack. */
#define HY_SPACES_LOW (UINT64_C(32) << 40)
#define HY_SPACES_HIGH (UINT64_C(112) << 40)

typedef struct hy_range {
    uint64_t start, end;
} hy_range;

typedef struct hy_outside {
    _Atomic uint32_t busy; /* a spin lock; handlers block all signals */
    uint32_t count;
    hy_range ranges[HY_OUTSIDE_MAX]; /* disjoint, unordered */
} hy_outside;

#if defined(__x86_64__)
/* False: the list is full. */
HY_BARE bool hy_outside_add(hy_outside *outside, uint64_t start, uint64_t end);

/* Whether one recorded range contains all of [start, end). */
HY_BARE bool hy_outside_has(hy_outside *outside, uint64_t start, uint64_t end);

/* Removes a range from the list. False: it is not recorded, or its remainders need an entry and
 * none is free. */
HY_BARE bool hy_outside_remove(hy_outside *outside, uint64_t start, uint64_t end);

/* Unmaps and forgets all ranges. Nobody else may use the list any more. */
HY_BARE_TOO void hy_outside_unmap(hy_outside *outside);
#endif

#endif
