/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that use no processor. Two things are told of them, once each, because nothing else would
 * say so:
 *
 * A rank that has left the job but does not end. A JVM ends when its last thread ends that is no
 * daemon, also after an exception in main().
 *
 * A job in which no rank does anything for long: its ranks may wait for each other, or for one that
 * never closed the job. A rank that computes is never told of, and a job that waits for something
 * else on purpose is told of once.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/wait.h"
#include "launch/launch.h"

/* A JVM that does nothing uses less than 1 % of a processor, a rank that computes its share. */
#define BUSY_PERCENT 5
#define BUSY_SHARE 4  /* a fourth of it */
#define QUIET_LOOKS 6 /* in a row, before a whole job is told of */

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

static bool launch_idle_is_over(const hy_launch_rank *rank)
{
    return rank->joined == rank->pid ? rank->ended : rank->joined_ended;
}

/* Whoever has used no more of the time that has passed does nothing. */
static uint64_t most_of_idle(const hy_launch *job, uint64_t passed)
{
    uint64_t few = passed / 100 * BUSY_PERCENT;
    uint64_t share = passed * (uint64_t)hy_cpus() / (uint64_t)job->options.ranks / BUSY_SHARE;
    return share < few ? share : few;
}

/* Counts the looks in a row in which the rank did nothing since the look before. */
static void look_at(hy_launch_rank *rank, uint64_t most)
{
    uint64_t used = processor_time(rank->joined);
    bool idle = rank->looked && used - rank->used <= most;
    bool left_since = rank->bye && !rank->bye_looked; /* what it did before is another matter */
    rank->looked = true;
    rank->bye_looked = rank->bye;
    rank->used = used;
    rank->idle_looks = idle && !left_since ? rank->idle_looks + 1 : 0;
}

static void tell_of_lingering(hy_launch *job)
{
    int first = -1, others = -1;
    for (int i = 0; i < job->options.ranks; i++) {
        const hy_launch_rank *rank = &job->ranks[i];
        if (!rank->joined || !rank->bye || launch_idle_is_over(rank) || rank->idle_looks == 0)
            continue;
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

static void tell_of_a_quiet_job(hy_launch *job)
{
    int member = -1;
    for (int i = 0; i < job->options.ranks; i++) {
        const hy_launch_rank *rank = &job->ranks[i];
        if (launch_idle_is_over(rank)) continue;
        if (!rank->joined || rank->idle_looks < QUIET_LOOKS) return;
        if (!rank->bye && member < 0) member = i;
    }
    if (member < 0) return;
    job->told_quiet = true;
    hy_launch_stdio_catch_up(job, member);
    int pid = (int)job->ranks[member].joined;
    fprintf(stderr,
            "hayate: no rank has done anything for %g s: they may wait for each other; hayate stat "
            "--waits %d shows who waits for whom, jstack %d the threads of rank %d\n",
            QUIET_LOOKS * (double)job->options.linger_ns / 1e9, pid, pid,
            hy_launch_number(job, member));
}

void hy_launch_idle_look(hy_launch *job, uint64_t now)
{
    uint64_t passed = now - job->looked_idle;
    if (!job->options.linger_ns || passed < job->options.linger_ns ||
        (job->told_lingering && job->told_quiet))
        return;
    job->looked_idle = now;
    uint64_t most = most_of_idle(job, passed);
    for (int i = 0; i < job->options.ranks; i++)
        if (job->ranks[i].joined && !launch_idle_is_over(&job->ranks[i]))
            look_at(&job->ranks[i], most);
    if (!job->told_lingering) tell_of_lingering(job);
    if (!job->told_quiet) tell_of_a_quiet_job(job);
}
