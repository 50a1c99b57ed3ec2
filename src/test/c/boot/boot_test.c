/* SPDX-License-Identifier: Apache-2.0 */
/* Fence and status, with threads as the ranks of one segment. */
#include "base/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "boot/boot.h"

#define RANKS 5
#define ROUNDS 2000

typedef struct member {
    hy_boot boot;
    pthread_t thread;
    int rc, peer;
    char reason[256];
    _Atomic uint32_t *counter;
    _Atomic uint32_t turns, ended, closed;
} member;

static hy_control *control;
static member members[RANKS];

static int set_up(void **state)
{
    (void)state;
    size_t bytes = hy_control_size(RANKS, RANKS, 4096);
    control = aligned_alloc(4096, bytes);
    memset(control, 0, bytes);
    control->size = control->parts = RANKS;
    control->nodes = 1;
    for (int i = 0; i < RANKS; i++) {
        members[i] = (member){.boot = {.ops = &hy_boot_single,
                                       .rank = i,
                                       .size = RANKS,
                                       .socket = -1,
                                       .segment_fd = -1,
                                       .control = control}};
        hy_control_kept(control)[i] = (uint32_t)i;
        hy_store_release(&hy_control_record(control, i)->state, HY_RANK_JOINED);
    }
    hy_wait_setup();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(control);
    return 0;
}

static void *fence_once(void *argument)
{
    member *self = argument;
    self->rc = hy_boot_fence(&self->boot);
    self->peer = hayate_error_peer();
    strncpy(self->reason, hayate_error(), sizeof self->reason - 1);
    atomic_store(&self->ended, 1);
    return NULL;
}

static void start(int rank, void *(*body)(void *))
{
    assert_int_equal(pthread_create(&members[rank].thread, NULL, body, &members[rank]), 0);
}

static void join(int rank)
{
    assert_int_equal(pthread_join(members[rank].thread, NULL), 0);
}

static _Atomic uint32_t inside;

/* Nobody is a round ahead of anybody between two fences. */
static void *fence_often(void *argument)
{
    member *self = argument;
    for (uint32_t round = 0; round < ROUNDS && !self->rc; round++) {
        atomic_fetch_add(&inside, 1);
        self->rc = hy_boot_fence(&self->boot);
        if (atomic_load(&inside) != RANKS * (round + 1)) self->rc = 99;
        if (!self->rc) self->rc = hy_boot_fence(&self->boot);
    }
    return NULL;
}

TEST_WITH(should_hold_all_until_the_last_has_come, set_up, tear_down)
{
    atomic_store(&inside, 0);
    for (int i = 0; i < RANKS; i++) start(i, fence_often);
    for (int i = 0; i < RANKS; i++) {
        join(i);
        assert_int_equal(members[i].rc, HAYATE_OK);
    }
}

static void await_arrivals(uint32_t count)
{
    while (hy_control_arrived(control) < count) sched_yield();
}

static void assert_all_named(const char *reason)
{
    for (int i = 0; i < RANKS; i++) {
        if (i == 3) continue;
        join(i);
        assert_int_equal(members[i].rc, HAYATE_ERR_PEER_FAILED);
        assert_int_equal(members[i].peer, 3);
        assert_string_equal(members[i].reason, reason);
    }
}

static void start_all_but_3(void)
{
    for (int i = 0; i < RANKS; i++)
        if (i != 3) start(i, fence_once);
}

TEST_WITH(should_name_a_rank_that_dies_while_others_wait, set_up, tear_down)
{
    start_all_but_3();
    await_arrivals(RANKS - 1);
    hy_control_publish(control, 3, HY_RANK_DEAD, 256 + 11);
    assert_all_named("rank 3 was killed by signal 11 (Segmentation fault)");
}

TEST_WITH(should_name_a_rank_that_left_before, set_up, tear_down)
{
    hy_control_publish(control, 3, HY_RANK_LEFT, 0);
    start_all_but_3();
    assert_all_named("rank 3 left the job");
}

TEST_WITH(should_name_the_dead_rank_not_those_that_left_because_of_it, set_up, tear_down)
{
    hy_control_publish(control, 0, HY_RANK_LEFT, 0);
    hy_control_publish(control, 3, HY_RANK_DEAD, 4);
    start(1, fence_once);
    join(1);
    assert_int_equal(members[1].rc, HAYATE_ERR_PEER_FAILED);
    assert_string_equal(members[1].reason, "rank 3 exited with status 4");
}

static void *fence_and_leave(void *argument)
{
    member *self = argument;
    self->rc = hy_boot_fence(&self->boot);
    hy_control_publish(control, self->boot.rank, HY_RANK_LEFT, 0);
    return NULL;
}

/* Those who leave at once must not fail those who wake up late in the same fence. */
TEST_WITH(should_not_fail_for_ranks_that_left_after_the_fence, set_up, tear_down)
{
    for (int round = 0; round < 300; round++) {
        for (int i = 0; i < RANKS; i++) start(i, fence_and_leave);
        for (int i = 0; i < RANKS; i++) {
            join(i);
            assert_int_equal(members[i].rc, HAYATE_OK);
        }
        tear_down(state);
        set_up(state);
    }
}

static void *fence_unless_closed(void *argument)
{
    member *self = argument;
    self->rc = hy_boot_fence_unless(&self->boot, &self->closed);
    return NULL;
}

static void close_rank(int rank)
{
    hy_store_release(&members[rank].closed, 1);
    hy_bell_ring(&hy_control_entry_at(control, (uint32_t)rank)->bell);
}

TEST_WITH(should_let_a_rank_that_is_closed_take_its_arrival_back, set_up, tear_down)
{
    for (int i = 0; i < RANKS - 1; i++) start(i, fence_unless_closed);
    await_arrivals(RANKS - 1);
    close_rank(1);
    join(1);
    assert_int_equal(members[1].rc, HAYATE_ERR_CLOSED);
    assert_int_equal(hy_control_arrived(control), RANKS - 2);
    start(1, fence_once);
    start(RANKS - 1, fence_once);
    for (int i = 0; i < RANKS; i++) {
        join(i);
        assert_int_equal(members[i].rc, HAYATE_OK);
    }
}

/* Whoever is told CLOSED has not come, so that nobody has passed; else all have. It goes on until
 * both have been seen. */
TEST_WITH(should_pass_or_be_closed_as_one, set_up, tear_down)
{
    enum { FEW = ROUNDS / 4, MOST = 10 * FEW };
    unsigned seed = 4711;
    int round = 0, closed = 0;
    for (; round < FEW || (round < MOST && (closed == 0 || closed == round)); round++) {
        int rank = rand_r(&seed) % RANKS, pause = rand_r(&seed) % 200, last = (rank + 1) % RANKS;
        bool early = rand_r(&seed) % 8 == 0;
        uint64_t before = hy_load_relaxed(&hy_control_live_of(control)->fence) >> 32;
        hy_store_relaxed(&members[rank].closed, 0);
        for (int i = 0; i < RANKS; i++)
            if (i != last) start(i, i == rank ? fence_unless_closed : fence_once);
        if (early) close_rank(rank);
        start(last, fence_once);
        while (pause-- > 0) hy_pause();
        close_rank(rank);
        join(rank);
        if (members[rank].rc) {
            assert_int_equal(members[rank].rc, HAYATE_ERR_CLOSED);
            assert_int_equal(hy_load_relaxed(&hy_control_live_of(control)->fence) >> 32, before);
            closed++;
            start(rank, fence_once);
            join(rank);
        }
        for (int i = 0; i < RANKS; i++) {
            if (i != rank) join(i);
            assert_int_equal(members[i].rc, HAYATE_OK);
        }
        assert_int_equal(hy_load_relaxed(&hy_control_live_of(control)->fence) >> 32, before + 1);
    }
    assert_in_range(closed, 1, round - 1);
}

TEST_WITH(should_wait_for_all_again_after_a_failure, set_up, tear_down)
{
    hy_control_publish(control, 3, HY_RANK_DEAD, 4);
    for (int round = 0; round < 2; round++) {
        start_all_but_3();
        assert_all_named("rank 3 exited with status 4");
        assert_int_equal(hy_control_arrived(control), 0);
    }
}

/* ---- ranks 3 and 4 live on another node ---- */

#define HERE 3

static struct {
    int code;     /* what the first rank's meeting with the other node comes to */
    int asked;    /* with which `failed` it was called */
    uint32_t end; /* of rank 4, meanwhile */
    bool closes;  /* rank 1, meanwhile */
} meeting;

static int count_turn(void *context)
{
    member *self = context;
    atomic_fetch_add(&self->turns, 1);
    return HAYATE_OK;
}

/* It comes to an end when the others of this node have looked around. */
static int meet_slowly(void *context, int failed, bool records)
{
    (void)context, (void)records;
    meeting.asked = failed;
    if (meeting.end) hy_control_publish(control, 4, meeting.end, 0);
    if (meeting.closes) close_rank(1);
    for (int i = 1; i < HERE && failed < 0; i++) {
        uint32_t enough = atomic_load(&members[i].turns) + 3;
        while (atomic_load(&members[i].turns) < enough && !atomic_load(&members[i].ended))
            sched_yield();
    }
    return meeting.code ? hy_fail_peer(meeting.code, failed < 0 ? 4 : failed, "no meeting") : 0;
}

static int set_up_nodes(void **state)
{
    int32_t node_of[RANKS];
    for (int i = 0; i < RANKS; i++) node_of[i] = i >= HERE;
    set_up(state);
    control->nodes = 2;
    control->parts = HERE;
    hy_layout_find_rule(&control->layout, node_of, RANKS, 2);
    memset(&meeting, 0, sizeof meeting);
    for (int i = 0; i < RANKS; i++) {
        hy_boot *boot = &members[i].boot;
        boot->between = meet_slowly;
        boot->idle = count_turn;
        boot->idle_context = &members[i];
        boot->idle_limit.us = 500;
    }
    return 0;
}

static void fence_here(void)
{
    for (int i = 0; i < HERE; i++) start(i, fence_once);
    for (int i = 0; i < HERE; i++) join(i);
}

TEST_WITH(should_not_fail_for_ranks_of_other_nodes_that_have_left, set_up_nodes, tear_down)
{
    meeting.end = HY_RANK_LEFT;
    fence_here();
    for (int i = 0; i < HERE; i++) assert_int_equal(members[i].rc, HAYATE_OK);
}

TEST_WITH(should_not_take_an_arrival_back_of_which_other_nodes_know, set_up_nodes, tear_down)
{
    meeting.closes = true;
    for (int i = 0; i < HERE; i++) start(i, fence_unless_closed);
    for (int i = 0; i < HERE; i++) {
        join(i);
        assert_int_equal(members[i].rc, HAYATE_OK);
    }
}

TEST_WITH(should_tell_all_ranks_of_a_node_that_its_first_could_not_meet_the_others, set_up_nodes,
          tear_down)
{
    meeting.code = HAYATE_ERR_PEER_FAILED;
    for (int round = 0; round < 2; round++) { /* it remains so */
        fence_here();
        for (int i = 0; i < HERE; i++) {
            assert_int_equal(members[i].rc, HAYATE_ERR_PEER_FAILED);
            assert_int_equal(members[i].peer, 4);
        }
        assert_non_null(strstr(members[1].reason, "cannot meet any more because of rank 4"));
    }
}

TEST_WITH(should_tell_the_other_nodes_which_rank_of_this_one_is_dead, set_up_nodes, tear_down)
{
    meeting.code = HAYATE_ERR_PEER_FAILED;
    hy_control_publish(control, 2, HY_RANK_DEAD, 4);
    start(0, fence_once);
    start(1, fence_once);
    join(0);
    join(1);
    assert_int_equal(meeting.asked, 2);
    assert_int_equal(members[0].peer, 2);
    assert_string_equal(members[1].reason, "rank 2 exited with status 4");
}

TEST_WITH(should_describe_every_end, set_up, tear_down)
{
    hy_boot *boot = &members[0].boot;
    hy_control_publish(control, 1, HY_RANK_STOPPED, 0);
    hy_control_publish(control, 2, HY_RANK_DEAD, 0);
    hy_store_release(&hy_control_record(control, 4)->state, 77);
    assert_ok(hy_boot_rank_status(boot, 0));
    assert_int_equal(hy_boot_rank_status(boot, 1), HAYATE_ERR_PEER_FAILED);
    assert_string_equal(hayate_error(),
                        "rank 1 has been stopped for longer than the launcher's --stop-timeout");
    assert_int_equal(hy_boot_rank_status(boot, 2), HAYATE_ERR_PEER_FAILED);
    assert_string_equal(hayate_error(), "rank 2 ended without leaving the job");
    assert_int_equal(hy_boot_rank_status(boot, 4), HAYATE_ERR_CORRUPT);
}

/* 1 + a rank that there is not, or that has not failed. */
TEST_WITH(should_name_a_rank_that_failed_whatever_is_told_as_the_first, set_up, tear_down)
{
    static const uint32_t told[] = {1, RANKS + 1, 0x7ffffff0, 0x80000000, UINT32_MAX};
    hy_control_publish(control, 2, HY_RANK_DEAD, 4);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        hy_store_release(&hy_control_live_of(control)->failed_first, told[i]);
        start(0, fence_once);
        join(0);
        assert_int_equal(members[0].rc, HAYATE_ERR_PEER_FAILED);
        assert_int_equal(members[0].peer, 2);
    }
}

TEST_WITH(should_refuse_a_count_of_arrivals_that_cannot_be, set_up, tear_down)
{
    static const uint32_t told[] = {0, RANKS + 1, 0x7ffffff0, UINT32_MAX};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        hy_store_release(&hy_control_live_of(control)->fence, 0);
        start(0, fence_once);
        while (hy_control_arrived(control) == 0) sched_yield();
        hy_store_release(&hy_control_live_of(control)->fence, told[i]);
        join(0);
        assert_int_equal(members[0].rc, HAYATE_ERR_CORRUPT);
    }
}

TEST(should_unmap_at_release_only_what_it_owns)
{
    for (int borrowed = 0; borrowed < 2; borrowed++) {
        hy_boot boot = {
            .ops = &hy_boot_local, .socket = -1, .segment_fd = -1, .borrowed = borrowed};
        void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_ptr_not_equal(memory, MAP_FAILED);
        boot.control = memory;
        boot.segment_bytes = 4096;
        hy_boot_release(&boot);
        assert_null(boot.control);
        assert_int_equal(msync(memory, 4096, MS_ASYNC), borrowed ? 0 : -1);
        munmap(memory, 4096);
    }
}

int main(void)
{
    return tests_run();
}
