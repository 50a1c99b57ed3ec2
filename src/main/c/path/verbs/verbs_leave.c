/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving: the last messages of a rank that leaves in order arrive, and its peers know that there
 * come no more. */
#include "base/clock.h"
#include "path/net_rest.h"
#include "path/verbs/verbs_net.h"

#define LEAVE_NS UINT64_C(1000000000)

static bool is_told(verbs_port *port, verbs_peer *peer)
{
    const hy_net_head bye = {.kind = HY_NET_BYE};
    bool ready = false, *parted = &port->net->parted[peer->life.rank];
    if (verbs_peer_failed(port, peer) || peer->life.rank == port->net->wish.rank) return true;
    for (int i = 0; i < peer->lanes && !*parted; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || conn->state != VERBS_READY) continue;
        ready = true;
        *parted = verbs_send_now(port, conn, &bye);
    }
    return *parted || !ready;
}

static bool are_told(verbs_port *port)
{
    bool all = true;
    verbs_peer *peer;
    pthread_mutex_lock(&port->lock);
    for (int i = 0; (peer = hy_net_table_next(&port->peers, &i)); i++)
        if (!is_told(port, peer)) all = false;
    pthread_mutex_unlock(&port->lock);
    return all;
}

static bool are_all_told(verbs_net *net)
{
    bool all = true;
    for (int i = 0; i < net->ports_wanted; i++) {
        verbs_port *port = verbs_port_at(net, i);
        if (port && !are_told(port)) all = false;
    }
    return all;
}

/* Once, by whatever port. Who takes no messages does not keep the others from theirs. */
static void tell_all(verbs_net *net, uint64_t end)
{
    for (uint32_t turns = 0; !are_all_told(net) && hy_now_ns() < end; turns++)
        if (verbs_try_all(net, NULL) == 0) hy_net_rest(turns);
}

void verbs_leave(hy_net *self)
{
    tell_all(verbs_of(self), hy_now_ns() + LEAVE_NS);
}

/* The peer answers that all has come, or says that it leaves as well. */
static int finish(verbs_port *port, verbs_conn *conn)
{
    return port->net->parted[conn->peer->life.rank] ? verbs_settle(port, conn)
                                                    : verbs_fence(port, conn);
}

static void for_connections(verbs_port *port, uint64_t end, int (*what)(verbs_port *, verbs_conn *))
{
    uint64_t now;
    pthread_mutex_lock(&port->lock);
    for (uint32_t i = 0; i < port->conn_count && (now = hy_now_ns()) < end; i++) {
        verbs_conn *conn = port->conns[i];
        port->net->silence = end - now;
        if (conn->state == VERBS_READY && conn->peer->life.rank != port->net->wish.rank &&
            !verbs_peer_failed(port, conn->peer))
            (void)what(port, conn);
    }
    pthread_mutex_unlock(&port->lock);
}

static void for_all(verbs_net *net, uint64_t end, int (*what)(verbs_port *, verbs_conn *))
{
    for (int i = 0; i < net->ports_wanted; i++) {
        verbs_port *port = verbs_port_at(net, i);
        if (port) for_connections(port, end, what);
    }
}

/* What waits for a peer now, the keeper for example, does so no longer than a leave may take. */
static void hurry(verbs_net *net)
{
    for (int i = 0; i < net->ports_wanted; i++) {
        verbs_port *port = verbs_port_at(net, i);
        if (!port) continue;
        pthread_mutex_lock(&port->lock);
        if (net->silence > LEAVE_NS) net->silence = LEAVE_NS;
        pthread_mutex_unlock(&port->lock);
    }
}

/* Nobody is told before all lanes have come to their end: who hears it breaks off all of them. */
void verbs_close(hy_net *self)
{
    verbs_net *net = verbs_of(self);
    uint64_t end = hy_now_ns() + LEAVE_NS;
    hurry(net);
    hy_net_keeper_stop(net->keeper);
    for_all(net, end, finish);
    tell_all(net, end);
    for_all(net, end, verbs_settle);
    verbs_release(net);
}
