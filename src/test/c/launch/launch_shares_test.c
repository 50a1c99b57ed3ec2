/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of CPUs on machines that exist only as files: a directory of the form of /sys. */
#include "base/test.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/launch_shares.h"

#define MOST_RANKS 256

typedef struct machine {
    int sockets, domains, cores, threads; /* each of one of the level before */
} machine;

static char root[] = "/tmp/hayate-shares-XXXXXX";

static int cores_of(const machine *m)
{
    return m->sockets * m->domains * m->cores;
}

static void put(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a file below the root, and makes its directories. */
static void put(const char *text, const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    int used = snprintf(path, sizeof path, "%s/", root);
    va_start(arguments, format);
    vsnprintf(path + used, sizeof path - (size_t)used, format, arguments);
    va_end(arguments);
    for (char *slash = path + used; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

/* As most kernels number CPUs: the first thread of each core, then the second ones. */
static void put_cpu(const machine *m, int cpu)
{
    char text[64];
    cpu_set_t siblings;
    int core = cpu % cores_of(m);
    CPU_ZERO(&siblings);
    for (int i = 0; i < m->threads; i++) CPU_SET((size_t)(core + i * cores_of(m)), &siblings);
    hy_cpu_list_print(&siblings, text, sizeof text);
    put(text, "cpu/cpu%d/topology/core_cpus_list", cpu);
    snprintf(text, sizeof text, "%d", core / (m->domains * m->cores));
    put(text, "cpu/cpu%d/topology/physical_package_id", cpu);
}

static void build(const machine *m)
{
    char text[256];
    int domains = m->sockets * m->domains;
    for (int cpu = 0; cpu < m->threads * cores_of(m); cpu++) put_cpu(m, cpu);
    snprintf(text, sizeof text, "0-%d", domains - 1);
    put(text, "node/online");
    for (int domain = 0; domain < domains; domain++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (int cpu = 0; cpu < m->threads * cores_of(m); cpu++)
            if (cpu % cores_of(m) / m->cores == domain) CPU_SET((size_t)cpu, &set);
        hy_cpu_list_print(&set, text, sizeof text);
        put(text, "node/node%d/cpulist", domain);
    }
}

static void raze(void)
{
    char command[PATH_MAX];
    snprintf(command, sizeof command, "rm -r %s/*", root);
    assert_int_equal(system(command), 0);
}

/* The machine `m`, of which a job may use the CPUs of `usable`; NULL: all. */
static hy_topology *topology_of(machine m, const char *usable)
{
    static hy_topology topology;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int cpu = 0; cpu < m.threads * cores_of(&m); cpu++) CPU_SET((size_t)cpu, &set);
    if (usable) assert_string_equal(hy_cpu_list_parse(usable, &set), "");
    build(&m);
    hy_topology_read(&topology, root, &set);
    raze();
    return &topology;
}

static cpu_set_t sets[MOST_RANKS];

/* All sets, as the option --bind takes them. */
static void assert_sets(int ranks, const char *expected)
{
    char text[4096] = "", one[256];
    for (int rank = 0; rank < ranks; rank++) {
        hy_cpu_list_print(&sets[rank], one, sizeof one);
        strcat(strcat(text, rank ? ":" : ""), one);
    }
    assert_string_equal(text, expected);
}

static void assert_shares(machine m, const char *usable, int ranks, const char *expected)
{
    assert_true(hy_shares_divide(topology_of(m, usable), ranks, sets));
    assert_sets(ranks, expected);
}

static void assert_exact(machine m, int ranks, int cpus, const char *expected)
{
    assert_true(hy_shares_exact(topology_of(m, NULL), ranks, cpus, sets));
    assert_sets(ranks, expected);
}

static const machine small = {1, 1, 4, 1}, two_sockets = {2, 1, 4, 1}, with_threads = {1, 1, 4, 2},
                     server = {2, 2, 4, 2};

TEST(should_count_what_can_be_used)
{
    const hy_topology *all = topology_of(server, NULL);
    assert_int_equal(all->cpus, 32);
    assert_int_equal(all->cores, 16);
    assert_int_equal(all->domains, 4);
    assert_int_equal(all->sockets, 2);
    assert_int_equal(all->threads, 2);
    const hy_topology *some = topology_of(server, "5-9,21");
    assert_int_equal(some->cpus, 6);
    assert_int_equal(some->cores, 5);
    assert_int_equal(some->domains, 2);
    assert_int_equal(some->sockets, 2);
}

TEST(should_take_each_cpu_for_a_core_where_nothing_is_known)
{
    static hy_topology topology;
    cpu_set_t set;
    assert_non_null(hy_cpu_list_parse("0-3", &set));
    hy_topology_read(&topology, "/nowhere", &set);
    assert_int_equal(topology.cores, 4);
    assert_int_equal(topology.domains, 1);
    assert_int_equal(topology.sockets, 1);
}

TEST(should_divide_cores_equally_among_neighbours)
{
    assert_shares(small, NULL, 1, "0-3");
    assert_shares(small, NULL, 2, "0-1:2-3");
    assert_shares(small, NULL, 3, "0:1:2-3");
    assert_shares(small, NULL, 4, "0:1:2:3");
    assert_shares(small, "1,3", 2, "1:3");
}

TEST(should_keep_a_share_within_a_numa_domain)
{
    assert_shares(two_sockets, NULL, 1, "0-7");
    assert_shares(two_sockets, NULL, 2, "0-3:4-7");
    assert_shares(two_sockets, NULL, 3, "0-1:2-3:4-7");
    assert_shares(two_sockets, NULL, 5, "0:1:2-3:4-5:6-7");
    assert_shares((machine){2, 1, 3, 1}, NULL, 2, "0-2:3-5");
    assert_shares((machine){2, 1, 3, 1}, NULL, 5, "0:1:2:3:4-5");
    assert_shares(two_sockets, "3-7", 2, "4-5:6-7");
    /* shares of 3 and 3, rather than of 2 and 4 */
    assert_shares(two_sockets, "2-7", 2, "2-4:5-7");
    assert_shares((machine){3, 1, 1, 1}, NULL, 2, "0:1-2");
    assert_shares((machine){2, 1, 3, 1}, NULL, 1, "0-5");
}

TEST(should_give_a_core_with_all_its_threads)
{
    assert_shares(with_threads, NULL, 2, "0-1,4-5:2-3,6-7");
    assert_shares(with_threads, NULL, 4, "0,4:1,5:2,6:3,7");
    assert_shares(server, NULL, 4, "0-3,16-19:4-7,20-23:8-11,24-27:12-15,28-31");
    assert_shares(server, NULL, 2, "0-7,16-23:8-15,24-31");
}

TEST(should_divide_threads_when_there_are_more_ranks_than_cores)
{
    assert_shares(with_threads, NULL, 8, "0:4:1:5:2:6:3:7");
    assert_shares(with_threads, NULL, 5, "0:1,4:5:2,6:3,7");
}

TEST(should_not_divide_fewer_cpus_than_ranks)
{
    assert_false(hy_shares_divide(topology_of(small, NULL), 5, sets));
    assert_false(hy_shares_divide(topology_of(with_threads, NULL), 9, sets));
}

TEST(should_give_so_many_cpus_to_each_rank)
{
    assert_exact(two_sockets, 2, 3, "0-2:4-6");
    assert_exact(two_sockets, 2, 1, "0:4");
    assert_exact((machine){3, 1, 4, 1}, 2, 4, "0-3:4-7");
    assert_exact(with_threads, 4, 2, "0,4:1,5:2,6:3,7");
    assert_exact(with_threads, 2, 2, "0-1:2-3");
    assert_exact(with_threads, 8, 1, "0:4:1:5:2:6:3:7");
    assert_false(hy_shares_exact(topology_of(two_sockets, NULL), 3, 3, sets));
}

TEST(should_give_one_cpu_on_a_core_of_its_own_first)
{
    hy_shares_single(topology_of(with_threads, NULL), 10, sets);
    assert_sets(10, "0:1:2:3:4:5:6:7:0:1");
}

TEST(should_give_whole_domains_and_sockets)
{
    hy_shares_domain(topology_of(server, "0-15"), 4, sets);
    assert_sets(4, "0-3:4-7:8-11:12-15");
    hy_shares_domain(topology_of(server, "0-15"), 2, sets);
    assert_sets(2, "0-3:8-11");
    hy_shares_socket(topology_of(server, "0-15"), 3, sets);
    assert_sets(3, "0-7:0-7:8-15");
}

/* Every rank has CPUs that it may use, no fewer than its share, and none of another rank. */
TEST(should_divide_any_machine_fairly)
{
    for (int kind = 0; kind < 54; kind++) {
        machine m = {1 + kind % 2, 1 + kind / 2 % 3, 1 + kind / 6 % 3 * 2, 1 + kind / 18 % 3};
        const hy_topology *topology = topology_of(m, NULL);
        for (int ranks = 1; ranks <= topology->cpus; ranks++) {
            cpu_set_t before, both;
            CPU_ZERO(&before);
            assert_true(hy_shares_divide(topology, ranks, sets));
            int least = ranks <= topology->cores ? topology->cores / ranks * m.threads
                                                 : topology->cpus / ranks;
            for (int rank = 0; rank < ranks; rank++) {
                CPU_AND(&both, &before, &sets[rank]);
                assert_int_equal(CPU_COUNT(&both), 0);
                assert_true(CPU_COUNT(&sets[rank]) >= least);
                CPU_OR(&before, &before, &sets[rank]);
            }
            assert_int_equal(CPU_COUNT(&before), topology->cpus);
        }
    }
}

TEST(should_read_and_write_lists)
{
    static const char *const bad[] = {"", "-1", "1-", "3-2", "a", "1,", "1024", "0-99999999999999"};
    char text[64], cut[12];
    cpu_set_t set;
    assert_string_equal(hy_cpu_list_parse("0,2-4,1023:rest", &set), ":rest");
    hy_cpu_list_print(&set, text, sizeof text);
    assert_string_equal(text, "0,2-4,1023");
    hy_cpu_list_print(&set, cut, sizeof cut);
    assert_string_equal(cut, "0,2-4,...");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(hy_cpu_list_parse(bad[i], &set));
}

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    return rmdir(root);
}

int main(void)
{
    return tests_run_in(make_root, remove_root);
}
