/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the CPUs of each rank, by default its share of those that the launcher itself may use,
 * and binds ranks to them. All threads of a rank inherit this, and a JVM counts its processors and
 * its collector's threads by it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "launch/launch.h"
#include "launch/launch_shares.h"

#define TOLD 8 /* ranks named by -v */

static int launch_bind_refuse(const hy_launch *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the message with the CPUs that there are. */
static int launch_bind_refuse(const hy_launch *job, const char *format, ...)
{
    char list[256];
    va_list arguments;
    fputs("hayate run: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    hy_cpu_list_print(&job->cpus, list, sizeof list);
    fprintf(stderr, "; ranks may use %d CPUs: %s%s\n", CPU_COUNT(&job->cpus), list,
            job->options.delegate_core >= 0 ? " (without that of the delegatee)" : "");
    return -1;
}

static int check_set(const hy_launch *job, const cpu_set_t *set)
{
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, set) && !CPU_ISSET(cpu, &job->cpus))
            return launch_bind_refuse(job, "--bind %s: CPU %zu cannot be used",
                                      job->options.bind_list, cpu);
    return 0;
}

static int take_list(const hy_launch *job)
{
    const char *list = job->options.bind_list, *at = list;
    int ranks = job->options.ranks, sets = 0;
    for (bool more = true; more; at++, sets++) {
        cpu_set_t set;
        at = hy_cpu_list_parse(at, &set);
        if (!at || (*at && *at != ':'))
            return launch_bind_refuse(
                job, "--bind %s: expected a set of CPUs for each rank such as 0-3,8:4-7", list);
        if (check_set(job, &set)) return -1;
        if (sets < ranks) job->shares[sets] = set;
        more = *at;
    }
    if (sets == ranks) return 0;
    return launch_bind_refuse(job,
                              "--bind %s: %d sets for %d ranks: give one for each rank of this "
                              "node, separated by ':'",
                              list, sets, ranks);
}

static int take_exact(const hy_launch *job, const hy_topology *topology)
{
    int ranks = job->options.ranks, cpus = job->options.cpus_per_rank;
    if (hy_shares_exact(topology, ranks, cpus, job->shares)) return 0;
    return launch_bind_refuse(job, "--cpus-per-rank %d: %d ranks need %ld CPUs", cpus, ranks,
                              (long)cpus * ranks);
}

/* 1: ranks are not to be bound. */
static int divide(const hy_launch *job, const hy_topology *topology)
{
    int ranks = job->options.ranks;
    switch (job->options.bind) {
    case HY_BIND_LIST: return take_list(job);
    case HY_BIND_CORE: hy_shares_single(topology, ranks, job->shares); return 0;
    case HY_BIND_DOMAIN: hy_shares_domain(topology, ranks, job->shares); return 0;
    case HY_BIND_SOCKET: hy_shares_socket(topology, ranks, job->shares); return 0;
    default:
        if (job->options.cpus_per_rank) return take_exact(job, topology);
        return hy_shares_divide(topology, ranks, job->shares) ? 0 : 1;
    }
}

int hy_launch_bind_choose(hy_launch *job)
{
    static hy_topology topology;
    int core = job->options.delegate_core;
    CPU_ZERO(&job->cpus);
    if (sched_getaffinity(0, sizeof job->cpus, &job->cpus) != 0) { /* more than CPU_SETSIZE */
        bool asked = job->options.bind > HY_BIND_NONE || job->options.cpus_per_rank;
        return asked ? launch_bind_refuse(job, "ranks cannot be bound on this machine") : 0;
    }
    if (core >= 0 && CPU_COUNT(&job->cpus) > 1) CPU_CLR((size_t)core, &job->cpus);
    if (job->options.bind == HY_BIND_NONE) return 0;
    hy_topology_read(&topology, HY_TOPOLOGY_ROOT, &job->cpus);
    job->shares = hy_launch_grow(NULL, (size_t)job->options.ranks * sizeof *job->shares);
    int rc = divide(job, &topology);
    if (rc <= 0) return rc;
    free(job->shares);
    job->shares = NULL;
    return 0;
}

static void tell_share(const hy_launch *job, int index)
{
    char list[256];
    hy_cpu_list_print(&job->shares[index], list, sizeof list);
    fprintf(stderr, "%srank %d: %s", index ? "; " : "", hy_launch_number(job, index), list);
}

/* One line: the first ranks, and the last one. */
void hy_launch_bind_tell(const hy_launch *job)
{
    static hy_topology topology;
    char list[256];
    int ranks = job->options.ranks;
    hy_topology_read(&topology, HY_TOPOLOGY_ROOT, &job->cpus);
    hy_cpu_list_print(&job->cpus, list, sizeof list);
    fputs("hayate: CPUs of ", stderr);
    if (!job->shares) fprintf(stderr, "all %d ranks: %s", ranks, list);
    for (int i = 0; job->shares && i < ranks; i++) {
        if (ranks > TOLD && i == TOLD - 1) {
            fputs("; ...", stderr);
            i = ranks - 1;
        }
        tell_share(job, i);
    }
    fprintf(stderr, " (of %d CPUs, %d cores, %d NUMA domains, %d sockets: %s)\n", topology.cpus,
            topology.cores, topology.domains, topology.sockets, list);
}

int hy_launch_bind(const hy_launch *job, int index)
{
    if (!job->shares) return 0;
    return sched_setaffinity(0, sizeof *job->shares, &job->shares[index]);
}

void hy_launch_bind_undo(const hy_launch *job)
{
    if (job->shares) sched_setaffinity(0, sizeof job->cpus, &job->cpus);
}
