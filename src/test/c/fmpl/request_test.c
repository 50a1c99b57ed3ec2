/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* Operations of a rank that sends to itself while one of them takes long: its buffer is one that
 * does not come back before it may. What hangs is ended by the alarm. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"
#include "fmpl/self_fixture.h"

#define BYTES 200000
#define LANES 3
#define LIMIT_S 600

static uint8_t memory[BYTES], copy[BYTES];
static _Atomic int inside, may_go;

static int set_up(void **state)
{
    (void)state;
    alarm(LIMIT_S);
    inside = may_go = 0;
    return self_open(LANES);
}

static void take_long(void)
{
    inside = 1;
    while (!may_go) sched_yield();
}

static void slow_read(void *handle, uint64_t offset, void *to, size_t len)
{
    take_long();
    memcpy(to, (uint8_t *)handle + offset, len);
}

static void slow_write(void *handle, uint64_t offset, const void *from, size_t len)
{
    take_long();
    memcpy((uint8_t *)handle + offset, from, len);
}

static void *retain(void *handle)
{
    return handle;
}

static void release(void *handle)
{
    (void)handle;
}

static const hy_managed_ops slow = {
    .read = slow_read, .write = slow_write, .retain = retain, .release = release};

static void *work_on_all(void *unused)
{
    while (hy_worklist_step(&job->background, HY_BY_CALLS)) sched_yield();
    return unused;
}

static void *work_once(void *unused)
{
    hy_worklist_step(&job->background, HY_BY_CALLS);
    return unused;
}

static void send_it(bool slowly, uint64_t *request)
{
    const hy_buffer plain = {.address = memory}, held = {.managed = &slow, .handle = memory};
    for (int i = 0; i < BYTES; i++) memory[i] = (uint8_t)(i * 7);
    assert_ok(hy_msg_isend(&fmpl->msg, slowly ? held : plain, BYTES, 0, 0, request));
}

static void receive_it(bool slowly, uint64_t *request)
{
    const hy_buffer plain = {.address = copy}, held = {.managed = &slow, .handle = copy};
    assert_ok(hy_msg_irecv(&fmpl->msg, slowly ? held : plain, BYTES, 0, 0, request));
}

/* A message of lane 0 that another thread works on: it is in the middle of it. The slow side begins
 * first, and so finds nothing to do. requests: of the receive, and of the send. */
static void begin(bool slow_sender, uint64_t requests[2], pthread_t *thread, void *(*work)(void *))
{
    if (slow_sender) send_it(true, &requests[1]);
    receive_it(!slow_sender, &requests[0]);
    if (!slow_sender) send_it(false, &requests[1]);
    assert_int_equal(pthread_create(thread, NULL, work, NULL), 0);
    while (!inside) sched_yield();
}

static void finish(const uint64_t requests[2], pthread_t thread)
{
    uint64_t length = 0;
    may_go = 1;
    pthread_join(thread, NULL);
    assert_ok(hy_request_wait(&fmpl->msg, requests[1], NULL));
    assert_ok(hy_request_wait(&fmpl->msg, requests[0], &length));
    assert_int_equal(length, BYTES);
    assert_memory_equal(memory, copy, BYTES);
}

TEST(should_hold_up_no_other_operation)
{
    uint64_t requests[2], other, length = 0;
    uint8_t word[8] = {0};
    const hy_buffer buffer = {.address = word};
    pthread_t thread;
    int cancelled, sent, waiting;
    begin(true, requests, &thread, work_on_all);
    assert_ok(hy_msg_irecv(&fmpl->msg, buffer, 8, 0, 1, &other));
    assert_code(hy_request_test(&fmpl->msg, other, NULL), HAYATE_IN_PROGRESS);
    assert_code(hy_request_test(&fmpl->msg, requests[1], NULL), HAYATE_IN_PROGRESS);
    assert_ok(hy_msg_send(&fmpl->msg, buffer, 8, 0, 1, NULL));
    assert_ok(hy_request_wait(&fmpl->msg, other, &length));
    assert_int_equal(length, 8);
    assert_ok(hy_msg_irecv(&fmpl->msg, buffer, 8, 0, 2, &other));
    assert_ok(hy_request_cancel(&fmpl->msg, other, &cancelled));
    assert_true(cancelled);
    assert_ok(hy_send_buffer_check(&fmpl->msg, &sent, &waiting));
    finish(requests, thread);
}

TEST(should_not_wait_to_find_out_that_it_is_too_late_to_cancel)
{
    uint64_t requests[2];
    pthread_t thread;
    int cancelled;
    begin(false, requests, &thread, work_on_all);
    assert_ok(hy_request_cancel(&fmpl->msg, requests[0], &cancelled));
    assert_false(cancelled);
    finish(requests, thread);
}

TEST(should_close_while_an_operation_takes_long)
{
    uint64_t requests[2], other;
    uint8_t word[8];
    pthread_t thread;
    begin(true, requests, &thread, work_once);
    assert_ok(hy_msg_irecv(&fmpl->msg, (hy_buffer){.address = word}, 8, 0, 1, &other));
    hy_fmpl_close(fmpl);
    assert_code(hy_request_wait(&fmpl->msg, other, NULL), HAYATE_ERR_CLOSED);
    may_go = 1;
    pthread_join(thread, NULL); /* who was at it has ended it, though nobody waits for it */
    assert_int_equal(hy_load_relaxed(&fmpl->msg.worker.count), 0);
    assert_code(hy_request_wait(&fmpl->msg, requests[0], NULL), HAYATE_ERR_CLOSED);
    int rc = hy_request_wait(&fmpl->msg, requests[1], NULL);
    assert_true(rc == HAYATE_ERR_CLOSED || rc == HAYATE_ERR_PEER_FAILED);
}

int main(void)
{
    tests_each(set_up, self_close);
    return tests_run();
}
