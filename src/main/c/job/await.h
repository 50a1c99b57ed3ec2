/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver of waiting operations. All calls that wait for an operation, wait a bounded time for
 * it, or test it, are this loop over a step function.
 *
 * Caller. The thread that owns the operation, or has claimed it. It holds no lock that a step of
 * another operation takes. An idle() or a poll() may run such steps, and thereby functions of the
 * program, which may wait in their turn: waits nest.
 *
 * What is polled. step() in every turn. Between two steps a brief turn pauses and calls poll(); a
 * slow turn calls idle() instead, which polls as well. When turns are slow is HAYATE_WAIT's matter
 * (base/wait.h): now and then between yields, before and after each sleep. The turn before a sleep
 * is slow, and comes after the sleeper was announced: what it does not see rings the bell.
 *
 * Failures. idle() tells whether the wait may go on. It asks hy_job_check(), which reads in every
 * call the deaths that are written down, and asks for others once per tick of the clock
 * (job/check.c). When it may not go on, one more step is taken: what a peer sent before it went
 * still counts.
 *
 * Memory order. None comes from here: a step() loads with acquire what another rank or thread has
 * released. position is read by the caller's thread alone.
 *
 * The whole driver is inlined, with its step() and idle(), where these are constants: it costs what
 * a loop written out would.
 */
#ifndef HY_JOB_AWAIT_H
#define HY_JOB_AWAIT_H

#include "job/progress.h"

typedef struct hy_await {
    hy_job *job;
    /* HAYATE_IN_PROGRESS, or how the operation ended. Never blocks. */
    int (*step)(void *context);
    /* HAYATE_OK: the wait may go on. Else what it returns, unless one more step ends the operation.
     * NULL: the wait does not end early, and poll() is called in slow turns, too. */
    int (*idle)(void *context);
    void *context;
    /* hy_progress: works on all that goes on in the background. hy_far_poll: only where a network
     * needs that; for an operation that is itself in the background and would be stepped twice, and
     * for a word that is to be seen at once. NULL: on nothing, where a wait is part of a step of
     * what goes on in the background and would nest without end. */
    void (*poll)(hy_job *job);
    /* For an operation that waits for one peer after the other: how far it is. A step that gets
     * further makes idle() speak about another peer, so it is asked again. NULL: one peer. */
    const uint32_t *position;
    /* 0: waits until the operation or idle() ends the wait. N: neither yields nor sleeps, and after
     * N steps, and an idle() behind the last of them that let it go on, returns
     * HAYATE_IN_PROGRESS; 1 is a test. */
    uint32_t turns;
} hy_await;

/* With a policy or bell of the caller's; `wait` was begun by the caller, who ends it. */
static inline __attribute__((always_inline)) int hy_await_on(const hy_await *await, hy_wait *wait)
{
    uint32_t turn = 0, before = 0;
    int rc, failure = HAYATE_OK;
    while ((rc = await->step(await->context)) == HAYATE_IN_PROGRESS) {
        if (hy_unlikely(failure) && !(await->position && *await->position != before))
            return failure;
        bool last = await->turns && ++turn >= await->turns;
        bool slow = failure || last || hy_wait_once(wait);
        if (!slow || !await->idle) {
            if (await->poll) await->poll(await->job);
        } else {
            failure = await->idle(await->context);
            if (failure && await->position) before = *await->position;
        }
        if (last && !failure) break;
    }
    return rc;
}

/* On the rank's bell, by the job's policy. What step() or idle() ended with. */
static inline __attribute__((always_inline)) int hy_job_await(const hy_await *await)
{
    hy_wait wait = hy_job_wait(await->job);
    if (await->turns) wait.policy = &hy_wait_brief;
    int rc = hy_await_on(await, &wait);
    hy_job_wait_end(await->job, &wait);
    return rc;
}

#endif
