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

const hy_wait_policy hy_wait_crowded = {.spins = HY_WAIT_CROWDED_SPINS, .yields = 600};

/* Never spins. The ranks of a machine with fewer cores mostly wait for each other: a few yields let
 * all of them go on by turns, at a tenth of the cost of sleeping and being woken. */
#define BLOCK_YIELDS 16
/* A turn of a thread that computes takes milliseconds, one of a rank that waits microseconds. */
#define TURN_OF_COMPUTING_NS 1000000
#define TURN_OF_WAITING_NS 100000

static hy_wait_policy blocking(int ranks, int cpus)
{
    uint32_t turns = (uint32_t)(ranks / cpus);
    return (hy_wait_policy){.yields = BLOCK_YIELDS,
                            .long_yield_ns = TURN_OF_COMPUTING_NS + turns * TURN_OF_WAITING_NS,
                            .crowd_polls = BLOCK_YIELDS};
}

/* With one core per rank, spins for about 50 us. With fewer cores than ranks, another rank needs
 * the core at once, but a yield is still much cheaper than a sleep. */
int hy_wait_policy_choose(hy_wait_policy *policy, int ranks, int cpus)
{
    enum { ADAPTIVE, SPIN, BLOCK }; /* in the order of the setting's words */
    uint64_t choice;
    int rc = hy_setting_value(HY_SET(WAIT), &choice);
    if (rc) return rc;
    if (choice == SPIN) *policy = (hy_wait_policy){.spins = 4096, .yields = UINT32_MAX};
    else if (choice == BLOCK) *policy = blocking(ranks, cpus);
    else if (ranks > cpus) *policy = hy_wait_crowded;
    else *policy = HY_WAIT_ADAPTIVE(2000, 200);
    return HAYATE_OK;
}

const hy_wait_policy hy_wait_brief = {.spins = 4096, .yields = UINT32_MAX};

_Atomic uint32_t hy_wait_crowd;

/* Short yields, or waits that sleep at once, after which the crowd may have gone. */
#define CROWD 64

/* Threads of the process may lose each other's counts: it is an estimate. */
static void count_down(void)
{
    uint32_t crowd = hy_load_relaxed(&hy_wait_crowd);
    if (crowd) hy_store_relaxed(&hy_wait_crowd, crowd - 1);
}

static void yield(hy_wait *wait)
{
    const hy_wait_policy *policy = wait->policy;
    uint64_t start = policy->long_yield_ns ? hy_now_ns() : 0;
    sched_yield();
    if (!start) return;
    if (hy_now_ns() - start <= policy->long_yield_ns) {
        count_down();
        return;
    }
    hy_store_relaxed(&hy_wait_crowd, CROWD);
    if (wait->polls < policy->crowd_polls) wait->polls = policy->crowd_polls;
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
    sched_yield();
    count_down();
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
    if (policy->yields == UINT32_MAX) { /* pure spinning, with a slow turn now and then */
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
