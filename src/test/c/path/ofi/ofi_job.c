/* SPDX-License-Identifier: Apache-2.0 */
/* HAYATE_TEST_NET=ofi in the environment of a program of the tests: the ranks of a node reach each
 * other by libfabric alone, as if each were on a node of its own. What they need to find each other
 * lies in their parts, which the launcher maps for all. */
#include <stdio.h>
#include <stdlib.h>

#include "job/job.h"
#include "path/net.h"

typedef struct address {
    uint64_t len;
    uint8_t blob[HY_NET_BLOB];
} address;

typedef struct addresses {
    int size;
    const address *of[];
} addresses;

static int look_up(void *context, int rank, void *blob, size_t *len)
{
    const addresses *all = context;
    if (all->of[rank]->len > *len)
        return hy_fail(HAYATE_ERR_CORRUPT, "an address of %llu bytes",
                       (unsigned long long)all->of[rank]->len);
    *len = all->of[rank]->len;
    memcpy(blob, all->of[rank]->blob, *len);
    return HAYATE_OK;
}

static int publish(hy_job *job, hy_net *net, uint64_t place)
{
    address *mine = (address *)(void *)(job->part + place);
    size_t len = sizeof mine->blob;
    net->ops->blob(net, mine->blob, &len);
    mine->len = len;
    return hy_boot_fence(&job->boot);
}

static void attach(hy_job *job, hy_net *net)
{
    for (int rank = 0; rank < job->size; rank++) {
        hy_ep *ep = &job->eps[rank];
        if (rank == job->rank) continue;
        *ep = (hy_ep){.why_not_single = "it counts as another node's, for a test"};
        net->ops->attach(net, ep, rank, 0);
    }
}

static int reach_by_network(hy_job *job)
{
    uint64_t place;
    hy_net *net;
    size_t bytes = sizeof(addresses) + (size_t)job->size * sizeof(address *);
    addresses *all = malloc(bytes); /* as long as the network, which no job closes before the end */
    if (!all) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for addresses");
    all->size = job->size;
    hy_net_wish wish = {.rank = job->rank,
                        .ranks = job->size,
                        .part = job->part,
                        .part_bytes = job->part_bytes,
                        .bell = job->bell,
                        .one_node = true,
                        .lookup = look_up,
                        .lookup_context = all};
    int rc = hy_net_read_wish(&wish);
    if (!rc) rc = hy_job_system_take(job, sizeof(address), &place);
    for (int rank = 0; !rc && rank < job->size; rank++)
        all->of[rank] = (const address *)(const void *)(job->eps[rank].part + place);
    if (!rc) rc = hy_net_ofi.open(&wish, &net);
    if (!rc) rc = publish(job, net, place);
    if (!rc) attach(job, net);
    return rc;
}

__attribute__((constructor)) static void ofi_job_setup(void)
{
    const char *text = getenv("HAYATE_TEST_NET");
    if (text && strcmp(text, "ofi") == 0) hy_job_on_endpoints = reach_by_network;
}
