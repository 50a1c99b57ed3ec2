/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for a word of this rank's part until a comparison holds: spins, yields, sleeps, and
 * looks for failures. */
#include <limits.h>

#include "base/clock.h"
#include "job/await.h"
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

static int watch_check(const hy_ompl *ompl, const hy_watch *watch)
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

/* A wait that is under way. */
typedef struct watching {
    hy_ompl *ompl;
    const hy_watch *watch;
    const _Atomic uint64_t *word;
    uint64_t *seen;
    hy_wait wait;
    uint64_t deadline; /* UINT64_MAX: none */
    uint32_t looks;
    bool counted;
} watching;

/* Acquire order: data that were put before the word are visible after it. */
static inline bool watch_look(const hy_watch *watch, const _Atomic uint64_t *word, uint64_t *seen)
{
    *seen = hy_load_acquire(word);
    return holds(*seen, watch->comparison, watch->value);
}

/* OK if the wait may go on, apart from its time limit. */
static int watch_idle(hy_ompl *ompl, const hy_watch *watch)
{
    if (hy_load_relaxed(&ompl->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "the global space was closed during the wait");
    hy_worklist_wake_listeners(&ompl->job->background); /* a short wait has no slow turn */
    hy_progress(ompl->job);
    int rc = hy_job_check(ompl->job, -1);
    if (!rc && !(watch->how & OMPL_IGNORE_FAILURES)) rc = hy_job_check_all(ompl->job);
    return rc;
}

/* Limits the next sleep to the remaining time. */
static bool is_late(watching *w)
{
    if (w->deadline == UINT64_MAX) return false;
    uint64_t now = hy_now_ns();
    if (now >= w->deadline) return true;
    uint64_t left_us = (w->deadline - now) / 1000 + 1;
    w->wait.sleep_us = left_us < UINT32_MAX ? (uint32_t)left_us : UINT32_MAX;
    return false;
}

static uint64_t deadline_of(int64_t timeout_us)
{
    uint64_t us = (uint64_t)timeout_us, now = hy_now_ns();
    return us < (UINT64_MAX - now) / 1000 ? now + us * 1000 : UINT64_MAX;
}

/* The turns begin anew, because this policy has fewer of them before it sleeps. */
static void watch_share(watching *w)
{
    hy_wait_end(&w->wait);
    w->wait.policy = &w->ompl->crowded;
    hy_wait_again(&w->wait);
}

/* A wait of fewer looks is not counted in `waiting`. */
#define MOMENT 64

/* Waiting threads that share a core delay each other; therefore they yield. Checked now and
 * then, as the number of waiting threads changes. */
static void watch_make_room(watching *w)
{
    hy_ompl *ompl = w->ompl;
    if (!w->counted) atomic_fetch_add_explicit(&ompl->waiting, 1, memory_order_relaxed);
    w->counted = true;
    uint64_t all = (uint64_t)hy_load_relaxed(&ompl->waiting) * ompl->job->boot.control->parts;
    if (w->wait.policy->adaptive && all > ompl->job->boot.control->cpus) watch_share(w);
}

/* How many of the next waits of this thread yield early. Its last spin found nothing, so the
 * thread for which it waited may share its core, although the count does not show it. Later it
 * spins again. */
static _Thread_local uint32_t doubtful;
#define DOUBTS 64

static void learn(const hy_wait *wait)
{
    if (doubtful) doubtful--;
    else if (wait->policy->adaptive && wait->polls > wait->policy->spins) doubtful = DOUBTS;
}

/* The result of an unsuccessful step after the time limit. */
#define LATE INT_MAX

/* Reads the clock first, so that the last look comes after the time limit. */
static int step_watching(void *context)
{
    watching *w = context;
    int otherwise = HAYATE_IN_PROGRESS;
    if (hy_unlikely((++w->looks & (MOMENT - 1)) == 0)) {
        watch_make_room(w);
        if (is_late(w)) otherwise = LATE;
    }
    return watch_look(w->watch, w->word, w->seen) ? HAYATE_OK : otherwise;
}

static int idle_watching(void *context)
{
    watching *w = context;
    int rc = watch_idle(w->ompl, w->watch);
    return rc || !is_late(w) ? rc : HAYATE_IN_PROGRESS;
}

static void tell_word(const hy_watch *watch, hy_awaited *awaited)
{
    awaited->kind = HY_AWAITED_WORD;
    awaited->what = (uint8_t)watch->comparison;
    awaited->bytes = watch->at;
    awaited->number = watch->value;
}

static void tell_watching(const void *context, hy_awaited *awaited)
{
    tell_word(((const watching *)context)->watch, awaited);
}

static int watch_slow(hy_ompl *ompl, const hy_watch *watch, const _Atomic uint64_t *word,
                      uint64_t *seen)
{
    watching w = {.ompl = ompl, .watch = watch, .word = word, .seen = seen};
    int rc = hy_endpoint_rest(ompl->endpoints); /* other threads may need the endpoint meanwhile */
    if (rc) return rc;
    w.deadline = watch->timeout_us < 0 ? UINT64_MAX : deadline_of(watch->timeout_us);
    w.wait = hy_job_wait(ompl->job);
    if (watch->polls) w.wait.policy = &hy_wait_brief;
    else if (doubtful && w.wait.policy->adaptive) watch_share(&w);
    rc = hy_await_on(&(hy_await){.job = ompl->job,
                                 .step = step_watching,
                                 .idle = idle_watching,
                                 .tell = tell_watching,
                                 .context = &w,
                                 .poll = hy_far_poll,
                                 .turns = watch->polls},
                     &w.wait);
    learn(&w.wait);
    if (w.counted) atomic_fetch_sub_explicit(&ompl->waiting, 1, memory_order_relaxed);
    hy_job_wait_end(ompl->job, &w.wait);
    if (rc != LATE) return rc;
    rc = watch_idle(ompl, watch); /* so that repeated short waits report a death */
    return watch_look(watch, word, seen) ? HAYATE_OK : rc ? rc : HAYATE_IN_PROGRESS;
}

/* Short turns, of which a virtual thread makes many for one wait, are not recorded. */
static int watch_long(hy_ompl *ompl, const hy_watch *watch, const _Atomic uint64_t *word,
                      uint64_t *seen)
{
    hy_flight *flight = ompl->job->flight;
    if (hy_likely(!flight || watch->polls)) return watch_slow(ompl, watch, word, seen);
    hy_awaited what = {.peer = -1};
    tell_word(watch, &what);
    uint64_t name = hy_flight_begin(flight, &what);
    return hy_flight_over(flight, name, watch_slow(ompl, watch, word, seen));
}

int hy_ompl_watch(hy_ompl *ompl, const hy_watch *watch, uint64_t *seen)
{
    int rc = watch_check(ompl, watch);
    if (hy_unlikely(rc)) return rc;
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(const void *)(ompl->memory +
                                                                            watch->at);
    if (hy_likely(watch_look(watch, word, seen))) return HAYATE_OK;
    if (watch->timeout_us != 0) return watch_long(ompl, watch, word, seen);
    hy_far_poll(ompl->job); /* a caller that only polls also makes progress */
    return watch_look(watch, word, seen) ? HAYATE_OK : HAYATE_IN_PROGRESS;
}
