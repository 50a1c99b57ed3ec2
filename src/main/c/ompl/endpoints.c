/* SPDX-License-Identifier: Apache-2.0 */
/* The endpoints of a space: a lock-free free list, and the runs of threads that keep an
 * endpoint. */
#include "ompl/endpoints.h"

#include <pthread.h>
#include <stdlib.h>

#include "nodes/far.h"
#include "job/await.h"
#include "ompl/ompl.h"
#include "net/net.h"

_Static_assert(HY_LANE_VIRTUAL < HY_NET_LANES, "a lane for every endpoint");
_Static_assert(HY_STRIPES <= HY_ENDPOINTS, "a lane for every thread that has its own endpoint");

#define SPINS 100    /* before the first yield */
#define PATIENCE 400 /* polls of a call that returns IN_PROGRESS */

_Thread_local hy_endpoint_hold hy_endpoint_run;

/* All lists of endpoints of this process, for threads that end in the middle of a run: such a
 * thread cannot know whether the list that it remembers still exists. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static hy_endpoints *first;
static uint64_t last_serial;
static pthread_key_t at_exit;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool exits_are_seen;

/* Returns the list of the run that the ending thread is in, held until give_back(). NULL: no
 * run. */
static hy_endpoints *hold(void)
{
    pthread_mutex_lock(&lock);
    hy_endpoints *all = first;
    while (all && !hy_endpoint_in_run(all)) all = all->next;
    if (all) all->ending++;
    pthread_mutex_unlock(&lock);
    return all;
}

static void endpoints_give_back(hy_endpoints *all)
{
    pthread_mutex_lock(&lock);
    if (--all->ending == 0) pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
}

/* Completes what the thread has started. That waits for the targets, and so must not hold the
 * lock. */
static void endpoints_leave(void *unused)
{
    (void)unused;
    hy_endpoints *all = hold();
    if (!all) return;
    hy_endpoint_end_run(all);
    endpoints_give_back(all);
}

static void make_key(void)
{
    exits_are_seen = pthread_key_create(&at_exit, endpoints_leave) == 0;
}

/* ---- the endpoints of a space ---- */

static int endpoints_choose(int wanted, int *count)
{
    uint64_t number;
    if (wanted < 0 || wanted > HY_ENDPOINTS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%d endpoints: expected 0 (one per thread) to %d",
                       wanted, HY_ENDPOINTS);
    int rc = hy_setting_value(HY_SET(ENDPOINTS), &number);
    *count = number == HY_ENDPOINTS_AUTO ? wanted : number == HY_ENDPOINTS_THREAD ? 0 : (int)number;
    return rc;
}

static uint64_t bits_of(int count)
{
    return count == 0 ? UINT64_C(1) << HY_ENDPOINT_SHARED : UINT64_MAX >> (HY_ENDPOINTS - count);
}

int hy_endpoints_create(hy_endpoints **result, hy_ompl *ompl, int wanted)
{
    int count = 0, rc = endpoints_choose(wanted, &count);
    if (rc) return rc;
    hy_endpoints *all = aligned_alloc(HY_LINE, hy_round_up(sizeof *all, HY_LINE));
    if (!all) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the endpoints of a space");
    memset(all, 0, sizeof *all);
    all->ompl = ompl;
    all->count = count;
    hy_store_relaxed(&all->free, bits_of(count));
    pthread_once(&once, make_key);
    pthread_mutex_lock(&lock);
    all->serial = ++last_serial;
    all->next = first;
    first = all;
    pthread_mutex_unlock(&lock);
    *result = all;
    return HAYATE_OK;
}

void hy_endpoints_free(hy_endpoints *all)
{
    if (!all) return;
    pthread_mutex_lock(&lock);
    hy_endpoints **link = &first;
    while (*link != all) link = &(*link)->next;
    *link = all->next;
    while (all->ending > 0) pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    free(all);
}

/* ---- the free list ---- */

/* Prefers the endpoint that this thread had last. Acquire order: everything that the previous
 * owner did with the endpoint comes first. */
static bool take_free(hy_endpoints *all, int *number)
{
    uint64_t seen = hy_load_relaxed(&all->free);
    while (seen) {
        int last = hy_endpoint_run.last;
        *number = seen >> last & 1 ? last : __builtin_ctzll(seen);
        if (atomic_compare_exchange_weak_explicit(&all->free, &seen,
                                                  seen & ~(UINT64_C(1) << *number),
                                                  memory_order_acquire, memory_order_relaxed)) {
            hy_endpoint_run.last = *number;
            return true;
        }
    }
    return false;
}

typedef struct taking {
    hy_endpoints *all;
    int *number;
} taking;

static int step_taking(void *context)
{
    const taking *t = context;
    return take_free(t->all, t->number) ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int idle_taking(void *context)
{
    const hy_ompl *ompl = ((const taking *)context)->all->ompl;
    hy_progress(ompl->job);
    int rc = hy_ompl_check(ompl, 0, 0, 0, 1);
    return rc ? rc : hy_job_check(ompl->job, -1);
}

/* Nobody rings the bell for an endpoint that is free again, so this wait does not sleep. */
static int wait_for_one(hy_endpoints *all, int *number)
{
    hy_job *job = all->ompl->job;
    const hy_wait_policy awake = {
        .spins = SPINS, .yields = HY_WAIT_NEVER_SLEEPS, .lap_ns = job->policy.lap_ns};
    hy_wait wait = hy_wait_begin(all->comes_back ? &hy_wait_brief : &awake, job->bell);
    taking t = {all, number};
    hy_count(job->counters, HY_COUNT_ENDPOINT_WAITS, 1);
    int rc = hy_await_on(&(hy_await){.job = job,
                                     .step = step_taking,
                                     .idle = idle_taking,
                                     .context = &t,
                                     .poll = hy_progress,
                                     .turns = all->comes_back ? PATIENCE : 0},
                         &wait);
    hy_job_wait_end(job, &wait);
    return rc;
}

int hy_endpoint_take_listed(hy_endpoints *all, int *number)
{
    *number = hy_endpoint_run.number;
    if (hy_endpoint_in_run(all) || hy_likely(take_free(all, number))) return HAYATE_OK;
    return wait_for_one(all, number);
}

void hy_endpoint_give_listed(hy_endpoints *all, int number)
{
    atomic_fetch_or_explicit(&all->free, UINT64_C(1) << number, memory_order_release);
    if (all->comes_back) hy_bell_ring(all->ompl->job->bell);
}

/* ---- runs ---- */

/* NULL: this endpoint has never been used for this remote rank. */
static hy_ep *end_of(const hy_ompl *ompl, int number, int rank)
{
    hy_ep *ep = hy_job_known_ep(ompl->job, rank);
    return !ep || hy_ep_is_far(ep) ? hy_far_known_end(ompl->job, number + 1, rank) : ep;
}

static int endpoints_complete(const hy_ompl *ompl, int number, int target)
{
    int rc = HAYATE_OK;
    int from = target == HY_RUN_TO_SEVERAL ? 0 : target;
    int to = target == HY_RUN_TO_SEVERAL ? ompl->size - 1 : target;
    for (int rank = from; rank <= to; rank++) {
        hy_ep *ep = end_of(ompl, number, rank);
        int one = ep ? ep->ops->flush(ep) : HAYATE_OK;
        if (!rc) rc = one;
    }
    return rc;
}

static bool exists(uint64_t serial)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (const hy_endpoints *all = first; all; all = all->next) found |= all->serial == serial;
    pthread_mutex_unlock(&lock);
    return found;
}

/* A run ends with its space. */
static bool can_begin(hy_endpoint_hold *run)
{
    if (run->serial && !exists(run->serial)) run->serial = 0;
    return !run->serial && exits_are_seen && pthread_setspecific(at_exit, run) == 0;
}

int hy_endpoint_keep_listed(hy_endpoints *all, int number, int target)
{
    hy_endpoint_hold *run = &hy_endpoint_run;
    if (hy_endpoint_in_run(all)) {
        if (run->target != target) run->target = HY_RUN_TO_SEVERAL;
        return HAYATE_OK;
    }
    if (!can_begin(run)) {
        int rc = endpoints_complete(all->ompl, number, target);
        hy_endpoint_give_listed(all, number);
        return rc;
    }
    run->serial = all->serial;
    run->number = run->last = number;
    run->target = target;
    return HAYATE_OK;
}

int hy_endpoint_end_run(hy_endpoints *all)
{
    hy_endpoint_hold *run = &hy_endpoint_run;
    int rc = endpoints_complete(all->ompl, run->number, run->target);
    run->serial = 0;
    hy_endpoint_give_listed(all, run->number);
    return rc;
}

/* ---- remote targets ---- */

/* Keeps this thread's next operation behind its earlier ones. */
static int follow(hy_endpoints *all, int number, int target)
{
    hy_endpoint_hold *run = &hy_endpoint_run;
    bool same = run->far_serial == all->serial, moves = same && run->far_number != number;
    int rc = moves ? endpoints_complete(all->ompl, run->far_number, run->far_target) : HAYATE_OK;
    if (same && !moves && run->far_target != target) target = HY_RUN_TO_SEVERAL;
    run->far_serial = all->serial;
    run->far_number = number;
    run->far_target = target;
    return rc;
}

int hy_endpoint_reach(hy_endpoints *all, int number, int target, hy_ep **ep)
{
    hy_job *job = all->ompl->job;
    if (hy_unlikely(hy_endpoint_run.is_virtual))
        return hy_far_end(job, HY_LANE_VIRTUAL, target, ep);
    int rc = hy_endpoint_is_own(all, number) ? HAYATE_OK : follow(all, number, target);
    return rc ? rc : hy_far_end(job, number + 1, target, ep);
}
