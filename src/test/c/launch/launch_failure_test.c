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

TEST(should_tell_all_who_was_killed)
{
    launched *job = run_to(137, "exec $RUN -n 4 $SELF --rank victim kill");
    assert_told(job, 3);
    assert_int_equal(count_of(job->out, "rank 1 was killed by signal 9 (Killed)"), 3);
    assert_says(job->err, "hayate: rank 1 (pid ");
    assert_says(job->err, ") was killed by signal 9 (Killed)");
    assert_int_equal(count_of(job->err, "hayate:"), 1);
}

/* The others end well, or not, and are not hurried. */
TEST(should_let_the_others_go_on_if_the_job_survives)
{
    launched *job = run_to(0, "exec $RUN --survive --grace 0 -n 4 $SELF --rank victim kill");
    assert_told(job, 3);
    assert_says(job->err, ") was killed by signal 9 (Killed)");
    assert_int_equal(count_of(job->err, "hayate:"), 1);
    run_to(0, "HAYATE_SURVIVE=1 exec $RUN --grace 0 -n 3 $SELF --rank victim exit");
    job = run_to(137, "exec $RUN --survive -n 3 $SELF --rank victim kill 4");
    assert_int_equal(count_of(job->err, ") exited with status 4"), 2);
}

TEST(should_kill_a_rank_that_is_stopped_if_the_job_survives)
{
    launched *job = run_to(0, "exec $RUN --survive --stop-timeout 1 -n 3 $SELF --rank victim stop");
    assert_says(job->err, "has been stopped for longer than 1 s");
    assert_true(job->ms < LONG_MS);
}

TEST(should_end_a_job_that_survives_deaths_when_a_rank_aborts_it)
{
    run_to(7, "exec $RUN --survive -n 3 $SELF --rank victim 'give up'");
    run_to(7, "exec $RUN -n 3 $SELF --rank victim 'give up'");
}

TEST(should_tell_all_who_crashed)
{
    launched *job = run_to(139, "ulimit -c 0; exec $RUN -n 4 $SELF --rank victim crash");
    assert_told(job, 3);
    assert_int_equal(count_of(job->out, "rank 1 was killed by signal 11"), 3);
    assert_says(job->err, "hayate: rank 1 (pid ");
    job = run_to(134, "ulimit -c 0; exec $RUN -n 4 $SELF --rank victim abort");
    assert_told(job, 3);
}

TEST(should_tell_with_which_status_a_rank_exited)
{
    launched *job = run_to(3, "exec $RUN -n 3 $SELF --rank victim exit");
    assert_told(job, 2);
    assert_int_equal(count_of(job->out, "rank 1 exited with status 3"), 2);
    assert_says(job->err, ") exited with status 3");
}

TEST(should_tell_of_a_rank_that_left_but_not_fail_the_job)
{
    launched *job = run_to(0, "exec $RUN -n 3 $SELF --rank victim leave");
    assert_told(job, 2);
    assert_int_equal(count_of(job->out, "rank 1 left the job"), 2);
    assert_string_equal(job->err, "");
    job = run_to(0, "exec $RUN -n 3 $SELF --rank victim silent");
    assert_int_equal(count_of(job->out, "rank 1 left the job"), 2);
}

/* The others fail because of rank 1, whose status does not tell of it. */
TEST(should_name_a_rank_that_exits_with_0_before_those_that_fail_then)
{
    launched *job = run_to(4, "exec $RUN -n 3 $SELF --rank victim silent 4");
    const char *quit = strstr(job->err, "hayate: rank 1 (pid "), *failed;
    failed = strstr(job->err, ") exited with status 4");
    assert_says(job->err, ") exited with status 0, but had not left the job\n");
    assert_true(quit && failed && quit < failed);
    assert_int_equal(count_of(job->err, "hayate:"), 2);
}

TEST(should_name_only_those_that_fail_when_others_have_ended_well)
{
    launched *job = run_to(4, "exec $RUN -n 3 $SELF --rank victim leave 4");
    assert_int_equal(count_of(job->err, "hayate:"), 1);
    job = run_to(3, "exec $RUN -n 2 sh -c '[ $HAYATE_RANK = 0 ] || { sleep 0.2; exit 3; }'");
    assert_int_equal(count_of(job->err, "hayate: rank 1 "), 1); /* they are in no job */
    assert_silent_about(job->err, "rank 0");
}

TEST(should_fail_a_rank_that_is_stopped_for_too_long)
{
    launched *job = run_to(1, "exec $RUN -n 3 --stop-timeout 1 $SELF --rank victim stop");
    assert_int_equal(count_of(job->out, "rank 1 has been stopped for longer"), 2);
    assert_says(job->err, "has been stopped for longer than 1 s (--stop-timeout)");
    assert_in_range(job->ms, 1000, LONG_MS);
}

TEST(should_fail_a_rank_that_closes_its_connection_and_lives_on)
{
    launched *job = run_to(1, "exec $RUN -n 3 --grace 2 $SELF --rank victim 'hang up'");
    assert_told(job, 2);
    assert_int_equal(count_of(job->out, "rank 1 ended without leaving the job"), 2);
}

TEST(should_notice_a_death_behind_a_shell)
{
    launched *job = run_to(137, "exec $RUN -n 3 sh -c '$SELF --rank victim kill; exit $?'");
    assert_told(job, 2);
    job = run_to(1, "exec $RUN -n 3 --grace 2 sh -c '$SELF --rank victim kill; sleep 100'");
    assert_told(job, 2);
    assert_int_equal(count_of(job->out, "rank 1 ended without leaving the job"), 2);
    assert_in_range(job->ms, 0, LONG_MS);
}

TEST(should_fail_the_others_when_a_rank_ends_before_it_joins)
{
    launched *job = run_to(0,
                           "exec $RUN -n 3 sh -c '[ $HAYATE_RANK = 1 ] || exec $SELF --rank join'");
    assert_int_equal(count_of(job->out, "-5 rank "), 2); /* the second may name the first */
    assert_says(job->out, "-5 rank 1 left the job");
}

TEST(should_end_ranks_that_ignore_the_failure)
{
    launched *job = run_to(5, "exec $RUN -n 3 --grace 0.1 sh -c 'trap \"\" TERM; "
                              "[ $HAYATE_RANK = 2 ] && exit 5; sleep 100; sleep 100'");
    assert_in_range(job->ms, 100, LONG_MS);
}

TEST(should_give_the_others_their_grace)
{
    launched *job = run_to(6, "exec $RUN -n 2 --grace 60 sh -c '[ $HAYATE_RANK = 0 ] && exit 6; "
                              "sleep 0.3; echo saved'");
    assert_says(job->out, "saved");
    assert_in_range(job->ms, 300, LONG_MS);
}

TEST(should_return_0_when_all_ranks_do)
{
    launched *job = run_to(0, "exec $RUN -n 4 $SELF --rank fences 200");
    assert_string_equal(job->out, "");
    assert_string_equal(job->err, "");
}

TEST(should_name_a_rank_that_has_left_but_does_not_end)
{
    launched *job = start("exec $RUN -n 3 --linger 0.1 $SELF --rank linger idle");
    await(job, "jstack");
    end_by(job, SIGTERM);
    assert_int_equal(job->status, 143);
    assert_int_equal(count_of(job->err, "hayate:"), 1);
    assert_says(job->err, "hayate: rank 1 (pid ");
    assert_says(job->err, ") has left the job and does nothing, but its process has not ended for "
                          "0.1 s: a thread that is no daemon keeps a JVM from ending; jstack ");
}

TEST(should_say_once_that_no_rank_does_anything)
{
    launched *job = start("exec $RUN -n 2 --linger 0.1 $SELF --rank quiet idle");
    await(job, "jstack");
    end_by(job, SIGTERM);
    assert_int_equal(job->status, 143);
    assert_int_equal(count_of(job->err, "hayate:"), 1);
    assert_says(job->err, "hayate: no rank has done anything for 0.6 s: they may wait for each "
                          "other; hayate stat --waits ");
}

TEST(should_not_call_a_job_idle_in_which_a_rank_computes)
{
    launched *job = run_to(0, "exec $RUN -n 2 --linger 0.12 $SELF --rank quiet busy");
    assert_string_equal(job->err, "");
}

/* Each of them gets a fiftieth of a processor. */
TEST(should_not_call_a_job_idle_whose_many_ranks_share_a_processor)
{
    launched *job = run_to(
        0, "exec taskset -c 0 $RUN -n 50 --linger 0.3 $SELF --rank quiet 'crowd 5'");
    assert_string_equal(job->err, "");
}

TEST(should_leave_a_rank_alone_that_computes_after_it_has_left)
{
    launched *job = run_to(0, "exec $RUN -n 3 --linger 0.5 $SELF --rank linger busy");
    assert_string_equal(job->err, "");
}

TEST(should_have_told_within_a_second)
{
    if (!times.count) skip_now();
    told_assert_prompt(&times);
    times.count = 0;
}

LAUNCH_TEST_MAIN()
