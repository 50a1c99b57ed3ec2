/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Eager buffers of a rank that sends to itself: given back when asked, and when the heap is full.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "coll/comm.h"
#include "fmpl/self_fixture.h"

#define HEAP (UINT64_C(1) << 20)
#define BYTES UINT64_C(4096) /* of an eager buffer */
#define LANES 8

static int set_up(void **state)
{
    (void)state;
    return self_open(LANES);
}

static int send(uint8_t fill, int mai)
{
    uint8_t data[1000];
    memset(data, fill, sizeof data);
    return hy_msg_send(&fmpl->msg, (hy_buffer){.address = data}, sizeof data, 0, mai, NULL);
}

/* 0: the message is what it should be. */
static int receive(uint8_t fill, int mai)
{
    uint8_t data[1000];
    uint64_t length = 0;
    int rc = hy_msg_recv(&fmpl->msg, (hy_buffer){.address = data}, sizeof data, 0, mai, &length,
                         NULL);
    if (!rc && length != sizeof data) rc = 1;
    for (size_t i = 0; !rc && i < length; i++) rc = data[i] != fill;
    return rc;
}

/* So many messages at once. A message back tells of the last ones. */
static void burst(int messages, int mai)
{
    for (int i = 0; i < messages; i++) assert_ok(send((uint8_t)i, mai));
    for (int i = 0; i < messages; i++) assert_int_equal(receive((uint8_t)i, mai), 0);
}

static uint64_t held(void)
{
    return hy_counter_sum(job->counters, HY_COUNT_EAGER_HELD);
}

TEST(should_give_back_when_asked_all_that_nobody_waits_for)
{
    uint64_t before = job->heap.used, bytes;
    for (int mai = 0; mai < LANES; mai++) burst(16, mai);
    burst(1, 0);
    send(77, 5);
    assert_int_equal(held(), LANES * 16 * BYTES);
    assert_ok(hy_fmpl_trim(fmpl, &bytes));
    assert_int_equal(bytes, held() ? LANES * 16 * BYTES - held() : 0);
    assert_int_equal(job->heap.used, before + held());
    assert_in_range(held(), BYTES, LANES * BYTES);
    assert_int_equal(receive(77, 5), 0);
    burst(16, 3);
}

TEST(should_say_that_it_is_closed)
{
    uint64_t bytes;
    hy_fmpl_close(fmpl);
    assert_code(hy_fmpl_trim(fmpl, &bytes), HAYATE_ERR_CLOSED);
}

TEST(should_pass_over_a_lane_and_a_communicator_in_use)
{
    uint64_t bytes;
    hy_comm *world = hy_comm_find(fmpl->comms, FMPL_COMM_WORLD);
    burst(16, 1);
    hy_lane *lane = hy_lane_find(&fmpl->msg, 0, 1);
    assert_true(hy_busy_take(&lane->channel.send_busy));
    assert_ok(hy_comm_acquire(fmpl->comms, world, 0));
    assert_ok(hy_fmpl_trim(fmpl, &bytes));
    assert_int_equal(bytes, 0);
    hy_comm_release(world);
    hy_busy_leave(&lane->channel.send_busy);
    assert_ok(hy_fmpl_trim(fmpl, &bytes));
    assert_true(bytes >= 8 * BYTES);
}

TEST(should_give_back_those_of_communicators_too)
{
    uint64_t bytes;
    hy_channel *channel = &hy_comm_find(fmpl->comms, FMPL_COMM_WORLD)->group.channels[0];
    uint64_t head;
    for (int i = 0; i < 8; i++) {
        assert_non_null(hy_channel_eager_buffer(channel));
        hy_channel_post_eager(channel, 1, 0);
    }
    for (int i = 0; i < 8; i++) {
        assert_non_null(hy_channel_peek(channel, &head));
        hy_channel_take(channel, head);
    }
    assert_ok(hy_fmpl_trim(fmpl, &bytes));
    assert_int_equal(bytes, 8 * BYTES);
}

TEST(should_find_room_in_idle_lanes_before_it_says_that_there_is_none)
{
    uint64_t free_before = job->heap.size - job->heap.used;
    for (int mai = 0; mai < LANES; mai++) burst(16, mai);
    assert_int_equal(held(), LANES * 16 * BYTES);
    void *most = hy_job_alloc(job, free_before - LANES * BYTES - 4096);
    assert_non_null(most);
    assert_true(held() <= LANES * BYTES);
    hy_job_release(job, most);
}

/* All of the rest is taken: a lane's buffers can only come from another lane. Every eighth message
 * is acknowledged at once. */
TEST(should_send_with_buffers_of_other_lanes_when_the_heap_is_full)
{
    burst(16, 0);
    while (job->heap.used < job->heap.size) {
        uint64_t rest = hy_heap_longest(&job->heap);
        assert_non_null(hy_job_alloc(job, rest));
    }
    assert_int_equal(held(), 16 * BYTES);
    for (int round = 0; round < 200; round++) burst(8, round % LANES);
    assert_in_range(held(), 8 * BYTES, 16 * BYTES);
}

/* ---- while others send ---- */

#ifdef __SANITIZE_THREAD__
#define ROUNDS 300
#else
#define ROUNDS 5000
#endif

static void *talk(void *lane)
{
    int mai = (int)(uintptr_t)lane, wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int burst = i % 50 ? 1 : 16;
        for (int k = 0; k < burst; k++) wrong += send((uint8_t)(i + k), mai) != HAYATE_OK;
        for (int k = 0; k < burst; k++) wrong += receive((uint8_t)(i + k), mai) != 0;
    }
    return (void *)(uintptr_t)wrong;
}

static _Atomic bool over;

/* Whatever it gets it scribbles over. */
static void *ask(void *unused)
{
    uint64_t bytes;
    while (!hy_load_relaxed(&over)) {
        hy_fmpl_trim(fmpl, &bytes);
        uint8_t *memory = hy_job_alloc(job, HEAP / 2);
        if (memory) memset(memory, 0xee, HEAP / 2);
        if (memory) hy_job_release(job, memory);
        memory = hy_job_alloc(job, HEAP); /* asks the shrinkers, in vain */
        if (memory) hy_job_release(job, memory);
        sched_yield();
    }
    return unused;
}

TEST(should_disturb_no_sender)
{
    pthread_t talkers[3], asker;
    hy_store_relaxed(&over, false);
    assert_int_equal(pthread_create(&asker, NULL, ask, NULL), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&talkers[i], NULL, talk, (void *)(uintptr_t)i), 0);
    for (int i = 0; i < 3; i++) {
        void *wrong;
        pthread_join(talkers[i], &wrong);
        assert_null(wrong);
    }
    hy_store_relaxed(&over, true);
    pthread_join(asker, NULL);
}

int main(void)
{
    tests_each(set_up, self_close);
    return tests_run();
}
