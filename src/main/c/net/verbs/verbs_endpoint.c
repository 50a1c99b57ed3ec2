/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and frees the queues and buffers of an endpoint. */
#include <errno.h>
#include <stdlib.h>

#include "base/status.h"
#include "net/verbs/verbs_net.h"

#define INLINE_BYTES 96 /* fits every message */

static const verbs_sizes first_sizes = {
    .under_way = 4096, .receives = 512, .hellos = VERBS_HELLOS, .lines = 1024, .pieces = 32};
static const verbs_sizes further_sizes = {
    .under_way = 1024, .receives = 128, .lines = 256, .pieces = 8};

static int open_queues(verbs_endpoint *endpoint)
{
    const verbs_net *net = verbs_net_of(endpoint);
    const hy_verbs_calls *calls = net->calls;
    struct ibv_context *context = net->choice.context;
    const struct ibv_device_attr *device = &net->choice.device;
    verbs_sizes *sizes = &endpoint->sizes;
    struct ibv_srq_init_attr srq = {.attr = {.max_wr = sizes->receives, .max_sge = 1}};
    if (device->max_srq == 0 || (uint32_t)device->max_srq_wr < sizes->receives)
        return hy_fail(
            HAYATE_ERR_UNSUPPORTED,
            "%s does not support a shared receive queue of %u entries; use the network \"ofi\"",
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
            return verbs_fail_call(verbs_net_of(endpoint), "ibv_post_srq_recv", "receives",
                                   verbs_net_of(endpoint)->choice.device.max_srq_wr);
    }
    return HAYATE_OK;
}

int verbs_open_endpoint(hy_net_base *net, int number, hy_net_endpoint **result)
{
    verbs_endpoint *endpoint = aligned_alloc(HY_LINE, hy_round_up(sizeof *endpoint, HY_LINE));
    if (!endpoint) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *endpoint = (verbs_endpoint){.sizes = number ? further_sizes : first_sizes,
                                 .inline_bytes = INLINE_BYTES};
    endpoint->replies_end = &endpoint->replies;
    int rc = hy_net_endpoint_init(&endpoint->base, net, number);
    if (!rc) rc = open_queues(endpoint);
    if (!rc) rc = verbs_memory_make(endpoint);
    if (!rc) rc = post_receives(endpoint);
    if (rc) verbs_close_endpoint(&endpoint->base);
    else *result = &endpoint->base;
    return rc;
}

void verbs_close_endpoint(hy_net_endpoint *base)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(base);
    const hy_verbs_calls *calls = verbs_net_of(endpoint)->calls;
    for (uint32_t i = 0; i < base->conn_count; i++) {
        verbs_conn *conn = verbs_conn_at(endpoint, i);
        calls->destroy_qp(conn->qp);
        free(conn);
    }
    hy_net_endpoint_free(base);
    while (endpoint->replies) {
        verbs_reply *reply = endpoint->replies;
        endpoint->replies = reply->next;
        free(reply);
    }
    if (endpoint->srq) calls->destroy_srq(endpoint->srq);
    if (endpoint->receives) calls->destroy_cq(endpoint->receives);
    if (endpoint->sends) calls->destroy_cq(endpoint->sends);
    verbs_memory_free(endpoint);
    free(endpoint);
}
