/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Messages, collectives and the global address space between nodes whose delegatees carry them,
 * started by mpiexec of MPICH (PMI-1) and mpirun of Open MPI (PMIx). */
#include "boot/launched_fixture.h"

typedef struct cluster {
    const char *probe, *command;
} cluster;

static const cluster hydra = {HYDRA_PROBE, "mpiexec.hydra"};
static const cluster openmpi = {
    "mpirun --version 2>/dev/null | grep -q 'Open MPI' && ldconfig -p | grep -q libpmix.so.2",
    "mpirun --allow-run-as-root --oversubscribe"};

static void must_pass(void **state, int nodes, int ranks, const char *settings, const char *program)
{
    const cluster *by = *state;
    char command[800], all[300];
    launched_need(by->probe);
    ranks_need_library("libfabric.so.1");
    snprintf(all, sizeof all, "HAYATE_TUNING=none %s", settings);
    snprintf(command, sizeof command,
             "%s -n %d $HAYATE_RUN --delegate -n %d -- $HAYATE_TEST_BIN/%s 2>&1 </dev/null",
             by->command, nodes, ranks, program);
    ranks_result result = launched_run(all, command);
    if (result.status != 0)
        fail_msg("%d nodes, %d ranks on each: exit %d\n%s", nodes, ranks, result.status,
                 result.output);
}

static void should_carry_messages(void **state)
{
    must_pass(state, 2, 1, "", "fmpl/conformance_program");
    must_pass(state, 2, 2, "HAYATE_WAIT=block", "fmpl/conformance_program");
    must_pass(state, 3, 1, "HAYATE_RENDEZVOUS=pipeline HAYATE_EAGER_LIMIT=56",
              "fmpl/conformance_program");
    must_pass(state, 2, 1, "HAYATE_HEAP=8M HAYATE_TEST_FAR=1", "fmpl/sendbuffer_program");
    must_pass(state, 2, 1, "", "fmpl/threads_program");
    must_pass(state, 2, 1, "", "fmpl/push_program absent");
}

/* Delegatees that poll do not keep the others from their work. */
static void should_work_with_more_delegatees_than_cores(void **state)
{
    must_pass(state, 4, 1, "", "fmpl/conformance_program");
    must_pass(state, 4, 1, "HAYATE_DELEGATE_WAIT=poll", "deleg/offload_program");
}

static void should_run_collectives(void **state)
{
    must_pass(state, 2, 2, "", "fmpl/collectives_program");
    must_pass(state, 3, 1, "HAYATE_WAIT=block", "fmpl/collectives_program");
}

static void should_run_persistent_collectives(void **state)
{
    must_pass(state, 2, 1, "", "pcoll/pcoll_life_program");
    must_pass(state, 2, 1, "", "pcoll/pcoll_program");
}

static void should_run_whole_collectives_in_the_delegatee(void **state)
{
    static const char delegated[] = "HAYATE_COLL=progress=delegated";
    must_pass(state, 1, 3, "", "deleg/offload_program");
    must_pass(state, 2, 1, "", "deleg/offload_program");
    must_pass(state, 2, 2, "HAYATE_DELEGATE_WAIT=interrupt", "deleg/offload_program");
    must_pass(state, 2, 1, delegated, "pcoll/pcoll_life_program");
    must_pass(state, 2, 1, delegated, "pcoll/pcoll_program");
}

static void should_end_runs_in_the_delegatee_whose_members_left(void **state)
{
    static const char delegated[] = "HAYATE_COLL=progress=delegated";
    must_pass(state, 1, 3, delegated, "pcoll/pcoll_leaver_program 1");
    must_pass(state, 1, 3, delegated, "pcoll/pcoll_leaver_program 2");
    must_pass(state, 1, 3, delegated, "pcoll/pcoll_life_program");
    must_pass(state, 3, 1, delegated, "pcoll/pcoll_leaver_program 1");
    must_pass(state, 3, 1, delegated, "pcoll/pcoll_leaver_program 2");
}

static void should_put_and_get(void **state)
{
    must_pass(state, 2, 1, "", "ompl/ompl_program");
    must_pass(state, 2, 2, "HAYATE_WAIT=block", "ompl/ompl_program");
}

static void should_let_ranks_sleep_that_wait_long(void **state)
{
    must_pass(state, 2, 1, "", "fmpl/idle_program");
}

#define OVER(by, name) \
    { \
#name " under " #by, name, NULL, NULL, (void *)(uintptr_t)&by \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVER(hydra, should_carry_messages),
        OVER(hydra, should_work_with_more_delegatees_than_cores),
        OVER(hydra, should_run_collectives),
        OVER(hydra, should_run_persistent_collectives),
        OVER(hydra, should_run_whole_collectives_in_the_delegatee),
        OVER(hydra, should_end_runs_in_the_delegatee_whose_members_left),
        OVER(hydra, should_put_and_get),
        OVER(hydra, should_let_ranks_sleep_that_wait_long),
        OVER(openmpi, should_carry_messages),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
