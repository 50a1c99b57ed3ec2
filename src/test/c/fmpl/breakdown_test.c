/* SPDX-License-Identifier: Apache-2.0 */
/* Which way short messages of a rank to itself take while the instrument is on, and after it. */
#include <stdlib.h>

#include "base/test.h"
#include "fmpl/self_fixture.h"
#include "msg/breakdown.h"

static int set_up(void **state)
{
    (void)state;
    return self_open(1);
}

static void exchange(int64_t bytes)
{
    uint8_t data[64] = {0};
    const hy_buffer buffer = {.address = data};
    assert_ok(hy_msg_send(&fmpl->msg, buffer, bytes, 0, 0, NULL));
    assert_ok(hy_msg_recv(&fmpl->msg, buffer, bytes, 0, 0, NULL, NULL));
}

static uint64_t size_of(hy_op *op)
{
    uint64_t size = op ? op->size : 0;
    if (op) op->size = 0;
    return size;
}

/* Only the slow path notes the size of a message, in an operation that stays with the lane. */
static void expect_slow(int64_t bytes, bool slow)
{
    assert_ok(hy_lane_make(&fmpl->msg, 0, 0));
    hy_lane *lane = hy_lane_find(&fmpl->msg, 0, 0);
    exchange(bytes);
    assert_int_equal(size_of(lane->send), slow ? bytes : 0);
    assert_int_equal(size_of(lane->recv), slow ? bytes : 0);
}

static uint64_t samples(void)
{
    fmpl_breakdown_t result;
    assert_ok(hy_breakdown_get(&fmpl->msg, &result));
    return result.samples;
}

TEST(should_slow_messages_only_while_it_is_on)
{
    expect_slow(8, false);
    for (int turn = 0; turn < 3; turn++) {
        assert_ok(hy_breakdown_set(&fmpl->msg, 1));
        expect_slow(8, true);
        assert_int_equal(samples(), 2);
        assert_ok(hy_breakdown_set(&fmpl->msg, 0));
        expect_slow(16, false);
        assert_int_equal(samples(), 2);
    }
}

TEST(should_go_on_when_it_is_switched_on_twice)
{
    assert_ok(hy_breakdown_set(&fmpl->msg, 1));
    exchange(8);
    assert_ok(hy_breakdown_set(&fmpl->msg, 1));
    exchange(8);
    assert_int_equal(samples(), 4);
}

TEST(should_not_count_an_operation_that_began_before_it)
{
    uint8_t data[8] = {0};
    uint64_t request = 0;
    const hy_buffer buffer = {.address = data};
    assert_ok(hy_msg_irecv(&fmpl->msg, buffer, 8, 0, 0, &request));
    assert_ok(hy_breakdown_set(&fmpl->msg, 1));
    assert_ok(hy_msg_send(&fmpl->msg, buffer, 8, 0, 0, NULL));
    assert_ok(hy_request_wait(&fmpl->msg, request, NULL));
    assert_int_equal(samples(), 1);
}

int main(void)
{
    tests_each(set_up, self_close);
    return tests_run();
}
