/* SPDX-License-Identifier: Apache-2.0 */
/* What the ranks of a node and its delegatee tell of themselves, for a reader that trusts nothing
 * in their segment: the numbers that are used as offsets were copied and checked once, everything
 * else is only displayed. */
#ifndef HY_WATCHDOG_VIEW_H
#define HY_WATCHDOG_VIEW_H

#include "boot/control.h"
#include "job/counters.h"
#include "job/waits.h"
#include "net/delegated/delegation.h"

typedef struct hy_view {
    const hy_control *control; /* a mapping of the whole segment, which is only read */
    uint64_t bytes;
    hy_control header; /* private copy, checked; without ranks */
} hy_view;

/* The view of a process that has mapped the segment of `bytes` bytes itself. CORRUPT. */
int hy_view_borrow(hy_view *view, const hy_control *control, uint64_t bytes, uint32_t size);

/* The counters of a rank, and the number of its part. NULL: it is on another node. */
const hy_counters *hy_view_counters(const hy_view *view, int rank, uint32_t *part);

/* The waits of a rank that has joined and is on this node; otherwise NULL. */
const hy_waits *hy_view_waits(const hy_view *view, int rank);

/* The stripes in which threads of such a rank have counted messages, collectives or operations of
 * the global space, a bit each; 0 otherwise. */
uint32_t hy_view_stripes(const hy_view *view, int rank);

/* What the delegatee of this node tells. NULL: the job has none, or it is damaged. */
const hy_delegation *hy_view_delegation(const hy_view *view);

#endif
