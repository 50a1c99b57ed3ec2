/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Communicators that come and go while other threads of the rank are in calls. */
#include "coll/creation_fixture.h"

static void first_byte(void *inout, const void *in, size_t count, void *context)
{
    (void)inout, (void)in, (void)count, (void)context;
}

TEST(should_let_other_calls_through_while_a_thread_creates)
{
    creation before[] = {{.rank = 0}, {.rank = 1}}, waiting = {.rank = 0}, last = {.rank = 1};
    hy_comms *comms = members[0].fmpl->comms;
    int op;
    create_on_both(before);
    assert_works(before);
    begin(&waiting);
    await_arrival();
    assert_ok(hy_function_create(comms, first_byte, 1, NULL, &op));
    assert_ok(hy_function_free(comms, op, NULL));
    assert_ok(hy_comm_free(comms, before[0].comm));
    assert_code(hy_comm_free(comms, before[0].comm), HAYATE_ERR_ARGUMENT);
    hy_comms_trim(comms);
    begin(&last);
    finish(&waiting, HAYATE_OK);
    finish(&last, HAYATE_OK);
    assert_works((creation[]){waiting, last});
}

TEST(should_create_for_several_threads_one_after_the_other)
{
    enum { EACH = 3 };
    for (int round = 0; round < ROUNDS / 4; round++) {
        creation all[RANKS][EACH];
        for (int i = 0; i < RANKS * EACH; i++) {
            all[i % RANKS][i / RANKS] = (creation){.rank = i % RANKS};
            begin(&all[i % RANKS][i / RANKS]);
        }
        for (int i = 0; i < RANKS * EACH; i++) finish(&all[i % RANKS][i / RANKS], HAYATE_OK);
        /* As they all join all, the first of one rank is the first of the other. */
        for (int comm = 1; comm <= EACH; comm++)
            assert_works((creation[]){{.rank = 0, .comm = comm}, {.rank = 1, .comm = comm}});
        for (int comm = 1; comm <= EACH; comm++) {
            assert_ok(hy_comm_free(members[0].fmpl->comms, comm));
            assert_ok(hy_comm_free(members[1].fmpl->comms, comm));
        }
    }
}

/* One waits for rank 1, the other one for its turn. */
TEST(should_end_creators_when_the_fmpl_is_closed_and_leave_the_job_in_order)
{
    for (int round = 0; round < ROUNDS / 10; round++) {
        creation waiting = {.rank = 0}, behind = {.rank = 0, .stays_out = round % 2};
        begin(&waiting);
        await_arrival();
        begin(&behind);
        for (int i = 0; i < 100 * (round % 5); i++) sched_yield();
        hy_fmpl_close(members[0].fmpl);
        finish(&waiting, HAYATE_ERR_CLOSED);
        finish(&behind, HAYATE_ERR_CLOSED);
        assert_int_equal(hy_control_arrived(members[0].job->boot.control), 0);
        members_close_fmpls();
        members_open();
        creation made[] = {{.rank = 0}, {.rank = 1}};
        create_on_both(made);
        assert_works(made);
    }
}

/* At any moment of a creation in which both ranks are: it was, or it was not; nobody remains in it
 * when his own FMPL is closed. It goes on until both have been seen. */
TEST(should_close_at_any_moment_of_a_creation)
{
    unsigned seed = 20240607;
    int round = 0, made_it = 0;
    for (; round < ROUNDS || (round < 10 * ROUNDS && (made_it == 0 || made_it == round)); round++) {
        creation made[] = {{.rank = 0}, {.rank = 1}};
        begin(&made[0]);
        if (rand_r(&seed) % 8 == 0) hy_fmpl_close(members[0].fmpl);
        begin(&made[1]);
        for (int i = rand_r(&seed) % 60; i > 0; i--) sched_yield();
        for (int i = 0; i < RANKS; i++) hy_fmpl_close(members[i].fmpl);
        for (int i = 0; i < RANKS; i++) {
            pthread_join(made[i].thread, NULL);
            if (made[i].rc != HAYATE_OK) finish(&made[i], HAYATE_ERR_CLOSED);
        }
        made_it += made[0].rc == HAYATE_OK;
        members_close_fmpls();
        members_open();
    }
    assert_in_range(made_it, 1, round - 1);
}

TEST(should_end_creators_when_a_rank_leaves)
{
    creation waiting = {.rank = 0}, behind = {.rank = 0};
    begin(&waiting);
    await_arrival();
    begin(&behind);
    hy_job_close(members[1].job);
    finish(&waiting, HAYATE_ERR_PEER_FAILED);
    finish(&behind, HAYATE_ERR_PEER_FAILED);
    assert_int_equal(waiting.peer, 1);
    assert_int_equal(behind.peer, 1);
    assert_string_equal(behind.said, "rank 1 left the job");
}

TEST(should_end_creators_when_the_job_is_closed)
{
    creation waiting = {.rank = 0}, behind = {.rank = 0};
    begin(&waiting);
    await_arrival();
    begin(&behind);
    hy_job_close(members[0].job);
    finish(&waiting, HAYATE_ERR_CLOSED);
    finish(&behind, HAYATE_ERR_CLOSED);
}

static void *open_another(void *argument)
{
    member *m = argument;
    hy_fmpl *unwanted;
    m->rc = hy_fmpl_open(&unwanted, m->job, NULL, NULL, 1);
    return NULL;
}

TEST(should_refuse_a_rank_that_makes_something_else_and_go_on)
{
    creation waiting = {.rank = 0}, made[] = {{.rank = 0}, {.rank = 1}};
    begin(&waiting);
    open_another(&members[1]);
    assert_refused(members[1].rc, HAYATE_ERR_MISMATCH,
                   "rank 0 creates a communicator, this rank an FMPL: all ranks");
    finish(&waiting, HAYATE_ERR_MISMATCH);
    assert_int_equal(waiting.peer, 1);
    create_on_both(made);
    assert_works(made);
}

/* Calls a communicator of rank 0 alone, which comes and goes, as its only one besides the world. */
static void *call_on(void *argument)
{
    _Atomic uint32_t *ended = argument;
    const hy_collective_call barrier = {.coll = HY_COLL_BARRIER};
    const hy_collective_call wrong = {.coll = HY_COLL_BCAST, .count = 8, .root = RANKS};
    while (!hy_load_acquire(ended)) {
        int rc = hy_collective(members[0].fmpl->comms, 1, &barrier, false);
        if (rc && rc != HAYATE_ERR_ARGUMENT && rc != HAYATE_ERR_BUSY) return "barrier";
        rc = hy_collective(members[0].fmpl->comms, 1, &wrong, false);
        if (rc != HAYATE_ERR_ARGUMENT && rc != HAYATE_ERR_BUSY) return "bcast";
    }
    return NULL;
}

TEST(should_free_beside_collectives_of_another_thread)
{
    pthread_t caller;
    _Atomic uint32_t ended = 0;
    void *wrong;
    assert_int_equal(pthread_create(&caller, NULL, call_on, &ended), 0);
    for (int round = 0; round < ROUNDS / 4; round++) {
        creation made[] = {{.rank = 0}, {.rank = 1, .stays_out = true}};
        create_on_both(made);
        assert_int_equal(made[0].comm, 1);
        int rc;
        while ((rc = hy_comm_free(members[0].fmpl->comms, 1)) == HAYATE_ERR_BUSY) sched_yield();
        assert_ok(rc);
    }
    hy_store_release(&ended, 1);
    pthread_join(caller, &wrong);
    assert_null(wrong);
}

int main(void)
{
    tests_each(members_set_up, members_tear_down);
    return tests_run();
}
