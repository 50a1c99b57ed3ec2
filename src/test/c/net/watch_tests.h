/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that sleep, and are woken by a network that has descriptors. None lets its network work by
 * itself, and progress threads look at nothing unless they are called: so what comes is brought by
 * the descriptors, or never. Tests set hy_net_progress_ms to -1. */
#ifndef HY_TEST_NET_WATCH_TESTS_H
#define HY_TEST_NET_WATCH_TESTS_H

#include "net/fixture.h"

#include "net/net_progress.h"

#define FLAG_AT 0
#define ROUNDS 300
#define LONG (UINT64_C(20) << 20)

static uint64_t word_of(const member *me)
{
    return hy_load_acquire((const _Atomic uint64_t *)(const void *)(me->part + FLAG_AT));
}

static void lie_down(member *me)
{
    atomic_fetch_add(&me->bell->sleepers, 1);
    atomic_thread_fence(memory_order_seq_cst);
}

static void get_up(member *me)
{
    atomic_fetch_sub(&me->bell->sleepers, 1);
}

static void sleep_until_flag(member *me, uint64_t value)
{
    lie_down(me);
    for (uint32_t seen = hy_load_acquire(&me->bell->seq); word_of(me) != value;) {
        CHECK(me->net->ops->watches(me->net));
        seen = hy_bell_sleep(me->bell, seen, 1000);
    }
    get_up(me);
}

static void dawdle(unsigned *seed)
{
    for (int i = rand_r(seed) % 4096; i > 0; i--) hy_pause();
}

/* The first flag makes the connection. What comes while the progress thread arms must not be lost
 * either. */
LIFE_TEST(should_lose_no_message_between_ranks_that_sleep, 2)
{
    hy_ep *other = &me->eps[1 - me->rank];
    unsigned seed = 7 + (unsigned)me->rank;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if (me->rank == 0) put_flag(other, FLAG_AT, round);
        sleep_until_flag(me, round);
        dawdle(&seed);
        if (me->rank == 1) put_flag(other, FLAG_AT, round);
    }
}

/* The other has gone to sleep by then, as its progress thread knows. */
static void tell_late(member *me)
{
    while (!me->w->note[0]) usleep(1000);
    put_flag(&me->eps[1], FLAG_AT, 1);
}

LIFE_TEST(should_wake_who_sleeps_for_its_first_message, 2)
{
    if (me->rank == 0) {
        tell_late(me);
        return;
    }
    lie_down(me);
    CHECK(me->net->ops->watches(me->net));
    me->w->note[0] = 1;
    for (uint32_t seen = 0; word_of(me) != 1;) seen = hy_bell_sleep(me->bell, seen, 1000);
    while (hy_load_acquire(&me->bell->seq) == 0) sched_yield(); /* or it is over with SIGALRM */
    get_up(me);
}

/* None of these writes says a word to the part's owner, whose processor the provider needs. */
LIFE_TEST(should_take_long_data_asleep, 2)
{
    static uint8_t data[LONG];
    hy_ep *other = &me->eps[1 - me->rank];
    if (me->rank == 0) {
        fill(data, LONG, 5);
        CHECK_OK(other->ops->put_start(other, DATA_AT, data, LONG));
        CHECK_OK(other->ops->flush(other));
        put_flag(other, FLAG_AT, 1);
        return;
    }
    sleep_until_flag(me, 1);
    CHECK(holds(me->part + DATA_AT, LONG, 5));
}

/* By a lane of its own, and the end of it rings the bell as well. */
LIFE_TEST(should_ring_for_the_end_of_what_a_sleeper_began, 2)
{
    static _Atomic uint8_t data[LONG];
    hy_ep end;
    const uint8_t last = byte_of(1 - (uint64_t)me->rank, LONG - 1);
    fill(me->part + DATA_AT, LONG, (uint64_t)me->rank);
    meet(me);
    me->net->ops->attach(me->net, &end, 1 - me->rank, 3);
    lie_down(me);
    CHECK_OK(end.ops->get_start(&end, DATA_AT, (void *)data, LONG));
    for (bool there = false; !there;) {
        CHECK(me->net->ops->watches(me->net));
        hy_bell_sleep(me->bell, 0, 1000);
        there = hy_load_acquire(&data[LONG - 1]) == last;
    }
    while (hy_load_acquire(&me->bell->seq) == 0) sched_yield(); /* or it is over with SIGALRM */
    get_up(me);
}

#endif
