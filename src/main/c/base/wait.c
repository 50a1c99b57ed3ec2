/* SPDX-License-Identifier: Apache-2.0 */
/* The turns of a wait, the registration for membarrier, and the futex of a bell. */
#include "base/wait.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/settings.h"
#include "base/status.h"

/* The longest sleep: how late a death is noticed for which nothing rings. */
#define SLEEP_US 50000
/* The longest sleep if a ring can be lost. */
#define BRIEF_SLEEP_US 1000

static _Atomic bool fenced;

static long membarrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0);
}

void hy_wait_setup(void)
{
    fenced = membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
}

int hy_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

/* A yield takes less than 1000 ns if nobody else wants the core, and at least 5000 if another
 * thread takes a turn. A turn of a thread that waits takes microseconds (30 in a JVM with cold
 * caches, and 100 are allowed); one of a thread that computes takes milliseconds. */
#define TURN_OF_WAITING_NS 5000
#define TURN_OF_JVM_NS 100000
#define TURN_OF_COMPUTING_NS UINT64_C(1000000)

/* Polls with pause while others wait in turn. What a rank of another core sends meanwhile is found
 * by them; a rank that serves others and left its core each time would come back after their turns,
 * and serve one of them. */
#define FEW_SPINS 16

const hy_wait_policy hy_wait_shared = {.spins = FEW_SPINS, .yields = 16};
const hy_wait_policy hy_wait_brief = {.spins = 4096, .yields = HY_WAIT_NEVER_YIELDS};

/* With one core per rank, spins for about 50 us. With fewer, another rank needs the core at once.
 */
int hy_wait_policy_choose(hy_wait_policy *policy, int ranks, int cpus)
{
    enum { ADAPTIVE, SPIN, BLOCK }; /* in the order of the setting's words */
    uint64_t choice;
    int rc = hy_setting_value(HY_SET(WAIT), &choice);
    if (rc) return rc;
    if (choice == SPIN) *policy = hy_wait_brief;
    else if (choice == BLOCK || ranks > cpus) *policy = hy_wait_shared;
    else *policy = (hy_wait_policy){.spins = 2000, .yields = 200, .adaptive = true};
    policy->lap_ns = hy_wait_lap_ns(ranks, cpus);
    return HAYATE_OK;
}

uint32_t hy_wait_lap_ns(int ranks, int cpus)
{
    return (uint32_t)(cpus > 0 ? ranks / cpus : ranks) * TURN_OF_JVM_NS;
}

/* ---- who else wants the cores ---- */

_Atomic uint32_t hy_wait_crowd;

/* Short yields, or waits that sleep at once, after which the others may have gone. */
#define CROWD 64
/* For how many of them a wait counts that found nobody on its core before it slept: one long yield
 * (a compiler of the JVM, the hypervisor) must not cost 64 sleeps. */
#define GONE 8

/* Threads of the process may lose each other's counts: it is an estimate. */
static void count_down(uint32_t crowd, uint32_t by)
{
    if (!crowd) return;
    uint32_t left = crowd & ~HY_WAIT_OTHERS_COMPUTE;
    left = left > by ? left - by : 0;
    hy_store_relaxed(&hy_wait_crowd, left ? left | (crowd & HY_WAIT_OTHERS_COMPUTE) : 0);
}

uint32_t hy_wait_first_poll_in(uint32_t crowd, const hy_wait_policy *policy)
{
    if (policy->yields == HY_WAIT_NEVER_YIELDS) return 0;
    bool sleeps = policy->yields != HY_WAIT_NEVER_SLEEPS && crowd & HY_WAIT_OTHERS_COMPUTE;
    if (sleeps) return policy->spins + policy->yields;
    return policy->spins > FEW_SPINS ? policy->spins - FEW_SPINS : 0;
}

void hy_wait_yielded(hy_wait *wait, uint64_t ns, uint32_t others)
{
    uint64_t lap = wait->policy->lap_ns + (uint64_t)others * TURN_OF_JVM_NS;
    uint32_t crowd = hy_load_relaxed(&hy_wait_crowd), was = crowd;
    if (ns >= TURN_OF_COMPUTING_NS + lap) {
        crowd = CROWD | HY_WAIT_OTHERS_COMPUTE;
    } else if (ns >= TURN_OF_WAITING_NS && !(crowd & HY_WAIT_OTHERS_COMPUTE)) {
        crowd = CROWD;
    } else {
        count_down(crowd, 1);
        return;
    }
    if (crowd != was) hy_store_relaxed(&hy_wait_crowd, crowd);
    uint32_t first = hy_wait_first_poll_in(crowd, wait->policy);
    if (wait->polls < first) wait->polls = first;
}

/* Threads of this process that have yielded, and wait for their next turn. */
static _Atomic uint32_t yielding;

static void yield(hy_wait *wait)
{
    uint64_t start = hy_now_ns();
    uint32_t others = atomic_fetch_add_explicit(&yielding, 1, memory_order_relaxed);
    sched_yield();
    atomic_fetch_sub_explicit(&yielding, 1, memory_order_relaxed);
    hy_wait_yielded(wait, hy_now_ns() - start, others);
}

void hy_wait_yielded_last(uint64_t ns)
{
    count_down(hy_load_relaxed(&hy_wait_crowd), ns < TURN_OF_WAITING_NS ? GONE : 1);
}

/* While it yields, stores that signallers made before they looked for sleepers nearly always become
 * visible; for those that do not, the first sleep is brief. */
static void arm(hy_wait *wait)
{
    atomic_fetch_add_explicit(&wait->bell->sleepers, 1, memory_order_seq_cst);
    wait->armed_seq = hy_load_relaxed(&wait->bell->seq);
    wait->armed = true;
    wait->fenced = false;
    if (!wait->lasted) wait->lasted = HY_WAIT_ARMED;
    atomic_thread_fence(memory_order_seq_cst);
    uint64_t start = hy_now_ns();
    sched_yield();
    hy_wait_yielded_last(hy_now_ns() - start);
}

void hy_wait_disarm(hy_wait *wait)
{
    atomic_fetch_sub_explicit(&wait->bell->sleepers, 1, memory_order_relaxed);
    wait->armed = false;
}

static uint32_t longest_sleep(const hy_wait *wait)
{
    const hy_wait_limit *limit = &wait->policy->limit;
    uint32_t us = SLEEP_US;
    if (wait->sleep_us && wait->sleep_us < us) us = wait->sleep_us;
    if (limit->us && limit->us < us && !(limit->lifted && limit->lifted(limit->context)))
        us = limit->us;
    return us;
}

/* Until nobody has rung during a sleep, a ring may be lost, and sleeps are brief. */
static void sleep_armed(hy_wait *wait)
{
    uint32_t us = longest_sleep(wait), before = wait->armed_seq;
    if (!wait->fenced && us > BRIEF_SLEEP_US) us = BRIEF_SLEEP_US;
    wait->armed_seq = hy_bell_sleep(wait->bell, before, us);
    if (wait->fenced || wait->armed_seq != before || !fenced) return;
    membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
    wait->fenced = true;
}

/* The first slow turn after the yields only arms the bell: the caller polls once more before the
 * sleep. */
bool hy_wait_slow(hy_wait *wait)
{
    const hy_wait_policy *policy = wait->policy;
    if (policy->yields == HY_WAIT_NEVER_YIELDS) { /* pure spinning, with a slow turn now and then */
        wait->polls = 0;
        wait->lasted = HY_WAIT_LONG;
        return true;
    }
    if (wait->polls - policy->spins < policy->yields) {
        wait->polls++;
        yield(wait);
        return (wait->polls & 15) == 0;
    }
    if (!wait->armed) {
        arm(wait);
        return true;
    }
    sleep_armed(wait);
    wait->lasted = HY_WAIT_LONG;
    return true;
}

uint32_t hy_bell_sleep(hy_bell *bell, uint32_t seen, uint32_t timeout_us)
{
    if (!fenced && timeout_us > BRIEF_SLEEP_US) timeout_us = BRIEF_SLEEP_US;
    struct timespec timeout = {.tv_sec = timeout_us / 1000000,
                               .tv_nsec = (long)(timeout_us % 1000000) * 1000};
    syscall(SYS_futex, &bell->seq, FUTEX_WAIT, seen, &timeout, NULL, 0);
    return hy_load_acquire(&bell->seq);
}

void hy_bell_ring_slow(hy_bell *bell)
{
    atomic_fetch_add_explicit(&bell->seq, 1, memory_order_release);
    syscall(SYS_futex, &bell->seq, FUTEX_WAKE, 0x7fffffff, NULL, NULL, 0);
}
