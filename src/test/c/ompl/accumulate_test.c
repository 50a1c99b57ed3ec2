/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulates over several ranks: processes, tasks, and ranks of which nothing is mapped. */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

#include "base/told_fixture.h"

#define PROGRAM "ompl/accumulate_program"

TEST(should_conform_as_processes)
{
    for (int n = 1; n <= 4; n++) ranks_must_pass("HAYATE_WAIT=adaptive", n, PROGRAM);
    ranks_must_pass("HAYATE_WAIT=block HAYATE_ENDPOINTS=1", 3, PROGRAM);
}

TEST(should_conform_as_tasks)
{
    ranks_must_pass_as_tasks("HAYATE_WAIT=adaptive", 3, PROGRAM);
}

TEST(should_conform_to_far_ranks)
{
    ranks_must_pass("HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=11,delay=0", 2, PROGRAM);
    ranks_must_pass("HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=12,delay=60 HAYATE_WAIT=block",
                    3, PROGRAM " sums tickets swaps exchanges circulation held flag");
}

/* Some take the lock in memory, others by the network. */
TEST(should_conform_to_near_and_far_ranks_at_once)
{
    ranks_must_pass("HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=13,delay=60,nodes=2", 4,
                    PROGRAM);
    ranks_must_pass("HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=14,delay=60,nodes=2"
                    " HAYATE_ENDPOINTS=2",
                    3, PROGRAM " sums tickets swaps exchanges circulation held flag");
}

TEST(should_conform_over_libfabric)
{
    ranks_need_library("libfabric.so.1");
    ranks_must_pass("HAYATE_NET_LOCAL=ofi LSAN_OPTIONS=detect_leaks=0", 2, PROGRAM);
}

TEST(should_tell_of_the_death_of_a_holder)
{
    static const char *const settings[] = {"HAYATE_WAIT=adaptive", "HAYATE_WAIT=block"};
    told_times times = {.count = 0};
    for (int i = 0; i < 2; i++) {
        ranks_result result = ranks_run(settings[i], "-n 3 $HAYATE_TEST_BIN/" PROGRAM " death");
        assert_int_equal(result.status, 137);
        int told = 0;
        for (const char *at = result.output; (at = strstr(at, "code -5 peer 2 ")); at++) told++;
        if (told != 2) fail_msg("not told to both:\n%s", result.output);
        assert_int_equal(told_read(&times, result.output), 2);
    }
    told_assert_prompt(&times);
}

int main(void)
{
    return ranks_tests_run();
}
