/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a word of this rank's own part, whoever writes it. */
#include "base/clock.h"
#include "job/progress.h"
#include "ompl/ompl.h"

static inline bool holds(uint64_t seen, ompl_comparison_t comparison, uint64_t value)
{
    switch (comparison) {
    case OMPL_EQ: return seen == value;
    case OMPL_NE: return seen != value;
    case OMPL_GT: return seen > value;
    case OMPL_GE: return seen >= value;
    case OMPL_LT: return seen < value;
    default: return seen <= value;
    }
}

static int check(const hy_ompl *ompl, const hy_watch *watch)
{
    int rc = hy_ompl_check(ompl, ompl->rank, watch->at, sizeof watch->value, sizeof watch->value);
    if (hy_unlikely(rc)) return rc;
    if (hy_unlikely((unsigned)watch->comparison > OMPL_LE))
        return hy_fail(HAYATE_ERR_ARGUMENT, "comparison %d: expected one of ompl_comparison_t",
                       (int)watch->comparison);
    if (hy_unlikely(watch->how & ~OMPL_IGNORE_FAILURES))
        return hy_fail(HAYATE_ERR_ARGUMENT, "how %u: expected 0 or OMPL_IGNORE_FAILURES",
                       watch->how);
    return HAYATE_OK;
}

/* A slow turn: may the wait go on? */
static int idle(hy_ompl *ompl, const hy_watch *watch)
{
    if (hy_load_relaxed(&ompl->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "the global space was closed during the wait");
    hy_progress(ompl->job);
    int rc = hy_job_check(ompl->job, -1);
    if (!rc && !(watch->how & OMPL_IGNORE_FAILURES)) rc = hy_job_check_all(ompl->job);
    return rc;
}

/* IN_PROGRESS: time is over. Keeps the next sleep inside of what is left. */
static int look_at_clock(hy_wait *wait, uint64_t deadline)
{
    uint64_t now = hy_now_ns();
    if (now >= deadline) return HAYATE_IN_PROGRESS;
    uint64_t left_us = (deadline - now) / 1000 + 1;
    wait->sleep_us = left_us < UINT32_MAX ? (uint32_t)left_us : UINT32_MAX;
    return HAYATE_OK;
}

static uint64_t deadline_of(int64_t timeout_us)
{
    uint64_t us = (uint64_t)timeout_us, now = hy_now_ns();
    return us < (UINT64_MAX - now) / 1000 ? now + us * 1000 : UINT64_MAX;
}

/* Looks of a wait that are over before anybody counts it. */
#define MOMENT 64

/* Threads that wait beside each other on one core stand in each other's way: then they yield.
 * Looked at now and then, as others come and go. */
static void make_room(hy_ompl *ompl, hy_wait *wait, bool *counted)
{
    if (!*counted) atomic_fetch_add_explicit(&ompl->waiting, 1, memory_order_relaxed);
    *counted = true;
    uint64_t all = (uint64_t)hy_load_relaxed(&ompl->waiting) * ompl->job->boot.control->parts;
    if (wait->policy->adaptive && all > ompl->job->boot.control->cpus)
        wait->policy = &ompl->crowded;
}

/* Waits to come of this thread that yield soon: its last spin was in vain, so perhaps the one that
 * it waits for has not got a core of its own, whoever counted them. Then it tries again. */
static _Thread_local uint32_t doubtful;
#define DOUBTS 64

static void learn(const hy_wait *wait)
{
    if (doubtful) doubtful--;
    else if (wait->policy->adaptive && wait->polls > wait->policy->spins) doubtful = DOUBTS;
}

/* Looks once more after it found out that the wait should end: what came before counts. */
static int watch_slow(hy_ompl *ompl, const hy_watch *watch, const _Atomic uint64_t *word,
                      uint64_t *seen)
{
    int rc = hy_endpoint_rest(ompl->endpoints); /* others may need it meanwhile */
    bool timed = watch->timeout_us >= 0;
    uint64_t deadline = timed ? deadline_of(watch->timeout_us) : UINT64_MAX;
    hy_wait wait = hy_job_wait(ompl->job);
    if (watch->polls) wait.policy = &hy_wait_brief;
    else if (doubtful && wait.policy->adaptive) wait.policy = &ompl->crowded;
    bool there = false, counted = false;
    for (uint32_t polls = 1; !there && !rc; polls++) {
        if ((polls & (MOMENT - 1)) == 0) make_room(ompl, &wait, &counted);
        bool slow = hy_wait_once(&wait);
        if (watch->polls && polls >= watch->polls) slow = true, rc = HAYATE_IN_PROGRESS;
        if (timed && !rc && (slow || (polls & 63) == 0)) rc = look_at_clock(&wait, deadline);
        if (!slow) hy_far_poll(ompl->job);
        if (slow) {
            int failure = idle(ompl, watch);
            if (failure) rc = failure;
        }
        *seen = hy_load_acquire(word);
        there = holds(*seen, watch->comparison, watch->value);
    }
    learn(&wait);
    if (counted) atomic_fetch_sub_explicit(&ompl->waiting, 1, memory_order_relaxed);
    hy_job_wait_end(ompl->job, &wait);
    return there ? HAYATE_OK : rc;
}

int hy_ompl_watch(hy_ompl *ompl, const hy_watch *watch, uint64_t *seen)
{
    int rc = check(ompl, watch);
    if (hy_unlikely(rc)) return rc;
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(const void *)(ompl->memory +
                                                                            watch->at);
    /* acquire: the data that came before the word come with it */
    *seen = hy_load_acquire(word);
    if (hy_likely(holds(*seen, watch->comparison, watch->value))) return HAYATE_OK;
    if (watch->timeout_us != 0) return watch_slow(ompl, watch, word, seen);
    hy_far_poll(ompl->job); /* who only polls fetches what has come as well */
    *seen = hy_load_acquire(word);
    return holds(*seen, watch->comparison, watch->value) ? HAYATE_OK : HAYATE_IN_PROGRESS;
}
