/* SPDX-License-Identifier: Apache-2.0 */
/* Ports: what they are made of, and which lanes go by which. */
#include <errno.h>
#include <stdlib.h>

#include "base/status.h"
#include "path/verbs/verbs_net.h"

#define INLINE_BYTES 96 /* any message of ours */
#define POSTED 16       /* receives by one call */

static int open_queues(verbs_port *port)
{
    const verbs_net *net = port->net;
    const hy_verbs_calls *calls = net->calls;
    struct ibv_context *context = net->choice.context;
    const struct ibv_device_attr *device = &net->choice.device;
    struct ibv_srq_init_attr srq = {.attr = {.max_wr = VERBS_RECEIVES, .max_sge = 1}};
    port->most_under_way = VERBS_UNDER_WAY;
    if (device->max_cqe < VERBS_UNDER_WAY + VERBS_HELLOS)
        port->most_under_way = (uint32_t)device->max_cqe - VERBS_HELLOS;
    port->sends = calls->create_cq(context, (int)port->most_under_way + VERBS_HELLOS, NULL, NULL,
                                   0);
    if (port->sends)
        port->receives = calls->create_cq(context, VERBS_RECEIVES + VERBS_HELLOS, NULL, NULL, 0);
    if (!port->receives)
        return verbs_fail_call(net, "ibv_create_cq", "completion queues", device->max_cq);
    port->srq = calls->create_srq(net->pd, &srq);
    if (!port->srq)
        return verbs_fail_call(net, "ibv_create_srq", "shared receive queues", device->max_srq);
    return HAYATE_OK;
}

static int post_receives(verbs_port *port)
{
    for (uint32_t i = 0; i < VERBS_RECEIVES; i += POSTED) {
        errno = verbs_receive_post(port, i, POSTED);
        if (errno)
            return verbs_fail_call(port->net, "ibv_post_srq_recv", "receives",
                                   port->net->choice.device.max_srq_wr);
    }
    return HAYATE_OK;
}

static int open_all(verbs_port *port)
{
    int rc = hy_net_table_make(&port->peers, port->net->wish.ranks);
    if (!rc) rc = open_queues(port);
    if (!rc) rc = verbs_memory_make(port);
    if (!rc) rc = post_receives(port);
    return rc;
}

int verbs_port_open(verbs_net *net, int number, verbs_port **result)
{
    verbs_port *port = aligned_alloc(HY_LINE, hy_round_up(sizeof *port, HY_LINE));
    if (!port) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *port = (verbs_port){.net = net, .number = number, .inline_bytes = INLINE_BYTES};
    port->replies_end = &port->replies;
    pthread_mutex_init(&port->lock, NULL);
    int rc = open_all(port);
    if (rc) verbs_port_close(port);
    else *result = port;
    return rc;
}

void verbs_port_close(verbs_port *port)
{
    const hy_verbs_calls *calls = port->net->calls;
    for (uint32_t i = 0; i < port->conn_count; i++) {
        calls->destroy_qp(port->conns[i]->qp);
        free(port->conns[i]);
    }
    free(port->conns);
    verbs_peers_free(port);
    while (port->replies) {
        verbs_reply *reply = port->replies;
        port->replies = reply->next;
        free(reply);
    }
    if (port->srq) calls->destroy_srq(port->srq);
    if (port->receives) calls->destroy_cq(port->receives);
    if (port->sends) calls->destroy_cq(port->sends);
    verbs_memory_free(port);
    pthread_mutex_destroy(&port->lock);
    free(port);
}

verbs_port *verbs_port_of(verbs_net *net, int lane)
{
    (void)lane;
    return net->ports[0];
}
