/* SPDX-License-Identifier: Apache-2.0 */
/* The global space over several ranks, as processes and as tasks. */
#include "fmpl/ranks_fixture.h"

#include "base/told_fixture.h"

#define PROGRAM "ompl/ompl_program"
#define LIFE "$HAYATE_TEST_BIN/ompl/ompl_life_program "

TEST(should_conform_as_processes)
{
    for (int n = 1; n <= 4; n++) ranks_must_pass("HAYATE_WAIT=adaptive", n, PROGRAM);
}

TEST(should_conform_when_all_waits_sleep_at_once)
{
    ranks_must_pass("HAYATE_WAIT=block", 3, PROGRAM);
}

TEST(should_conform_when_no_wait_sleeps)
{
    ranks_must_pass("HAYATE_WAIT=spin", 2, PROGRAM " zeros lengths order compare time");
}

TEST(should_conform_as_tasks)
{
    ranks_must_pass_as_tasks("HAYATE_WAIT=adaptive", 3, PROGRAM);
    ranks_must_pass_as_tasks("HAYATE_RENDEZVOUS=pipeline", 2, PROGRAM);
}

TEST(should_conform_with_fewer_endpoints_than_threads)
{
    ranks_must_pass("HAYATE_ENDPOINTS=1", 3, PROGRAM);
    ranks_must_pass("HAYATE_ENDPOINTS=2", 2, PROGRAM);
}

static ranks_result lives(int n, const char *mode)
{
    ranks_result result = ranks_run("HAYATE_WAIT=adaptive",
                                    text_of("--heap 8M -n %d " LIFE "%s", n, mode));
    if (result.status != 0) fail_msg("%s, %d: exit %d\n%s", mode, n, result.status, result.output);
    return result;
}

TEST(should_refuse_bad_input_and_change_nothing)
{
    for (int n = 1; n <= 3; n += 2) {
        lives(n, "states");
        lives(n, "input");
    }
}

TEST(should_name_a_member_that_gives_another_size)
{
    lives(2, "disagree");
    lives(4, "disagree");
}

TEST(should_leave_nobody_waiting_for_a_member_with_wrong_settings)
{
    lives(1, "misconfigured");
    lives(3, "misconfigured");
}

TEST(should_say_that_the_heap_is_too_small_to_all)
{
    lives(1, "large");
    lives(3, "large");
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static void assert_told(told_times *times, const ranks_result *result, const char *code, int count)
{
    if (count_of(result->output, code) != count)
        fail_msg("'%s' is not %d times in:\n%s", code, count, result->output);
    assert_int_equal(told_read(times, result->output), count);
}

TEST(should_end_waits_when_closed)
{
    told_times times = {.count = 0};
    for (int n = 1; n <= 2; n++) {
        ranks_result result = lives(n, "close");
        assert_told(&times, &result, "code -4 ", 2 * n);
        result = lives(n, "close-job");
        assert_told(&times, &result, "code -4 ", 2 * n);
    }
    told_assert_prompt(&times);
}

TEST(should_end_waits_when_a_rank_dies)
{
    static const char *const settings[] = {"HAYATE_WAIT=adaptive", "HAYATE_WAIT=block"};
    told_times times = {.count = 0};
    for (int i = 0; i < 2; i++) {
        ranks_result result = ranks_run(settings[i], "-n 3 " LIFE "death");
        assert_int_equal(result.status, 137);
        assert_told(&times, &result, "code -5 peer 2 ", 2);
    }
    told_assert_prompt(&times);
}

int main(void)
{
    return ranks_tests_run();
}
