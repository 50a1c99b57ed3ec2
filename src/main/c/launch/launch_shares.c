/* SPDX-License-Identifier: Apache-2.0 */
/* Divides a topology among ranks. What is divided are units: cores, or single CPUs. */
#include "launch/launch_shares.h"

typedef struct division {
    const hy_topology *topology;
    bool by_core; /* units are cores, else CPUs */
    int units;    /* of the whole topology */
    int share;    /* units that each rank gets at least */
    int most;     /* CPUs that a rank gets at most; CPU_SETSIZE: no unit is left over */
    int ranks;
    cpu_set_t *sets;
} division;

static int unit_of(const division *d, int i)
{
    return d->by_core ? d->topology->at[i].core : i;
}

/* Gives a rank the units from `first` to before `end`: one thread of each core, then the next. */
static void launch_shares_give(const division *d, int rank, int first, int end)
{
    CPU_ZERO(&d->sets[rank]);
    for (int thread = 0, count = 0; thread < d->topology->threads; thread++)
        for (int i = 0; i < d->topology->cpus && count < d->most; i++) {
            const hy_topology_cpu *at = &d->topology->at[i];
            int unit = unit_of(d, i);
            if (unit < first || unit >= end || at->thread != thread) continue;
            CPU_SET((size_t)at->cpu, &d->sets[rank]);
            count++;
        }
}

/* Ranks from `rank` to before `end` get the units from `first` on, as equally as possible. */
static void give_all(const division *d, int rank, int end, int first, int units)
{
    int ranks = end - rank;
    for (int i = 0; i < ranks; i++)
        launch_shares_give(d, rank + i, first + i * units / ranks, first + (i + 1) * units / ranks);
}

/* Units before the end of each domain. */
static void find_ends(const division *d, int ends[CPU_SETSIZE])
{
    for (int i = 0; i < d->topology->cpus; i++) ends[d->topology->at[i].domain] = unit_of(d, i) + 1;
}

static int room_of(const division *d, const int ends[CPU_SETSIZE], int domain)
{
    return (ends[domain] - (domain ? ends[domain - 1] : 0)) / d->share;
}

/* Each domain takes ranks in proportion to its units, as many as have room, and no fewer than the
 * domains after it leave. */
static void divide(const division *d)
{
    int ends[CPU_SETSIZE], room = 0, rank = 0;
    find_ends(d, ends);
    for (int domain = 0; domain < d->topology->domains; domain++) room += room_of(d, ends, domain);
    bool leaves_domains = d->ranks < d->topology->domains && d->most == CPU_SETSIZE;
    if (room < d->ranks || leaves_domains) {
        give_all(d, 0, d->ranks, 0, d->units);
        return;
    }
    for (int domain = 0; domain < d->topology->domains; domain++) {
        int first = domain ? ends[domain - 1] : 0, here = room_of(d, ends, domain);
        int end = (ends[domain] * d->ranks + d->units - 1) / d->units;
        room -= here;
        if (end > rank + here) end = rank + here;
        if (end < d->ranks - room) end = d->ranks - room;
        give_all(d, rank, end, first, ends[domain] - first);
        rank = end;
    }
}

bool hy_shares_divide(const hy_topology *topology, int ranks, cpu_set_t *sets)
{
    division d = {.topology = topology, .ranks = ranks, .most = CPU_SETSIZE, .sets = sets};
    d.by_core = ranks <= topology->cores;
    d.units = d.by_core ? topology->cores : topology->cpus;
    d.share = d.units / ranks;
    if (d.share) divide(&d);
    return d.share > 0;
}

/* How many threads each core has at least. */
static int least_threads(const hy_topology *topology)
{
    int least = CPU_SETSIZE;
    for (int i = 0; i < topology->cpus; i++) {
        int threads = topology->at[i].thread + 1;
        bool is_last = i + 1 == topology->cpus || topology->at[i + 1].thread == 0;
        if (is_last && threads < least) least = threads;
    }
    return least;
}

bool hy_shares_exact(const hy_topology *topology, int ranks, int cpus, cpu_set_t *sets)
{
    division d = {.topology = topology, .ranks = ranks, .most = cpus, .sets = sets};
    int threads = least_threads(topology), cores = (cpus + threads - 1) / threads;
    d.by_core = (long)cores * ranks <= topology->cores;
    d.units = d.by_core ? topology->cores : topology->cpus;
    d.share = d.by_core ? cores : cpus;
    bool is_enough = (long)d.share * ranks <= d.units;
    if (is_enough) divide(&d);
    return is_enough;
}

void hy_shares_single(const hy_topology *topology, int ranks, cpu_set_t *sets)
{
    int rank = 0;
    while (rank < ranks && topology->cpus)
        for (int thread = 0; thread < topology->threads && rank < ranks; thread++)
            for (int i = 0; i < topology->cpus && rank < ranks; i++) {
                if (topology->at[i].thread != thread) continue;
                CPU_ZERO(&sets[rank]);
                CPU_SET((size_t)topology->at[i].cpu, &sets[rank++]);
            }
}

void hy_shares_domain(const hy_topology *topology, int ranks, cpu_set_t *sets)
{
    for (int rank = 0; rank < ranks; rank++) {
        CPU_ZERO(&sets[rank]);
        for (int i = 0; i < topology->cpus; i++)
            if (topology->at[i].domain == rank * topology->domains / ranks)
                CPU_SET((size_t)topology->at[i].cpu, &sets[rank]);
    }
}

void hy_shares_socket(const hy_topology *topology, int ranks, cpu_set_t *sets)
{
    for (int rank = 0; rank < ranks; rank++) {
        CPU_ZERO(&sets[rank]);
        for (int i = 0; i < topology->cpus; i++)
            if (topology->at[i].socket == rank * topology->sockets / ranks)
                CPU_SET((size_t)topology->at[i].cpu, &sets[rank]);
    }
}
