/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Shrinks by ranks that are threads of this process: whom a call waits for, what it refuses, and
 * what it leaves behind. A rank is dead as soon as that is written down, and makes no call. */
#define RANKS 4
#include "base/scarce_fixture.h"
#include "fmpl/members_fixture.h"

#include <stdio.h>
#include <string.h>

#include "coll/collective.h"
#include "coll/limits.h"
#include "coll/shrink.h"
#include "job/survive.h"
#include "msg/msg.h"

#define MS UINT64_C(1000000)

typedef struct call {
    int rank, from, made, scarce;
    int rc, peer;
    char said[256];
    pthread_t thread;
} call;

static hy_comms *comms_of(int rank)
{
    return members[rank].fmpl->comms;
}

static hy_control *control(void)
{
    return members[0].job->boot.control;
}

static int survivors_set_up(void **state)
{
    setenv("HAYATE_SURVIVE", "1", 1);
    return members_set_up(state);
}

static int mortals_set_up(void **state)
{
    unsetenv("HAYATE_SURVIVE");
    return members_set_up(state);
}

static void say(call *c)
{
    c->peer = hayate_error_peer();
    snprintf(c->said, sizeof c->said, "%s", c->rc ? hayate_error() : "");
}

static void *shrink(void *argument)
{
    call *c = argument;
    scarce = c->scarce;
    c->rc = hy_comm_shrink(comms_of(c->rank), c->from, &c->made);
    scarce = 0;
    say(c);
    return NULL;
}

static void *meet(void *argument)
{
    call *c = argument;
    const hy_collective_call barrier = {.coll = HY_COLL_BARRIER};
    c->rc = hy_collective(comms_of(c->rank), c->from, &barrier, false);
    say(c);
    return NULL;
}

static void *receive(void *argument)
{
    call *c = argument;
    uint64_t bytes;
    uint8_t byte;
    c->rc = hy_msg_recv(&members[c->rank].fmpl->msg, (hy_buffer){.address = &byte}, 1,
                        (c->rank + 1) % RANKS, 0, &bytes, NULL);
    say(c);
    return NULL;
}

static void begin(call *c, void *(*what)(void *))
{
    assert_int_equal(pthread_create(&c->thread, NULL, what, c), 0);
}

static void finish(call *c, int expected)
{
    pthread_join(c->thread, NULL);
    if (c->rc != expected) fail_msg("rank %d: code %d, %s", c->rank, c->rc, c->said);
}

static void kill_rank(int rank)
{
    hy_control_publish(control(), rank, HY_RANK_DEAD, 256 + 9);
}

/* All ranks but one (-1: none), each from its communicator of before. */
static void all_but(int dead, call calls[RANKS], void *(*what)(void *), int expected)
{
    for (int i = 0; i < RANKS; i++) calls[i].rank = i;
    for (int i = 0; i < RANKS; i++)
        if (i != dead) begin(&calls[i], what);
    for (int i = 0; i < RANKS; i++)
        if (i != dead) finish(&calls[i], expected);
}

static void go_on_with(call calls[RANKS])
{
    for (int i = 0; i < RANKS; i++) calls[i].from = calls[i].made;
}

static void assert_members(const call *c, int count, const int *ranks)
{
    const hy_group *group = &hy_comm_find(comms_of(c->rank), c->made)->group;
    assert_int_equal(group->size, count);
    for (int i = 0; i < count; i++) assert_int_equal(hy_group_member(group, i), ranks[i]);
}

TEST_WITH(should_leave_out_the_dead_one_after_the_other, survivors_set_up, members_tear_down)
{
    call calls[RANKS] = {0};
    kill_rank(1);
    all_but(1, calls, meet, HAYATE_ERR_PEER_FAILED);
    all_but(1, calls, shrink, HAYATE_OK);
    for (int i = 0; i < RANKS; i++)
        if (i != 1) assert_members(&calls[i], 3, (const int[]){0, 2, 3});
    go_on_with(calls);
    all_but(1, calls, meet, HAYATE_OK);
    kill_rank(0);
    for (int i = 2; i < RANKS; i++) begin(&calls[i], shrink);
    for (int i = 2; i < RANKS; i++) finish(&calls[i], HAYATE_OK);
    for (int i = 2; i < RANKS; i++) assert_members(&calls[i], 2, (const int[]){2, 3});
    go_on_with(calls);
    for (int i = 2; i < RANKS; i++) begin(&calls[i], meet);
    for (int i = 2; i < RANKS; i++) finish(&calls[i], HAYATE_OK);
}

/* Rank 0 alone knows why. */
TEST_WITH(should_end_the_waits_of_those_that_know_of_no_death, survivors_set_up, members_tear_down)
{
    call calls[RANKS] = {0}, waits[RANKS] = {0};
    for (int i = 1; i < RANKS; i++) waits[i].rank = i;
    begin(&waits[1], receive);
    begin(&waits[2], meet);
    begin(&waits[3], receive);
    begin(&calls[0], shrink);
    for (int i = 1; i < RANKS; i++) {
        finish(&waits[i], HAYATE_ERR_PEER_FAILED);
        assert_int_equal(waits[i].peer, 0);
        assert_non_null(strstr(waits[i].said, "call shrink(), too"));
        calls[i].rank = i;
        begin(&calls[i], shrink);
    }
    for (int i = 0; i < RANKS; i++) finish(&calls[i], HAYATE_OK);
    for (int i = 0; i < RANKS; i++) assert_members(&calls[i], RANKS, (const int[]){0, 1, 2, 3});
    go_on_with(calls);
    all_but(-1, calls, meet, HAYATE_OK);
}

/* One that has gone on shrinks what the others have not got: they meet all the same. */
TEST_WITH(should_meet_one_that_is_a_communicator_ahead, survivors_set_up, members_tear_down)
{
    call calls[RANKS] = {0};
    all_but(-1, calls, shrink, HAYATE_OK);
    calls[3].from = calls[3].made;
    kill_rank(2);
    all_but(2, calls, shrink, HAYATE_OK); /* the others: the world again */
    for (int i = 0; i < RANKS; i++)
        if (i != 2) assert_members(&calls[i], 3, (const int[]){0, 1, 3});
    go_on_with(calls);
    all_but(2, calls, meet, HAYATE_OK);
}

/* A rank that was stopped for too long continues. */
TEST_WITH(should_tell_a_rank_that_the_others_take_it_for_dead, survivors_set_up, members_tear_down)
{
    call calls[RANKS] = {0};
    kill_rank(2);
    all_but(2, calls, shrink, HAYATE_OK);
    calls[2].rank = 2;
    begin(&calls[2], shrink);
    finish(&calls[2], HAYATE_ERR_PEER_FAILED);
    assert_non_null(strstr(calls[2].said, "take rank 2, this one, for dead"));
}

TEST_WITH(should_wait_no_longer_than_the_limit_and_begin_again, survivors_set_up, members_tear_down)
{
    call calls[RANKS] = {0};
    hy_limits_set(&comms_of(0)->limits, 60 * MS);
    begin(&calls[0], shrink);
    finish(&calls[0], HAYATE_ERR_TIMED_OUT);
    assert_int_equal(calls[0].peer, 1);
    hy_limits_set(&comms_of(0)->limits, 0);
    all_but(-1, calls, shrink, HAYATE_OK);
    go_on_with(calls);
    all_but(-1, calls, meet, HAYATE_OK);
}

TEST_WITH(should_fail_on_all_if_one_has_no_memory, survivors_set_up, members_tear_down)
{
    call calls[RANKS] = {0};
    kill_rank(0);
    calls[2].scarce = 1;
    all_but(0, calls, shrink, HAYATE_ERR_NO_MEMORY);
    assert_int_equal(calls[1].peer, 2);
    calls[2].scarce = 0;
    all_but(0, calls, shrink, HAYATE_OK);
    go_on_with(calls);
    all_but(0, calls, meet, HAYATE_OK);
}

TEST_WITH(should_leave_out_one_that_has_left, survivors_set_up, members_tear_down)
{
    call calls[RANKS] = {0};
    hy_control_publish(control(), 3, HY_RANK_LEFT, 0);
    all_but(3, calls, shrink, HAYATE_OK);
    assert_members(&calls[0], 3, (const int[]){0, 1, 2});
    go_on_with(calls);
    all_but(3, calls, meet, HAYATE_OK);
}

TEST_WITH(should_refuse_what_was_made_before, survivors_set_up, members_tear_down)
{
    call calls[RANKS] = {0}, old = {.rank = 2};
    int none;
    kill_rank(1);
    all_but(1, calls, shrink, HAYATE_OK);
    begin(&old, meet);
    finish(&old, HAYATE_ERR_BROKEN);
    assert_non_null(strstr(old.said, "older than the one that shrink() has returned"));
    assert_code(hy_comm_create(comms_of(0), true, &none), HAYATE_ERR_STATE);
    assert_non_null(strstr(hayate_error(), "split a communicator that shrink() has returned"));
    assert_code(hy_comm_shrink(comms_of(0), 77, &none), HAYATE_ERR_ARGUMENT);
}

TEST_WITH(should_refuse_to_shrink_while_a_collective_is_under_way, survivors_set_up,
          members_tear_down)
{
    const hy_collective_call barrier = {.coll = HY_COLL_BARRIER};
    call calls[RANKS] = {0};
    int none;
    assert_code(hy_collective(comms_of(0), 0, &barrier, true), HAYATE_IN_PROGRESS);
    assert_code(hy_comm_shrink(comms_of(0), 0, &none), HAYATE_ERR_BUSY);
    kill_rank(3);
    assert_code(hy_collective_test(comms_of(0), 0, false), HAYATE_ERR_PEER_FAILED);
    all_but(3, calls, shrink, HAYATE_OK);
}

TEST_WITH(should_say_how_to_start_a_job_that_survives, mortals_set_up, members_tear_down)
{
    int none;
    assert_code(hy_comm_shrink(comms_of(0), 0, &none), HAYATE_ERR_STATE);
    assert_non_null(strstr(hayate_error(), "HAYATE_SURVIVE=1"));
    assert_int_equal(none, FMPL_COMM_NULL);
}

/* Another process may write anything there. */
TEST_WITH(should_not_read_a_view_that_makes_no_sense, survivors_set_up, members_tear_down)
{
    hy_job *job = members[0].job;
    uint64_t *words = (uint64_t *)(void *)(job->part + job->survival.views_at);
    hy_view view;
    assert_false(hy_view_read(job, 1, &view));
    for (int i = 0; i < RANKS * HY_LINE / 8; i++) words[i] = 0x5555;
    assert_false(hy_view_read(job, 1, &view));
    assert_ok(hy_survive_check(job));
    memset(words, 0, RANKS * HY_LINE);
}

int main(void)
{
    return tests_run();
}
