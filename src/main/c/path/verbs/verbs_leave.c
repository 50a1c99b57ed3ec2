/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving: the last messages of a rank that leaves in order arrive, and its peers know that there
 * come no more. */
#include "base/clock.h"
#include "path/verbs/verbs_net.h"

#define LEAVE_NS UINT64_C(1000000000)

static bool is_told(verbs_port *port, verbs_peer *peer)
{
    const hy_net_head bye = {.kind = HY_NET_BYE};
    bool ready = false;
    if (peer->life.failed || peer->life.rank == port->net->wish.rank) return true;
    for (int i = 0; i < peer->lanes && !peer->parted; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || conn->state != VERBS_READY) continue;
        ready = true;
        peer->parted = verbs_send_now(port, conn, &bye);
    }
    return peer->parted || !ready;
}

static bool are_all_told(verbs_port *port)
{
    bool all = true;
    verbs_peer *peer;
    for (int i = 0; (peer = hy_net_table_next(&port->peers, &i)); i++)
        if (!is_told(port, peer)) all = false;
    return all;
}

void verbs_leave(hy_net *self)
{
    verbs_port *port = verbs_of(self)->ports[0];
    verbs_wait wait = {0};
    uint64_t end = hy_now_ns() + LEAVE_NS;
    pthread_mutex_lock(&port->lock);
    while (!are_all_told(port) && hy_now_ns() < end) verbs_turn(port, &wait);
    pthread_mutex_unlock(&port->lock);
}

/* The peers answer that all has come, or say that they leave as well. */
static void part_from(verbs_port *port, verbs_peer *peer)
{
    verbs_conn *last = NULL;
    int (*finish)(verbs_port *, verbs_conn *) = peer->parted ? verbs_settle : verbs_fence;
    for (int i = 0; i < peer->lanes && !peer->life.failed; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || conn->state != VERBS_READY || finish(port, conn)) continue;
        last = conn;
    }
    if (last && !peer->life.failed && !peer->parted) verbs_say_bye(port, last);
}

static void say_farewell(verbs_port *port)
{
    uint64_t now, end = hy_now_ns() + LEAVE_NS;
    verbs_peer *peer;
    for (int i = 0; (peer = hy_net_table_next(&port->peers, &i)) && (now = hy_now_ns()) < end;
         i++) {
        port->net->silence = end - now;
        if (peer->life.rank != port->net->wish.rank) part_from(port, peer);
    }
}

void verbs_close(hy_net *self)
{
    verbs_net *net = verbs_of(self);
    hy_net_keeper_stop(net->keeper);
    pthread_mutex_lock(&net->ports[0]->lock);
    say_farewell(net->ports[0]);
    pthread_mutex_unlock(&net->ports[0]->lock);
    verbs_release(net);
}
