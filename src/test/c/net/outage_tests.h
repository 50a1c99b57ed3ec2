/* SPDX-License-Identifier: Apache-2.0 */
/* What a rank's own network does about peers that stop or only compute, that leave, or that were
 * never there, and where descriptors lack. */
#ifndef HY_TEST_NET_OUTAGE_TESTS_H
#define HY_TEST_NET_OUTAGE_TESTS_H

#include "net/failure_tests.h"

#include <sys/resource.h>

/* A rank that computes lets nobody wait for it long; one that is stopped has failed. */
static void ask_a_silent_rank(member *me)
{
    me->attr.silence_ms = 1000;
    join(me);
    if (me->rank == DYING) me->w->note[PID] = (uint64_t)getpid();
    meet(me);
    if (me->rank == DYING) {
        while (!me->w->note[SEEN]) usleep(1000); /* computes */
        raise(SIGSTOP);
        return;
    }
    hy_ep *ep = &me->eps[DYING];
    for (uint64_t start = hy_now_ns(); hy_now_ns() - start < 3 * SECOND;) {
        CHECK_OK(do_check(ep));
        CHECK_OK(do_put_and_flush(ep));
        CHECK_OK(do_atomic(ep));
        CHECK_OK(do_get(ep));
    }
    me->w->note[SEEN] = 1;
    while (!me->w->note[2]) usleep(1000); /* the parent has seen it stop */
    uint64_t start = hy_now_ns();
    CHECK(do_atomic(ep) == HAYATE_ERR_PEER_FAILED);
    CHECK(strstr(hayate_error(), "no answer for 1.0 s"));
    CHECK(hy_now_ns() - start > SECOND / 2 && hy_now_ns() - start < told_within);
    leave(me);
}

/* note[2]: it is stopped. */
static void stop_one_of(story both)
{
    world *w = make_world(2);
    pid_t stopping = start_rank(w, DYING, both), alive = start_rank(w, ALIVE, both);
    int status;
    assert_int_equal(waitpid(stopping, &status, WUNTRACED), stopping);
    assert_true(WIFSTOPPED(status));
    w->note[2] = 1;
    assert_ended_well(alive);
    kill(stopping, SIGKILL);
    waitpid(stopping, &status, 0);
    munmap(w, sizeof *w);
}

TEST(should_wait_for_who_computes_but_not_for_who_is_stopped)
{
    stop_one_of(ask_a_silent_rank);
}

/* ---- operations that are under way (hy_op_begin) when the peer stops answering ---- */

enum { OPS_UNDER_WAY = 4 };
static uint8_t fetched[2][100000];
static uint64_t fetched_word;

/* A device may serve a get alone. */
static bool is_over[OPS_UNDER_WAY];

static void begin_under_way(hy_ep *ep, hy_path_op *ops)
{
    static const uint8_t data[5000];
    ops[0] = (hy_path_op){.kind = HY_OP_GET, .local = fetched[0], .len = sizeof fetched[0]};
    ops[1] = (hy_path_op){.kind = HY_OP_GET, .remote = 64, .local = fetched[1], .len = 8};
    ops[2] = (hy_path_op){
        .kind = HY_OP_ATOMIC, .what = HY_ATOMIC_ADD, .operand = 1, .before = &fetched_word};
    ops[3] = (hy_path_op){.kind = HY_OP_FLUSH};
    CHECK_OK(ep->ops->put(ep, 0, data, sizeof data));
    put_flag(ep, 64, 1);
    for (int i = 0; i < OPS_UNDER_WAY; i++) {
        int rc = hy_op_begin(ep->ops, ep, &ops[i]);
        is_over[i] = rc == HAYATE_OK && ops[i].kind == HY_OP_GET;
        CHECK(rc == HAYATE_IN_PROGRESS || is_over[i]);
    }
}

/* Each ends as failed, by nothing but progress and tests. */
static void expect_all_to_fail(member *me, hy_ep *ep, hy_path_op *ops, const char *why)
{
    uint64_t start = hy_now_ns();
    for (int left = OPS_UNDER_WAY; left; sched_yield()) {
        me->net->ops->progress(me->net);
        left = 0;
        for (int i = 0; i < OPS_UNDER_WAY; i++) {
            if (is_over[i]) continue;
            int rc = hy_op_test(ep->ops, ep, &ops[i]);
            left += rc == HAYATE_IN_PROGRESS;
            is_over[i] = rc != HAYATE_IN_PROGRESS;
            CHECK(rc != HAYATE_OK || ops[i].kind == HY_OP_GET);
            if (rc >= 0) continue;
            CHECK(rc == HAYATE_ERR_PEER_FAILED && hayate_error_peer() == DYING);
            CHECK(!why || strstr(hayate_error(), why));
        }
        CHECK(hy_now_ns() - start < told_within);
    }
}

static bool is_all(const void *memory, size_t bytes, uint8_t value)
{
    const uint8_t *at = memory;
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != value) return false;
    return true;
}

/* What comes late finds nobody, neither the memory nor the operation. */
static void expect_memory_to_be_mine(member *me, hy_path_op *ops)
{
    memset(fetched, 0x3c, sizeof fetched);
    memset(ops, 0x3c, OPS_UNDER_WAY * sizeof *ops);
    fetched_word = 99;
    for (uint64_t start = hy_now_ns(); hy_now_ns() - start < SECOND / 3; sched_yield())
        me->net->ops->progress(me->net);
    CHECK(is_all(fetched, sizeof fetched, 0x3c));
    CHECK(is_all(ops, OPS_UNDER_WAY * sizeof *ops, 0x3c));
    CHECK(fetched_word == 99);
}

static bool goes_on; /* who was stopped */

static void fail_under_way(member *me)
{
    hy_path_op ops[OPS_UNDER_WAY];
    hy_ep *ep = &me->eps[DYING];
    if (goes_on) me->attr.silence_ms = 1000;
    join(me);
    if (me->rank == DYING) me->w->note[PID] = (uint64_t)getpid();
    meet(me);
    if (me->rank == DYING) {
        while (!me->w->note[SEEN]) me->net->ops->progress(me->net), sched_yield();
        raise(SIGSTOP);
        for (;;) me->net->ops->progress(me->net), sched_yield();
    }
    CHECK_OK(do_put_and_flush(ep));
    CHECK_OK(do_atomic(ep));
    me->w->note[SEEN] = 1;
    while (!me->w->note[2]) usleep(1000); /* the parent has seen it stop */
    begin_under_way(ep, ops);
    if (!goes_on) kill((pid_t)me->w->note[PID], SIGKILL);
    expect_all_to_fail(me, ep, ops, goes_on ? "no answer for 1.0 s" : NULL);
    if (goes_on) kill((pid_t)me->w->note[PID], SIGCONT);
    expect_memory_to_be_mine(me, ops);
    leave(me);
}

TEST(should_fail_what_is_under_way_to_who_dies)
{
    goes_on = false;
    stop_one_of(fail_under_way);
}

TEST(should_fail_what_is_under_way_to_who_is_silent_and_take_no_memory_back)
{
    goes_on = true;
    stop_one_of(fail_under_way);
}

/* The third was never used by it, and so not told. */
static int lane_of_leaver;
static void leave_and_live_on(member *me)
{
    hy_ep *ep = &me->eps[DYING], other = me->eps[0];
    join(me);
    if (me->rank <= DYING) {
        me->net->ops->attach(me->net, &other, 1 - me->rank, lane_of_leaver);
        put_flag(&other, 64, 1);
        await(me, 64, 1);
        CHECK_OK(other.ops->flush(&other));
    }
    meet(me);
    uint64_t start = hy_now_ns();
    if (me->rank == DYING) me->net->ops->leave(me->net);
    while (me->rank == ALIVE && do_check(ep) == HAYATE_OK) CHECK(hy_now_ns() - start < 30 * SECOND);
    CHECK(me->rank != ALIVE || (me->net->ops->has_left(ep) && strstr(hayate_error(), "has left")));
    meet(me);
    if (me->rank > DYING) {
        CHECK_OK(do_get(ep));
        CHECK_OK(do_atomic(ep));
    }
    meet(me);
    leave(me);
}

TEST(should_tell_who_was_used_that_it_leaves_and_serve_the_others)
{
    for (lane_of_leaver = 0; lane_of_leaver < 6; lane_of_leaver += 3)
        run_stories(3, leave_and_live_on);
}

/* Who leaves has never used the one that waits for it. */
STORY_TEST(should_tell_who_only_watches_that_it_leaves, 2)
{
    join(me);
    meet(me);
    hy_ep *ep = &me->eps[DYING];
    uint64_t start = hy_now_ns();
    for (bool enough = false; me->rank == ALIVE && !enough; enough = hy_now_ns() - start > SECOND)
        CHECK_OK(do_check(ep));
    meet(me);
    if (me->rank == ALIVE) {
        while (do_check(ep) == HAYATE_OK) CHECK(hy_now_ns() - start < 30 * SECOND);
        CHECK(me->net->ops->has_left(ep));
    }
    leave(me);
}

/* It has gone before this rank first uses it, so that it could tell nobody. */
STORY_TEST(should_say_that_nobody_is_there_at_the_first_use, 2)
{
    hy_ep *ep = &me->eps[DYING];
    const uint64_t word = 1;
    me->attr.silence_ms = 2000;
    join(me);
    meet(me);
    if (me->rank == DYING) leave(me);
    meet(me);
    if (me->rank == DYING) return;
    uint64_t start = hy_now_ns();
    int rc = ep->ops->put(ep, 64, &word, sizeof word);
    if (!rc) rc = ep->ops->flush(ep);
    CHECK(rc == HAYATE_ERR_PEER_FAILED && hayate_error_peer() == DYING);
    CHECK(strstr(hayate_error(), "cannot be reached"));
    CHECK(hy_now_ns() - start < 2 * SECOND + told_within);
    leave(me);
}

/* The library remembers for ever what it could not read when it was loaded. */
static bool load_first;

STORY_TEST(should_survive_every_lack_of_descriptors, 1)
{
    if (load_first) join(me), leave(me);
    for (rlim_t most = 4; most < 40; most++) {
        const struct rlimit limit = {most, 64};
        CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
        int rc = tested->open(&me->attr, &me->net);
        if (rc) CHECK(strlen(hayate_error()) > 10);
        else leave(me);
    }
    join(me);
    leave(me);
}

#endif
