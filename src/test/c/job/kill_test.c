/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are killed in the middle of all kinds of operations, on several nodes, over libfabric:
 * the others are told who it was, in time, and go on; in the end nothing is left. */
#include "base/text_fixture.h"
#include "boot/launched_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "base/level_fixture.h"
#include "job/kill_page.h"

#define AT_ONCE 6
#define MOST_JOBS 12

typedef struct job {
    const char *hosts;
    int n, seed;
    char path[40], wrong[9000]; /* how it failed, if it did */
    kill_page *page;
    FILE *output;
} job;

static void make_page(job *j)
{
    snprintf(j->path, sizeof j->path, "/tmp/hayate-kill-XXXXXX");
    int fd = mkstemp(j->path);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, sizeof(kill_page)), 0);
    j->page = mmap(NULL, sizeof *j->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(j->page != MAP_FAILED);
    close(fd);
}

static void start(job *j)
{
    make_page(j);
    const char *command = text_of(
        "exec env LSAN_OPTIONS=detect_leaks=0 HAYATE_NET=ofi HAYATE_HEAP=16M"
        " HAYATE_TUNING=none timeout -k 5 120"
        " mpiexec.hydra -disable-auto-cleanup -launcher fork -hosts %s -n %d " HYDRA_SHIELD
        " $HAYATE_TEST_BIN/job/kill_program %s %d 2>&1 </dev/null",
        j->hosts, j->n, j->path, j->seed);
    j->output = popen(command, "r");
    assert_non_null(j->output);
}

/* The launcher may end before the ranks do, each of which has 100 s. */
static void await_last(const kill_page *page)
{
    for (int i = 0; i < 11000 && !page->survived && !page->wrong; i++) usleep(10000);
}

static bool has_ended(int pid)
{
    int tries = 0;
    while (kill(pid, 0) == 0 && tries++ < 3000) usleep(10000);
    return tries < 3000;
}

/* Says in `wrong` what failed: other jobs are to be ended before the test is. */
static void finish(job *j)
{
    char output[8192];
    output[fread(output, 1, sizeof output - 1, j->output)] = '\0';
    await_last(j->page);
    pclose(j->output);
    unlink(j->path);
    if (getenv("SHOW")) fputs(output, stderr);
    if (j->page->wrong) snprintf(j->wrong, sizeof j->wrong, "it said: %s", j->page->what);
    else if (!j->page->survived) snprintf(j->wrong, sizeof j->wrong, "nobody is left\n%s", output);
    for (int i = 0; i < j->n && !j->wrong[0]; i++)
        if (!has_ended(j->page->pids[i]))
            snprintf(j->wrong, sizeof j->wrong, "process %d is still there", j->page->pids[i]);
    munmap(j->page, sizeof *j->page);
}

/* `few` seeds, or three times as many; the one of HAYATE_TEST_SEED alone. A job waits most of its
 * time for a network that refuses connections: several are under way. */
static void run_seeds(const char *hosts, int n, int first, int few)
{
    static job jobs[MOST_JOBS];
    const char *seed = getenv("HAYATE_TEST_SEED");
    int count = level_seeds(few);
    launched_need(HYDRA_PROBE);
    assert_true(count <= MOST_JOBS);
    if (seed) first = atoi(seed), count = 1;
    for (int i = 0; i < count + AT_ONCE; i++) {
        if (i >= AT_ONCE && i - AT_ONCE < count) finish(&jobs[i - AT_ONCE]);
        if (i >= count) continue;
        jobs[i] = (job){.hosts = hosts, .n = n, .seed = first + i};
        start(&jobs[i]);
    }
    for (int i = 0; i < count; i++)
        if (jobs[i].wrong[0]) fail_msg("%s, seed %d: %s", hosts, jobs[i].seed, jobs[i].wrong);
}

TEST(should_name_each_rank_that_is_killed_on_nodes_of_one)
{
    run_seeds("a,b,c,d", 4, 0, 4);
}

TEST(should_name_each_rank_that_is_killed_on_nodes_of_several)
{
    run_seeds("a:2,b:3", 5, 12, 4);
}

int main(void)
{
    return ranks_tests_run();
}
