/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Ranks that are threads of one process: TSan sees all of it, so that an order which the processor
 * happens to keep, but the program does not ask for, is found as well. */
#define RANKS 3
#include "ompl/spaces_fixture.h"

/* If one fails, the others do not wait for ever. */
#define LIMIT_US 20000000

#ifdef __SANITIZE_THREAD__
#define ROUNDS 300
#else
#define ROUNDS 3000
#endif

static bool holds(const uint8_t *memory, uint64_t len, uint8_t value)
{
    for (uint64_t i = 0; i < len; i++) {
        if (memory[i] != value) return false;
    }
    return true;
}

static int await(hy_ompl *ompl, uint64_t at, ompl_comparison_t comparison, uint64_t value)
{
    uint64_t seen;
    const hy_watch watch = {
        .at = at, .value = value, .comparison = comparison, .timeout_us = LIMIT_US};
    return hy_ompl_watch(ompl, &watch, &seen);
}

/* ---- data before flag ---- */

enum { FLAG = 32768, DONE = FLAG + 64 };

static int pass(hy_ompl *ompl, int to, uint64_t round)
{
    uint8_t data[700];
    memset(data, (int)(round & 0xff), sizeof data);
    const hy_buffer from = {.address = data};
    const hy_flag flag = {round, {round + 1, 2, 3}};
    uint64_t len = round % sizeof data;
    return hy_ompl_put_signal(ompl, &from, to, round % 64, len, FLAG, &flag);
}

static int take(hy_ompl *ompl, int from, uint64_t round)
{
    const hy_flag done = {round, {0, 0, 0}}, *flag = (const hy_flag *)(void *)(ompl->memory + FLAG);
    int rc = await(ompl, FLAG, OMPL_EQ, round);
    if (!rc && flag->data[0] != round + 1) rc = HAYATE_ERR_CORRUPT;
    if (!rc && !holds(ompl->memory + round % 64, round % 700, (uint8_t)round))
        rc = HAYATE_ERR_CORRUPT;
    return rc ? rc : hy_ompl_put_flag(ompl, from, DONE, &done);
}

static void *ring(void *argument)
{
    member *m = argument;
    for (uint64_t round = 1; round <= ROUNDS && !m->rc; round++) {
        m->rc = pass(m->ompl, (m->rank + 1) % RANKS, round);
        if (!m->rc) m->rc = take(m->ompl, (m->rank + RANKS - 1) % RANKS, round);
        if (!m->rc) m->rc = await(m->ompl, DONE, OMPL_EQ, round);
    }
    return NULL;
}

TEST(should_show_data_before_their_flag)
{
    in_threads(ring, HAYATE_OK);
}

/* ---- a lock of atomics orders plain accesses, too ---- */

enum { LOCK = 0, PLAIN = 64 };

static void *count_under_lock(void *argument)
{
    member *m = argument;
    uint64_t before, value;
    const hy_buffer buffer = {.address = (uint8_t *)&value};
    for (int i = 0; i < ROUNDS && !m->rc; i++) {
        do {
            m->rc = hy_ompl_atomic(m->ompl, 1, LOCK, HY_ATOMIC_COMPARE_SWAP, 1, 0, &before);
            if (before) sched_yield();
        } while (!m->rc && before);
        if (!m->rc) m->rc = hy_ompl_get(m->ompl, &buffer, 1, PLAIN, sizeof value);
        value++;
        if (!m->rc) m->rc = hy_ompl_put(m->ompl, &buffer, 1, PLAIN, sizeof value);
        if (!m->rc) m->rc = hy_ompl_atomic(m->ompl, 1, LOCK, HY_ATOMIC_SWAP, 0, 0, &before);
    }
    return NULL;
}

TEST(should_order_plain_accesses_by_atomics)
{
    uint64_t value;
    in_threads(count_under_lock, HAYATE_OK);
    memcpy(&value, members[1].ompl->memory + PLAIN, sizeof value);
    assert_int_equal(value, (uint64_t)RANKS * ROUNDS);
}

/* ---- accumulates ---- */

enum { ELEMENTS = 2500 };

static void *accumulate_often(void *argument)
{
    static const int64_t ones[ELEMENTS] = {[0 ... ELEMENTS - 1] = 1};
    const hy_buffer from = {.address = (uint8_t *)(uintptr_t)ones};
    member *m = argument;
    for (int i = 0; i < ROUNDS / 10 && !m->rc; i++) {
        m->rc = hy_ompl_accumulate(m->ompl, &from, NULL, 1, 0, sizeof ones, FMPL_LONG_SUM);
        if (!m->rc) m->rc = hy_ompl_accumulate(m->ompl, &from, NULL, 1, 800, 8, FMPL_LONG_SUM);
    }
    return NULL;
}

TEST(should_accumulate_into_one_part)
{
    in_threads(accumulate_often, HAYATE_OK);
    const int64_t *sums = (const int64_t *)(void *)members[1].ompl->memory;
    for (int i = 0; i < ELEMENTS; i++)
        assert_int_equal(sums[i], RANKS * (ROUNDS / 10) * (i == 100 ? 2 : 1));
}

/* ---- closing ---- */

static void *wait_for_ever(void *argument)
{
    member *m = argument;
    m->rc = await(m->ompl, 0, OMPL_NE, 0);
    return NULL;
}

static void *close_soon(void *argument)
{
    (void)argument;
    for (int i = 0; i < 200; i++) sched_yield();
    for (int i = 0; i < RANKS; i++) hy_ompl_close(members[i].ompl);
    return NULL;
}

TEST(should_end_waits_of_other_threads_when_closed)
{
    for (int i = 0; i < 5; i++) {
        pthread_t closer;
        assert_int_equal(pthread_create(&closer, NULL, close_soon, NULL), 0);
        in_threads(wait_for_ever, HAYATE_ERR_CLOSED);
        pthread_join(closer, NULL);
        close_spaces();
        open_spaces(0);
    }
}

/* A wait that must come back does, and goes on in the next call. */
TEST(should_come_back_from_a_bounded_wait)
{
    uint64_t seen = 1;
    const hy_watch watch = {.comparison = OMPL_EQ, .value = 3, .timeout_us = -1, .polls = 9};
    const hy_flag flag = {.value = 3};
    assert_code(hy_ompl_watch(members[0].ompl, &watch, &seen), HAYATE_IN_PROGRESS);
    assert_int_equal(seen, 0);
    assert_ok(hy_ompl_put_flag(members[2].ompl, 0, 0, &flag));
    assert_ok(hy_ompl_watch(members[0].ompl, &watch, &seen));
    assert_int_equal(seen, 3);
}

TEST(should_tell_of_a_death_in_the_shortest_wait)
{
    uint64_t seen;
    const hy_watch brief = {.comparison = OMPL_NE, .timeout_us = 1};
    const hy_watch bounded = {.comparison = OMPL_NE, .timeout_us = -1, .polls = 1};
    const hy_watch ignoring = {.comparison = OMPL_NE, .timeout_us = 1, .how = OMPL_IGNORE_FAILURES};
    hy_control *control = members[0].job->boot.control;
    members[0].job->policy = hy_wait_brief; /* time is over before its first slow turn */
    assert_code(hy_ompl_watch(members[0].ompl, &brief, &seen), HAYATE_IN_PROGRESS);
    hy_control_publish(control, 1, HY_RANK_DEAD, 256 + 9);
    assert_code(hy_ompl_watch(members[0].ompl, &brief, &seen), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 1);
    assert_code(hy_ompl_watch(members[0].ompl, &bounded, &seen), HAYATE_ERR_PEER_FAILED);
    assert_code(hy_ompl_watch(members[0].ompl, &ignoring, &seen), HAYATE_IN_PROGRESS);
    assert_code(hy_ompl_watch(members[0].ompl, &(hy_watch){.comparison = OMPL_NE}, &seen),
                HAYATE_IN_PROGRESS); /* which only looks at the word */
    hy_store_release(&hy_control_live_of(control)->ranks[1].state, HY_RANK_JOINED);
}

/* Who is counted as waiting makes others yield. */
TEST(should_count_nobody_who_waits_no_more)
{
    uint64_t seen;
    const hy_flag flag = {.value = 3};
    const hy_watch watch = {.comparison = OMPL_EQ, .value = 3, .timeout_us = 3000};
    assert_code(hy_ompl_watch(members[0].ompl, &watch, &seen), HAYATE_IN_PROGRESS);
    assert_int_equal(hy_load_relaxed(&members[0].ompl->waiting), 0);
    assert_ok(hy_ompl_put_flag(members[2].ompl, 0, 0, &flag));
    assert_ok(hy_ompl_watch(members[0].ompl, &watch, &seen));
    assert_int_equal(hy_load_relaxed(&members[0].ompl->waiting), 0);
    pthread_t waiter;
    assert_int_equal(pthread_create(&waiter, NULL, wait_for_ever, &members[1]), 0);
    while (hy_load_relaxed(&members[1].ompl->waiting) == 0) sched_yield();
    assert_ok(hy_ompl_put_flag(members[2].ompl, 1, 0, &flag));
    pthread_join(waiter, NULL);
    assert_ok(members[1].rc);
    assert_int_equal(hy_load_relaxed(&members[1].ompl->waiting), 0);
}

static int set_up(void **state)
{
    (void)state;
    open_spaces(0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    close_spaces();
    return 0;
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
