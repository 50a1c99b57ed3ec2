/* SPDX-License-Identifier: Apache-2.0 */
/* A peer that changes what it has written while this rank reads it: what was checked is what is
 * used, and nothing outside of the buffers is touched. */
#include "base/test.h"
#include "fmpl/members_fixture.h"
#include "msg/rendezvous_ops.h"

#include <sched.h>
#include <string.h>

#define BYTES 100000 /* several blocks */
#define MORE 300000
#define TRIALS 300

/* Stores one value and the other, again and again. */
typedef struct changing {
    uint64_t *word, values[2];
    _Atomic bool begun, stop;
    pthread_t thread;
} changing;

static void *change(void *context)
{
    changing *c = context;
    for (uint32_t i = 0; !hy_load_relaxed(&c->stop); i++) {
        __atomic_store_n(c->word, c->values[i % 2], __ATOMIC_RELAXED);
        hy_store_relaxed(&c->begun, true);
    }
    __atomic_store_n(c->word, c->values[0], __ATOMIC_RELAXED);
    return NULL;
}

static void begin_to_change(changing *c, void *word, uint64_t now, uint64_t then)
{
    *c = (changing){.word = word, .values = {now, then}};
    assert_int_equal(pthread_create(&c->thread, NULL, change, c), 0);
    while (!hy_load_relaxed(&c->begun)) sched_yield();
}

static void end_change(changing *c)
{
    hy_store_relaxed(&c->stop, true);
    pthread_join(c->thread, NULL);
}

static void set_up(void)
{
    setenv("HAYATE_RENDEZVOUS", "heap", 1); /* the parts have bounds, as between processes */
    members_set_up(NULL);
    unsetenv("HAYATE_RENDEZVOUS");
    assert_ok(hy_lane_make(&members[0].fmpl->msg, 1, 0));
    assert_ok(hy_lane_make(&members[1].fmpl->msg, 0, 0));
}

TEST(should_move_no_more_than_the_length_that_it_has_checked)
{
    set_up();
    hy_msg *sender = &members[0].fmpl->msg, *receiver = &members[1].fmpl->msg;
    hy_channel *channel = &hy_lane_find(receiver, 0, 0)->channel;
    uint8_t *from = hy_job_alloc(members[0].job, MORE), *to = malloc(MORE);
    assert_true(from && to);
    memset(from, 1, MORE);
    memset(to, 0xee, MORE);
    for (int i = 0; i < TRIALS; i++) {
        uint64_t request, received;
        changing c;
        assert_ok(hy_msg_isend(sender, (hy_buffer){.address = from}, BYTES, 1, 0, &request));
        hy_told_buffer *told = (void *)hy_channel_slot(channel, channel->received)->payload;
        begin_to_change(&c, &told->len, BYTES, MORE);
        int rc = hy_msg_recv(receiver, (hy_buffer){.address = to}, BYTES, 0, 0, &received, NULL);
        end_change(&c);
        assert_true(rc == HAYATE_OK || rc == HAYATE_ERR_TRUNCATE);
        assert_int_equal(to[BYTES], 0xee);
        if (rc) /* the message is still there */
            assert_ok(
                hy_msg_recv(receiver, (hy_buffer){.address = to}, BYTES, 0, 0, &received, NULL));
        assert_true(received == BYTES);
        while ((rc = hy_request_test(sender, request, NULL)) == HAYATE_IN_PROGRESS) sched_yield();
        assert_int_equal(rc, HAYATE_OK);
    }
    free(to);
    members_tear_down(NULL);
}

TEST(should_put_only_into_the_part_of_a_header_that_changes)
{
    set_up();
    hy_msg *sender = &members[0].fmpl->msg, *receiver = &members[1].fmpl->msg;
    hy_rendezvous_match *match = hy_rendezvous_mine(&hy_lane_find(sender, 1, 0)->channel);
    uint8_t *to = hy_job_alloc(members[1].job, BYTES), *from = malloc(BYTES);
    int refused = 0;
    assert_true(from && to);
    memset(from, 1, BYTES);
    for (int i = 0; i < TRIALS; i++) {
        uint64_t received, sent;
        int got;
        changing c;
        assert_ok(hy_msg_irecv(receiver, (hy_buffer){.address = to}, BYTES, 0, 0, &received));
        begin_to_change(&c, &match->offset, hy_load_relaxed(&match->offset), HY_NOT_IN_HEAP);
        int rc = hy_msg_isend(sender, (hy_buffer){.address = from}, BYTES, 1, 0, &sent);
        if (!rc)
            while ((rc = hy_request_test(sender, sent, NULL)) == HAYATE_IN_PROGRESS) sched_yield();
        end_change(&c);
        refused += rc == HAYATE_ERR_CORRUPT;
        if (rc && rc != HAYATE_ERR_CORRUPT) fail_msg("%d: %s", rc, hayate_error());
        while ((got = hy_request_test(receiver, received, NULL)) == HAYATE_IN_PROGRESS)
            sched_yield();
        assert_int_equal(got, rc);
    }
    if (!refused) print_message("no header has changed in time\n");
    free(from);
    members_tear_down(NULL);
}

int main(void)
{
    return tests_run();
}
