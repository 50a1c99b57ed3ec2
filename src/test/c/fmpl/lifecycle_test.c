/* SPDX-License-Identifier: Apache-2.0 */
/* Beginning, ending, and dying in the middle. */
#include "fmpl/ranks_fixture.h"

#include "base/told_fixture.h"

#define PROGRAM "$HAYATE_TEST_BIN/fmpl/lifecycle_program "

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static ranks_result lives(const char *settings, int n, const char *arguments)
{
    ranks_result result = ranks_run(settings, text_of("-n %d " PROGRAM "%s", n, arguments));
    if (result.status != 0) fail_msg("%s: exit %d\n%s", arguments, result.status, result.output);
    return result;
}

static void assert_count(const ranks_result *result, const char *part, int count)
{
    if (count_of(result->output, part) != count)
        fail_msg("'%s' is not %d times in:\n%s", part, count, result->output);
}

/* All others are told, by name. */
static void dies(told_times *times, const char *settings, int n, const char *call)
{
    ranks_result result = ranks_run(settings, text_of("-n %d " PROGRAM "victim %s", n, call));
    if (result.status != 137) fail_msg("%s: exit %d\n%s", call, result.status, result.output);
    assert_count(&result, text_of("code -5 peer %d told at ", n - 1), n - 1);
    assert_count(&result, "was killed by signal 9 (Killed)\n", n);
    assert_int_equal(told_read(times, result.output), n - 1);
}

TEST(should_tell_of_a_death_in_every_call)
{
    static const char *const calls[] = {"recv", "long-recv", "long-send", "wait",
                                        "test", "allreduce", "barrier",   "create"};
    told_times times = {.count = 0};
    for (int i = 0; i < 8; i++) {
        dies(&times, "HAYATE_WAIT=block", 3, calls[i]);
        dies(&times, "HAYATE_RENDEZVOUS=pipeline", 2, calls[i]);
    }
    told_assert_prompt(&times);
}

TEST(should_receive_what_was_sent_before_a_rank_left)
{
    for (int i = 0; i < 3; i++) {
        ranks_result result = lives("HAYATE_WAIT=adaptive", 2, "leave-sending");
        assert_count(&result, "code -5 peer 1", 1);
        assert_count(&result, "left the job", 1);
    }
}

TEST(should_not_blame_a_rank_that_finished_a_collective_first)
{
    for (int i = 0; i < 8; i++)
        lives(i % 2 ? "HAYATE_WAIT=block" : "HAYATE_WAIT=adaptive", 2 + i % 4, "leave-collective");
}

TEST(should_end_what_other_threads_do_when_closed)
{
    static const char *const arguments[] = {"close fmpl", "close job"};
    told_times times = {.count = 0};
    for (int i = 0; i < 4; i++) {
        const char *settings = i < 2 ? "HAYATE_WAIT=adaptive" : "HAYATE_WAIT=block";
        ranks_result result = lives(settings, 1 + i % 2, arguments[i % 2]);
        assert_count(&result, "code -4", 2);
        assert_int_equal(told_read(&times, result.output), 2);
    }
    told_assert_prompt(&times);
}

TEST(should_open_with_areas_of_the_user)
{
    for (int n = 1; n <= 3; n++) lives("HAYATE_LOG=warn", n, "areas");
}

TEST(should_refuse_areas_that_cannot_be)
{
    lives("HAYATE_LOG=warn", 2, "bad-areas 0");
    lives("HAYATE_LOG=warn", 3, "bad-areas 1");
    lives("HAYATE_LOG=warn", 2, "bad-areas 2");
}

TEST(should_refuse_counts_that_differ_and_allow_another_try)
{
    lives("HAYATE_LOG=warn", 2, "counts");
    lives("HAYATE_LOG=warn", 3, "counts");
}

TEST(should_refuse_settings_that_differ_between_ranks)
{
    static const char *const differing[] = {
        "HAYATE_EAGER_LIMIT=$((4096+HAYATE_RANK))",
        "HAYATE_RENDEZVOUS=$(echo heap auto | cut -d\" \" -f$((HAYATE_RANK+1)))",
        "HAYATE_NET_LOCAL=$(echo none ofi | cut -d\" \" -f$((HAYATE_RANK+1)))"};
    for (int i = 0; i < 3; i++) {
        ranks_result result = ranks_run(
            "HAYATE_LOG=warn", text_of("-n 2 sh -c '%s exec " PROGRAM "open'", differing[i]));
        assert_count(&result, "init -8: ", 2);
        assert_count(&result, "to the same value on all ranks", 2);
    }
}

TEST(should_warn_once_in_a_job_of_names_that_are_no_settings)
{
    ranks_result result = ranks_run("HAYATE_LOG=warn HAYATE_WIAT=spin HAYATE_TEST_ANY=1",
                                    "-n 3 -x HAYATE_HAEP=1M " PROGRAM "open");
    assert_count(&result, "hayate[0] warn: HAYATE_WIAT is not a setting; did you mean HAYATE_WAIT?",
                 1);
    assert_count(&result, "hayate[0] warn: HAYATE_HAEP is not", 1);
    assert_count(&result, " is not a setting", 2);
    result = ranks_run("HAYATE_LOG=error HAYATE_WIAT=spin", "-n 1 " PROGRAM "open");
    assert_count(&result, "HAYATE_WIAT", 0);
}

TEST(should_tell_who_debugs_where_a_setting_was_refused)
{
    ranks_result result = ranks_run("HAYATE_LOG=debug HAYATE_EAGER_LIMIT=5",
                                    "-n 1 " PROGRAM "open");
    assert_count(&result, "debug: failed in refuse (base/settings.c:", 1);
    assert_count(&result, "init -1: HAYATE_EAGER_LIMIT=5: expected a size from 56 to 1M", 1);
}

TEST(should_tell_who_debugs_what_was_chosen_at_set_up)
{
    ranks_result result = ranks_run("HAYATE_LOG=debug HAYATE_EAGER_LIMIT=8K HAYATE_HEAP=1M",
                                    "-n 3 " PROGRAM "open");
    assert_count(&result, "of 3 on node 0 of 1, process ", 3);
    assert_count(&result, "debug: HAYATE_EAGER_LIMIT=8K\n", 3);
    assert_count(&result, " ms: launcher ", 3);
    assert_count(&result, "debug: memory: a heap of 1.0 MiB in a part of ", 3);
    assert_count(&result, "debug: ranks 0 to ", 2);
    assert_count(&result, "debug: ranks 1 to 2: ", 1);
    assert_count(&result, "by shm: it is on this node; long messages: ", 3);
    result = ranks_run("HAYATE_LOG=info", "-n 1 " PROGRAM "open");
    assert_count(&result, "debug", 0);
}

TEST(should_refuse_settings_that_cannot_be_understood)
{
    static const char *const bad[] = {"HAYATE_WAIT=often",        "HAYATE_RENDEZVOUS=carrier",
                                      "HAYATE_EAGER_LIMIT=55",    "HAYATE_EAGER_LIMIT=2M",
                                      "HAYATE_EAGER_LIMIT=many",  "HAYATE_EAGER_LIMIT=-1",
                                      "HAYATE_NET_LOCAL=carrier", "HAYATE_LOG=loud"};
    for (int i = 0; i < 8; i++) {
        ranks_result result = ranks_run(bad[i], "-n 2 " PROGRAM "open");
        assert_count(&result, "init -1: ", 2);
        assert_count(&result, bad[i], 2);
    }
}

/* Areas for all ranks and entries do not fit: slots are taken when they are used. */
TEST(should_open_more_entries_than_fit_and_use_some_of_them)
{
    ranks_result result;
    for (int i = 0; i < 5; i++) { /* the first that leave have sent to the others just before */
        result = lives("HAYATE_HEAP=4M HAYATE_WAIT=block", 16, "entries 4096");
        assert_count(&result, "entries 0: ", 16);
    }
    result = lives("HAYATE_HEAP=4M", 2, "entries 65536");
    assert_count(&result, "entries 0: ", 2);
    result = lives("HAYATE_HEAP=4M HAYATE_WAIT=block", 3, "entries 65536");
    assert_count(&result, "entries 0: ", 3);
}

TEST(should_not_be_disturbed_by_a_forked_child)
{
    lives("HAYATE_WAIT=adaptive", 1, "fork");
    lives("HAYATE_WAIT=adaptive", 3, "fork");
}

TEST(should_do_without_single_copy)
{
    ranks_result result = lives("HAYATE_LOG=info", 3, "long forbidden");
    if (count_of(result.output, "no seccomp")) skip();
    assert_count(&result, "no single copy with rank", 3);
    assert_count(&result, "--cap-add SYS_PTRACE", 3);
    result = lives("HAYATE_RENDEZVOUS=cma", 2, "long forbidden");
    assert_count(&result, "init -9: HAYATE_RENDEZVOUS=cma: ", 2);
    assert_count(&result, "--cap-add SYS_PTRACE", 2);
    lives("HAYATE_RENDEZVOUS=heap", 2, "long forbidden");
}

TEST(should_say_that_the_module_is_not_there)
{
    if (access("/dev/hayate", F_OK) == 0) skip();
    ranks_result result = lives("HAYATE_RENDEZVOUS=copy", 2, "long forbidden");
    assert_count(&result, "init -9: HAYATE_RENDEZVOUS=copy: /dev/hayate does not exist", 2);
    result = lives("HAYATE_RENDEZVOUS=attach", 2, "long forbidden");
    assert_count(&result, "init -9: HAYATE_RENDEZVOUS=attach: /dev/hayate does not exist", 2);
}

int main(void)
{
    return ranks_tests_run();
}
