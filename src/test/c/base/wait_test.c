/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* tsan */
#include "base/test.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/wait.h"

#ifdef __SANITIZE_THREAD__
#define ROUNDS 2000u
#else
#define ROUNDS 6000u
#endif

static const hy_wait_policy block = {.spins = 0, .yields = 0};

/* One side of a ping-pong: it waits for `turn` on its bell, then sets the other's. */
typedef struct side {
    HY_ALIGNED hy_bell bell;
    HY_ALIGNED _Atomic uint32_t turn; /* the condition */
    HY_ALIGNED _Atomic uint32_t rung; /* the round whose ring has returned */
} side;

typedef struct game {
    side sides[2];
    unsigned seed;
    _Atomic uint32_t lost, slept;
} game;

/* Now and then for longer than a brief sleep, after which the sleeper has everybody fence. */
static void dawdle(unsigned *seed)
{
    if (rand_r(seed) % 64 == 0) usleep(1000 + (useconds_t)(rand_r(seed) % 1000));
    for (int i = rand_r(seed) % 256; i > 0; i--) hy_pause();
}

/* A ring is lost if the condition became true after everybody had fenced and the sleeper had found
 * it false once more, and yet the bell did not move. No clock is needed to see that. */
static void await(game *g, side *mine, uint32_t round)
{
    hy_wait wait = hy_wait_begin(&block, &mine->bell);
    bool missed = false;
    uint32_t before = 0;
    while (hy_load_acquire(&mine->turn) != round) {
        if (wait.fenced && !missed) before = wait.armed_seq;
        missed |= wait.fenced;
        hy_wait_once(&wait);
    }
    if (missed) {
        atomic_fetch_add(&g->slept, 1);
        while (hy_load_acquire(&mine->rung) != round) hy_pause();
        if (hy_load_acquire(&mine->bell.seq) == before) atomic_fetch_add(&g->lost, 1);
    }
    hy_wait_end(&wait);
}

static void signal_side(side *theirs, uint32_t round)
{
    hy_store_release(&theirs->turn, round);
    hy_bell_ring(&theirs->bell);
    hy_store_release(&theirs->rung, round);
}

static void play(game *g, int me)
{
    unsigned seed = g->seed + (unsigned)me;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        if (me == 0) signal_side(&g->sides[1], round);
        await(g, &g->sides[me], round);
        dawdle(&seed);
        if (me == 1) signal_side(&g->sides[0], round);
    }
}

static bool can_fence(void)
{
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return commands > 0 && (commands & MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

static void judge(const game *g)
{
    assert_int_equal(g->slept > 0, can_fence());
    assert_int_equal(g->lost, 0);
    for (int i = 0; i < 2; i++) assert_int_equal(g->sides[i].bell.sleepers, 0);
}

static void *second_thread(void *argument)
{
    play(argument, 1);
    return NULL;
}

TEST(should_lose_no_ring_between_threads)
{
    for (unsigned seed = 1; seed <= 3; seed++) {
        static game g;
        pthread_t thread;
        memset(&g, 0, sizeof g);
        g.seed = seed;
        assert_int_equal(pthread_create(&thread, NULL, second_thread, &g), 0);
        play(&g, 0);
        pthread_join(thread, NULL);
        judge(&g);
    }
}

TEST(should_lose_no_ring_between_processes)
{
    game *g = mmap(NULL, sizeof *g, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(g, MAP_FAILED);
    g->seed = 99;
    pid_t child = fork();
    if (child == 0) {
        hy_wait_setup();
        play(g, 1);
        _exit(0);
    }
    int status;
    play(g, 0);
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    judge(g);
    munmap(g, sizeof *g);
}

TEST(should_sleep_at_most_for_the_time_given)
{
    hy_bell bell = {0};
    uint64_t start = hy_now_ns();
    assert_int_equal(hy_bell_sleep(&bell, 0, 20000), 0);
    uint64_t took = hy_now_ns() - start;
    assert_true(took >= (can_fence() ? 19000000u : 900000u));
}

TEST(should_not_sleep_when_the_bell_has_rung_since)
{
    hy_bell bell = {0};
    uint64_t start = hy_now_ns();
    hy_bell_ring_slow(&bell);
    assert_int_equal(hy_bell_sleep(&bell, 0, 30000000), 1);
    assert_true(hy_now_ns() - start < 20000000000u);
}

TEST(should_not_touch_the_bell_when_nobody_sleeps)
{
    hy_bell bell = {0};
    hy_bell_ring(&bell);
    assert_int_equal(bell.seq, 0);
    bell.sleepers = 1;
    hy_bell_ring(&bell);
    assert_int_equal(bell.seq, 1);
}

/* For tests that count turns: no yield is so long that others seem to compute. */
#define UNDISTURBED UINT32_MAX

TEST(should_spin_then_yield_then_arm)
{
    const hy_wait_policy policy = {.spins = 5, .yields = 32, .lap_ns = UNDISTURBED};
    hy_bell bell = {0};
    hy_wait_crowd = 0;
    hy_wait wait = hy_wait_begin(&policy, &bell);
    int slow = 0;
    for (int i = 0; i < 5; i++) assert_false(hy_wait_once(&wait));
    for (int i = 0; i < 32; i++) slow += hy_wait_once(&wait);
    assert_in_range(slow, 1, 4);
    assert_int_equal(bell.sleepers, 0);
    assert_true(hy_wait_once(&wait));
    assert_true(wait.armed);
    assert_int_equal(bell.sleepers, 1);
    hy_wait_end(&wait);
    assert_int_equal(bell.sleepers, 0);
}

static uint64_t time_of_turn(hy_wait *wait)
{
    uint64_t start = hy_now_ns();
    assert_true(hy_wait_once(wait));
    return hy_now_ns() - start;
}

/* The usual sleep takes 50 ms, except for the first one, and nobody rings. */
static uint64_t fastest_sleep(hy_wait *wait)
{
    uint64_t fastest = UINT64_MAX;
    assert_true(hy_wait_once(wait)); /* arms */
    assert_false(wait->fenced);
    assert_true(time_of_turn(wait) >= 900000);
    assert_int_equal(wait->fenced, can_fence());
    for (int i = 0; i < 8; i++) {
        uint64_t took = time_of_turn(wait);
        if (took < fastest) fastest = took;
    }
    hy_wait_end(wait);
    return fastest;
}

#define MICROSECOND UINT64_C(1000)
#define MILLISECOND UINT64_C(1000000)

static const hy_wait_policy spinning = {.spins = 100, .yields = 10};
static const hy_wait_policy polling = {.spins = 100, .yields = HY_WAIT_NEVER_SLEEPS};

static uint32_t first_poll(const hy_wait_policy *policy)
{
    hy_bell bell = {0};
    return hy_wait_begin(policy, &bell).polls;
}

static void yielded(uint64_t ns, int times)
{
    hy_bell bell = {0};
    hy_wait wait = hy_wait_begin(&spinning, &bell);
    for (int i = 0; i < times; i++) hy_wait_yielded(&wait, ns, 0);
}

TEST(should_spin_little_while_others_wait_in_turn)
{
    hy_wait_crowd = 0;
    yielded(20 * MICROSECOND, 1);
    assert_int_equal(first_poll(&spinning), 84);
    assert_int_equal(first_poll(&polling), 84);
    assert_int_equal(first_poll(&hy_wait_shared), 0); /* spins as little in any case */
    assert_int_equal(first_poll(&hy_wait_brief), 0);
    yielded(MICROSECOND, 63);
    assert_int_equal(first_poll(&spinning), 84);
    yielded(MICROSECOND, 1);
    assert_int_equal(first_poll(&spinning), 0); /* they have gone */
}

TEST(should_sleep_at_once_while_others_compute)
{
    hy_bell bell = {0};
    hy_wait_crowd = 0;
    yielded(3 * MILLISECOND, 1);
    assert_int_equal(first_poll(&spinning), 110);
    assert_int_equal(first_poll(&polling), 84); /* never sleeps */
    assert_int_equal(first_poll(&hy_wait_brief), 0);
    yielded(20 * MICROSECOND, 1); /* of one that waits: the others may still compute */
    hy_wait wait = hy_wait_begin(&hy_wait_shared, &bell);
    assert_true(hy_wait_once(&wait));
    assert_true(wait.armed);
    hy_wait_end(&wait);
}

TEST(should_no_longer_sleep_at_once_when_the_others_have_gone)
{
    hy_wait_crowd = 0;
    yielded(3 * MILLISECOND, 1);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(first_poll(&spinning), 110);
        hy_wait_yielded_last(MICROSECOND);
    }
    for (int i = 0; i < 8; i++) { /* one was there: he may come back */
        assert_int_equal(first_poll(&spinning), 110);
        hy_wait_yielded_last(20 * MICROSECOND);
    }
    assert_int_equal(first_poll(&spinning), 0);
    hy_wait_yielded_last(MICROSECOND);
    assert_int_equal(hy_wait_crowd, 0);
}

TEST(should_end_the_yields_of_the_wait_that_finds_others_computing)
{
    hy_bell bell = {0};
    hy_wait_crowd = 0;
    hy_wait wait = hy_wait_begin(&spinning, &bell);
    for (int i = 0; i < 100; i++) hy_wait_once(&wait);
    hy_wait_yielded(&wait, 2 * MILLISECOND, 0);
    assert_false(wait.armed);
    hy_wait_once(&wait);
    assert_true(wait.armed);
    hy_wait_end(&wait);
}

TEST(should_not_take_a_lap_of_many_ranks_for_a_program_that_computes)
{
    hy_wait_policy policy;
    hy_bell bell = {0};
    hy_wait_crowd = 0;
    assert_ok(hy_wait_policy_choose(&policy, 128, 2));
    hy_wait wait = hy_wait_begin(&policy, &bell);
    hy_wait_yielded(&wait, 2 * MILLISECOND, 0); /* 64 turns of 30 us */
    assert_int_equal(hy_wait_crowd & HY_WAIT_OTHERS_COMPUTE, 0);
    hy_wait_yielded(&wait, 20 * MILLISECOND, 0);
    assert_int_not_equal(hy_wait_crowd & HY_WAIT_OTHERS_COMPUTE, 0);
    assert_int_equal(hy_wait_lap_ns(4, 0), hy_wait_lap_ns(4, 1)); /* damaged */
}

TEST(should_not_take_many_threads_that_wait_for_a_program_that_computes)
{
    hy_bell bell = {0};
    hy_wait_crowd = 0;
    hy_wait wait = hy_wait_begin(&spinning, &bell);
    hy_wait_yielded(&wait, 2 * MILLISECOND, 63);
    assert_int_equal(hy_wait_crowd & HY_WAIT_OTHERS_COMPUTE, 0);
    assert_int_not_equal(hy_wait_crowd, 0); /* but it should spin little */
    hy_wait_yielded(&wait, 20 * MILLISECOND, 63);
    assert_int_not_equal(hy_wait_crowd & HY_WAIT_OTHERS_COMPUTE, 0);
}

TEST(should_yield_a_few_times_before_a_wait_on_a_shared_core_sleeps)
{
    hy_bell bell = {0};
    hy_wait_policy policy = hy_wait_shared;
    uint32_t turns = 0;
    policy.lap_ns = UNDISTURBED;
    hy_wait_crowd = 64; /* others wait */
    hy_wait wait = hy_wait_begin(&policy, &bell);
    for (; !wait.armed; turns++) hy_wait_once(&wait);
    hy_wait_end(&wait);
    assert_int_equal(turns, policy.spins + policy.yields + 1); /* the last one only armed */
}

TEST(should_sleep_no_longer_than_a_wait_wants)
{
    const hy_wait_policy policy = {.spins = 0};
    hy_bell bell = {0};
    hy_wait wait = hy_wait_begin(&policy, &bell);
    wait.sleep_us = 2000;
    assert_in_range(fastest_sleep(&wait), 900000, 30000000); /* 1 ms where membarrier is refused */
}

typedef struct ringer {
    const hy_bell *bell;
    bool rings;
    int asked;
} ringer;

static bool will_ring(void *context)
{
    ringer *who = context;
    who->asked++;
    assert_int_equal(who->bell->sleepers, 1); /* or it could not know for whom */
    return who->rings;
}

TEST(should_sleep_as_usual_only_while_somebody_rings_for_all_work)
{
    hy_bell bell = {0};
    ringer who = {.bell = &bell};
    const hy_wait_policy policy = {.spins = 0,
                                   .limit = {.us = 2000, .lifted = will_ring, .context = &who}};
    hy_wait wait = hy_wait_begin(&policy, &bell);
    assert_in_range(fastest_sleep(&wait), 900000, 30000000);
    assert_int_equal(who.asked, 9); /* before each */
    who.rings = true;
    wait = hy_wait_begin(&policy, &bell);
    if (can_fence()) assert_true(fastest_sleep(&wait) >= 49000000);
    assert_int_equal(who.asked, can_fence() ? 18 : 9);
}

TEST(should_never_arm_when_spinning)
{
    hy_wait_policy policy;
    hy_bell bell = {0};
    setenv("HAYATE_WAIT", "spin", 1);
    assert_ok(hy_wait_policy_choose(&policy, 2, 2));
    unsetenv("HAYATE_WAIT");
    hy_wait wait = hy_wait_begin(&policy, &bell);
    int slow = 0;
    for (int i = 0; i < 100000; i++) slow += hy_wait_once(&wait);
    assert_in_range(slow, 5, 1000); /* now and then it is time to look at failures */
    assert_false(wait.armed);
    assert_int_equal(bell.sleepers, 0);
}

TEST(should_choose_the_policy_that_is_asked_for)
{
    hy_wait_policy policy, crowded;
    setenv("HAYATE_WAIT", "spin", 1);
    assert_ok(hy_wait_policy_choose(&policy, 2, 2));
    assert_int_equal(policy.yields, HY_WAIT_NEVER_YIELDS);
    setenv("HAYATE_WAIT", "block", 1);
    assert_ok(hy_wait_policy_choose(&policy, 2, 2));
    assert_in_range(policy.spins, 0, 50);
    assert_in_range(policy.yields, 1, 50);
    unsetenv("HAYATE_WAIT");
    assert_ok(hy_wait_policy_choose(&policy, 2, 2));
    assert_in_range(policy.spins, 1000, 4000);
    assert_ok(hy_wait_policy_choose(&crowded, 3, 2));
    assert_int_equal(crowded.spins, hy_wait_shared.spins);
    assert_int_equal(crowded.yields, hy_wait_shared.yields);
    setenv("HAYATE_WAIT", "sleep", 1);
    assert_refused(hy_wait_policy_choose(&policy, 2, 2), HAYATE_ERR_ARGUMENT, "HAYATE_WAIT=sleep");
    unsetenv("HAYATE_WAIT");
}

int main(void)
{
    hy_wait_setup();
    return tests_run();
}
