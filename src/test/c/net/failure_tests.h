/* SPDX-License-Identifier: Apache-2.0 */
/* Peers that die or leave, over any network. Nothing hangs, and nothing is written to stdout. */
#ifndef HY_TEST_NET_FAILURE_TESTS_H
#define HY_TEST_NET_FAILURE_TESTS_H

#include "net/fixture.h"

#define SECOND UINT64_C(1000000000)

/* What is said of a death; NULL: anything. */
static const char *said_of_death;

/* Within which it is told. */
/* A device tries for some seconds, and a machine may have other work; a rank that is only silent is
 * given up after 10 s. */
static const uint64_t told_within = 9 * SECOND;

enum { DYING = 1, ALIVE = 0 }; /* ranks */
enum { SEEN = 0, PID = 1 };    /* notes */

static int (*operation)(hy_ep *ep);
static int do_get(hy_ep *ep)
{
    static uint8_t data[100000];
    return ep->ops->get(ep, 0, data, sizeof data);
}

static int do_long_put(hy_ep *ep)
{
    static uint8_t data[16 << 20];
    int rc = ep->ops->put(ep, 0, data, sizeof data);
    return rc ? rc : ep->ops->flush(ep);
}

static int do_put_and_flush(hy_ep *ep)
{
    uint64_t word = 1;
    int rc = ep->ops->put(ep, 0, &word, sizeof word);
    return rc ? rc : ep->ops->flush(ep);
}

static int do_atomic(hy_ep *ep)
{
    uint64_t before;
    return ep->ops->atomic(ep, 0, HY_ATOMIC_ADD, 1, 0, &before);
}

static int do_flags(hy_ep *ep)
{
    const hy_flag flag = {1, {0, 0, 0}};
    return ep->ops->put_flag(ep, 0, &flag);
}

static int do_check(hy_ep *ep)
{
    return ep->net->ops->check(ep);
}

/* Until it fails: how long that took since the death. */
static void outlive(member *me)
{
    hy_ep *ep = &me->eps[DYING];
    CHECK_OK(do_put_and_flush(ep));
    kill((pid_t)me->w->note[PID], SIGKILL);
    uint64_t start = hy_now_ns();
    int rc = HAYATE_OK;
    while (!rc) {
        rc = operation(ep);
        CHECK(hy_now_ns() - start < 5 * told_within); /* a hang */
        sched_yield();
    }
    if (getenv("SHOW"))
        fprintf(stderr, "%.3f s: %s\n", (double)(hy_now_ns() - start) / 1e9, hayate_error());
    CHECK(rc == HAYATE_ERR_PEER_FAILED && hayate_error_peer() == DYING);
    CHECK(hy_now_ns() - start < told_within);
    CHECK(!said_of_death || strstr(hayate_error(), said_of_death));
    CHECK(operation(ep) == HAYATE_ERR_PEER_FAILED); /* it remains so */
    leave(me);
    CHECK(hy_now_ns() - start < 2 * told_within);
}

static void live_or_die(member *me)
{
    join(me);
    if (me->rank == DYING) me->w->note[PID] = (uint64_t)getpid();
    meet(me);
    if (me->rank == ALIVE) outlive(me);
    else
        for (;;) me->net->ops->progress(me->net), sched_yield();
}

static void kill_one_of(story both)
{
    world *w = make_world(2);
    pid_t dying = start_rank(w, DYING, both), alive = start_rank(w, ALIVE, both);
    int status;
    waitpid(dying, &status, 0);
    assert_ended_well(alive);
    munmap(w, sizeof *w);
}

static void kill_during(int (*what)(hy_ep *))
{
    operation = what;
    kill_one_of(live_or_die);
}

#define KILL(name) \
    TEST(should_tell_of_a_death_in_##name) \
    { \
        kill_during(do_##name); \
    }
KILL(get)
KILL(long_put)
KILL(put_and_flush)
KILL(atomic)
KILL(flags)
KILL(check)

STORY_TEST(should_tell_that_a_peer_has_left, 2)
{
    join(me);
    put_flag(&me->eps[1 - me->rank], 64, 1);
    await(me, 64, 1);
    meet(me);
    if (me->rank == DYING) {
        leave(me);
        return;
    }
    uint64_t start = hy_now_ns();
    int rc;
    while ((rc = do_check(&me->eps[DYING])) == HAYATE_OK) CHECK(hy_now_ns() - start < told_within);
    CHECK(rc == HAYATE_ERR_PEER_FAILED && strstr(hayate_error(), "has left"));
    start = hy_now_ns();
    leave(me);
    CHECK(hy_now_ns() - start < told_within);
}

/* A variable that makes the network talk, and its value. */
static const char *noisy[2];

STORY_TEST(should_keep_all_noise_off_stdout, 2)
{
    if (noisy[0]) setenv(noisy[0], noisy[1], 1);
    hy_log_setup();
    int quiet = memfd_create("stdout", 0);
    CHECK(quiet >= 0 && dup2(quiet, STDOUT_FILENO) >= 0);
    CHECK(dup2(open("/dev/null", O_WRONLY), STDERR_FILENO) >= 0);
    join(me);
    meet(me);
    put_flag(&me->eps[1 - me->rank], 64, 1);
    await(me, 64, 1);
    leave(me);
    fflush(stdout);
    if (lseek(quiet, 0, SEEK_END) != 0) _exit(1);
}

#endif
