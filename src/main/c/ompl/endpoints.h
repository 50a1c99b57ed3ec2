/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Endpoints: what operations are posted on, by one thread at a time. To a peer on another node,
 * each endpoint uses a lane of its number + 1 (net/net.h). A path of loads and stores needs no
 * separation, but takes endpoints all the same, so that the same rules hold everywhere.
 *
 * Either every thread has an endpoint, that of its stripe (job/counters.h), which costs nothing;
 * threads beyond the number of stripes share the last one. Or all threads share a free list of a
 * few endpoints: one bit each in one word, without a lock. A call takes an endpoint and returns it
 * at its end. A call that only starts an operation begins a *run*: the thread keeps the endpoint
 * until its next flush, flag, atomic or blocking wait, all of which complete the run, or until the
 * thread ends. A thread has one run at a time: an operation that it starts in another space
 * meanwhile is complete on return.
 *
 * Nothing orders operations on different lanes. Therefore, a thread that gets another endpoint than
 * the one it last used for remote peers flushes the earlier one first. A virtual thread may get
 * another thread's endpoint in every call, which this code cannot detect: all virtual threads use
 * one lane, with any endpoint.
 */
#ifndef HY_OMPL_ENDPOINTS_H
#define HY_OMPL_ENDPOINTS_H

#include <stdbool.h>

#include "base/settings.h"
#include "job/counters.h"
#include "path/path.h"

struct hy_ompl;

#define HY_ENDPOINTS HY_ENDPOINTS_HIGH      /* the most that a list can have */
#define HY_ENDPOINT_SHARED (HY_STRIPES - 1) /* of threads beyond the number of stripes */
#define HY_LANE_VIRTUAL (HY_ENDPOINTS + 1)  /* of virtual threads */

typedef struct hy_endpoints {
    struct hy_endpoints *next; /* in this process; protected by the lock of endpoints.c */
    struct hy_ompl *ompl;
    uint64_t serial; /* never reused in this process: threads remember it */
    int ending;      /* ending threads that complete their run here; protected by that lock */
    int count;       /* endpoints in the list; 0: one per thread */
    bool comes_back; /* if none is free, a call soon returns IN_PROGRESS; else it waits */
    HY_ALIGNED _Atomic uint64_t free; /* one bit for each free endpoint of the list */
} hy_endpoints;

/* The run of the calling thread. */
typedef struct hy_endpoint_hold {
    uint64_t serial; /* serial of its endpoints; 0: no run */
    int number, target;
    int last; /* the endpoint that it had last, perhaps still in its caches */
    /* The endpoint that it last used for remote peers, and those peers. */
    uint64_t far_serial; /* serial of its endpoints; 0: none yet */
    int far_number, far_target;
    bool is_virtual; /* the caller is a virtual thread */
} hy_endpoint_hold;

extern _Thread_local hy_endpoint_hold hy_endpoint_run;

#define HY_RUN_TO_SEVERAL (-1) /* the target of a run to several ranks */

/* `wanted`: 0 for one per thread, else the length of the list; HAYATE_ENDPOINTS takes
 * precedence. ARGUMENT, NO_MEMORY. */
int hy_endpoints_create(hy_endpoints **all, struct hy_ompl *ompl, int wanted);
void hy_endpoints_free(hy_endpoints *all);

int hy_endpoint_take_listed(hy_endpoints *all, int *number);
void hy_endpoint_give_listed(hy_endpoints *all, int number);
int hy_endpoint_keep_listed(hy_endpoints *all, int number, int target);
int hy_endpoint_end_run(hy_endpoints *all);
/* The ep of a remote target for this endpoint. NO_MEMORY, and the errors of a flush. */
int hy_endpoint_reach(hy_endpoints *all, int number, int target, hy_ep **ep);

static inline bool hy_endpoint_is_own(const hy_endpoints *all, int number)
{
    return all->count == 0 && number != HY_ENDPOINT_SHARED;
}

static inline bool hy_endpoint_in_run(const hy_endpoints *all)
{
    return hy_endpoint_run.serial == all->serial;
}

/* CLOSED, PEER_FAILED (the launcher has ended), or IN_PROGRESS: none is free, nothing was done. */
static inline int hy_endpoint_take(hy_endpoints *all, int *number)
{
    *number = hy_stripe_mine();
    if (hy_likely(hy_endpoint_is_own(all, *number))) return 0;
    return hy_endpoint_take_listed(all, number);
}

/* After a complete operation. A run continues. */
static inline void hy_endpoint_give(hy_endpoints *all, int number)
{
    if (hy_unlikely(!hy_endpoint_is_own(all, number) && !hy_endpoint_in_run(all)))
        hy_endpoint_give_listed(all, number);
}

/* After an operation that was only started. */
static inline int hy_endpoint_keep(hy_endpoints *all, int number, int target)
{
    if (hy_likely(hy_endpoint_is_own(all, number))) return 0;
    return hy_endpoint_keep_listed(all, number, target);
}

/* After a flag, which ends a run. */
static inline int hy_endpoint_end(hy_endpoints *all, int number)
{
    if (hy_likely(hy_endpoint_is_own(all, number))) return 0;
    if (hy_endpoint_in_run(all)) return hy_endpoint_end_run(all);
    hy_endpoint_give_listed(all, number);
    return 0;
}

/* Completes the run of this thread, if there is one. */
static inline int hy_endpoint_rest(hy_endpoints *all)
{
    return hy_unlikely(hy_endpoint_in_run(all)) ? hy_endpoint_end_run(all) : 0;
}

#endif
