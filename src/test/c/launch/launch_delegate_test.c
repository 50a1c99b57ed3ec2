/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks below a delegatee: over several nodes, each of which is a `hayate run` that mpiexec of
 * MPICH or mpirun of Open MPI has started on this machine, and on one. */
#include "launch_fixture.h"

#include <stdbool.h>

typedef struct cluster {
    const char *probe; /* exits with 0 if it is there */
    const char *command;
} cluster;

static const cluster hydra = {"command -v mpiexec.hydra >/dev/null", "mpiexec.hydra"};
static const cluster openmpi = {
    "mpirun --version 2>/dev/null | grep -q 'Open MPI' && ldconfig -p | grep -q libpmix.so.2",
    "mpirun --allow-run-as-root --oversubscribe"};

#define NODE "$RUN --heap 8M --delegate"
#define WHERE " $SELF --rank where "

static const cluster *started_by(void **state)
{
    const cluster *by = *state;
    if (system(by->probe) != 0) skip_now();
    return by;
}

static launched *start_on(const cluster *by, const char *nodes)
{
    char command[1000];
    snprintf(command, sizeof command, "exec %s %s </dev/null", by->command, nodes);
    return start(command);
}

static launched *run_on(const cluster *by, const char *nodes)
{
    launched *job = start_on(by, nodes);
    finish(job);
    return job;
}

static void assert_passed(const launched *job)
{
    if (job->status != 0) fail_msg("status %d; out: %s err: %s", job->status, job->out, job->err);
}

/* counts: ranks of each node */
static void assert_everybody(const launched *job, const int *counts, int nodes)
{
    int size = 0, first = 0;
    for (int node = 0; node < nodes; node++) size += counts[node];
    for (int node = 0; node < nodes; first += counts[node++]) {
        for (int local = 0; local < counts[node]; local++) {
            char text[128];
            snprintf(text, sizeof text,
                     "rank %d of %d, local %d, part %d of %d, node %d of %d, leader %d, delegated, "
                     "PMI unknown\n",
                     first + local, size, local, local, counts[node], node, nodes, first);
            assert_says(job->out, text);
        }
    }
    assert_int_equal(count_of(job->out, "rank "), size);
    const char *parts = strstr(job->out, "parts of ");
    char line[64] = "";
    if (parts) snprintf(line, sizeof line, "%.*s", (int)strcspn(parts, "\n"), parts);
    assert_int_equal(count_of(job->out, line), size); /* of one size */
}

static void should_number_ranks_node_by_node(void **state)
{
    const cluster *by = started_by(state);
    launched *job = run_on(by, "-n 1 " NODE " -n 2" WHERE ": -n 1 " NODE " -n 3" WHERE);
    assert_passed(job);
    assert_everybody(job, (const int[]){2, 3}, 2);
    done(job);
    job = run_on(by, "-n 1 " NODE " -n 3" WHERE ": -n 2 " NODE " -n 1" WHERE);
    assert_passed(job);
    assert_everybody(job, (const int[]){3, 1, 1}, 3);
    done(job);
}

static void should_work_on_one_node_without_a_launcher_of_a_cluster(void **state)
{
    (void)state;
    launched *job = run("exec " NODE " -n 3" WHERE);
    assert_passed(job);
    assert_everybody(job, (const int[]){3}, 1);
    assert_string_equal(job->err, "");
    done(job);
}

#define BY(test, cluster) \
    { \
#test " by " #cluster, test, NULL, NULL, (void *)(size_t)&cluster \
    }
#define BOTH(test) BY(test, hydra), BY(test, openmpi)

static const struct CMUnitTest tests[] = {
    BOTH(should_number_ranks_node_by_node),
    cmocka_unit_test(should_work_on_one_node_without_a_launcher_of_a_cluster),
};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--rank") == 0) return rank_program(argc - 2, argv + 2);
    setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* libpmix keeps some memory until the end */
    unsetenv("HAYATE_DELEGATE");
    fixture_setup();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fixture_use_tasks();
    failed += cmocka_run_group_tests_name("as tasks", tests, NULL, NULL);
    return failed ? failed : getenv("HAYATE_RUN") ? 0 : SKIPPED;
}
