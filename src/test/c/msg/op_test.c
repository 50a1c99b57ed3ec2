/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* The stock of operations, by messages of a rank to itself: operations go from lane to lane, and
 * what has a request of an earlier one cannot do harm. */
#include <pthread.h>
#include "base/test.h"

#include <stdlib.h>

#include "fmpl/self_fixture.h"
#include "msg/op.h"

#define LANES 64
#define THREADS 4
#define TURNS 2000
#define ROUNDS 200

static uint64_t in[LANES];
static uint64_t requests[LANES];

static int set_up(void **state)
{
    (void)state;
    int rc = self_open(LANES);
    if (!rc) fmpl->msg.ops_kept = 0;
    return rc;
}

static hy_buffer word(uint64_t *at)
{
    return (hy_buffer){.address = (uint8_t *)at};
}

static int begin(int mai)
{
    return hy_msg_irecv(&fmpl->msg, word(&in[mai]), 8, 0, mai, &requests[mai]);
}

static int send_to(int mai, uint64_t value)
{
    return hy_msg_send(&fmpl->msg, word(&value), 8, 0, mai, NULL);
}

static int made(void)
{
    int count = 0;
    for (int i = 0; i < hy_handles_places(&fmpl->msg.ops.all); i++)
        count += hy_handles_get(&fmpl->msg.ops.all, i) != NULL;
    return count;
}

TEST_WITH(should_make_as_many_as_are_under_way_at_once, set_up, self_close)
{
    for (int turn = 0; turn < 3; turn++) {
        for (int mai = 0; mai < LANES; mai++) {
            assert_ok(begin(mai));
            assert_ok(send_to(mai, (uint64_t)mai + 1));
            assert_ok(hy_request_wait(&fmpl->msg, requests[mai], NULL));
            assert_int_equal(in[mai], mai + 1);
        }
        assert_int_equal(made(), 1);
    }
    for (int mai = 0; mai < LANES; mai++) assert_ok(begin(mai));
    assert_int_equal(made(), LANES);
    for (int mai = LANES - 1; mai >= 0; mai--) {
        assert_ok(send_to(mai, (uint64_t)mai + 100));
        assert_ok(hy_request_wait(&fmpl->msg, requests[mai], NULL));
        assert_int_equal(in[mai], mai + 100);
    }
    assert_int_equal(made(), LANES);
}

TEST_WITH(should_leave_the_first_ones_with_their_lanes, set_up, self_close)
{
    fmpl->msg.ops_kept = 2;
    for (int mai = 0; mai < 4; mai++) assert_ok(begin(mai));
    for (int mai = 0; mai < 4; mai++) {
        assert_ok(send_to(mai, 1));
        assert_ok(hy_request_wait(&fmpl->msg, requests[mai], NULL));
        assert_int_equal(hy_lane_find(&fmpl->msg, 0, mai)->recv != NULL, mai < 2);
    }
}

/* The operation of lane 0 goes to lane 1. */
TEST_WITH(should_refuse_the_request_of_an_earlier_use, set_up, self_close)
{
    int cancelled;
    assert_ok(begin(0));
    assert_ok(send_to(0, 1));
    assert_ok(hy_request_wait(&fmpl->msg, requests[0], NULL));
    assert_ok(begin(1));
    assert_int_equal(made(), 1);
    assert_int_equal(hy_request_test(&fmpl->msg, requests[0], NULL), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_request_cancel(&fmpl->msg, requests[0], &cancelled), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_request_cancel(&fmpl->msg, requests[1], &cancelled));
    assert_true(cancelled);
    uint64_t first = requests[0];
    assert_ok(begin(0));
    assert_true(requests[0] != first);
    assert_int_equal(hy_request_test(&fmpl->msg, first, NULL), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_request_test(&fmpl->msg, requests[0], NULL), HAYATE_IN_PROGRESS);
}

/* ---- threads ---- */

typedef struct worker {
    pthread_t thread;
    unsigned seed;
    int first, wrong;
} worker;

/* Each has lanes of its own, a different number of them in each turn. */
static void *work(void *argument)
{
    worker *w = argument;
    for (int turn = 0; turn < TURNS; turn++) {
        int count = 1 + (int)(rand_r(&w->seed) % (LANES / THREADS));
        for (int mai = w->first; mai < w->first + count; mai++) w->wrong += begin(mai) != 0;
        for (int mai = w->first; mai < w->first + count; mai++) {
            uint64_t value = (uint64_t)turn * LANES + (uint64_t)mai;
            w->wrong += send_to(mai, value) != 0;
            w->wrong += hy_request_wait(&fmpl->msg, requests[mai], NULL) != 0;
            w->wrong += in[mai] != value;
        }
    }
    return NULL;
}

TEST_WITH(should_give_each_operation_to_one_thread, set_up, self_close)
{
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.seed = (unsigned)i + 1, .first = i * (LANES / THREADS)};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].wrong, 0);
    }
    assert_in_range(made(), 1, LANES);
}

typedef struct rival {
    pthread_t thread;
    int ended; /* requests that this thread got */
} rival;

static _Atomic int round_of; /* requests[0] of this round may be waited for */
static _Atomic int entered, ready;

static void *wait_too(void *argument)
{
    rival *r = argument;
    for (int round = 1; round <= ROUNDS; round++) {
        while (round_of < round) sched_yield();
        entered++;
        int rc = hy_request_wait(&fmpl->msg, requests[0], NULL);
        r->ended += rc == HAYATE_OK;
        ready++;
    }
    return NULL;
}

/* A mistake of the program: one of them gets the result, and nothing is lost for others. */
TEST_WITH(should_give_a_result_to_one_of_two_threads_that_wait_for_it, set_up, self_close)
{
    rival rivals[2] = {{.ended = 0}};
    entered = ready = round_of = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&rivals[i].thread, NULL, wait_too, &rivals[i]), 0);
    for (int round = 1; round <= ROUNDS; round++) {
        assert_ok(begin(0));
        round_of = round;
        while (entered < 2 * round) sched_yield();
        for (int i = 0; i < round % 4; i++) sched_yield();
        assert_ok(send_to(0, 1));
        /* the operation may already be this one's */
        assert_ok(begin(1));
        assert_ok(send_to(1, (uint64_t)round));
        assert_ok(hy_request_wait(&fmpl->msg, requests[1], NULL));
        assert_int_equal(in[1], round);
        while (ready < 2 * round) sched_yield();
    }
    for (int i = 0; i < 2; i++) pthread_join(rivals[i].thread, NULL);
    assert_int_equal(rivals[0].ended + rivals[1].ended, ROUNDS);
}

/* Others see that a wait for a long message gets further, even if a request is waited for. */
TEST(should_tell_how_far_a_long_message_is)
{
    static hy_lane lane;
    hy_ep ep = {.rank = 3};
    hy_op op = {.lane = &lane, .size = 100, .sends = true, .state = HY_OP_SEND_HEADER};
    hy_awaited first = {.peer = -1}, second = first, third = first;
    lane.channel.ep = &ep;
    lane.channel.mai = 7;
    hy_op_tell(&op, &first);
    assert_int_equal(first.kind, HY_AWAITED_SEND);
    assert_int_equal(first.peer, 3);
    assert_int_equal(first.place, 7);
    assert_int_equal(first.bytes, 100);
    op.state = HY_OP_SEND_MOVE;
    hy_op_tell(&op, &second);
    op.staged = 64;
    hy_op_tell(&op, &third);
    assert_int_not_equal(first.step, second.step);
    assert_int_not_equal(second.step, third.step);
}

int main(void)
{
    return tests_run();
}
