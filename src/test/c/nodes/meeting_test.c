/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Ranks of several nodes that meet. */
#include <stdbool.h>

#include "base/test.h"
#include "boot/launched_fixture.h"

#define MOST_JOBS 4

static FILE *start(const char *settings, const char *hosts, int n, const char *what)
{
    char command[800];
    snprintf(command, sizeof command,
             "mpiexec.hydra -disable-auto-cleanup -launcher fork -hosts %s -n %d " HYDRA_SHIELD
             " $HAYATE_TEST_BIN/nodes/meeting_program %s 2>&1 </dev/null",
             hosts, n, what);
    return launched_start(settings, command);
}

static void all_meet(const char *hosts, int n)
{
    ranks_result result = ranks_finish(start("HAYATE_HEAP=1M", hosts, n, "records 60"));
    if (result.status != 0) fail_msg("%s: exit %d\n%s", hosts, result.status, result.output);
    for (int rank = 0; rank < n; rank++) {
        char text[64];
        snprintf(text, sizeof text, "rank %d of %d has met\n", rank, n);
        if (!strstr(result.output, text))
            fail_msg("%s: no \"%s\" in:\n%s", hosts, text, result.output);
    }
}

TEST(should_bring_every_record_to_every_rank)
{
    launched_need(HYDRA_PROBE);
    all_meet("a:1,b:3", 4);
    all_meet("a,b,c,d,e", 5);
    all_meet("a,b,c", 8); /* ranks 0, 3, 6 and 1, 4, 7 and 2, 5 */
}

/* A job that one rank does not see to the end of. */
typedef struct loss {
    const char *hosts;
    int n, victim, last; /* all ranks between them are victims as well */
} loss;

/* Who waits for an answer of the dead gives up after this. */
static FILE *start_loss(const char *how, const loss *l, const launched_file *file)
{
    char settings[200], what[32];
    snprintf(settings, sizeof settings, "HAYATE_HEAP=1M HAYATE_NET_SILENCE=3 MEETING_OUTPUT=%s",
             file->path);
    snprintf(what, sizeof what, "%s 3 %d", how, l->victim);
    return start(settings, l->hosts, l->n, what);
}

static bool is_victim(const loss *l, int rank)
{
    return rank >= l->victim && rank <= l->last;
}

/* Each of the others tells that. The jobs wait most of their time, so they do it at once. */
static void tell_all_of(const char *how, const loss *jobs, int count, const char *told)
{
    launched_file files[MOST_JOBS];
    FILE *running[MOST_JOBS];
    char text[64];
    launched_need(HYDRA_PROBE);
    for (int i = 0; i < count; i++) {
        files[i] = launched_file_make();
        running[i] = start_loss(how, &jobs[i], &files[i]);
    }
    for (int i = 0; i < count; i++) { /* no failure leaves one behind */
        ranks_result result = ranks_finish(running[i]);
        fprintf(stderr, "%s: exit %d\n%s", jobs[i].hosts, result.status, result.output);
    }
    for (int i = 0; i < count; i++) {
        for (int rank = 0; rank < jobs[i].n; rank++) {
            snprintf(text, sizeof text, "rank %d%s", rank, told);
            if (!is_victim(&jobs[i], rank)) launched_await(&files[i], text);
        }
        unlink(files[i].path);
    }
}

#define LOST ": code -5, peer "

/* First ranks of their nodes and others, the node's only one among them. */
TEST(should_tell_all_ranks_that_one_is_lost)
{
    static const loss jobs[] = {
        {"a:2,b:2", 4, 0, 0}, {"a:2,b:2", 4, 3, 3}, {"a,b,c,d,e", 5, 2, 2}, {"a,b,c", 8, 3, 3}};
    tell_all_of("die", jobs, 4, LOST);
}

/* Ranks of whose end nobody is left to tell do not keep the others from each other. */
TEST(should_wait_only_once_for_nodes_that_are_gone)
{
    static const loss jobs[] = {{"a:2,b:1,c:4", 7, 2, 6}, {"a:1,b:3,c:3", 7, 1, 6}};
    tell_all_of("fall", jobs, 2, LOST);
}

/* Those of its node, and those that have never talked to it. */
TEST(should_tell_all_ranks_that_wait_for_nobody_in_particular)
{
    static const loss jobs[] = {
        {"a:2,b:2", 4, 0, 0}, {"a:2,b:2", 4, 3, 3}, {"a:2,b:2,c:2,d:1", 7, 3, 3}};
    tell_all_of("news", jobs, 3, LOST);
}

/* The first of its node, and one that nobody of the other node has talked to before. */
TEST(should_tell_that_a_rank_has_closed_its_job_while_its_process_lives_on)
{
    static const loss jobs[] = {{"a:2,b:2", 4, 0, 0}, {"a:2,b:2", 4, 3, 3}};
    tell_all_of("leave", jobs, 2, " of 4 has met");
}

int main(void)
{
    ranks_setup();
    return ranks_main(tests_run());
}
