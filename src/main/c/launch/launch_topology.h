/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPUs that the job may use, in the order in which neighbours share most: by socket, NUMA
 * domain, core and hardware thread. It is read from /sys, which is also what hwloc reads.
 */
#ifndef HY_LAUNCH_LAUNCH_TOPOLOGY_H
#define HY_LAUNCH_LAUNCH_TOPOLOGY_H

#include <sched.h>
#include <stddef.h>

#define HY_TOPOLOGY_ROOT "/sys/devices/system"

/* All numbers but `cpu` count from 0 in the order of the topology, without gaps. */
typedef struct hy_topology_cpu {
    int cpu; /* the kernel's number */
    int socket, domain, core;
    int thread; /* among the usable CPUs of its core */
} hy_topology_cpu;

typedef struct hy_topology {
    int cpus, cores, domains, sockets; /* those that have a usable CPU */
    int threads;                       /* usable CPUs of the core that has most */
    hy_topology_cpu at[CPU_SETSIZE];
} hy_topology;

/* Describes the CPUs of `usable`. What the files below `root` do not say counts as one socket, one
 * domain, and a core for each CPU. */
void hy_topology_read(hy_topology *topology, const char *root, const cpu_set_t *usable);

/* Reads a list such as "0-3,8". Returns what follows it; NULL: it is none, or has a number that no
 * CPU has. */
const char *hy_cpu_list_parse(const char *text, cpu_set_t *set);

/* Writes such a list, as far as it fits; ends in "..." if it does not. */
void hy_cpu_list_print(const cpu_set_t *set, char *text, size_t size);

#endif
