/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Choices on which ranks of a node wait for each other; the other one is slow, or gone. */
#include "fmpl/members_fixture.h"

#include "base/clock.h"
#include "choose/board.h"
#include "choose/choose_fixture.h"
#include "coll/choosing.h"
#include "coll/limits.h"
#include "init/join.h"

#define MARK_NS 12345.0
#define TELLS_WITHIN_NS UINT64_C(30000000000)

/* A choice of rank 0 in a thread of its own. */
typedef struct asking {
    hy_shape shape;
    hy_choice choice;
    int rc;
    pthread_t thread;
} asking;

static hy_board *board(void)
{
    return hy_control_board(members[0].job->boot.control);
}

static void *ask(void *argument)
{
    asking *a = argument;
    hy_comms *comms = members[0].fmpl->comms;
    hy_comm *comm = hy_comm_find(comms, FMPL_COMM_WORLD);
    a->rc = hy_comm_choose(comms, comm, &(hy_request){.shape = a->shape}, &a->choice);
    return NULL;
}

static hy_question question_of(const asking *a)
{
    return hy_question_of(&(hy_request){.shape = a->shape}, members[0].fmpl->comms->model_digest);
}

/* As if `rank` were choosing; rank 0 begins to wait for it. */
static hy_board_entry *begin_to_wait_for(asking *a, uint32_t rank)
{
    hy_board_entry *entry;
    a->shape = shape_of(HY_COLL_ALLREDUCE, RANKS, 1024);
    a->choice.ns = 0;
    const hy_question question = question_of(a);
    assert_int_equal(hy_board_ask(board(), &question, rank, &entry), HY_BOARD_TAKEN);
    assert_int_equal(pthread_create(&a->thread, NULL, ask, a), 0);
    return entry;
}

static void assert_chooses_by_itself(asking *a)
{
    pthread_join(a->thread, NULL);
    assert_ok(a->rc);
    const hy_choice expected = chosen(&members[0].fmpl->comms->model, &a->shape, NULL);
    assert_same(&a->choice, &expected);
}

static bool is_told(hy_waits_seen *seen)
{
    for (int i = 0; i < HY_WAITS; i++)
        if (hy_waits_read(members[0].job->waits, i, RANKS, seen)) return true;
    return false;
}

TEST(should_wait_for_the_rank_that_chooses_and_tell_for_whom)
{
    asking a;
    hy_waits_seen seen;
    hy_board_entry *entry = begin_to_wait_for(&a, 1);
    while (!is_told(&seen)) sched_yield();
    assert_int_equal(seen.awaited.kind, HY_AWAITED_CHOICE);
    assert_int_equal(seen.awaited.peer, 1);
    assert_int_equal(seen.awaited.what, HY_COLL_ALLREDUCE);
    assert_int_equal(seen.awaited.bytes, 1024);
    hy_choice choice = chosen(&members[0].fmpl->comms->model, &a.shape, NULL);
    choice.ns = MARK_NS;
    const hy_question question = question_of(&a);
    hy_board_answer(entry, &question, &choice);
    hy_control_ring_all(members[0].job->boot.control);
    pthread_join(a.thread, NULL);
    assert_ok(a.rc);
    assert_float_equal(a.choice.ns, MARK_NS, 0.1);
}

TEST(should_choose_by_itself_once_that_rank_is_dead)
{
    asking a;
    hy_waits_seen seen;
    begin_to_wait_for(&a, 1);
    while (!is_told(&seen)) sched_yield();
    uint64_t start = hy_now_ns();
    hy_control_publish(members[0].job->boot.control, 1, HY_RANK_DEAD, 256 + 9);
    assert_chooses_by_itself(&a);
    assert_true(hy_now_ns() - start < TELLS_WITHIN_NS);
}

TEST(should_choose_by_itself_where_that_rank_has_left_before)
{
    asking a;
    hy_job_close(members[1].job);
    uint64_t start = hy_now_ns();
    begin_to_wait_for(&a, 1);
    assert_chooses_by_itself(&a);
    assert_true(hy_now_ns() - start < TELLS_WITHIN_NS);
}

static void limit(uint64_t ns, bool (*interrupted)(void))
{
    hy_limits *limits = &members[0].fmpl->comms->limits;
    hy_limits_set(limits, ns);
    limits->interrupted = interrupted;
}

static bool is_interrupted(void)
{
    return true;
}

/* That rank lives and chooses, but does not run. */
TEST(should_not_wait_longer_than_a_collective_may)
{
    asking a;
    limit(10000000, NULL);
    uint64_t start = hy_now_ns();
    begin_to_wait_for(&a, 1);
    assert_chooses_by_itself(&a);
    assert_true(hy_now_ns() - start < TELLS_WITHIN_NS);
}

TEST(should_end_the_wait_by_an_interrupt)
{
    asking a;
    limit(0, is_interrupted);
    uint64_t start = hy_now_ns();
    begin_to_wait_for(&a, 1);
    assert_chooses_by_itself(&a);
    assert_true(hy_now_ns() - start < TELLS_WITHIN_NS);
}

/* Else each new shape would wake all ranks. */
TEST(should_ring_the_others_only_with_an_answer)
{
    asking a = {.shape = shape_of(HY_COLL_ALLREDUCE, RANKS, 1024)};
    hy_bell *bell = members[1].job->bell;
    atomic_fetch_add(&bell->sleepers, 1);
    uint32_t before = hy_load_relaxed(&bell->seq);
    ask(&a);
    assert_ok(a.rc);
    assert_int_equal(hy_load_relaxed(&bell->seq), before + 1);
    ask(&a); /* it remembers */
    assert_int_equal(hy_load_relaxed(&bell->seq), before + 1);
    atomic_fetch_sub(&bell->sleepers, 1);
}

TEST(should_not_wait_in_what_is_closed)
{
    asking a;
    hy_waits_seen seen;
    begin_to_wait_for(&a, 1);
    while (!is_told(&seen)) sched_yield();
    hy_fmpl_close(members[0].fmpl);
    assert_chooses_by_itself(&a);
}

TEST(should_not_take_an_answer_that_is_no_way_of_its_algorithm)
{
    asking a;
    hy_board_entry *entry = begin_to_wait_for(&a, 1);
    hy_choice choice = chosen(&members[0].fmpl->comms->model, &a.shape, NULL);
    choice.way.arity = 200;
    const hy_question question = question_of(&a);
    hy_board_answer(entry, &question, &choice);
    hy_control_ring_all(members[0].job->boot.control);
    assert_chooses_by_itself(&a);
}

/* The ranks may have opened FMPL before, and a tuning file may have been written since. */
TEST(should_not_take_an_answer_that_another_model_gave)
{
    const hy_comms *comms = members[0].fmpl->comms;
    asking a = {.shape = shape_of(HY_COLL_ALLREDUCE, RANKS, 1024)};
    const hy_question question = hy_question_of(&(hy_request){.shape = a.shape},
                                                comms->model_digest + 1);
    const hy_choice expected = chosen(&comms->model, &a.shape, NULL);
    hy_choice other = expected;
    hy_board_entry *entry;
    other.ns = MARK_NS;
    assert_int_equal(comms->model_digest, hy_model_digest(&comms->model));
    assert_int_equal(hy_board_ask(board(), &question, 1, &entry), HY_BOARD_TAKEN);
    hy_board_answer(entry, &question, &other);
    ask(&a);
    assert_ok(a.rc);
    assert_same(&a.choice, &expected);
}

/* Each process of a job can write to the board. */
TEST(should_not_wait_for_a_rank_that_does_not_exist)
{
    asking a;
    begin_to_wait_for(&a, RANKS);
    assert_chooses_by_itself(&a);
}

int main(void)
{
    tests_each(members_set_up, members_tear_down);
    return tests_run();
}
