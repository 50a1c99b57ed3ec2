/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JVM ends when its last thread ends that is no daemon, also after an exception in main(). A rank
 * that has left the job and uses no processor, but does not end, keeps the job from ending, and
 * nothing else would say so. A rank that still computes is left alone.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "launch/launch.h"

#define BUSY_PERCENT 5 /* a JVM that does nothing uses less than 1 % of a processor */

/* The processor time of all threads in nanoseconds, also of those that have ended. */
static uint64_t processor_time(pid_t pid)
{
    char path[32], text[1024];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    const char *read = fgets(text, sizeof text, file), *at = read ? strrchr(text, ')') : NULL;
    fclose(file);
    if (!at ||
        sscanf(at + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu", &user, &system) != 2)
        return 0;
    return (uint64_t)(user + system) * (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* Whether it has done nothing for `linger_ns` since it left; begins anew whenever it was busy. */
static bool is_lingering(const hy_launch *job, hy_launch_rank *rank, uint64_t now)
{
    if (rank->idle_since && now - rank->idle_since < job->options.linger_ns) return false;
    uint64_t used = processor_time(rank->joined), before = rank->idle_used;
    bool idle = rank->idle_since && used - before <= (now - rank->idle_since) / 100 * BUSY_PERCENT;
    rank->idle_since = now;
    rank->idle_used = used;
    return idle;
}

void hy_launch_linger_look(hy_launch *job, uint64_t now)
{
    int first = -1, others = -1;
    for (int i = 0; job->options.linger_ns && !job->told_lingering && i < job->options.ranks; i++) {
        hy_launch_rank *rank = &job->ranks[i];
        bool is_over = rank->joined == rank->pid ? rank->ended : rank->joined_ended;
        if (!rank->bye || is_over || !is_lingering(job, rank, now)) continue;
        if (first < 0) first = i;
        others++;
    }
    if (first < 0) return;
    job->told_lingering = true;
    hy_launch_stdio_catch_up(job, first);
    int pid = (int)job->ranks[first].joined;
    fprintf(stderr,
            "hayate: rank %d (pid %d) has left the job and does nothing, but its process has not "
            "ended for %g s",
            hy_launch_number(job, first), pid, (double)job->options.linger_ns / 1e9);
    if (others) fprintf(stderr, " (and %d other ranks)", others);
    fprintf(stderr,
            ": a thread that is no daemon keeps a JVM from ending; jstack %d shows its threads\n",
            pid);
}
