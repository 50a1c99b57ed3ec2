/* SPDX-License-Identifier: Apache-2.0 */
/* HAYATE_NET_LOCAL: the ranks of one node communicate through a network instead of their
 * segment, as if each were on a separate node. This serves measurements and tests, on one
 * machine, of what several machines will do. The segment still holds the job together: the
 * addresses of the network are in the ranks' parts, and fences, bells and deaths are those of a
 * node. */
#include <stdio.h>

#include "base/settings.h"
#include "nodes/far.h"
#include "nodes/network.h"

typedef struct local_address {
    uint64_t len;
    uint8_t address[HY_NET_ADDRESS];
} local_address;

int hy_network_local_choose(int *choice)
{
    const char *names[HY_NETS_MOST + 1] = {NULL};
    uint64_t index;
    for (int i = 0; hy_network_rows[i]; i++) names[i] = hy_network_rows[i]->name;
    int rc = hy_setting_among(HY_SET(NET_LOCAL), names, &index);
    *choice = (int)index;
    return rc;
}

static local_address *address_of(const hy_job *job, int rank)
{
    uint8_t *part = hy_control_part(job->boot.control, rank);
    return (local_address *)(void *)(part + job->net_local_at);
}

static int look_up(void *context, int rank, void *address, size_t *len)
{
    const local_address *its = address_of(context, rank);
    uint64_t length = __atomic_load_n(&its->len,
                                      __ATOMIC_ACQUIRE); /* read once: a peer may change it */
    if (length > *len)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, rank, "rank %d published an address of %llu bytes",
                            rank, (unsigned long long)length);
    memcpy(address, its->address, length);
    *len = length;
    return HAYATE_OK;
}

static int open_net(hy_job *job, const hy_net_ops *ops, hy_net **net)
{
    hy_net_attr attr = {.rank = job->rank,
                        .ranks = job->size,
                        .part = job->part,
                        .part_bytes = job->part_bytes,
                        .bell = job->bell,
                        .one_node = true,
                        .lookup = look_up,
                        .lookup_context = job};
    int rc = hy_net_read_attr(&attr);
    return rc ? rc : ops->open(&attr, net);
}

/* A network may leave a rank to the segment. */
static void attach(hy_job *job, hy_net *net, int rank)
{
    hy_ep made = *hy_job_ep(job, rank);
    net->ops->attach(net, &made, rank, 0);
    if (!made.net) return;
    const hy_ep ep = {.ops = made.ops,
                      .net = made.net,
                      .rank = rank,
                      .part_bytes = made.part_bytes,
                      .pid = made.pid,
                      .why_not_single = "HAYATE_NET_LOCAL is set"};
    hy_job_set_ep(job, rank, &ep);
}

static int publish(hy_job *job, const hy_net *net)
{
    local_address *mine = address_of(job, job->rank);
    size_t len = sizeof mine->address;
    net->ops->address(net, mine->address, &len);
    mine->len = len;
    return hy_boot_fence(&job->boot);
}

int hy_network_local_open(hy_job *job, int choice)
{
    hy_net *net = NULL;
    if (choice == 0 || job->size == 1) return HAYATE_OK;
    const hy_net_ops *ops = hy_network_rows[choice - 1];
    if (hy_job_nodes(job) > 1)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "HAYATE_NET_LOCAL=%s is for jobs on one node, and this job is on %d: "
                       "HAYATE_NET chooses the network between nodes",
                       ops->name, hy_job_nodes(job));
    int rc = hy_job_system_take(job, sizeof(local_address), &job->net_local_at);
    if (!rc) rc = open_net(job, ops, &net);
    if (rc) return rc;
    job->far.nets[0] = net; /* from now on closed with the job */
    rc = publish(job, net);
    for (int rank = 0; !rc && rank < job->size; rank++)
        if (rank != job->rank) attach(job, net, rank);
    snprintf(job->why_net, sizeof job->why_net, "chosen by HAYATE_NET_LOCAL");
    return rc ? rc : hy_far_open(job);
}
