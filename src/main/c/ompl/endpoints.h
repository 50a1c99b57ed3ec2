/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Endpoints: what operations are posted on, by one thread at a time. To a far peer an endpoint goes
 * by a lane of its own (path/net.h), number + 1; a path of loads and stores has nothing that must
 * be kept apart, but takes endpoints all the same, so that programs meet the same rules everywhere.
 *
 * Either every thread has its own, the one of its stripe (job/counters.h), which costs nothing;
 * threads beyond those share the last one. Or all threads share a free list of few: a bit for each
 * in one word, without a lock. A call takes one and gives it back at its end. What it has only
 * started begins a *run*: the thread keeps the endpoint until its next flush, flag, atomic or
 * blocking wait, which all complete the run; or until it ends. A thread has one run at a time: what
 * it starts in another space meanwhile is complete on return.
 *
 * Nothing keeps the order between lanes. So a thread that gets another endpoint of the list than
 * the one by which it last went to far peers first flushes that. A virtual thread may meet another
 * thread's endpoint in every call, which nothing here can see: all of them go by one lane, whatever
 * endpoint they have.
 */
#ifndef HY_OMPL_ENDPOINTS_H
#define HY_OMPL_ENDPOINTS_H

#include <stdbool.h>

#include "base/settings.h"
#include "job/counters.h"
#include "path/path.h"

struct hy_ompl;

#define HY_ENDPOINTS HY_ENDPOINTS_HIGH      /* at most in a list */
#define HY_ENDPOINT_SHARED (HY_STRIPES - 1) /* of threads that have none of their own */
#define HY_LANE_VIRTUAL (HY_ENDPOINTS + 1)  /* of virtual threads */

typedef struct hy_endpoints {
    struct hy_endpoints *next; /* of this process, under a lock of endpoints.c */
    struct hy_ompl *ompl;
    uint64_t serial; /* never used again in this process: threads remember it */
    int ending;      /* threads that complete their run here at their end, under that lock */
    int count;       /* of the list; 0: one per thread */
    bool comes_back; /* who finds none free is told IN_PROGRESS soon; else it waits */
    HY_ALIGNED _Atomic uint64_t free; /* a bit for each of the list that nobody has */
} hy_endpoints;

/* The run of the calling thread. */
typedef struct hy_endpoint_hold {
    uint64_t serial; /* of its endpoints; 0: none */
    int number, target;
    int last; /* the endpoint that it had last: its caches know it */
    /* By which it last went to far peers, and to whom. */
    uint64_t far_serial; /* of its endpoints; 0: it never did */
    int far_number, far_target;
    bool is_virtual; /* who calls now is a virtual thread */
} hy_endpoint_hold;

extern _Thread_local hy_endpoint_hold hy_endpoint_run;

#define HY_RUN_TO_SEVERAL (-1) /* target of a run */

/* `wanted`: 0 is one per thread, else a list of so many, unless HAYATE_ENDPOINTS says
 * otherwise. ARGUMENT, NO_MEMORY. */
int hy_endpoints_create(hy_endpoints **all, struct hy_ompl *ompl, int wanted);
void hy_endpoints_free(hy_endpoints *all);

int hy_endpoint_take_listed(hy_endpoints *all, int *number);
void hy_endpoint_give_listed(hy_endpoints *all, int number);
int hy_endpoint_keep_listed(hy_endpoints *all, int number, int target);
int hy_endpoint_end_run(hy_endpoints *all);
/* The end of a far target for who has this endpoint. NO_MEMORY, and what a flush gives. */
int hy_endpoint_reach(hy_endpoints *all, int number, int target, hy_ep **ep);

static inline bool hy_endpoint_is_own(const hy_endpoints *all, int number)
{
    return all->count == 0 && number != HY_ENDPOINT_SHARED;
}

static inline bool hy_endpoint_in_run(const hy_endpoints *all)
{
    return hy_endpoint_run.serial == all->serial;
}

/* CLOSED, PEER_FAILED (the launcher is gone), or IN_PROGRESS: none is free, nothing was done. */
static inline int hy_endpoint_take(hy_endpoints *all, int *number)
{
    *number = hy_stripe_mine();
    if (hy_likely(hy_endpoint_is_own(all, *number))) return 0;
    return hy_endpoint_take_listed(all, number);
}

/* After an operation that is complete. A run goes on. */
static inline void hy_endpoint_give(hy_endpoints *all, int number)
{
    if (hy_unlikely(!hy_endpoint_is_own(all, number) && !hy_endpoint_in_run(all)))
        hy_endpoint_give_listed(all, number);
}

/* After one that was only started. */
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

/* Completes a run of this thread, if there is one. */
static inline int hy_endpoint_rest(hy_endpoints *all)
{
    return hy_unlikely(hy_endpoint_in_run(all)) ? hy_endpoint_end_run(all) : 0;
}

#endif
