/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* alone */
/* Ranks that real launchers start: mpirun of Open MPI and srun of Slurm (PMIx), mpiexec of MPICH
 * (PMI-1). What is not there is skipped. Alone, since it looks for names of meetings in the whole
 * machine. */
#include "boot/launched_fixture.h"

#include <stdbool.h>

#include "base/level_fixture.h"
#include "base/told_fixture.h"

typedef struct launcher {
    const char *probe;   /* exits with 0 when it is there */
    const char *command; /* "-n N PROGRAM" follows */
    const char *lenient; /* options by which it lets the others live when a rank dies */
    const char *shield; /* command of a process that it may kill instead of the rank all the same */
} launcher;

static const launcher openmpi = {
    "mpirun --version 2>/dev/null | grep -q 'Open MPI' && ldconfig -p | grep -q libpmix.so.2",
    "mpirun --allow-run-as-root --oversubscribe", "--enable-recovery", ""};
static const launcher hydra = {HYDRA_PROBE, "mpiexec.hydra", "-disable-auto-cleanup", HYDRA_SHIELD};

/* Where a Slurm of this machine runs already. */
static const launcher slurm = {
    "command -v srun >/dev/null && timeout 10 srun -n 1 true 2>/dev/null", "srun -O --mpi=pmix",
    "--kill-on-bad-exit=0", ""};

static const launcher *started_by(void **state)
{
    const launcher *by = *state;
    launched_need(by->probe);
    return by;
}

static ranks_result run(const launcher *by, const char *settings, const char *options, int n,
                        const char *shield, const char *program)
{
    char command[800];
    snprintf(command, sizeof command, "%s %s -n %d %s $HAYATE_TEST_BIN/%s 2>&1 </dev/null",
             by->command, options, n, shield, program);
    return launched_run(settings, command);
}

static void must_contain(const ranks_result *result, const char *text)
{
    if (!strstr(result->output, text))
        fail_msg("exit %d, no \"%s\" in:\n%s", result->status, text, result->output);
}

static void should_let_ranks_meet(void **state)
{
    const launcher *by = started_by(state);
    for (int n = 1; n <= 4; n++) {
        char text[64];
        ranks_result result = run(by, "", "", n, "", "boot/cluster_program meet");
        assert_int_equal(result.status, 0);
        for (int rank = 0; rank < n; rank++) {
            snprintf(text, sizeof text, "rank %d of %d\n", rank, n);
            must_contain(&result, text);
        }
    }
}

static void conform(const launcher *by, const char *program)
{
    for (int n = 2; n <= (LEVEL_SANITIZED ? 2 : 4); n += 2) {
        ranks_result result = run(by, "", "", n, "", program);
        if (result.status != 0) fail_msg("%d ranks: exit %d\n%s", n, result.status, result.output);
    }
}

static void should_conform_with_messages(void **state)
{
    conform(started_by(state), "fmpl/conformance_program");
}

static void should_conform_with_collectives(void **state)
{
    conform(started_by(state), "fmpl/collectives_program");
}

static told_times times;

static void tell_death(const launcher *by, int victim)
{
    char settings[80], program[64], text[100], said[4096];
    launched_file file = launched_file_make();
    snprintf(settings, sizeof settings, "CLUSTER_OUTPUT=%s", file.path);
    snprintf(program, sizeof program, "boot/cluster_program die %d", victim);
    run(by, settings, by->lenient, 3, by->shield, program);
    for (int rank = 0; rank < 3; rank++) {
        if (rank == victim) continue;
        snprintf(text, sizeof text, "rank %d: code -5, peer %d, told at ", rank, victim);
        launched_await(&file, text);
    }
    launched_read(&file, said, sizeof said);
    unlink(file.path);
    assert_int_equal(told_read(&times, said), 2);
}

static void should_name_a_rank_that_was_killed(void **state)
{
    const launcher *by = started_by(state);
    tell_death(by, 0);
    tell_death(by, 2);
}

static void should_have_told_within_a_second(void **state)
{
    (void)state;
    if (!times.count) skip();
    told_assert_prompt(&times);
}

/* A rank kills it while all wait for each other. */
static void should_end_when_the_launcher_is_killed(void **state)
{
    const launcher *by = started_by(state);
    char settings[80];
    launched_file file = launched_file_make();
    snprintf(settings, sizeof settings, "CLUSTER_OUTPUT=%s", file.path);
    run(by, settings, "", 2, "", "boot/cluster_program orphan");
    launched_await(&file, "code -5, peer -1, told at ");
    unlink(file.path);
}

/* The name of a meeting; others on this machine may be meeting, but not for long. */
static bool is_a_name_left(void)
{
    for (int i = 0; i < 100; i++) {
        if (system("grep -Eq '@hayate-[0-9a-f]{32}' /proc/net/unix") != 0) return false;
        usleep(50000);
    }
    return true;
}

static void should_leave_no_socket_behind_when_killed(void **state)
{
    const launcher *by = started_by(state);
    run(by, "", "", 3, "", "boot/cluster_program die 0");
    assert_false(is_a_name_left());
}

static void should_tell_all_ranks_when_the_first_cannot_make_the_segment(void **state)
{
    const launcher *by = started_by(state);
    ranks_result result = run(by, "HAYATE_HEAP=12", by->lenient, 2, "",
                              "boot/cluster_program meet");
    must_contain(&result, "HAYATE_HEAP");
    must_contain(&result, "rank 0 could not make the segment of this node");
}

static void should_say_that_libpmix_is_missing(void **state)
{
    (void)state;
    launched_need(openmpi.probe);
    ranks_result result = run(&openmpi, "HAYATE_LIBRARIES=/nowhere", "", 2, "",
                              "boot/cluster_program meet");
    must_contain(&result, "code -9");
    must_contain(&result, "libpmix.so.2 cannot be loaded (HAYATE_LIBRARIES: /nowhere is no");
}

#define NO_NETWORK "are on 2 nodes, and no network between them is usable"

/* hydra believes that these names are nodes; they are this machine, which may have no network but
 * its loopback: then they cannot meet. */
static void need_nodes(void)
{
    static enum { UNKNOWN, APART, TOGETHER } nodes;
    launched_need(hydra.probe);
    if (nodes == UNKNOWN) {
        ranks_result result = run(&hydra, "", "-launcher fork -hosts alpha,beta", 2, "",
                                  "boot/cluster_program meet");
        nodes = strstr(result.output, NO_NETWORK) ? APART : TOGETHER;
    }
    if (nodes == APART) skip();
}

static void conform_on_nodes(const char *hosts, int n, const char *program)
{
    need_nodes();
    ranks_result result = run(&hydra, "HAYATE_HEAP=64M HAYATE_WAIT=block", hosts, n, "", program);
    if (result.status != 0) fail_msg("%s: exit %d\n%s", hosts, result.status, result.output);
}

static void should_conform_with_messages_between_nodes(void **state)
{
    (void)state;
    conform_on_nodes("-launcher fork -hosts alpha:2,beta:2", 4, "fmpl/conformance_program");
    if (!LEVEL_SANITIZED)
        conform_on_nodes("-launcher fork -hosts alpha,beta,gamma", 3, "fmpl/conformance_program");
}

static void should_conform_with_collectives_between_nodes(void **state)
{
    (void)state;
    conform_on_nodes("-launcher fork -hosts alpha:3,beta:1", 4, "fmpl/collectives_program");
}

static void should_say_what_keeps_nodes_apart(void **state)
{
    (void)state;
    launched_need(hydra.probe);
    ranks_result result = run(&hydra, "HAYATE_LIBRARIES=/nowhere",
                              "-launcher fork -hosts alpha,beta", 2, "",
                              "boot/cluster_program meet");
    must_contain(&result, NO_NETWORK);
    must_contain(&result, "libfabric cannot be loaded (HAYATE_LIBRARIES: /nowhere");
}

static void should_refuse_a_network_for_one_node_on_several(void **state)
{
    (void)state;
    need_nodes();
    ranks_result result = run(&hydra, "HAYATE_NET_LOCAL=ofi HAYATE_HEAP=64M",
                              "-launcher fork -hosts alpha,beta", 2, "",
                              "boot/cluster_program meet");
    must_contain(&result, "HAYATE_NET_LOCAL=ofi is for jobs on one node, and this job is on 2");
}

/* Two jobs at once: one has the address of a rank of the other, and a token that is its own. */
static void should_keep_ranks_of_another_job_out(void **state)
{
    (void)state;
    char command[800];
    need_nodes();
    launched_file file = launched_file_make();
    unlink(file.path);
    snprintf(command, sizeof command,
             "sh -c 'mpiexec.hydra -launcher fork -hosts alpha:2,beta:2 -n 4 "
             "$HAYATE_TEST_BIN/boot/intruder_program victim %s & "
             "mpiexec.hydra -launcher fork -hosts gamma:1,delta:2 -n 3 "
             "$HAYATE_TEST_BIN/boot/intruder_program intruder %s; wait $!' 2>&1 </dev/null",
             file.path, file.path);
    ranks_result result = launched_run("HAYATE_HEAP=64M", command);
    snprintf(command, sizeof command, "rm -f %s %s.done", file.path, file.path);
    assert_int_equal(system(command), 0);
    must_contain(&result, "rank 0 has learnt nothing");
    for (int rank = 0; rank < 4; rank++) {
        char text[64];
        snprintf(text, sizeof text, "rank %d was not disturbed", rank);
        must_contain(&result, text);
    }
}

#define BY(test, launcher) \
    { \
#test " by " #launcher, test, NULL, NULL, (void *)(size_t)&launcher \
    }
#define BOTH(test) BY(test, openmpi), BY(test, hydra)
#define ALL(test) BOTH(test), BY(test, slurm)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALL(should_let_ranks_meet),
        ALL(should_conform_with_messages),
        BOTH(should_conform_with_collectives),
        ALL(should_name_a_rank_that_was_killed),
        cmocka_unit_test(should_have_told_within_a_second),
        BOTH(should_end_when_the_launcher_is_killed),
        ALL(should_leave_no_socket_behind_when_killed),
        BOTH(should_tell_all_ranks_when_the_first_cannot_make_the_segment),
        cmocka_unit_test(should_say_that_libpmix_is_missing),
        cmocka_unit_test(should_conform_with_messages_between_nodes),
        cmocka_unit_test(should_conform_with_collectives_between_nodes),
        cmocka_unit_test(should_refuse_a_network_for_one_node_on_several),
        cmocka_unit_test(should_say_what_keeps_nodes_apart),
        cmocka_unit_test(should_keep_ranks_of_another_job_out),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
