/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks that wait long for each other, over a network: what it costs them. */
#include "fmpl/scenario.h"

#include <dirent.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>

#define WHILE_US 2000000
/* Of the waiter and of the progress, which both look up now and then; half a millisecond between
 * looks would be 4000. */
#define FEW 400

/* How often the threads of this process went to sleep, ever. */
static uint64_t sleeps(void)
{
    uint64_t all = 0, one;
    DIR *tasks = opendir("/proc/self/task");
    CHECK(tasks != NULL);
    for (struct dirent *task; (task = readdir(tasks));) {
        char path[300], line[200];
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        FILE *status = *task->d_name == '.' ? NULL : fopen(path, "r");
        if (!status) continue;
        while (fgets(line, sizeof line, status))
            if (sscanf(line, "voluntary_ctxt_switches: %lu", &one) == 1) all += one;
        fclose(status);
    }
    closedir(tasks);
    return all;
}

static bool sleeps_are_short(void)
{
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return commands <= 0 || !(commands & MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

SCENARIO(should_sleep_through_a_long_wait)
{
    int ier = 1, word = 7;
    barrier();
    if (rank == 0) {
        usleep(WHILE_US); /* computes */
        CALL_OK(fmpl_send(&word, sizeof word, 1, 0, &ier));
        return;
    }
    uint64_t before = sleeps();
    fmpl_recv(&word, sizeof word, 0, 0, &ier);
    uint64_t during = sleeps() - before;
    CHECK_OK(ier);
    fprintf(stderr, "slept %lu times in %d ms\n", during, WHILE_US / 1000);
    CHECK(during < FEW || sleeps_are_short());
}

int main(int argc, char **argv)
{
    start_ranks(1);
    CHECK(size == 2);
    int rc = scenarios_run(argc, argv);
    end_ranks();
    return rc;
}
