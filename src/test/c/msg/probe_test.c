/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* Looks at messages that have arrived, and calls that wait for a limited time, by messages of a
 * rank to itself. */
#include <pthread.h>
#include <sched.h>
#include "base/test.h"

#include <stdlib.h>

#include "base/clock.h"
#include "fmpl/self_fixture.h"

#define LANES 4
#define LONGEST 100000
#define MOMENT_NS UINT64_C(20000000)

static const hy_limit moment = {.ns = MOMENT_NS}, for_ever = {.ns = UINT64_MAX};

static uint8_t out[LONGEST], in[LONGEST];

static int set_up(void **state)
{
    (void)state;
    return self_open(LANES);
}

static hy_buffer memory(uint8_t *at)
{
    return (hy_buffer){.address = at};
}

static int recv_for(uint64_t size, uint64_t ns, uint64_t *received, uint64_t *request)
{
    const hy_limit limit = {.ns = ns};
    hy_bounded bounded = {.limit = ns ? &limit : NULL};
    int rc = hy_msg_recv(&fmpl->msg, memory(in), (int64_t)size, 0, 0, received,
                         ns ? &bounded : NULL);
    *request = bounded.request;
    return rc;
}

TEST(should_tell_the_length_of_each_kind_of_message_and_leave_it)
{
    const uint64_t sizes[] = {0, 1, 56, 57, 224, 225, 4096, 4097, LONGEST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t request, length = 1, none, received;
        assert_int_equal(hy_msg_probe(&fmpl->msg, 0, 0, NULL, &length), HAYATE_IN_PROGRESS);
        assert_ok(hy_msg_isend(&fmpl->msg, memory(out), (int64_t)sizes[i], 0, 0, &request));
        for (int looks = 0; looks < 2; looks++) {
            assert_ok(hy_msg_probe(&fmpl->msg, 0, 0, &moment, &length));
            assert_int_equal(length, sizes[i]);
        }
        assert_ok(recv_for(LONGEST, 0, &received, &none));
        assert_int_equal(received, sizes[i]);
        assert_ok(hy_request_wait(&fmpl->msg, request, NULL));
    }
}

TEST(should_tell_the_length_of_a_message_that_does_not_fit)
{
    const uint64_t sizes[] = {57, 4096, LONGEST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t request, early, none, received = 0;
        assert_ok(hy_msg_irecv(&fmpl->msg, memory(in), 8, 0, 0, &early));
        assert_ok(hy_msg_isend(&fmpl->msg, memory(out), (int64_t)sizes[i], 0, 0, &request));
        assert_int_equal(hy_request_wait(&fmpl->msg, early, NULL), HAYATE_ERR_TRUNCATE);
        assert_int_equal(hy_failure_length(), sizes[i]);
        hy_fail(HAYATE_ERR_STATE, "another");
        assert_int_equal(hy_failure_length(), 0);
        assert_int_equal(recv_for(8, 0, &received, &none), HAYATE_ERR_TRUNCATE);
        assert_int_equal(hy_failure_length(), sizes[i]);
        assert_int_equal(received, sizes[i]);
        assert_ok(recv_for(LONGEST, 0, &received, &none));
        assert_ok(hy_request_wait(&fmpl->msg, request, NULL));
    }
}

TEST(should_refuse_to_probe_where_a_receive_is_under_way)
{
    uint64_t request, length;
    int cancelled;
    assert_ok(hy_msg_irecv(&fmpl->msg, memory(in), 8, 0, 1, &request));
    assert_int_equal(hy_msg_probe(&fmpl->msg, 0, 1, &moment, &length), HAYATE_ERR_BUSY);
    assert_ok(hy_request_cancel(&fmpl->msg, request, &cancelled));
    assert_int_equal(cancelled, 1);
    assert_int_equal(hy_msg_probe(&fmpl->msg, 0, 1, NULL, &length), HAYATE_IN_PROGRESS);
    assert_int_equal(hy_msg_probe(&fmpl->msg, 1, 1, NULL, &length), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_msg_probe(&fmpl->msg, 0, LANES, NULL, &length), HAYATE_ERR_ARGUMENT);
}

TEST(should_end_a_wait_at_its_limit_and_lose_nothing)
{
    const uint64_t sizes[] = {8, 4096, LONGEST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t request, sent, received = 0, begun = hy_now_ns();
        assert_int_equal(recv_for(sizes[i], 2 * MOMENT_NS, &received, &request),
                         HAYATE_IN_PROGRESS);
        assert_true(hy_now_ns() - begun >= MOMENT_NS);
        begun = hy_now_ns();
        assert_int_equal(hy_request_wait_for(&fmpl->msg, request, &moment, &received),
                         HAYATE_IN_PROGRESS);
        assert_true(hy_now_ns() - begun >= MOMENT_NS);
        int index = 5;
        assert_int_equal(hy_request_wait_any(&fmpl->msg, 1, &request, &moment, &index, &received),
                         HAYATE_IN_PROGRESS);
        assert_int_equal(index, -1);
        assert_ok(hy_msg_isend(&fmpl->msg, memory(out), (int64_t)sizes[i], 0, 0, &sent));
        assert_ok(hy_request_wait_for(&fmpl->msg, request, &for_ever, &received));
        assert_int_equal(received, sizes[i]);
        assert_ok(hy_request_wait(&fmpl->msg, sent, NULL));
    }
}

static void *send_later(void *unused)
{
    uint64_t end = hy_now_ns() + MOMENT_NS;
    while (hy_now_ns() < end) sched_yield();
    hy_msg_send(&fmpl->msg, memory(out), 8, 0, 2, NULL);
    return unused;
}

TEST(should_find_a_message_from_any_source)
{
    int src = 7, mai = 2, both[] = {1, 2};
    uint64_t length;
    pthread_t thread;
    assert_ok(hy_msg_listen(&fmpl->msg, 2));
    assert_int_equal(hy_msg_listen(&fmpl->msg, LANES), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_msg_probe_any(&fmpl->msg, &mai, 1, 0, NULL, &src), HAYATE_IN_PROGRESS);
    assert_int_equal(src, -1);
    assert_int_equal(hy_msg_probe_any(&fmpl->msg, &mai, 1, 1, NULL, &src), HAYATE_ERR_ARGUMENT);
    assert_int_equal(pthread_create(&thread, NULL, send_later, NULL), 0);
    assert_ok(hy_msg_probe_any(&fmpl->msg, &mai, 1, 0, &for_ever, &src));
    assert_int_equal(src, 0);
    assert_ok(hy_msg_probe(&fmpl->msg, 0, 2, NULL, &length));
    assert_int_equal(length, 8);
    pthread_join(thread, NULL);
    assert_ok(hy_msg_probe_any(&fmpl->msg, both, 2, 0, NULL, &src));
    assert_int_equal(src, 1);
    assert_int_equal(hy_msg_probe_any(&fmpl->msg, both, 2, 2, NULL, &src), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_msg_probe_any(&fmpl->msg, both, 0, 0, NULL, &src), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_msg_recv(&fmpl->msg, memory(in), 8, 0, 2, NULL, NULL));
}

int main(void)
{
    return tests_run_in(set_up, self_close);
}
