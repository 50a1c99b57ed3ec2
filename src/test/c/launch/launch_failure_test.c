/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that ends abnormally: what the others are told, what the launcher says and returns. */
#include "launch_fixture.h"

#include "base/told_fixture.h"

/* Nothing here takes as long, unless the launcher waits for what it is not to wait for. */
#define LONG_MS 20000

static told_times times;

static void assert_told(const launched *job, int others)
{
    assert_int_equal(told_read(&times, job->out), others);
    assert_int_equal(count_of(job->out, "peer 1: -5 "), others);
}

static void should_tell_all_who_was_killed(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 4 $SELF --rank victim kill");
    assert_int_equal(job->status, 137);
    assert_told(job, 3);
    assert_int_equal(count_of(job->out, "rank 1 was killed by signal 9 (Killed)"), 3);
    assert_says(job->err, "hayate: rank 1 (pid ");
    assert_says(job->err, ") was killed by signal 9 (Killed)");
    assert_int_equal(count_of(job->err, "hayate:"), 1);
    done(job);
}

static void should_tell_all_who_crashed(void **state)
{
    (void)state;
    launched *job = run("ulimit -c 0; exec $RUN -n 4 $SELF --rank victim crash");
    assert_int_equal(job->status, 139);
    assert_told(job, 3);
    assert_int_equal(count_of(job->out, "rank 1 was killed by signal 11"), 3);
    assert_says(job->err, "hayate: rank 1 (pid ");
    done(job);
    job = run("ulimit -c 0; exec $RUN -n 4 $SELF --rank victim abort");
    assert_int_equal(job->status, 134);
    assert_told(job, 3);
    done(job);
}

static void should_tell_with_which_status_a_rank_exited(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 $SELF --rank victim exit");
    assert_int_equal(job->status, 3);
    assert_told(job, 2);
    assert_int_equal(count_of(job->out, "rank 1 exited with status 3"), 2);
    assert_says(job->err, ") exited with status 3");
    done(job);
}

static void should_tell_of_a_rank_that_left_but_not_fail_the_job(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 $SELF --rank victim leave");
    assert_int_equal(job->status, 0);
    assert_told(job, 2);
    assert_int_equal(count_of(job->out, "rank 1 left the job"), 2);
    assert_string_equal(job->err, "");
    done(job);
    job = run("exec $RUN -n 3 $SELF --rank victim silent");
    assert_int_equal(job->status, 0);
    assert_int_equal(count_of(job->out, "rank 1 left the job"), 2);
    done(job);
}

/* The others fail because of rank 1, whose status does not tell of it. */
static void should_name_a_rank_that_exits_with_0_before_those_that_fail_then(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 $SELF --rank victim silent 4");
    assert_int_equal(job->status, 4);
    const char *quit = strstr(job->err, "hayate: rank 1 (pid "), *failed;
    failed = strstr(job->err, ") exited with status 4");
    assert_says(job->err, ") exited with status 0, but had not left the job\n");
    assert_true(quit && failed && quit < failed);
    assert_int_equal(count_of(job->err, "hayate:"), 2);
    done(job);
}

static void should_name_only_those_that_fail_when_others_have_ended_well(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 $SELF --rank victim leave 4");
    assert_int_equal(job->status, 4);
    assert_int_equal(count_of(job->err, "hayate:"), 1);
    done(job);
    job = run("exec $RUN -n 2 sh -c '[ $HAYATE_RANK = 0 ] || { sleep 0.2; exit 3; }'");
    assert_int_equal(job->status, 3);
    assert_int_equal(count_of(job->err, "hayate: rank 1 "), 1); /* they are in no job */
    assert_silent_about(job->err, "rank 0");
    done(job);
}

static void should_fail_a_rank_that_is_stopped_for_too_long(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 --stop-timeout 1 $SELF --rank victim stop");
    assert_int_equal(job->status, 1);
    assert_int_equal(count_of(job->out, "rank 1 has been stopped for longer"), 2);
    assert_says(job->err, "has been stopped for longer than 1 s (--stop-timeout)");
    assert_in_range(job->ms, 1000, LONG_MS);
    done(job);
}

static void should_fail_a_rank_that_closes_its_connection_and_lives_on(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 --grace 2 $SELF --rank victim 'hang up'");
    assert_int_equal(job->status, 1);
    assert_told(job, 2);
    assert_int_equal(count_of(job->out, "rank 1 ended without leaving the job"), 2);
    done(job);
}

static void should_notice_a_death_behind_a_shell(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 sh -c '$SELF --rank victim kill; exit $?'");
    assert_int_equal(job->status, 137);
    assert_told(job, 2);
    done(job);
    job = run("exec $RUN -n 3 --grace 2 sh -c '$SELF --rank victim kill; sleep 100'");
    assert_int_equal(job->status, 1);
    assert_told(job, 2);
    assert_int_equal(count_of(job->out, "rank 1 ended without leaving the job"), 2);
    assert_in_range(job->ms, 0, LONG_MS);
    done(job);
}

static void should_fail_the_others_when_a_rank_ends_before_it_joins(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 sh -c '[ $HAYATE_RANK = 1 ] || exec $SELF --rank join'");
    assert_int_equal(job->status, 0);
    assert_int_equal(count_of(job->out, "-5 rank "), 2); /* the second may name the first */
    assert_says(job->out, "-5 rank 1 left the job");
    done(job);
}

static void should_end_ranks_that_ignore_the_failure(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 --grace 0.1 sh -c 'trap \"\" TERM; "
                        "[ $HAYATE_RANK = 2 ] && exit 5; sleep 100; sleep 100'");
    assert_int_equal(job->status, 5);
    assert_in_range(job->ms, 100, LONG_MS);
    done(job);
}

static void should_give_the_others_their_grace(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 2 --grace 60 sh -c '[ $HAYATE_RANK = 0 ] && exit 6; "
                        "sleep 0.3; echo saved'");
    assert_int_equal(job->status, 6);
    assert_says(job->out, "saved");
    assert_in_range(job->ms, 300, LONG_MS);
    done(job);
}

static void should_return_0_when_all_ranks_do(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 4 $SELF --rank fences 200");
    assert_int_equal(job->status, 0);
    assert_string_equal(job->out, "");
    assert_string_equal(job->err, "");
    done(job);
}

static void should_name_a_rank_that_has_left_but_does_not_end(void **state)
{
    (void)state;
    launched *job = start("exec $RUN -n 3 --linger 0.1 $SELF --rank linger idle");
    await(job, "jstack");
    kill(job->pid, SIGTERM);
    finish(job);
    assert_int_equal(job->status, 143);
    assert_int_equal(count_of(job->err, "hayate:"), 1);
    assert_says(job->err, "hayate: rank 1 (pid ");
    assert_says(job->err, ") has left the job and does nothing, but its process has not ended for "
                          "0.1 s: a thread that is no daemon keeps a JVM from ending; jstack ");
    done(job);
}

static void should_say_once_that_no_rank_does_anything(void **state)
{
    (void)state;
    launched *job = start("exec $RUN -n 2 --linger 0.1 $SELF --rank quiet idle");
    await(job, "jstack");
    kill(job->pid, SIGTERM);
    finish(job);
    assert_int_equal(job->status, 143);
    assert_int_equal(count_of(job->err, "hayate:"), 1);
    assert_says(job->err, "hayate: no rank has done anything for 0.6 s: they may wait for each "
                          "other; hayate stat --waits ");
    done(job);
}

static void should_not_call_a_job_idle_in_which_a_rank_computes(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 2 --linger 0.12 $SELF --rank quiet busy");
    assert_int_equal(job->status, 0);
    assert_string_equal(job->err, "");
    done(job);
}

/* Each of them gets a fiftieth of a processor. */
static void should_not_call_a_job_idle_whose_many_ranks_share_a_processor(void **state)
{
    (void)state;
    launched *job = run("exec taskset -c 0 $RUN -n 50 --linger 0.3 $SELF --rank quiet 'crowd 5'");
    assert_int_equal(job->status, 0);
    assert_string_equal(job->err, "");
    done(job);
}

static void should_leave_a_rank_alone_that_computes_after_it_has_left(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 --linger 0.5 $SELF --rank linger busy");
    assert_int_equal(job->status, 0);
    assert_string_equal(job->err, "");
    done(job);
}

static void should_have_told_within_a_second(void **state)
{
    (void)state;
    if (!times.count) skip_now();
    told_assert_prompt(&times);
    times.count = 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(should_name_a_rank_that_has_left_but_does_not_end),
    cmocka_unit_test(should_leave_a_rank_alone_that_computes_after_it_has_left),
    cmocka_unit_test(should_say_once_that_no_rank_does_anything),
    cmocka_unit_test(should_not_call_a_job_idle_in_which_a_rank_computes),
    cmocka_unit_test(should_not_call_a_job_idle_whose_many_ranks_share_a_processor),
    cmocka_unit_test(should_tell_all_who_was_killed),
    cmocka_unit_test(should_tell_all_who_crashed),
    cmocka_unit_test(should_tell_with_which_status_a_rank_exited),
    cmocka_unit_test(should_tell_of_a_rank_that_left_but_not_fail_the_job),
    cmocka_unit_test(should_name_a_rank_that_exits_with_0_before_those_that_fail_then),
    cmocka_unit_test(should_name_only_those_that_fail_when_others_have_ended_well),
    cmocka_unit_test(should_fail_a_rank_that_is_stopped_for_too_long),
    cmocka_unit_test(should_fail_a_rank_that_closes_its_connection_and_lives_on),
    cmocka_unit_test(should_notice_a_death_behind_a_shell),
    cmocka_unit_test(should_fail_the_others_when_a_rank_ends_before_it_joins),
    cmocka_unit_test(should_end_ranks_that_ignore_the_failure),
    cmocka_unit_test(should_give_the_others_their_grace),
    cmocka_unit_test(should_return_0_when_all_ranks_do),
    cmocka_unit_test(should_have_told_within_a_second),
};

LAUNCH_TEST_MAIN(tests)
