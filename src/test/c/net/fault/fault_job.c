/* SPDX-License-Identifier: Apache-2.0 */
/* The fault path as a row of the table of networks, for HAYATE_NET_LOCAL=fault. Ranks share what
 * they know of a broken connection by a file in memory, which they find by process and number. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "net/fault/fault_path.h"
#include "nodes/network.h"

static fault_plan plan = {.rank = UINT64_MAX};

static int read_plan(const char *text)
{
    const struct {
        const char *name;
        uint64_t *value;
    } words[] = {{"seed=", &plan.seed}, {"delay=", &plan.delay}, {"nodes=", &plan.nodes},
                 {"fail=", &plan.fail}, {"drop=", &plan.drop},   {"rank=", &plan.rank}};
    while (*text) {
        size_t i = 0, count = sizeof words / sizeof *words;
        while (i < count && strncmp(text, words[i].name, strlen(words[i].name)) != 0) i++;
        if (i == count) return -1;
        char *end;
        *words[i].value = strtoull(text + strlen(words[i].name), &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
    return 0;
}

static bool same_node(int a, int b)
{
    return a == b || (plan.nodes && (uint64_t)a % plan.nodes == (uint64_t)b % plan.nodes);
}

/* ---- the network ---- */

typedef struct place {
    pid_t pid;
    int file; /* of as many words as there are ranks */
} place;

typedef struct rank_net {
    hy_net *net;
    hy_net_attr attr;
    place own;
    struct rank_net *next; /* all of the program */
} rank_net;

static rank_net *_Atomic all;
static void (*attach_lane)(hy_net *net, hy_ep *ep, int rank, int lane);
static void (*close_net)(hy_net *net);

static rank_net *find(const hy_net *net)
{
    rank_net *of = atomic_load(&all);
    while (of->net != net) of = of->next;
    return of;
}

static _Atomic uint32_t *words_of(const place *where, int ranks)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)where->pid, where->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *words = mmap(NULL, (size_t)ranks * sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED,
                       file, 0);
    if (file < 0 || words == MAP_FAILED) abort();
    close(file);
    return words;
}

static void address(const hy_net *net, void *bytes, size_t *len)
{
    memcpy(bytes, &find(net)->own, sizeof(place));
    *len = sizeof(place);
}

/* Lane 0 goes between the end and its segment; others between that and theirs. */
static void attach(hy_net *net, hy_ep *ep, int rank, int lane)
{
    const rank_net *mine = find(net);
    place other;
    size_t len = sizeof other;
    if (lane > 0) {
        attach_lane(net, ep, rank, lane);
        return;
    }
    if (same_node(rank, mine->attr.rank)) return;
    if (mine->attr.lookup(mine->attr.lookup_context, rank, &other, &len)) abort();
    fault_path_wrap(net, ep, &words_of(&mine->own, mine->attr.ranks)[rank],
                    &words_of(&other, mine->attr.ranks)[mine->attr.rank]);
}

static void close_rank(hy_net *net)
{
    close(find(net)->own.file);
    close_net(net);
}

static hy_net_ops ops = {.name = "fault"};

static int open_net(const hy_net_attr *attr, hy_net **net)
{
    rank_net *mine = calloc(1, sizeof *mine);
    fault_plan its = plan;
    if (!mine) abort();
    if (plan.rank != (uint64_t)attr->rank) its.fail = its.drop = 0;
    its.seed += (uint64_t)attr->rank * 1000;
    *mine = (rank_net){.net = fault_net(&its, attr->ranks), .attr = *attr};
    mine->own = (place){getpid(), memfd_create("fault", MFD_CLOEXEC)};
    if (mine->own.file < 0 || ftruncate(mine->own.file, attr->ranks * (off_t)sizeof(uint32_t)) != 0)
        return hy_fail_errno("no memory for the words of a fault");
    mine->net->ops = &ops;
    mine->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &mine->next, mine)) continue;
    *net = mine->net;
    return HAYATE_OK;
}

/* In place of what it does by itself, but for the lanes. */
static void make_row(void)
{
    static const hy_net_ops *rows[HY_NETS_MOST + 1];
    hy_net *made = fault_net(&(fault_plan){0}, 1);
    int count = 0;
    ops = *made->ops;
    attach_lane = ops.attach;
    close_net = ops.close;
    ops.open = open_net;
    ops.address = address;
    ops.attach = attach;
    ops.close = close_rank;
    while (hy_nets[count]) rows[count] = hy_nets[count], count++;
    rows[count] = &ops;
    hy_network_rows = rows;
}

bool fault_jobs(const char *text)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_row);
    plan = (fault_plan){.rank = UINT64_MAX};
    if (!text) unsetenv("HAYATE_NET_LOCAL");
    else setenv("HAYATE_NET_LOCAL", "fault", 1);
    return !text || read_plan(text) == 0;
}

__attribute__((constructor)) static void fault_job_setup(void)
{
    const char *text = getenv("HAYATE_TEST_FAULT");
    if (!text || !*text) return;
    make_row();
    if (read_plan(text) == 0) return;
    fprintf(stderr, "HAYATE_TEST_FAULT=%s: seed=, delay=, nodes=, fail=, drop= or rank= expected\n",
            text);
    exit(2);
}
