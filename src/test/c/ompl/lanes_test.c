/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Endpoints to a far rank go by lanes of their own, between which nothing keeps an order: two ranks
 * of one process over the path of net/fault, which is as late as it may be. */
#define RANKS 2
#include "ompl/spaces_fixture.h"

#include "job/progress.h"
#include "net/fault/fault_path.h"
#include "net/net.h"
#include "nodes/far.h"

#define ROUNDS 200
#define FLAG 32768

static void open_pair(const char *plan, int endpoints)
{
    assert_true(fault_jobs(plan));
    open_spaces(endpoints);
}

static void close_pair(void)
{
    close_spaces();
    assert_true(fault_jobs(NULL));
}

static uint64_t word_of_rank_1(uint64_t at)
{
    return hy_load_acquire((_Atomic uint64_t *)(void *)(members[1].ompl->memory + at));
}

static int put(uint64_t value, uint64_t at)
{
    const hy_buffer from = {.address = (uint8_t *)&value};
    return hy_ompl_put(members[0].ompl, &from, 1, at, sizeof value);
}

static int put_flag(uint64_t value)
{
    const hy_flag flag = {value, {0, 0, 0}};
    return hy_ompl_put_flag(members[0].ompl, 1, FLAG, &flag);
}

static void see_flag(uint64_t value)
{
    while (word_of_rank_1(FLAG) != value) hy_progress_all(members[0].job);
}

/* Nobody else has it meanwhile. */
static void leave_only(int endpoint)
{
    hy_store_relaxed(&members[0].ompl->endpoints->free, UINT64_C(1) << endpoint);
}

TEST(should_not_let_a_flag_overtake_its_data_on_another_lane)
{
    open_pair("seed=1,delay=95", 2);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        leave_only(0);
        assert_ok(put(round, 64));
        leave_only(1);
        assert_ok(put(round, 128));
        leave_only((int)(round & 1));
        assert_ok(put_flag(round));
        see_flag(round);
        assert_int_equal(word_of_rank_1(64), round);
        assert_int_equal(word_of_rank_1(128), round);
    }
    close_pair();
}

/* One thread of the test stands for two carriers: it takes the endpoint that is left. */
TEST(should_keep_the_order_of_a_virtual_thread_on_any_carrier)
{
    open_pair("seed=2,delay=95", 2);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        hy_endpoint_run.is_virtual = true;
        leave_only(0);
        assert_ok(put(round, 64));
        leave_only(1);
        hy_endpoint_run.far_serial = 0; /* the other carrier knows nothing */
        assert_ok(put_flag(round));
        see_flag(round);
        assert_int_equal(word_of_rank_1(64), round);
    }
    hy_endpoint_run.is_virtual = false;
    close_pair();
}

TEST(should_go_by_the_lane_of_the_thread)
{
    open_pair("seed=3,delay=0", 0);
    int lane = hy_stripe_mine() + 1;
    assert_null(hy_far_known_end(members[0].job, lane, 1));
    assert_ok(put(1, 64));
    const hy_ep *end = hy_far_known_end(members[0].job, lane, 1);
    assert_non_null(end);
    assert_int_equal(end->lane, lane);
    assert_ok(put(2, 64));
    assert_ptr_equal(hy_far_known_end(members[0].job, lane, 1), end);
    for (int other = 1; other < HY_NET_LANES; other++)
        if (other != lane) assert_null(hy_far_known_end(members[0].job, other, 1));
    uint64_t held = hy_counter_sum(members[0].job->counters, HY_COUNT_LANES_HELD);
    assert_in_range(held, sizeof *end, 16384);
    close_pair();
}

static void *put_and_end(void *unused)
{
    (void)unused;
    members[0].rc = put(5, 64);
    return NULL;
}

/* Also what a thread did that is gone. */
TEST(should_flush_all_lanes)
{
    open_pair("seed=4,delay=100", 3);
    for (int round = 0; round < 20; round++) {
        pthread_t thread;
        const uint64_t mine = 6;
        const hy_buffer from = {.address = (uint8_t *)(uintptr_t)&mine};
        leave_only(round % 3);
        assert_int_equal(pthread_create(&thread, NULL, put_and_end, NULL), 0);
        pthread_join(thread, NULL);
        leave_only((round + 2) % 3); /* not where it was in the round before */
        assert_ok(hy_ompl_put_start(members[0].ompl, &from, 1, 128, 8));
        assert_ok(hy_ompl_flush(members[0].ompl, round % 2 ? 1 : -1));
        assert_int_equal(word_of_rank_1(64), 5);
        assert_int_equal(word_of_rank_1(128), 6);
        assert_ok(put(0, 64));
        assert_ok(put(0, 128));
        assert_ok(hy_ompl_flush(members[0].ompl, 1));
    }
    close_pair();
}

/* The buffer of what was started is the program's again. */
TEST(should_complete_what_was_started_when_closed)
{
    for (int round = 0; round < 20; round++) {
        open_pair("seed=5,delay=100", round % 2);
        uint64_t mine = 7;
        const hy_buffer from = {.address = (uint8_t *)&mine};
        assert_ok(hy_ompl_put_start(members[0].ompl, &from, 1, 64, 8));
        hy_ompl_close(members[0].ompl);
        mine = 8;
        assert_int_equal(word_of_rank_1(64), 7);
        close_pair();
    }
}

/* Nothing was ever on its way to it, so nobody needs to know that it is gone. */
TEST(should_not_ask_who_was_never_used)
{
    uint64_t word;
    open_pair("seed=6,delay=0", 0);
    hy_ep *ep = &members[0].job->eps[1];
    fault_path_break(ep);
    assert_ok(hy_ompl_flush(members[0].ompl, 1));
    assert_ok(hy_ompl_flush(members[0].ompl, -1));
    assert_code(ep->ops->get(ep, 64, &word, sizeof word), HAYATE_ERR_PEER_FAILED);
    assert_code(put(1, 64), HAYATE_ERR_PEER_FAILED);
    assert_code(hy_ompl_flush(members[0].ompl, 1), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 1);
    close_pair();
}

/* ---- who makes a lane ---- */

#define MAKERS 8
static hy_ep *made[MAKERS];
static _Atomic int ready;

static void *make(void *argument)
{
    int i = (int)(intptr_t)argument;
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < MAKERS) sched_yield();
    if (hy_far_end(members[0].job, 77, 1, &made[i])) made[i] = NULL;
    return NULL;
}

TEST(should_make_one_end_however_many_ask_at_once)
{
    for (int round = 0; round < 20; round++) {
        pthread_t threads[MAKERS];
        open_pair("seed=7,delay=0", 0);
        atomic_store(&ready, 0);
        for (intptr_t i = 0; i < MAKERS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, make, (void *)i), 0);
        for (int i = 0; i < MAKERS; i++) pthread_join(threads[i], NULL);
        assert_non_null(made[0]);
        for (int i = 1; i < MAKERS; i++) assert_ptr_equal(made[i], made[0]);
        close_pair();
    }
}

int main(void)
{
    return tests_run();
}
