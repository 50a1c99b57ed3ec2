/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* A delegatee is killed in the middle of its work: each rank of its node is told within a second,
 * whatever it does, the launcher says so, and nothing is left of the job. */
#include "boot/launched_fixture.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>

#include "base/clock.h"

#define RANKS 4 /* on two nodes */
#define SECOND UINT64_C(1000000000)

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
        FILE *stream = fopen(file->path, "r");
        assert_non_null(stream);
        all[fread(all, 1, sizeof all - 1, stream)] = '\0';
        fclose(stream);
        life *l = &lives[rank];
        assert_int_equal(sscanf(strstr(all, text), "lives %d %d %d %d.", &of, &l->pid, &l->launcher,
                                &l->delegatee),
                         4);
    }
}

/* When the rank was told; 0: it was not. */
static uint64_t told_at(const launched_file *file, int rank)
{
    char line[200];
    uint64_t when = 0;
    FILE *stream = fopen(file->path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        int of;
        unsigned long long ns;
        if (sscanf(line, "told %d %llu.", &of, &ns) == 2 && of == rank) when = ns;
    }
    fclose(stream);
    return when;
}

/* The launcher of the cluster may end before the processes of its nodes. */
static void assert_ends(int pid)
{
    for (int tries = 0; kill(pid, 0) == 0; tries++) {
        if (tries == 500) fail_msg("process %d lives", pid);
        usleep(10000);
    }
}

/* No file that a process of the job has left behind: their names contain its number, or ours. */
static void assert_no_shared_memory(const life *lives)
{
    const struct dirent *entry;
    DIR *folder = opendir("/dev/shm");
    if (!folder) return;
    while ((entry = readdir(folder))) {
        if (strncmp(entry->d_name, "hayate-test-", 12) == 0) continue; /* of another test */
        bool left = strstr(entry->d_name, "hayate") != NULL;
        for (int rank = 0; rank < RANKS; rank++) {
            char own[16], its[16];
            snprintf(own, sizeof own, "%d", lives[rank].pid);
            snprintf(its, sizeof its, "%d", lives[rank].delegatee);
            left = left || strstr(entry->d_name, own) || strstr(entry->d_name, its);
        }
        if (left) fail_msg("/dev/shm/%s is left", entry->d_name);
    }
    closedir(folder);
}

static void kill_delegatee_during(const char *way)
{
    char command[500], text[100];
    life lives[RANKS];
    launched_file file = launched_file_make();
    snprintf(command, sizeof command,
             "mpiexec.hydra -n 2 $HAYATE_RUN --delegate -n 2 -- "
             "$HAYATE_TEST_BIN/deleg/deleg_told_program %s %s 2>&1 </dev/null",
             file.path, way);
    FILE *job = launched_start("HAYATE_HEAP=16M HAYATE_TUNING=none", command);
    read_lives(&file, lives);
    assert_int_equal(lives[0].delegatee, lives[1].delegatee);
    assert_int_not_equal(lives[0].delegatee, lives[2].delegatee);
    uint64_t killed = hy_now_ns();
    assert_int_equal(kill(lives[0].delegatee, SIGKILL), 0);
    ranks_result result = ranks_finish(job);
    for (int rank = 0; rank < RANKS / 2; rank++) {
        uint64_t told = told_at(&file, rank);
        if (!told || told - killed > SECOND)
            fail_msg("%s: rank %d was told after %lld ms\n%s", way, rank,
                     told ? (long long)(told - killed) / 1000000 : -1, result.output);
    }
    snprintf(text, sizeof text, "the delegatee (pid %d) was killed by signal 9",
             lives[0].delegatee);
    if (result.status == 0 || !strstr(result.output, text))
        fail_msg("%s: status %d\n%s", way, result.status, result.output);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_ends(lives[rank].pid);
        assert_ends(lives[rank].launcher);
        assert_ends(lives[rank].delegatee);
    }
    assert_no_shared_memory(lives);
    unlink(file.path);
}

static void should_tell_all_ranks_of_its_node_within_a_second(void **state)
{
    static const char *const ways[] = {"short", "long", "wait", "barrier"};
    (void)state;
    launched_need(HYDRA_PROBE);
    ranks_need_library("libfabric.so.1");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) kill_delegatee_during(ways[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_tell_all_ranks_of_its_node_within_a_second),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
