/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that is stopped for moments, and a rank that is killed, at any moment of each kind of
 * operation; as processes and as tasks. HAYATE_TEST_LONG=1: with three times the seeds. */
#include "fmpl/ranks_fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>

#include "base/level_fixture.h"
#include "base/told_fixture.h"

#define RANKS 3

static const char *const works[] = {"tiny",
                                    "eager",
                                    "long",
                                    "requests",
                                    "bcast",
                                    "reduce",
                                    "allreduce",
                                    "barrier",
                                    "create",
                                    "persistent-bcast",
                                    "persistent-allreduce",
                                    "persistent-gather",
                                    "persistent-alltoall",
                                    "persistent-allgather",
                                    "persistent-reduce-scatter",
                                    "persistent-barrier",
                                    "ring",
                                    "atomics"};
static const char *const settings[] = {"HAYATE_WAIT=adaptive HAYATE_RENDEZVOUS=auto",
                                       "HAYATE_WAIT=block HAYATE_RENDEZVOUS=pipeline",
                                       "HAYATE_WAIT=adaptive HAYATE_RENDEZVOUS=heap"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static size_t seeds(int usual)
{
    return (size_t)level_seeds(usual);
}

/* All pairs of a work and a setting come within three seeds. */
static ranks_result run(const char *how, const char *act, const char *work, size_t seed)
{
    const char *command = text_of("%s -n %d --heap 16M $HAYATE_TEST_BIN/fmpl/moments_program "
                                  "%s %s %zu",
                                  how, RANKS, act, work, seed);
    return ranks_run(settings[seed % COUNT(settings)], command);
}

static void assert_nobody_is_left(const ranks_result *result, const char *work, size_t seed)
{
    int pids = 0;
    for (const char *at = result->output; (at = strstr(at, "pid ")); at++) {
        if (at > result->output && at[-1] != '\n') continue; /* "rank 1 (pid 5)" */
        pids++;
        if (kill(atoi(at + 4), 0) == 0 || errno != ESRCH)
            fail_msg("%s, seed %zu: a rank is left behind:\n%s", work, seed, result->output);
    }
    assert_int_equal(pids, RANKS);
}

static void stop_somebody(const char *how, const char *work, size_t seed)
{
    unsigned long long rounds = 0, stops = 0;
    ranks_result result = run(how, "stop", work, seed);
    const char *at = strstr(result.output, " rounds, ");
    while (at && at > result.output && at[-1] != '\n') at--;
    if (result.status != 0 || !at || sscanf(at, "%llu rounds, %llu", &rounds, &stops) != 2 ||
        stops < 6 || strstr(result.output, "told"))
        fail_msg("%s %s, seed %zu: exit %d\n%s", how, work, seed, result.status, result.output);
    assert_nobody_is_left(&result, work, seed);
}

static told_times times;

/* All others hear of the rank that the launcher names. */
static void kill_somebody(const char *how, const char *work, size_t seed)
{
    int victim = -1, code = 0, peer = -1, told = 0;
    ranks_result result = run(how, "kill", work, seed);
    const char *reported = strstr(result.output, "hayate: rank ");
    bool right = result.status == 137 && reported &&
                 sscanf(reported, "hayate: rank %d (pid ", &victim) == 1;
    for (const char *at = result.output; right && (at = strstr(at, "code ")); at++, told++) {
        right = sscanf(at, "code %d peer %d told at ", &code, &peer) == 2 && code == -5 &&
                peer == victim;
    }
    if (!right || told != RANKS - 1)
        fail_msg("%s %s, seed %zu: exit %d\n%s", how, work, seed, result.status, result.output);
    assert_int_equal(told_read(&times, result.output), RANKS - 1);
    assert_nobody_is_left(&result, work, seed);
}

static void all_works(const char *how, void (*act)(const char *, const char *, size_t),
                      size_t count)
{
    for (size_t i = 0; i < count * COUNT(works); i++)
        act(how, works[i % COUNT(works)], i % COUNT(works) + i / COUNT(works));
}

TEST(should_lose_nothing_when_a_rank_is_stopped_for_moments)
{
    all_works("", stop_somebody, seeds(1));
}

TEST(should_lose_nothing_when_a_task_is_stopped_for_moments)
{
    ranks_need_tasks();
    all_works("--pvas", stop_somebody, seeds(1));
}

TEST(should_name_a_rank_that_is_killed_at_any_moment)
{
    all_works("", kill_somebody, seeds(3));
}

TEST(should_name_a_task_that_is_killed_at_any_moment)
{
    ranks_need_tasks();
    all_works("--pvas", kill_somebody, seeds(3));
}

TEST(should_name_a_rank_that_is_killed_while_it_begins)
{
    for (size_t i = 0; i < seeds(6); i++) kill_somebody("", "begin", i);
}

TEST(should_name_a_task_that_is_killed_while_it_begins)
{
    ranks_need_tasks();
    for (size_t i = 0; i < seeds(6); i++) kill_somebody("--pvas", "begin", i);
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
