/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints: what they are made of, and which lanes go by which. */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/status.h"
#include "path/verbs/verbs_net.h"

#define INLINE_BYTES 96 /* any message of ours */

static const verbs_sizes first_sizes = {
    .under_way = 4096, .receives = 512, .hellos = VERBS_HELLOS, .lines = 1024, .pieces = 32};
static const verbs_sizes further_sizes = {
    .under_way = 1024, .receives = 128, .lines = 256, .pieces = 8};

static int open_queues(verbs_endpoint *endpoint)
{
    const verbs_net *net = endpoint->net;
    const hy_verbs_calls *calls = net->calls;
    struct ibv_context *context = net->choice.context;
    const struct ibv_device_attr *device = &net->choice.device;
    verbs_sizes *sizes = &endpoint->sizes;
    struct ibv_srq_init_attr srq = {.attr = {.max_wr = sizes->receives, .max_sge = 1}};
    if (device->max_srq == 0 || (uint32_t)device->max_srq_wr < sizes->receives)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "%s has no shared receive queue of %u entries; use the network \"ofi\"",
                       net->choice.name, sizes->receives);
    if ((uint32_t)device->max_cqe < sizes->under_way + sizes->hellos)
        sizes->under_way = (uint32_t)device->max_cqe - sizes->hellos;
    endpoint->sends = calls->create_cq(context, (int)(sizes->under_way + sizes->hellos), NULL,
                                       net->channel, 0);
    if (endpoint->sends)
        endpoint->receives = calls->create_cq(context, (int)(sizes->receives + sizes->hellos), NULL,
                                              net->channel, 0);
    if (!endpoint->receives)
        return verbs_fail_call(net, "ibv_create_cq", "completion queues", device->max_cq);
    endpoint->srq = calls->create_srq(net->pd, &srq);
    if (!endpoint->srq)
        return verbs_fail_call(net, "ibv_create_srq", "shared receive queues", device->max_srq);
    return HAYATE_OK;
}

static int post_receives(verbs_endpoint *endpoint)
{
    uint16_t lines[VERBS_REPOSTED];
    for (uint32_t i = 0; i < endpoint->sizes.receives; i += VERBS_REPOSTED) {
        for (uint32_t k = 0; k < VERBS_REPOSTED; k++) lines[k] = (uint16_t)(i + k);
        errno = verbs_receive_post(endpoint, lines, VERBS_REPOSTED);
        if (errno)
            return verbs_fail_call(endpoint->net, "ibv_post_srq_recv", "receives",
                                   endpoint->net->choice.device.max_srq_wr);
    }
    return HAYATE_OK;
}

static int open_all(verbs_endpoint *endpoint)
{
    int rc = hy_net_table_make(&endpoint->peers, endpoint->net->wish.ranks);
    if (!rc) rc = open_queues(endpoint);
    if (!rc) rc = verbs_memory_make(endpoint);
    if (!rc) rc = post_receives(endpoint);
    return rc;
}

/* Held for a moment only: who finds it taken spins before it sleeps. */
static void make_lock(verbs_endpoint *endpoint)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&endpoint->lock, &attr);
    pthread_mutexattr_destroy(&attr);
}

int verbs_endpoint_open(verbs_net *net, int number, verbs_endpoint **result)
{
    verbs_endpoint *endpoint = aligned_alloc(HY_LINE, hy_round_up(sizeof *endpoint, HY_LINE));
    if (!endpoint) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *endpoint = (verbs_endpoint){.net = net,
                                 .number = number,
                                 .sizes = number ? further_sizes : first_sizes,
                                 .inline_bytes = INLINE_BYTES};
    endpoint->replies_end = &endpoint->replies;
    make_lock(endpoint);
    int rc = open_all(endpoint);
    if (rc) verbs_endpoint_close(endpoint);
    else *result = endpoint;
    return rc;
}

void verbs_endpoint_close(verbs_endpoint *endpoint)
{
    const hy_verbs_calls *calls = endpoint->net->calls;
    for (uint32_t i = 0; i < endpoint->conn_count; i++) {
        calls->destroy_qp(endpoint->conns[i]->qp);
        free(endpoint->conns[i]);
    }
    free(endpoint->conns);
    verbs_peers_free(endpoint);
    while (endpoint->replies) {
        verbs_reply *reply = endpoint->replies;
        endpoint->replies = reply->next;
        free(reply);
    }
    if (endpoint->srq) calls->destroy_srq(endpoint->srq);
    if (endpoint->receives) calls->destroy_cq(endpoint->receives);
    if (endpoint->sends) calls->destroy_cq(endpoint->sends);
    verbs_memory_free(endpoint);
    pthread_mutex_destroy(&endpoint->lock);
    free(endpoint);
}

/* ---- lanes ---- */

/* A lane stays where it is: also at endpoint 0, when its own could not be had. */
static verbs_endpoint *open_further(verbs_net *net, int number)
{
    pthread_mutex_lock(&net->opening);
    verbs_endpoint *endpoint = hy_load_relaxed(&net->endpoints[number]);
    if (!endpoint && verbs_endpoint_open(net, number, &endpoint)) {
        hy_log(HY_LOG_INFO, "no further endpoint for threads, they share the first: %s",
               hayate_error());
        endpoint = net->endpoints[0];
    }
    hy_store_release(&net->endpoints[number], endpoint);
    if (number > hy_load_relaxed(&net->highest)) hy_store_release(&net->highest, number);
    pthread_mutex_unlock(&net->opening);
    hy_net_keeper_wake(net->keeper);
    return endpoint;
}

verbs_endpoint *verbs_endpoint_of(verbs_net *net, int lane)
{
    if (lane == 0 || net->endpoints_wanted == 1) return net->endpoints[0];
    int number = 1 + (lane - 1) % (net->endpoints_wanted - 1);
    verbs_endpoint *endpoint = hy_load_acquire(&net->endpoints[number]);
    return hy_likely(endpoint) ? endpoint : open_further(net, number);
}
