/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adaptive waiting. A waiter polls its condition and calls hy_wait_once() after each unsuccessful
 * poll, which spins with pause, then yields, then sleeps on the waiter's *bell*. A thread that
 * makes a condition true rings the bell of the rank that may wait for it.
 *
 * The signaller pays one relaxed load of a line that is almost never written: it does not fence
 * between its store and that load. The store-load order that the pair needs is supplied by the side
 * that sleeps: a first sleep lasts a millisecond at most, so that a ring that is lost costs no
 * more. If nobody has rung by then, membarrier(GLOBAL_EXPEDITED) makes every running thread of a
 * registered process execute a full barrier, and sleeps may be long. It interrupts all processors:
 * before each sleep it would be a quarter of the time of ranks that share processors. Where it is
 * not permitted, all sleeps are brief.
 *
 *    waiter                                signaller
 *    sleepers++                            store condition (release)
 *    seq0 = seq; yield                     load sleepers: 0 -> done
 *    condition true? -> leave              seq++; futex_wake(seq)
 *    futex_wait(seq, seq0, 1 ms)
 *    still seq0: membarrier
 *    condition true? -> leave
 *    futex_wait(seq, seq0)
 */
#ifndef HY_BASE_WAIT_H
#define HY_BASE_WAIT_H

#include <stdbool.h>

#include "base/line.h"

typedef struct hy_bell {
    _Atomic uint32_t seq;      /* the futex word */
    _Atomic uint32_t sleepers; /* threads that sleep or are about to */
} hy_bell;

/* Limits sleeps, for callers with work for which no bell rings. */
typedef struct hy_wait_limit {
    uint32_t us; /* 0: no special limit */
    /* Called before each sleep, when the sleeper is counted. True: from now on until nobody
     * sleeps, the bell rings for that work as well, so this sleep needs no limit. Never blocks.
     * NULL: the bell never rings for it. */
    bool (*lifted)(void *context);
    void *context;
} hy_wait_limit;

typedef struct hy_wait_policy {
    uint32_t spins;  /* polls with pause before the first yield */
    uint32_t yields; /* polls with sched_yield before the first sleep; or one of the following */
    bool adaptive;   /* assumes one core per waiting thread: ompl/watch.c */
    uint32_t lap_ns; /* how much longer a yield may take if all others of the core only wait;
                      * UINT32_MAX: yields never tell that others compute */
    hy_wait_limit limit;
} hy_wait_policy;

#define HY_WAIT_NEVER_YIELDS UINT32_MAX /* nor sleeps */
#define HY_WAIT_NEVER_SLEEPS (UINT32_MAX - 1)

/* For calls that must return soon: neither yields nor sleeps. */
extern const hy_wait_policy hy_wait_brief;

/* For more threads than cores: a few yields let all of them go on by turns, at a tenth of the cost
 * of sleeping and being woken. */
extern const hy_wait_policy hy_wait_shared;

/* How long a wait has lasted: it was armed; it has slept without success, or has polled for as long
 * as a sleep would take. */
enum { HY_WAIT_ARMED = 1, HY_WAIT_LONG = 2 };

typedef struct hy_wait {
    const hy_wait_policy *policy;
    hy_bell *bell;
    uint32_t polls;
    uint32_t armed_seq;
    bool armed;
    bool fenced;       /* since it was armed, every signaller has fenced */
    uint8_t lasted;    /* HY_WAIT_ARMED, HY_WAIT_LONG; 0: so far only turns without a sleep */
    bool reported;     /* a long wait: watchdog/watchdog.h */
    uint8_t told;      /* where it is told, for the owner: job/waits.h */
    uint32_t sleep_us; /* the longest sleep, for waits with a time limit; 0: no limit */
} hy_wait;

/* Who else wants the cores on which this process waits, as its yields have lately told: a low part,
 * above 0 while others do, and HY_WAIT_OTHERS_COMPUTE. Then
 *   if they wait in turn, a wait spins little before it yields, because what it waits for may need
 *      its core;
 *   if they compute, it sleeps at once: the scheduler prefers a thread that wakes to one that has
 *      yielded.
 * Policies that never yield do neither, and those that never sleep do not sleep.
 * This also finds processes that no policy knew of: a delegatee, ranks of a second job, other
 * users' programs. */
extern _Atomic uint32_t hy_wait_crowd;
#define HY_WAIT_OTHERS_COMPUTE (UINT32_C(1) << 31)

/* Once per process, before any bell is used: registers for membarrier. */
void hy_wait_setup(void);

/* The policy of HAYATE_WAIT (adaptive | spin | block) for `ranks` on `cpus`.
 * HAYATE_ERR_ARGUMENT. */
int hy_wait_policy_choose(hy_wait_policy *policy, int ranks, int cpus);

/* lap_ns of `ranks` on `cpus`. Both may come from shared memory: any values are allowed. */
uint32_t hy_wait_lap_ns(int ranks, int cpus);

/* The number of CPUs on which this process may run, at least 1. */
int hy_cpus(void);

/* The polls that a wait counts as done when it begins. */
uint32_t hy_wait_first_poll_in(uint32_t crowd, const hy_wait_policy *policy);
static inline uint32_t hy_wait_first_poll(const hy_wait_policy *policy)
{
    uint32_t crowd = hy_load_relaxed(&hy_wait_crowd);
    return hy_unlikely(crowd != 0) ? hy_wait_first_poll_in(crowd, policy) : 0;
}

/* The turns begin with polls again, as in a new wait. */
static inline void hy_wait_again(hy_wait *wait)
{
    wait->polls = hy_wait_first_poll(wait->policy);
}

static inline hy_wait hy_wait_begin(const hy_wait_policy *policy, hy_bell *bell)
{
    return (hy_wait){.policy = policy, .bell = bell, .polls = hy_wait_first_poll(policy)};
}

/* One turn after an unsuccessful poll. True if it was more than a pause: time to check for
 * failures and to make other progress. */
bool hy_wait_slow(hy_wait *wait);

static inline bool hy_wait_once(hy_wait *wait)
{
    if (hy_likely(wait->polls < wait->policy->spins)) {
        wait->polls++;
        hy_pause();
        return false;
    }
    return hy_wait_slow(wait);
}

/* For hy_wait_slow(): a yield of this wait took so long, which may shorten it. others: how many
 * more threads of this process had yielded and waited for their turn. */
void hy_wait_yielded(hy_wait *wait, uint64_t ns, uint32_t others);

/* For hy_wait_slow(): the yield before a sleep took so long. If nobody wanted the core, those who
 * wanted it before have probably gone. */
void hy_wait_yielded_last(uint64_t ns);

static inline bool hy_wait_is_long(const hy_wait *wait)
{
    return wait->lasted == HY_WAIT_LONG;
}

/* Must be called when the condition holds or the wait is given up; prepares for the next wait. */
void hy_wait_disarm(hy_wait *wait);
static inline void hy_wait_end(hy_wait *wait)
{
    if (hy_unlikely(wait->armed)) hy_wait_disarm(wait);
}

void hy_bell_ring_slow(hy_bell *bell);

/* Call after the release store that makes a waiter's condition true. */
static inline void hy_bell_ring(hy_bell *bell)
{
    atomic_signal_fence(memory_order_seq_cst); /* the compiler must not hoist the load */
    if (hy_unlikely(hy_load_relaxed(&bell->sleepers) != 0)) hy_bell_ring_slow(bell);
}

/* Sleeps until the bell rings after `seen`, or for `timeout_us`; returns the bell's value then. */
uint32_t hy_bell_sleep(hy_bell *bell, uint32_t seen, uint32_t timeout_us);

#endif
