/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Persistent collectives under several settings and numbers of ranks. */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

#include "base/told_fixture.h"
#include "path/seccomp_fixture.h"

static void run_data(const char *settings, int n)
{
    ranks_must_pass(settings, n, "pcoll/pcoll_program");
}

static void run_life(const char *settings, int n)
{
    ranks_must_pass(settings, n, "pcoll/pcoll_life_program");
}

/* For what differs from another run by settings or by one rank more. */
#define LIGHT "HAYATE_TEST_LIGHT=1 "

TEST(should_carry_data_in_every_way)
{
    if (!LEVEL_SANITIZED) run_data("HAYATE_TUNING=none", 1);
    run_data("HAYATE_TUNING=none", 2);
    run_data(LIGHT "HAYATE_TUNING=none HAYATE_RENDEZVOUS=pipeline", 3);
    run_data("HAYATE_TUNING=none HAYATE_RENDEZVOUS=cma HAYATE_WAIT=block", 4);
    if (!LEVEL_SANITIZED) run_data(LIGHT "HAYATE_TUNING=none HAYATE_WAIT=block", 5);
}

TEST(should_live_and_end_in_order)
{
    run_life("HAYATE_TUNING=none", 1);
    run_life("HAYATE_TUNING=none", 2);
    run_life("HAYATE_TUNING=none HAYATE_WAIT=block", 3);
    run_life("HAYATE_TUNING=none HAYATE_RENDEZVOUS=pipeline", 5);
}

static told_times times;

static void survivors_are_told(const char *how, const char *arguments)
{
    const char *command = text_of("%s -n 3 $HAYATE_TEST_BIN/pcoll/pcoll_victim_program %s", how,
                                  arguments);
    ranks_result result = ranks_run("HAYATE_TUNING=none", command);
    if (!strstr(result.output, "rank 0 told at ") || !strstr(result.output, "rank 2 told at "))
        fail_msg("%s: exit %d\n%s", command, result.status, result.output);
    assert_int_equal(told_read(&times, result.output), 2);
}

TEST(should_end_the_runs_of_those_whose_member_died)
{
    survivors_are_told("", "progress=calls");
    survivors_are_told("", "progress=thread");
}

TEST(should_end_the_runs_of_those_whose_member_died_after_its_start)
{
    survivors_are_told("", "progress=calls started");
    survivors_are_told("", "progress=thread started");
}

TEST(should_end_the_runs_of_those_whose_member_died_as_a_task)
{
    ranks_need_tasks();
    survivors_are_told("--pvas", "progress=calls");
    survivors_are_told("--pvas", "progress=calls started");
}

/* Whichever of the two the root waits for first. */
TEST(should_end_a_run_in_which_a_member_left_after_its_part)
{
    ranks_must_pass("HAYATE_TUNING=none", 3, "pcoll/pcoll_leaver_program 1");
    ranks_must_pass("HAYATE_TUNING=none", 3, "pcoll/pcoll_leaver_program 2");
}

TEST(should_tell_all_that_a_rank_can_start_no_thread)
{
    if (!seccomp_is_possible()) skip();
    ranks_must_pass("HAYATE_HEAP=64M LSAN_OPTIONS=detect_leaks=0", 3, "pcoll/threadless_program");
}

TEST(should_carry_data_between_tasks_of_one_address_space)
{
    ranks_must_pass_as_tasks("HAYATE_TUNING=none", 2, "pcoll/pcoll_program");
    ranks_must_pass_as_tasks("HAYATE_TUNING=none HAYATE_WAIT=block", 3, "pcoll/pcoll_program");
    ranks_must_pass_as_tasks("HAYATE_TUNING=none", 3, "pcoll/pcoll_life_program");
}

TEST(should_have_told_within_a_second)
{
    if (!times.count) skip();
    told_assert_prompt(&times);
}

int main(void)
{
    return ranks_tests_run();
}
