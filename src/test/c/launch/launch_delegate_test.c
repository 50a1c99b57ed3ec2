/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Ranks below a delegatee: over several nodes, each of which is a `hayate run` that mpiexec of
 * MPICH or mpirun of Open MPI has started on this machine, and on one. */
#include "launch_fixture.h"

#include "base/told_fixture.h"

#include <sched.h>
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

static void command_on(const cluster *by, const char *nodes, char *command, size_t size)
{
    snprintf(command, size, "exec %s %s </dev/null", by->command, nodes);
}

static launched *start_on(const cluster *by, const char *nodes)
{
    char command[1000];
    command_on(by, nodes, command, sizeof command);
    return start(command);
}

static launched *run_on(const cluster *by, const char *nodes)
{
    char command[1000];
    command_on(by, nodes, command, sizeof command);
    return run(command);
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
        for (int local = 0; local < counts[node]; local++)
            assert_says(
                job->out,
                "rank %d of %d, local %d, part %d of %d, node %d of %d, leader %d, delegated, "
                "PMI unknown\n",
                first + local, size, local, local, counts[node], node, nodes, first);
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
    job = run_on(by, "-n 1 " NODE " -n 3" WHERE ": -n 2 " NODE " -n 1" WHERE);
    assert_passed(job);
    assert_everybody(job, (const int[]){3, 1, 1}, 3);
}

static void should_work_on_one_node_without_a_launcher_of_a_cluster(void **state)
{
    (void)state;
    launched *job = run("exec " NODE " -n 3" WHERE);
    assert_passed(job);
    assert_everybody(job, (const int[]){3}, 1);
    assert_string_equal(job->err, "");
}

/* By itself, a node alone has none. */
static void should_delegate_on_one_node_by_the_variable(void **state)
{
    (void)state;
    static const char *const settings[] = {"auto", "on", "off"};
    for (int i = 0; i < 3; i++) {
        char command[200];
        snprintf(command, sizeof command, "exec env HAYATE_DELEGATE=%s $RUN --heap 8M -n 2" WHERE,
                 settings[i]);
        launched *job = run(command);
        assert_passed(job);
        assert_int_equal(count_of(job->out, ", delegated, "), i == 1 ? 2 : 0);
        assert_int_equal(count_of(job->out, "rank "), 2);
    }
}

static void should_let_only_rank_0_read_stdin(void **state)
{
    const cluster *by = started_by(state);
    char command[500];
    snprintf(command, sizeof command,
             "echo word | %s -n 2 " NODE " -n 2 --tag-output sh -c 'read line; echo got $line.'",
             by->command);
    launched *job = run(command);
    assert_passed(job);
    assert_says(job->out, "[0] got word.\n");
    assert_int_equal(count_of(job->out, "] got .\n"), 3);
    for (int rank = 1; rank < 4; rank++) assert_says(job->out, "[%d] got", rank);
}

/* A rank that had it could speak for the node, and would keep it open. */
static void should_keep_the_connection_of_mpiexec_from_ranks(void **state)
{
    (void)state;
    void *mpiexec = (void *)(size_t)&hydra;
    launched *job = run_on(started_by(&mpiexec),
                           "-n 2 sh -c 'export FD=$PMI_FD; exec " NODE
                           " -n 2 sh -c \"test -e /proc/self/fd/\\$FD && echo open; echo $FD "
                           "rank\"'");
    assert_passed(job);
    assert_int_equal(count_of(job->out, " rank\n"), 4);
    assert_silent_about(job->out, "open");
}

static void should_delegate_by_itself_among_several(void **state)
{
    const cluster *by = started_by(state);
    static const char *const settings[] = {"-u HAYATE_DELEGATE", "HAYATE_DELEGATE=auto",
                                           "HAYATE_DELEGATE=on"};
    launched *job;
    for (int i = 0; i < 3; i++) {
        char nodes[200];
        snprintf(nodes, sizeof nodes, "-n 2 env %s $RUN --heap 8M -n 2" WHERE, settings[i]);
        job = run_on(by, nodes);
        assert_passed(job);
        assert_everybody(job, (const int[]){2, 2}, 2);
    }
    job = run_on(by, "-n 1 $RUN --heap 8M -n 2" WHERE);
    assert_passed(job);
    assert_int_equal(count_of(job->out, " of 2, node 0 of 1, leader 0, alone, "), 2);
    job = run_on(by, "-n 2 env HAYATE_DELEGATE=off $RUN --heap 8M -n 2" WHERE);
    assert_passed(job);
    assert_int_equal(count_of(job->out, " of 2, node 0 of 1, leader 0, alone, "), 4);
    job = run_on(by, "-n 2 env HAYATE_DELEGATE=maybe $RUN -n 2" WHERE);
    assert_int_not_equal(job->status, 0);
    assert_says(job->err, "HAYATE_DELEGATE");
}

static void should_refuse_heaps_that_differ(void **state)
{
    const cluster *by = started_by(state);
    launched *job = run_on(by, "-n 1 " NODE " -n 1" WHERE ": -n 1 " NODE " --heap 9M -n 1" WHERE);
    assert_int_not_equal(job->status, 0);
    assert_says(job->err, "node 0 is to have a heap of 8388608 bytes, node 1 one of 9437184");
    assert_silent_about(job->out, "rank ");
}

static void should_refuse_a_member_that_is_no_delegatee(void **state)
{
    const cluster *by = started_by(state);
    launched *job = run_on(by, "-n 1 " NODE " -n 1" WHERE
                               ": -n 1 env HAYATE_HEAP=8M timeout 20 $SELF --rank init");
    assert_int_not_equal(job->status, 0);
    assert_says(job->err, "member 1 of the cluster's launcher is no hayate run --delegate");
}

/* The status of the job is that of its first failure, on whichever node. */
static void should_end_all_nodes_when_a_rank_fails_on_one(void **state)
{
    const cluster *by = started_by(state);
    launched *job = run_on(by,
                           "-n 2 " NODE " --grace 0 -n 2 sh -c '[ $HAYATE_RANK != 3 ] || exit 37; "
                           "exec sleep 60'");
    bool by_hydra = by == &hydra && job->status == SIGKILL; /* which a node that ends late gets */
    assert_true(job->status == 37 || by_hydra);
    assert_says(job->err, "hayate: rank 3 (pid ");
    assert_in_range(job->ms, 0, PATIENCE_MS);
    job = run_on(by, "-n 1 " NODE " -n 1 sleep 60 : -n 1 " NODE " -n 2 /nowhere/program");
    assert_int_equal(job->status, 127);
    assert_says(job->err, "cannot run '/nowhere/program'");
    assert_in_range(job->ms, 0, PATIENCE_MS);
}

/* ---- ends ---- */

#define HELD 4

typedef struct held {
    launched *job;
    pid_t ranks[HELD], launchers[HELD], delegatees[HELD]; /* of each rank */
    uint64_t since;
} held;

static pid_t delegatee_of(pid_t launcher)
{
    char path[64], children[4096] = "", *next = children;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)launcher, (int)launcher);
    FILE *file = fopen(path, "re");
    if (file && !fgets(children, sizeof children, file)) children[0] = '\0';
    if (file) fclose(file);
    for (char *word; (word = strtok_r(next, " ", &next));) {
        char name[32] = "";
        snprintf(path, sizeof path, "/proc/%d/comm", atoi(word));
        file = fopen(path, "re");
        if (file && !fgets(name, sizeof name, file)) name[0] = '\0';
        if (file) fclose(file);
        if (strncmp(name, "hayate-delegate", 15) == 0) return atoi(word);
    }
    fail_msg("process %d has no delegatee, but: %s", (int)launcher, children);
    return -1;
}

/* Two nodes of two ranks, which do not know what happens to their delegatee. */
static held hold(const cluster *by, const char *options)
{
    char nodes[300];
    held all = {.job = NULL};
    snprintf(nodes, sizeof nodes,
             "-n 2 " NODE " %s -n 2 sh -c 'echo held $HAYATE_RANK $$ $PPID.; exec sleep 60'",
             options);
    all.job = by ? start_on(by, nodes) : start(nodes + strlen("-n 2 "));
    int count = by ? HELD : HELD / 2;
    for (int rank = 0; rank < count; rank++) {
        char text[32];
        int of, pid, launcher;
        snprintf(text, sizeof text, "held %d ", rank);
        await(all.job, text);
        for (;;) {
            collect(all.job);
            if (sscanf(strstr(all.job->out, text), "held %d %d %d.", &of, &pid, &launcher) == 3)
                break;
            poll(NULL, 0, 1);
        }
        all.ranks[rank] = pid;
        all.launchers[rank] = launcher;
        all.delegatees[rank] = delegatee_of(launcher);
    }
    all.since = hy_now_ns();
    return all;
}

/* Nothing is left of any of them, long before the ranks would end by themselves. */
static uint64_t assert_all_end(held *all)
{
    for (int rank = 0; rank < HELD; rank++) {
        if (!all->ranks[rank]) continue;
        await_death(all->ranks[rank]);
        await_death(all->launchers[rank]);
        await_death(all->delegatees[rank]);
    }
    uint64_t ended = hy_now_ns();
    finish(all->job);
    if (all->job->status == 0) fail_msg("status 0: %s", all->job->err);
    return ended;
}

static told_times ends;

static void should_end_all_when_a_delegatee_is_killed(void **state)
{
    const cluster *by = started_by(state);
    for (int rank = 0; rank < HELD; rank += 2) {
        held all = hold(by, "");
        kill(all.delegatees[rank], SIGKILL);
        told_add(&ends, all.since, assert_all_end(&all));
        assert_says(all.job->err, "the delegatee (pid %d) was killed by signal 9",
                    (int)all.delegatees[rank]);
    }
}

static void should_end_when_its_only_delegatee_is_killed(void **state)
{
    (void)state;
    held all = hold(NULL, "");
    kill(all.delegatees[0], SIGKILL);
    told_add(&ends, all.since, assert_all_end(&all));
    assert_int_equal(all.job->status, 137);
    assert_int_equal(count_of(all.job->err, "hayate: "), 1);
}

/* The grace of a second, SIGTERM, and what mpirun takes to end another node. */
static void should_have_ended_within_three_seconds(void **state)
{
    (void)state;
    if (!ends.count) skip_now();
    told_assert_median(&ends, 3000);
    ends.count = 0;
}

static void should_end_all_when_a_delegatee_is_stopped_for_too_long(void **state)
{
    const cluster *by = started_by(state);
    held all = hold(by, "--stop-timeout 1");
    kill(all.delegatees[0], SIGSTOP);
    assert_all_end(&all);
    assert_says(all.job->err, "has been stopped for longer than 1 s (--stop-timeout)");
}

static void should_go_on_when_a_delegatee_was_stopped_for_a_moment(void **state)
{
    (void)state;
    held all = hold(NULL, "");
    kill(all.delegatees[0], SIGSTOP);
    poll(NULL, 0, 300);
    kill(all.delegatees[0], SIGCONT);
    for (int rank = 0; rank < 2; rank++) assert_true(is_alive(all.ranks[rank]));
    kill(all.launchers[0], SIGTERM);
    assert_all_end(&all);
    assert_int_equal(all.job->status, 128 + SIGTERM);
    assert_string_equal(all.job->err, "");
}

static void should_end_all_when_a_launcher_is_killed(void **state)
{
    const cluster *by = started_by(state);
    held all = hold(by, "");
    kill(all.launchers[2], SIGKILL);
    assert_all_end(&all);
}

static void should_leave_nothing_when_the_launcher_of_the_cluster_is_told_to_end(void **state)
{
    const cluster *by = started_by(state);
    held all = hold(by, "");
    kill(all.job->pid, SIGTERM);
    assert_all_end(&all);
}

static void should_leave_nothing_when_the_launcher_of_the_cluster_is_killed(void **state)
{
    const cluster *by = started_by(state);
    held all = hold(by, "");
    kill(all.job->pid, SIGKILL);
    assert_all_end(&all);
}

static void assert_cpus(pid_t pid, const char *list, bool same)
{
    char path[32], line[256], found[256] = "";
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) sscanf(line, "Cpus_allowed_list: %255s", found);
    if (file) fclose(file);
    assert_int_equal(strcmp(found, list) == 0, same);
}

static void should_give_the_delegatee_a_core_of_its_own(void **state)
{
    (void)state;
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (!CPU_ISSET(0, &all)) skip();
    held job = hold(NULL, "--bind core --delegate-core 0");
    assert_cpus(job.delegatees[0], "0", true);
    for (int rank = 0; rank < 2 && CPU_COUNT(&all) > 1; rank++)
        assert_cpus(job.ranks[rank], "0", false);
    kill(job.launchers[0], SIGTERM);
    assert_all_end(&job);
}

#define BY(test, cluster) \
    { \
#test " by " #cluster, test, NULL, launched_forget, (void *)(size_t)&cluster \
    }
#define ALONE(test) cmocka_unit_test_teardown(test, launched_forget)
#define BOTH(test) BY(test, hydra), BY(test, openmpi)

static const struct CMUnitTest both_ways[] = {
    BOTH(should_number_ranks_node_by_node),
    ALONE(should_work_on_one_node_without_a_launcher_of_a_cluster),
    ALONE(should_delegate_on_one_node_by_the_variable),
    BOTH(should_let_only_rank_0_read_stdin),
    ALONE(should_keep_the_connection_of_mpiexec_from_ranks),
    BOTH(should_end_all_nodes_when_a_rank_fails_on_one),
    BOTH(should_end_all_when_a_delegatee_is_killed),
    ALONE(should_end_when_its_only_delegatee_is_killed),
    ALONE(should_have_ended_within_three_seconds),
    BOTH(should_end_all_when_a_delegatee_is_stopped_for_too_long),
    BOTH(should_end_all_when_a_launcher_is_killed),
};

/* The same for processes and tasks. */
static const struct CMUnitTest others[] = {
    BOTH(should_delegate_by_itself_among_several),
    BOTH(should_refuse_heaps_that_differ),
    BOTH(should_refuse_a_member_that_is_no_delegatee),
    ALONE(should_go_on_when_a_delegatee_was_stopped_for_a_moment),
    BOTH(should_leave_nothing_when_the_launcher_of_the_cluster_is_told_to_end),
    BOTH(should_leave_nothing_when_the_launcher_of_the_cluster_is_killed),
    ALONE(should_give_the_delegatee_a_core_of_its_own),
};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--rank") == 0) return rank_program(argc - 2, argv + 2);
    setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* libpmix keeps some memory until the end */
    unsetenv("HAYATE_DELEGATE");
    fixture_setup();
    int failed = cmocka_run_group_tests(others, NULL, NULL);
    failed += cmocka_run_group_tests_name("as processes", both_ways, NULL, NULL);
    fixture_use_tasks();
    failed += cmocka_run_group_tests_name("as tasks", both_ways, NULL, NULL);
    return failed ? failed : getenv("HAYATE_RUN") ? 0 : SKIPPED;
}
