/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving: the last messages of a rank that leaves in order arrive, and its peers know that there
 * come no more. */
#include "base/clock.h"
#include "path/net_rest.h"
#include "path/verbs/verbs_net.h"

#define LEAVE_NS UINT64_C(1000000000)

static bool is_told(verbs_endpoint *endpoint, verbs_peer *peer)
{
    const hy_net_head bye = {.kind = HY_NET_BYE};
    bool ready = false, *parted = &endpoint->net->parted[peer->life.rank];
    if (verbs_peer_failed(endpoint, peer) || peer->life.rank == endpoint->net->wish.rank)
        return true;
    for (int i = 0; i < peer->lanes && !*parted; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || conn->state != VERBS_READY) continue;
        ready = true;
        *parted = verbs_send_now(endpoint, conn, &bye);
    }
    return *parted || !ready;
}

static bool are_told(verbs_endpoint *endpoint)
{
    bool all = true;
    verbs_peer *peer;
    pthread_mutex_lock(&endpoint->lock);
    for (int i = 0; (peer = hy_net_table_next(&endpoint->peers, &i)); i++)
        if (!is_told(endpoint, peer)) all = false;
    pthread_mutex_unlock(&endpoint->lock);
    return all;
}

static bool are_all_told(verbs_net *net)
{
    bool all = true;
    for (int i = 0; i < net->endpoints_wanted; i++) {
        verbs_endpoint *endpoint = verbs_endpoint_at(net, i);
        if (endpoint && !are_told(endpoint)) all = false;
    }
    return all;
}

/* Once, by whatever endpoint. Who takes no messages does not keep the others from theirs. */
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
static int finish(verbs_endpoint *endpoint, verbs_conn *conn)
{
    return endpoint->net->parted[conn->peer->life.rank] ? verbs_settle(endpoint, conn)
                                                        : verbs_fence(endpoint, conn);
}

static void for_connections(verbs_endpoint *endpoint, uint64_t end,
                            int (*what)(verbs_endpoint *, verbs_conn *))
{
    uint64_t now;
    pthread_mutex_lock(&endpoint->lock);
    for (uint32_t i = 0; i < endpoint->conn_count && (now = hy_now_ns()) < end; i++) {
        verbs_conn *conn = endpoint->conns[i];
        endpoint->net->silence = end - now;
        if (conn->state == VERBS_READY && conn->peer->life.rank != endpoint->net->wish.rank &&
            !verbs_peer_failed(endpoint, conn->peer))
            (void)what(endpoint, conn);
    }
    pthread_mutex_unlock(&endpoint->lock);
}

static void for_all(verbs_net *net, uint64_t end, int (*what)(verbs_endpoint *, verbs_conn *))
{
    for (int i = 0; i < net->endpoints_wanted; i++) {
        verbs_endpoint *endpoint = verbs_endpoint_at(net, i);
        if (endpoint) for_connections(endpoint, end, what);
    }
}

/* What waits for a peer now, the keeper for example, does so no longer than a leave may take. */
static void hurry(verbs_net *net)
{
    for (int i = 0; i < net->endpoints_wanted; i++) {
        verbs_endpoint *endpoint = verbs_endpoint_at(net, i);
        if (!endpoint) continue;
        pthread_mutex_lock(&endpoint->lock);
        if (net->silence > LEAVE_NS) net->silence = LEAVE_NS;
        pthread_mutex_unlock(&endpoint->lock);
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
