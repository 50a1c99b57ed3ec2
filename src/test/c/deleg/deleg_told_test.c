/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* A delegatee is killed in the middle of its work: each rank of its node is told within a second,
 * whatever it does, the launcher says so, and nothing is left of the job. The other node ends then,
 * for which hydra ends as well: it must not kill this one before, nor pass on what is said here. */
#include "boot/launched_fixture.h"

#include <signal.h>

#include "base/clock.h"
#include "base/told_fixture.h"

#define RANKS 4 /* on two nodes */

typedef struct life {
    int pid, launcher, delegatee;
} life;

static void read_lives(const launched_file *file, life *lives)
{
    char all[4096];
    for (int rank = 0; rank < RANKS; rank++) {
        char text[32];
        int of;
        snprintf(text, sizeof text, "lives %d ", rank);
        launched_await(file, text);
        launched_read(file, all, sizeof all);
        life *l = &lives[rank];
        assert_int_equal(sscanf(strstr(all, text), "lives %d %d %d %d.", &of, &l->pid, &l->launcher,
                                &l->delegatee),
                         4);
    }
}

/* The launcher of the cluster may end before the processes of its nodes. */
static void assert_ends(int pid)
{
    for (int tries = 0; kill(pid, 0) == 0; tries++) {
        if (tries == 3000) fail_msg("process %d lives", pid);
        usleep(10000);
    }
}

/* What has a name there would be left behind. Files of other programs may come and go meanwhile, so
 * only what the job maps counts. */
static void assert_maps_no_shared_file(int pid)
{
    char path[32], line[500];
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *maps = fopen(path, "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        if (strstr(line, " /dev/shm/")) fail_msg("process %d maps %s", pid, line);
    fclose(maps);
}

static void kill_delegatee_during(told_times *times, const char *way)
{
    char command[600], text[100], said[4096];
    life lives[RANKS];
    launched_file file = launched_file_make();
    snprintf(command, sizeof command,
             "mpiexec.hydra -disable-auto-cleanup -n 2 " HYDRA_SHIELD
             " sh -c 'exec \"$0\" \"$@\" 2>>%s' $HAYATE_RUN --delegate -n 2 -- "
             "$HAYATE_TEST_BIN/deleg/deleg_told_program %s %s 2>&1 </dev/null",
             file.path, file.path, way);
    FILE *job = launched_start("HAYATE_HEAP=16M HAYATE_TUNING=none", command);
    read_lives(&file, lives);
    assert_int_equal(lives[0].delegatee, lives[1].delegatee);
    assert_int_not_equal(lives[0].delegatee, lives[2].delegatee);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_maps_no_shared_file(lives[rank].pid);
        assert_maps_no_shared_file(lives[rank].launcher);
        assert_maps_no_shared_file(lives[rank].delegatee);
    }
    uint64_t killed = hy_now_ns();
    assert_int_equal(kill(lives[0].delegatee, SIGKILL), 0);
    ranks_result result = ranks_finish(job);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_ends(lives[rank].pid);
        assert_ends(lives[rank].launcher);
        assert_ends(lives[rank].delegatee);
    }
    launched_read(&file, said, sizeof said);
    unlink(file.path);
    for (int rank = 0; rank < RANKS / 2; rank++) {
        snprintf(text, sizeof text, "\ntold %d ", rank);
        const char *at = strstr(said, text);
        if (!at) fail_msg("%s: rank %d was not told:\n%s%s", way, rank, said, result.output);
        else told_add(times, killed, strtoull(at + strlen(text), NULL, 10));
    }
    snprintf(text, sizeof text, "the delegatee (pid %d) was killed by signal 9",
             lives[0].delegatee);
    if (result.status == 0 || !strstr(said, text))
        fail_msg("%s: status %d\n%s%s", way, result.status, said, result.output);
}

TEST(should_tell_all_ranks_of_its_node_within_a_second)
{
    static const char *const ways[] = {"short", "long", "wait", "barrier"};
    told_times times = {.count = 0};
    launched_need(HYDRA_PROBE);
    ranks_need_library("libfabric.so.1");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) kill_delegatee_during(&times, ways[i]);
    told_assert_prompt(&times);
}

int main(void)
{
    ranks_setup();
    return ranks_main(tests_run());
}
