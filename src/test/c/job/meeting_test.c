/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Ranks of several nodes that meet. */
#include "boot/launched_fixture.h"

static ranks_result run(const char *settings, const char *hosts, int n, const char *what)
{
    char command[800];
    snprintf(command, sizeof command,
             "mpiexec.hydra -disable-auto-cleanup -launcher fork -hosts %s -n %d " HYDRA_SHIELD
             " $HAYATE_TEST_BIN/job/meeting_program %s 2>&1 </dev/null",
             hosts, n, what);
    return launched_run(settings, command);
}

static void all_meet(const char *hosts, int n)
{
    ranks_result result = run("HAYATE_HEAP=1M", hosts, n, "cards 60");
    if (result.status != 0) fail_msg("%s: exit %d\n%s", hosts, result.status, result.output);
    for (int rank = 0; rank < n; rank++) {
        char text[64];
        snprintf(text, sizeof text, "rank %d of %d has met\n", rank, n);
        if (!strstr(result.output, text))
            fail_msg("%s: no \"%s\" in:\n%s", hosts, text, result.output);
    }
}

static void should_bring_every_card_to_every_rank(void **state)
{
    (void)state;
    launched_need(HYDRA_PROBE);
    all_meet("a:1,b:3", 4);
    all_meet("a,b,c,d,e", 5);
    all_meet("a,b,c", 8); /* ranks 0, 3, 6 and 1, 4, 7 and 2, 5 */
}

/* Each of the others tells that. */
static void tell_all_of(const char *how, const char *hosts, int n, int victim, const char *told)
{
    char settings[80], what[32], text[64];
    launched_file file = launched_file_make();
    snprintf(settings, sizeof settings, "HAYATE_HEAP=1M MEETING_OUTPUT=%s", file.path);
    snprintf(what, sizeof what, "%s 3 %d", how, victim);
    run(settings, hosts, n, what);
    for (int rank = 0; rank < n; rank++) {
        snprintf(text, sizeof text, "rank %d%s", rank, told);
        if (rank != victim) launched_await(&file, text);
    }
    unlink(file.path);
}

#define LOST ": code -5, peer "

/* First ranks of their nodes and others, the node's only one among them. */
static void should_tell_all_ranks_that_one_is_lost(void **state)
{
    (void)state;
    launched_need(HYDRA_PROBE);
    for (int victim = 0; victim < 4; victim += 3) tell_all_of("die", "a:2,b:2", 4, victim, LOST);
    tell_all_of("die", "a,b,c,d,e", 5, 2, LOST);
    tell_all_of("die", "a,b,c", 8, 3, LOST);
}

/* Those of its node, and those that have never talked to it. */
static void should_tell_all_ranks_that_wait_for_nobody_in_particular(void **state)
{
    (void)state;
    launched_need(HYDRA_PROBE);
    for (int victim = 0; victim < 4; victim += 3) tell_all_of("news", "a:2,b:2", 4, victim, LOST);
    tell_all_of("news", "a:2,b:2,c:2,d:1", 7, 3, LOST);
}

/* The first of its node, and one that nobody of the other node has talked to before. */
static void should_tell_that_a_rank_has_closed_its_job_while_its_process_lives_on(void **state)
{
    (void)state;
    launched_need(HYDRA_PROBE);
    for (int leaver = 0; leaver < 4; leaver += 3)
        tell_all_of("leave", "a:2,b:2", 4, leaver, " of 4 has met");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_bring_every_card_to_every_rank),
        cmocka_unit_test(should_tell_all_ranks_that_one_is_lost),
        cmocka_unit_test(should_tell_all_ranks_that_wait_for_nobody_in_particular),
        cmocka_unit_test(should_tell_that_a_rank_has_closed_its_job_while_its_process_lives_on),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
