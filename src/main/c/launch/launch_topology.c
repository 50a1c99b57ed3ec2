/* SPDX-License-Identifier: Apache-2.0 */
/* Reads which CPUs share a core, a NUMA domain and a socket, and lists of CPUs. */
#include "launch/launch_topology.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

static const char *take_number(const char *text, long *number)
{
    char *end;
    if (*text < '0' || *text > '9') return NULL;
    *number = strtol(text, &end, 10);
    return *number < CPU_SETSIZE ? end : NULL;
}

const char *hy_cpu_list_parse(const char *text, cpu_set_t *set)
{
    CPU_ZERO(set);
    for (;; text++) {
        long first, last;
        if (!(text = take_number(text, &first))) return NULL;
        last = first;
        if (*text == '-' && !(text = take_number(text + 1, &last))) return NULL;
        if (last < first) return NULL;
        for (; first <= last; first++) CPU_SET((size_t)first, set);
        if (*text != ',') return text;
    }
}

void hy_cpu_list_print(const cpu_set_t *set, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        char range[32];
        size_t first = cpu;
        if (!CPU_ISSET(cpu, set)) continue;
        while (cpu + 1 < CPU_SETSIZE && CPU_ISSET(cpu + 1, set)) cpu++;
        snprintf(range, sizeof range, cpu > first ? "%s%zu-%zu" : "%s%zu", used ? "," : "", first,
                 cpu);
        bool is_room = used + strlen(range) + sizeof ",..." <= size;
        used += (size_t)snprintf(text + used, size - used, "%s", is_room ? range : ",...");
        if (!is_room) return;
    }
}

/* ---- files ---- */

static bool read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "re");
    if (!file) return false;
    bool read = fgets(line, size, file) != NULL;
    fclose(file);
    return read;
}

static int read_number(const char *root, int cpu, const char *name, int otherwise)
{
    char path[PATH_MAX], line[64];
    long number;
    snprintf(path, sizeof path, "%s/cpu/cpu%d/topology/%s", root, cpu, name);
    return read_line(path, line, sizeof line) && take_number(line, &number) ? (int)number
                                                                            : otherwise;
}

/* A core is known by its first CPU: its number in /sys is that of a die or a socket. Older kernels
 * have only the second name. */
static int core_of(const char *root, int cpu)
{
    int old = read_number(root, cpu, "thread_siblings_list", cpu);
    return read_number(root, cpu, "core_cpus_list", old);
}

/* Domains without CPUs have an empty list. */
static void read_domains(const char *root, int domain_of[CPU_SETSIZE])
{
    char path[PATH_MAX], line[4096];
    cpu_set_t domains, cpus;
    memset(domain_of, 0, CPU_SETSIZE * sizeof *domain_of);
    snprintf(path, sizeof path, "%s/node/online", root);
    if (!read_line(path, line, sizeof line) || !hy_cpu_list_parse(line, &domains)) return;
    for (int domain = 0; domain < CPU_SETSIZE; domain++) {
        if (!CPU_ISSET((size_t)domain, &domains)) continue;
        snprintf(path, sizeof path, "%s/node/node%d/cpulist", root, domain);
        if (!read_line(path, line, sizeof line) || !hy_cpu_list_parse(line, &cpus)) continue;
        for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &cpus)) domain_of[cpu] = domain;
    }
}

/* ---- order ---- */

static int launch_topology_compare(const void *left, const void *right)
{
    const hy_topology_cpu *a = left, *b = right;
    if (a->socket != b->socket) return a->socket - b->socket;
    if (a->domain != b->domain) return a->domain - b->domain;
    return a->core != b->core ? a->core - b->core : a->cpu - b->cpu;
}

/* Replaces the kernel's numbers by those without gaps. */
static void number(hy_topology *topology)
{
    hy_topology_cpu before = {.socket = -1, .domain = -1, .core = -1};
    for (int i = 0; i < topology->cpus; i++) {
        hy_topology_cpu *at = &topology->at[i], kernel = *at;
        bool new_socket = kernel.socket != before.socket;
        bool new_domain = new_socket || kernel.domain != before.domain;
        bool new_core = new_domain || kernel.core != before.core;
        at->socket = (topology->sockets += new_socket) - 1;
        at->domain = (topology->domains += new_domain) - 1;
        at->core = (topology->cores += new_core) - 1;
        at->thread = new_core ? 0 : at[-1].thread + 1;
        if (at->thread == topology->threads) topology->threads++;
        before = kernel;
    }
}

void hy_topology_read(hy_topology *topology, const char *root, const cpu_set_t *usable)
{
    int domain_of[CPU_SETSIZE];
    *topology = (hy_topology){.cpus = 0};
    read_domains(root, domain_of);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, usable))
            topology->at[topology->cpus++] = (hy_topology_cpu){
                .cpu = cpu,
                .socket = read_number(root, cpu, "physical_package_id", 0),
                .domain = domain_of[cpu],
                .core = core_of(root, cpu)};
    qsort(topology->at, (size_t)topology->cpus, sizeof *topology->at, launch_topology_compare);
    number(topology);
}
