/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of all waiting operations. Every call that waits for an operation, waits for it a
 * limited time, or tests it, is this loop over a step function.
 *
 * Caller. The thread that owns the operation, or has claimed it. It holds no lock that a step of
 * another operation takes. An idle() or a poll() may run such steps, and thereby functions of the
 * program, which may wait in turn: waits can nest.
 *
 * What is polled. step() in every turn. Between two steps, a brief turn pauses and calls poll(); a
 * slow turn calls idle() instead, which polls as well. HAYATE_WAIT decides when turns are slow
 * (base/wait.h): now and then between yields, and before and after each sleep. The turn before a
 * sleep is slow and comes after the sleeper was announced: an event that it does not see rings the
 * bell.
 *
 * Failures. idle() tells whether the wait may go on. It asks hy_job_check(), which in every call
 * reads the deaths that are recorded, and looks for new ones once per tick of the clock
 * (job/check.c). If the wait may not go on, one more step is taken: what a peer sent before it died
 * still counts.
 *
 * Memory order. The loop imposes none: a step() loads with acquire order what another rank or
 * thread has released. position is read only by the caller's thread.
 *
 * The loop is inlined with its step() and idle() if these are constants: it then costs the same as
 * a loop written out.
 */
#ifndef HY_JOB_AWAIT_H
#define HY_JOB_AWAIT_H

#include "base/clock.h"
#include "job/progress.h"

/* A limit of a wait, counted from its first slow turn. Only slow turns read the clock. */
typedef struct hy_limit {
    uint64_t ns; /* above 0 */
    /* Asked each time that this time is over: true: the wait goes on for as long again. NULL: it
     * does not. */
    bool (*again)(void *context);
    void *context;
} hy_limit;

typedef struct hy_await {
    hy_job *job;
    /* HAYATE_IN_PROGRESS, or how the operation ended. Never blocks. */
    int (*step)(void *context);
    /* HAYATE_OK: the wait may go on. Otherwise the wait returns this value, unless one more step
     * ends the operation. NULL: the wait does not end early, and slow turns call poll(), too. */
    int (*idle)(void *context);
    /* Describes what is awaited, once the wait has lasted: job/waits.h. Only `peer` and `step` are
     * set before, to -1 and to how far it is. NULL: the wait is never told. Tests (`turns`) are
     * not. */
    void (*tell)(const void *context, hy_awaited *awaited);
    void *context;
    /* hy_progress: makes progress on all background operations. hy_far_poll: only where a
     * network needs it; for an operation that is itself in the background and would be stepped
     * twice, and for a word that must be seen at once. NULL: no progress, if the wait is part of
     * a step of a background operation and would nest without end. */
    void (*poll)(hy_job *job);
    /* For an operation that waits for one peer after another: how far it is. If a step gets
     * further, idle() reports about another peer, and is called again. NULL: one peer. */
    const uint32_t *position;
    /* How much an operation has moved that waits many times: while this grows, each wait begins
     * with polls again. Otherwise an operation that has slept once would sleep in all later waits,
     * which are shorter than to wake up. NULL: one wait. */
    const uint64_t *moved;
    /* 0: waits until the operation or idle() ends the wait. N: neither yields nor sleeps, and
     * returns HAYATE_IN_PROGRESS after N steps and a final idle() that permits the wait to go
     * on; 1 is a test. */
    uint32_t turns;
    /* After it the wait returns HAYATE_IN_PROGRESS, after a last idle() as above. NULL: none. */
    const hy_limit *limit;
} hy_await;

/* Whether the time is over; otherwise the next sleep is limited to what is left. *end: 0 in the
 * first slow turn. */
static inline bool hy_await_is_late(const hy_limit *limit, uint64_t *end, hy_wait *wait)
{
    uint64_t now = hy_now_ns();
    if (!*end || (now >= *end && limit->again && limit->again(limit->context)))
        *end = limit->ns < UINT64_MAX - now ? now + limit->ns : UINT64_MAX;
    if (now >= *end) return true;
    uint64_t left_us = (*end - now) / 1000 + 1;
    wait->sleep_us = left_us < UINT32_MAX ? (uint32_t)left_us : UINT32_MAX;
    return false;
}

/* Inlined only in slow turns, so that the context need not be in memory before. */
static inline __attribute__((always_inline)) void hy_await_tell(const hy_await *await,
                                                                hy_wait *wait)
{
    hy_awaited awaited = {.peer = -1};
    if (await->position) awaited.step = *await->position;
    if (await->moved) awaited.step = (uint32_t)*await->moved;
    await->tell(await->context, &awaited);
    hy_job_wait_tell(await->job, wait, &awaited);
}

/* After a step that was not the last one. */
static inline __attribute__((always_inline)) int hy_await_turns(const hy_await *await,
                                                                hy_wait *wait)
{
    uint32_t turn = 0, before = 0;
    uint64_t moved = 0, end = 0;
    int rc, failure = HAYATE_OK;
    do {
        if (hy_unlikely(failure) && !(await->position && *await->position != before))
            return failure;
        if (await->moved && *await->moved != moved) {
            moved = *await->moved;
            hy_wait_end(wait);
            hy_wait_again(wait);
        }
        bool last = await->turns && ++turn >= await->turns;
        bool slow = failure || last || hy_wait_once(wait);
        if (slow && await->turns != 1) hy_worklist_wake_listeners(&await->job->background);
        if (slow && await->limit) last |= hy_await_is_late(await->limit, &end, wait);
        if (!slow || !await->idle) {
            if (await->poll) await->poll(await->job);
        } else {
            if (await->tell && !await->turns && hy_wait_is_long(wait)) hy_await_tell(await, wait);
            failure = await->idle(await->context);
            if (failure && await->position) before = *await->position;
        }
        if (last && !failure) return HAYATE_IN_PROGRESS;
    } while ((rc = await->step(await->context)) == HAYATE_IN_PROGRESS);
    return rc;
}

/* With a policy or a bell of the caller, who has begun `wait` and ends it. */
static inline __attribute__((always_inline)) int hy_await_on(const hy_await *await, hy_wait *wait)
{
    int rc = await->step(await->context);
    return rc == HAYATE_IN_PROGRESS ? hy_await_turns(await, wait) : rc;
}

/* On the rank's bell, with the job's policy. Returns the last result of step() or idle(). What is
 * complete at once, or signals others in its first step, does not begin a wait before. */
static inline __attribute__((always_inline)) int hy_job_await(const hy_await *await)
{
    int rc = await->step(await->context);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    hy_wait wait = hy_job_wait(await->job);
    if (await->turns) wait.policy = &hy_wait_brief;
    rc = hy_await_turns(await, &wait);
    hy_job_wait_end(await->job, &wait);
    return rc;
}

#endif
