/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Nodes, delegatees and ranks that die, stop, leave, or write rubbish. */
#include "deleg/deleg_fixture.h"
/* Some concern ranks that have connections of their own. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "net/failure_tests.h"

/* ---- the delegatee of this node ---- */

static void expect_lost(int (*what)(hy_ep *), hy_ep *ep, const char *why)
{
    CHECK(what(ep) == HAYATE_ERR_PEER_FAILED);
    CHECK(strstr(hayate_error(), why));
    CHECK(hayate_error_peer() == ep->rank);
}

/* Blocks in an operation to a node that is stopped, until its own delegatee is killed. */
static void *kill_delegatee(void *argument)
{
    usleep(200000);
    kill(deleg_node.child, SIGKILL);
    CHECK(waitpid(deleg_node.child, NULL, WNOWAIT) >= 0 || errno == EINVAL || errno == ECHILD);
    hy_delegation_end(hy_control_delegation(deleg_node.control), 256 + SIGKILL);
    hy_control_ring_all(deleg_node.control);
    return argument;
}

static void lose_delegatee(member *me)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    join(me);
    CHECK_OK(do_put_and_flush(ep));
    meet(me);
    if (me->rank == ALIVE) {
        pthread_t killer;
        CHECK(pthread_create(&killer, NULL, kill_delegatee, NULL) == 0);
        uint64_t start = hy_now_ns();
        int rc;
        while ((rc = operation(ep)) == HAYATE_OK) CHECK(hy_now_ns() - start < told_within);
        CHECK(rc == HAYATE_ERR_PEER_FAILED && strstr(hayate_error(), "killed by signal 9"));
        pthread_join(killer, NULL);
        expect_lost(do_get, ep, "the delegatee of this node has ended");
        expect_lost(do_flags, ep, "the delegatee of this node has ended");
        expect_lost(do_check, ep, "the delegatee of this node has ended");
    }
    meet(me);
    uint64_t start = hy_now_ns();
    leave(me);
    CHECK(hy_now_ns() - start < told_within);
}

TEST(should_end_every_operation_when_the_delegatee_is_killed)
{
    static int (*const all[])(hy_ep *) = {do_get,    do_long_put, do_put_and_flush,
                                          do_atomic, do_flags,    do_check};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        operation = all[i];
        run_stories(2, lose_delegatee);
    }
}

STORY_TEST(should_tell_that_the_delegatee_is_stopped, 2)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    me->attr.silence_ms = 3000;
    join(me);
    CHECK_OK(do_put_and_flush(ep));
    meet(me);
    if (me->rank == ALIVE) {
        uint64_t start = hy_now_ns();
        kill(deleg_node.child, SIGSTOP);
        expect_lost(do_atomic, ep, "did nothing for 3.0 s");
        CHECK(hy_now_ns() - start > 3 * SECOND / 2 && hy_now_ns() - start < 30 * SECOND);
        const hy_delegation *area = hy_control_delegation(deleg_node.control);
        uint64_t beat = hy_load_relaxed(&area->beat);
        kill(deleg_node.child, SIGCONT);
        while (hy_load_relaxed(&area->beat) == beat) sched_yield();
        expect_lost(do_get, ep, "did nothing for 3.0 s"); /* the silence is for good */
        expect_lost(do_check, ep, "did nothing for 3.0 s");
    }
    meet(me);
    leave(me);
}

/* ---- a node that has failed, with a command under way ---- */

#define GOT 4096

static _Atomic bool has_got;

static void *get_from_peer(void *context)
{
    member *me = context;
    hy_ep *ep = &me->eps[1 - me->rank];
    CHECK_OK(ep->ops->get(ep, 0, me->part + GOT, GOT));
    hy_store_release(&has_got, true);
    return NULL;
}

static uint64_t count_posted(void)
{
    const hy_ring *ring = deleg_ring_at(0, 0);
    uint64_t count = 0;
    for (int i = 0; i < HY_RING_DEPTH; i++) count += hy_load_acquire(&ring->commands[i].posted);
    return count;
}

/* The delegatee, which is stopped, will still write what was asked for. */
STORY_TEST(should_not_give_up_memory_that_the_delegatee_may_still_write, 2)
{
    me->attr.silence_ms = 20000;
    join(me);
    memset(me->part, 1 + me->rank, GOT);
    meet(me);
    if (me->rank == ALIVE) {
        pthread_t thread;
        int status;
        hy_delegation *area = hy_control_delegation(deleg_node.control);
        uint64_t before = count_posted();
        kill(deleg_node.child, SIGSTOP);
        CHECK(waitpid(deleg_node.child, &status, WUNTRACED) == deleg_node.child);
        CHECK(pthread_create(&thread, NULL, get_from_peer, me) == 0);
        while (count_posted() == before) sched_yield();
        atomic_fetch_or(&hy_delegation_states(area, 1)[1 - me->rank], HY_NODE_FAILED);
        hy_bell_ring(me->bell);
        for (uint64_t end = hy_now_ns() + SECOND / 4; hy_now_ns() < end; sched_yield())
            CHECK(!hy_load_acquire(&has_got));
        kill(deleg_node.child, SIGCONT);
        pthread_join(thread, NULL);
        CHECK(me->part[GOT] == 2 - me->rank && me->part[2 * GOT - 1] == 2 - me->rank);
        expect_lost(do_get, &me->eps[1 - me->rank], "has ended, or the connection");
    }
    meet(me);
    leave(me);
}

/* ---- rubbish ---- */

static uint64_t rubbish_seed;

static uint64_t rubbish(void)
{
    rubbish_seed = rubbish_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = rubbish_seed >> 33;
    switch (x % 5) {
    case 0: return x % 8;
    case 1: return x % 256;
    case 2: return PART - x % 64;
    case 3: return UINT64_MAX - x % 64;
    default: return x << 32 | x;
    }
}

static void write_rubbish(member *me, hy_ring *ring, uint64_t number)
{
    hy_command *slot = &ring->commands[(number - 1) % HY_RING_DEPTH];
    slot->kind = (uint8_t)rubbish();
    slot->what = (uint8_t)rubbish();
    slot->bytes = (uint8_t)rubbish();
    slot->where = (uint8_t)rubbish();
    slot->rank = (uint32_t)rubbish();
    slot->remote = rubbish();
    slot->local = rubbish();
    slot->len = rubbish();
    slot->operand = slot->expected = 0;
    hy_store_release(&slot->posted, number);
    hy_delegation_tell(hy_control_delegation(deleg_node.control), 0, 3);
    uint64_t start = hy_now_ns();
    while (hy_done_number(hy_load_acquire(&slot->done)) != number) {
        me->net->ops->progress(me->net);
        CHECK(hy_now_ns() - start < 10 * SECOND);
        sched_yield();
    }
}

/* The ring of lanes that this rank does not use otherwise. Sound commands among the rubbish go to
 * the memory of the peer, which nobody else uses here. */
static void send_rubbish(member *me)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    hy_delegation *area = hy_control_delegation(deleg_node.control);
    join(me);
    meet(me);
    for (uint64_t number = 1; me->rank == ALIVE && number <= 20000; number++) {
        write_rubbish(me, deleg_ring_at(0, 3), number);
        if (number % 1000 == 0) {
            atomic_store(&area->work[0], rubbish()); /* bits of rings that do not exist */
            hy_delegation_states(area, 1)[me->rank] = (uint32_t)rubbish();
            area->magic = rubbish();
            area->parts = (uint32_t)rubbish(); /* checked once: nobody reads them again */
            area->nodes = (uint32_t)rubbish();
            CHECK_OK(do_atomic(ep));
        }
    }
    meet(me);
    CHECK_OK(do_atomic(ep));
    meet(me);
    leave(me);
}

TEST(should_survive_rubbish_in_a_ring)
{
    for (rubbish_seed = 1; rubbish_seed < 4; rubbish_seed++) {
        uint64_t seed = rubbish_seed;
        run_stories(2, send_rubbish);
        rubbish_seed = seed;
    }
}

int main(void)
{
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 1);
    tested = &hy_net_ofi;
    said_of_death = "the connection to its node is lost: "; /* and why, as the delegatee knows it */
    need_network();
    deleg_use();
    return tests_run();
}
