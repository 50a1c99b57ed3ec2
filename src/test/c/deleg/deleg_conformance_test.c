/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Messages, collectives and the global address space between nodes whose delegatees carry them,
 * started by mpiexec of MPICH (PMI-1) and mpirun of Open MPI (PMIx). */
#include "base/level_fixture.h"
#include "boot/launched_fixture.h"

typedef struct cluster {
    const char *probe, *command;
} cluster;

static const cluster hydra = {HYDRA_PROBE, "mpiexec.hydra"};
static const cluster openmpi = {
    "mpirun --version 2>/dev/null | grep -q 'Open MPI' && ldconfig -p | grep -q libpmix.so.2",
    "mpirun --allow-run-as-root --oversubscribe"};

/* Messages take long where ranks and delegatees have less than a core each, and more so while they
 * poll: they sleep, unless a test says otherwise. */
#define USUAL \
    "HAYATE_TUNING=none HAYATE_TEST_LIGHT=1 HAYATE_WAIT=block HAYATE_DELEGATE_WAIT=interrupt"
#define POLLING "HAYATE_WAIT=adaptive HAYATE_DELEGATE_WAIT=adaptive"

static void must_pass(void **state, int nodes, int ranks, const char *settings, const char *program)
{
    const cluster *by = *state;
    char command[800], all[400];
    launched_need(by->probe);
    ranks_need_library("libfabric.so.1");
    snprintf(all, sizeof all, USUAL " %s", settings);
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
    must_pass(state, 2, 1, POLLING, "fmpl/conformance_program");
    if (!LEVEL_SANITIZED) must_pass(state, 2, 2, "", "fmpl/conformance_program");
    must_pass(state, 3, 1, "HAYATE_RENDEZVOUS=pipeline HAYATE_EAGER_LIMIT=56",
              "fmpl/conformance_program");
    must_pass(state, 2, 1, POLLING " HAYATE_HEAP=8M HAYATE_TEST_FAR=1", "fmpl/sendbuffer_program");
    must_pass(state, 2, 1, POLLING, "fmpl/threads_program");
    must_pass(state, 2, 1, "", "fmpl/push_program absent");
}

/* What else there is does not depend on who has started the nodes. */
static void should_carry_messages_of_every_kind(void **state)
{
    must_pass(state, 2, 2, "", "fmpl/conformance_program");
}

/* Delegatees that poll do not keep the others from their work. */
static void should_work_with_more_delegatees_than_cores(void **state)
{
    if (!LEVEL_SANITIZED)
        must_pass(state, 4, 1, "HAYATE_DELEGATE_WAIT=adaptive", "fmpl/conformance_program");
    must_pass(state, 4, 1, POLLING " HAYATE_DELEGATE_WAIT=poll", "deleg/offload_program");
}

static void should_run_collectives(void **state)
{
    if (!LEVEL_SANITIZED) must_pass(state, 2, 2, "", "fmpl/collectives_program");
    must_pass(state, 3, 1, "", "fmpl/collectives_program");
}

static void should_run_persistent_collectives(void **state)
{
    must_pass(state, 2, 1, POLLING, "pcoll/pcoll_life_program");
    must_pass(state, 2, 1, "", "pcoll/pcoll_program");
}

#define DELEGATED "HAYATE_COLL=progress=delegated"

static void should_run_whole_collectives_in_the_delegatee(void **state)
{
    must_pass(state, 1, 3, POLLING, "deleg/offload_program");
    must_pass(state, 2, 1, POLLING, "deleg/offload_program");
    must_pass(state, 2, 2, "", "deleg/offload_program");
    must_pass(state, 2, 1, POLLING " " DELEGATED, "pcoll/pcoll_life_program");
    must_pass(state, 2, 1, DELEGATED, "pcoll/pcoll_program");
}

static void should_end_runs_in_the_delegatee_whose_members_left(void **state)
{
    must_pass(state, 1, 3, POLLING " " DELEGATED, "pcoll/pcoll_leaver_program 1");
    must_pass(state, 1, 3, DELEGATED, "pcoll/pcoll_leaver_program 2");
    must_pass(state, 1, 3, DELEGATED, "pcoll/pcoll_life_program");
    must_pass(state, 3, 1, POLLING " " DELEGATED, "pcoll/pcoll_leaver_program 1");
    must_pass(state, 3, 1, DELEGATED, "pcoll/pcoll_leaver_program 2");
}

static void should_put_and_get(void **state)
{
    must_pass(state, 2, 1, POLLING, "ompl/ompl_program");
    must_pass(state, 2, 2, "", "ompl/ompl_program");
    must_pass(state, 2, 2, "", "ompl/accumulate_program");
}

static void should_let_ranks_sleep_that_wait_long(void **state)
{
    must_pass(state, 2, 1, POLLING, "fmpl/idle_program");
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
        OVER(openmpi, should_carry_messages_of_every_kind),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
