/* SPDX-License-Identifier: Apache-2.0 */
/* Ports: what they are made of, and which lanes go by which. */
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

static int open_queues(verbs_port *port)
{
    const verbs_net *net = port->net;
    const hy_verbs_calls *calls = net->calls;
    struct ibv_context *context = net->choice.context;
    const struct ibv_device_attr *device = &net->choice.device;
    verbs_sizes *sizes = &port->sizes;
    struct ibv_srq_init_attr srq = {.attr = {.max_wr = sizes->receives, .max_sge = 1}};
    if (device->max_srq == 0 || (uint32_t)device->max_srq_wr < sizes->receives)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "%s has no shared receive queue of %u entries; use the network \"ofi\"",
                       net->choice.name, sizes->receives);
    if ((uint32_t)device->max_cqe < sizes->under_way + sizes->hellos)
        sizes->under_way = (uint32_t)device->max_cqe - sizes->hellos;
    port->sends = calls->create_cq(context, (int)(sizes->under_way + sizes->hellos), NULL,
                                   net->channel, 0);
    if (port->sends)
        port->receives = calls->create_cq(context, (int)(sizes->receives + sizes->hellos), NULL,
                                          net->channel, 0);
    if (!port->receives)
        return verbs_fail_call(net, "ibv_create_cq", "completion queues", device->max_cq);
    port->srq = calls->create_srq(net->pd, &srq);
    if (!port->srq)
        return verbs_fail_call(net, "ibv_create_srq", "shared receive queues", device->max_srq);
    return HAYATE_OK;
}

static int post_receives(verbs_port *port)
{
    uint16_t lines[VERBS_REPOSTED];
    for (uint32_t i = 0; i < port->sizes.receives; i += VERBS_REPOSTED) {
        for (uint32_t k = 0; k < VERBS_REPOSTED; k++) lines[k] = (uint16_t)(i + k);
        errno = verbs_receive_post(port, lines, VERBS_REPOSTED);
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

/* Held for a moment only: who finds it taken spins before it sleeps. */
static void make_lock(verbs_port *port)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&port->lock, &attr);
    pthread_mutexattr_destroy(&attr);
}

int verbs_port_open(verbs_net *net, int number, verbs_port **result)
{
    verbs_port *port = aligned_alloc(HY_LINE, hy_round_up(sizeof *port, HY_LINE));
    if (!port) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *port = (verbs_port){.net = net,
                         .number = number,
                         .sizes = number ? further_sizes : first_sizes,
                         .inline_bytes = INLINE_BYTES};
    port->replies_end = &port->replies;
    make_lock(port);
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

/* ---- lanes ---- */

/* A lane stays where it is: also at port 0, when its own could not be had. */
static verbs_port *open_further(verbs_net *net, int number)
{
    pthread_mutex_lock(&net->opening);
    verbs_port *port = hy_load_relaxed(&net->ports[number]);
    if (!port && verbs_port_open(net, number, &port)) {
        hy_log(HY_LOG_INFO, "no further endpoint for threads, they share the first: %s",
               hayate_error());
        port = net->ports[0];
    }
    hy_store_release(&net->ports[number], port);
    if (number > hy_load_relaxed(&net->highest)) hy_store_release(&net->highest, number);
    pthread_mutex_unlock(&net->opening);
    hy_net_keeper_wake(net->keeper);
    return port;
}

verbs_port *verbs_port_of(verbs_net *net, int lane)
{
    if (lane == 0 || net->ports_wanted == 1) return net->ports[0];
    int number = 1 + (lane - 1) % (net->ports_wanted - 1);
    verbs_port *port = hy_load_acquire(&net->ports[number]);
    return hy_likely(port) ? port : open_further(net, number);
}
