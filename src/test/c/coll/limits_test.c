/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Collectives that are given up: after a time limit, or because their thread was interrupted. */
#include "base/text_fixture.h"
#include "coll/creation_fixture.h"

#include "base/clock.h"
#include "coll/background.h"
#include "coll/limits.h"
#include "pcoll/pcoll.h"

#define MS UINT64_C(1000000)
#define COUNT 20000

static double values[RANKS][COUNT];

static hy_comms *comms_of(int rank)
{
    return members[rank].fmpl->comms;
}

static int barrier(int rank, int comm)
{
    const hy_collective_call call = {.coll = HY_COLL_BARRIER};
    return hy_collective(comms_of(rank), comm, &call, false);
}

static int sum(int rank, int comm)
{
    const hy_collective_call call = {.coll = HY_COLL_ALLREDUCE,
                                     .buffer = {.address = (uint8_t *)values[rank]},
                                     .count = COUNT,
                                     .op = FMPL_DOUBLE_SUM};
    return hy_collective(comms_of(rank), comm, &call, false);
}

/* A communicator of both; from then on rank 0 waits for 60 ms at most. */
static int create_limited(void)
{
    creation made[] = {{.rank = 0}, {.rank = 1}};
    hy_limits_set(&comms_of(0)->limits, 0);
    create_on_both(made);
    assert_works(made);
    hy_limits_set(&comms_of(0)->limits, 60 * MS);
    assert_int_equal(made[0].comm, made[1].comm);
    return made[0].comm;
}

TEST(should_give_up_after_the_limit_and_say_what_it_waited_for)
{
    int comm = create_limited();
    uint64_t begun = hy_now_ns();
    assert_code(barrier(0, comm), HAYATE_ERR_TIMED_OUT);
    assert_true(hy_now_ns() - begun >= 50 * MS); /* ticks are 10 ms apart at most */
    assert_int_equal(hayate_error_peer(), 1);
    const char *said = text_of(
        "the time limit of 0.06 s is over: barrier number 2 on communicator %d was given up "
        "while it waited for rank 1. The communicator can no longer be used: close it, and "
        "go on with another one",
        comm);
    assert_string_equal(hayate_error(), said);
}

/* It may complete the collective that rank 0 has given up, if everything was sent, but no other. */
static void assert_broken_for_rank_1(int comm)
{
    int rc = barrier(1, comm);
    if (rc == HAYATE_OK) rc = barrier(1, comm);
    assert_code(rc, HAYATE_ERR_BROKEN);
    assert_int_equal(hayate_error_peer(), 0);
    assert_non_null(strstr(hayate_error(), "rank 0 has given up"));
    assert_refused(barrier(1, comm), HAYATE_ERR_BROKEN,
                   "was given up by this rank or another member");
}

TEST(should_break_the_communicator_for_all_members_and_nothing_else)
{
    int comm = create_limited();
    hy_limits_set(&comms_of(1)->limits, 60000 * MS); /* would not end before the alarm */
    assert_code(barrier(0, comm), HAYATE_ERR_TIMED_OUT);
    assert_refused(sum(0, comm), HAYATE_ERR_BROKEN, "was given up");
    assert_broken_for_rank_1(comm);
    hy_limits_set(&comms_of(0)->limits, 0);
    assert_works((creation[]){{.rank = 0, .comm = 0}, {.rank = 1, .comm = 0}});
    for (int i = 0; i < RANKS; i++) assert_ok(hy_comm_free(comms_of(i), comm));
}

static uint64_t heap_left(hy_job *job)
{
    pthread_mutex_lock(&job->lock);
    uint64_t left = job->heap.size - job->heap.used;
    pthread_mutex_unlock(&job->lock);
    return left;
}

/* A member that is late may still use it. */
TEST(should_keep_the_memory_of_the_collective_until_all_members_have_freed)
{
    int comm = create_limited();
    hy_job *job = members[0].job;
    uint64_t before = heap_left(job);
    hy_stock *scratch = &hy_comm_find(comms_of(0), comm)->tmp;
    *scratch = (hy_stock){hy_job_alloc(job, 5000), 5000};
    assert_non_null(scratch->memory);
    assert_code(sum(0, comm), HAYATE_ERR_TIMED_OUT);
    uint64_t during = heap_left(job);
    assert_true(during < before);
    assert_ok(hy_comm_free(comms_of(0), comm));
    assert_int_equal(heap_left(job), during);
    assert_ok(hy_comm_free(comms_of(1), comm));
    hy_groups_reap(job);
    assert_int_equal(heap_left(job), before);
}

static bool yes(void)
{
    return true;
}

TEST(should_give_up_when_the_thread_is_interrupted)
{
    int comm = create_limited();
    hy_limits_set(&comms_of(0)->limits, 0);
    comms_of(0)->limits.interrupted = yes;
    assert_refused(barrier(0, comm), HAYATE_ERR_INTERRUPTED,
                   "the thread was interrupted: barrier number 2");
    assert_code(barrier(0, comm), HAYATE_ERR_BROKEN);
    assert_broken_for_rank_1(comm);
}

static int asked;

static bool count_and_say_no(void)
{
    asked++;
    return false;
}

/* To ask Java costs more than a short wait. */
TEST(should_not_ask_in_short_waits_whether_the_thread_was_interrupted)
{
    int comm = create_limited();
    hy_limits_set(&comms_of(0)->limits, 20000000);
    comms_of(0)->limits.interrupted = count_and_say_no;
    assert_code(barrier(0, comm), HAYATE_ERR_TIMED_OUT);
    assert_int_equal(asked, 0);
    assert_broken_for_rank_1(comm);
}

TEST(should_give_up_a_split_and_a_collective_that_is_tested)
{
    const hy_collective_call call = {.coll = HY_COLL_BARRIER};
    int comm = create_limited(), part;
    assert_refused(hy_comm_split(comms_of(0), comm, 0, 0, &part), HAYATE_ERR_TIMED_OUT,
                   "a set-up number 2 on communicator");
    assert_code(hy_comm_split(comms_of(0), comm, 0, 0, &part), HAYATE_ERR_BROKEN);
    comm = create_limited();
    int rc = hy_collective(comms_of(0), comm, &call, true);
    while (rc == HAYATE_IN_PROGRESS) rc = hy_collective_test(comms_of(0), comm, false);
    assert_code(rc, HAYATE_ERR_TIMED_OUT);
    comm = create_limited();
    assert_code(hy_collective(comms_of(0), comm, &call, true), HAYATE_IN_PROGRESS);
    assert_code(hy_collective_test(comms_of(0), comm, true), HAYATE_ERR_INTERRUPTED);
    assert_code(hy_collective_test(comms_of(0), comm, true), HAYATE_ERR_STATE);
    assert_code(barrier(0, comm), HAYATE_ERR_BROKEN);
}

static void *meet_in_background(void *argument)
{
    creation *c = argument;
    const hy_arguments call = {.coll = HY_COLL_BARRIER, .in_limit = -1, .out_limit = -1};
    c->rc = hy_background_start(comms_of(c->rank), c->comm, &call);
    if (c->rc == HAYATE_IN_PROGRESS)
        c->rc = hy_background_wait(comms_of(c->rank), c->comm, 0, NULL);
    return NULL;
}

TEST(should_let_a_started_collective_go_on_after_the_limit_of_its_wait)
{
    const hy_arguments call = {.coll = HY_COLL_BARRIER, .in_limit = -1, .out_limit = -1};
    const hy_limit limit = {.ns = 10 * MS};
    int comm = create_limited();
    creation other = {.rank = 1, .comm = comm};
    assert_code(hy_background_start(comms_of(0), comm, &call), HAYATE_IN_PROGRESS);
    for (int i = 0; i < 2; i++)
        assert_code(hy_background_wait(comms_of(0), comm, 0, &limit), HAYATE_IN_PROGRESS);
    assert_int_equal(pthread_create(&other.thread, NULL, meet_in_background, &other), 0);
    assert_ok(hy_background_wait(comms_of(0), comm, 0, NULL));
    finish(&other, HAYATE_OK);
}

static void *prepare(void *argument)
{
    creation *c = argument;
    const hy_pcoll_call call = {.arguments.coll = HY_COLL_BARRIER};
    hy_pcoll *operation = NULL;
    c->rc = hy_pcoll_init(comms_of(c->rank), c->comm, &call, &operation);
    if (!c->rc) c->rc = hy_pcoll_start(operation);
    return operation;
}

TEST(should_let_a_persistent_run_go_on_after_the_limit)
{
    int comm = create_limited();
    creation late = {.rank = 1, .comm = comm};
    const hy_pcoll_call call = {.arguments.coll = HY_COLL_BARRIER};
    hy_pcoll *ours = NULL;
    void *theirs = NULL;
    assert_int_equal(pthread_create(&late.thread, NULL, prepare, &late), 0);
    hy_limits_set(&comms_of(0)->limits, 0); /* the preparation is a collective, too */
    assert_ok(hy_pcoll_init(comms_of(0), comm, &call, &ours));
    pthread_join(late.thread, &theirs);
    hy_limits_set(&comms_of(0)->limits, 30 * MS);
    assert_ok(hy_pcoll_start(ours));
    assert_ok(hy_pcoll_wait(theirs, false));
    assert_ok(hy_pcoll_wait_limited(ours));
    assert_ok(hy_pcoll_start(ours));
    for (int i = 0; i < 2; i++) assert_code(hy_pcoll_wait_limited(ours), HAYATE_ERR_TIMED_OUT);
    assert_non_null(strstr(hayate_error(), "can be waited for again"));
    assert_ok(hy_pcoll_start(theirs));
    assert_ok(hy_pcoll_wait_limited(ours));
    assert_ok(hy_pcoll_wait(theirs, false));
    assert_ok(hy_pcoll_free(ours));
    assert_ok(hy_pcoll_free(theirs));
}

TEST(should_take_the_limit_from_the_settings)
{
    hy_limits limits = {0};
    setenv("HAYATE_TIMEOUT", "2s", 1);
    assert_ok(hy_limits_open(&limits));
    assert_int_equal(limits.limit_ns, 2000 * MS);
    setenv("HAYATE_TIMEOUT", "0", 1);
    assert_code(hy_limits_open(&limits), HAYATE_ERR_ARGUMENT);
    setenv("HAYATE_TIMEOUT", "off", 1);
    assert_ok(hy_limits_open(&limits));
    unsetenv("HAYATE_TIMEOUT");
    assert_int_equal(limits.limit_ns, 0);
}

int main(void)
{
    tests_each(members_set_up, members_tear_down);
    return tests_run();
}
