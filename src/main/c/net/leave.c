/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving a network in order: the last messages of the rank arrive, and its peers learn that no
 * more will come. */
#include "base/clock.h"
#include "net/provider.h"
#include "net/rest.h"

#define LEAVE_NS UINT64_C(1000000000)

/* Tells each peer once, on the first endpoint that gets to it. */
static bool is_told(hy_net_endpoint *endpoint, hy_net_conn *conn)
{
    const hy_net_base *net = endpoint->net;
    const hy_net_life *life = &conn->peer->life;
    bool *parted = &net->parted[life->rank];
    if (hy_net_peer_failed(endpoint, conn->peer) || !life->known || life->rank == net->attr.rank)
        return true;
    if (!*parted && conn->ready) *parted = net->provider->say(endpoint, conn, HY_NET_BYE);
    return !conn->ready || (*parted && net->provider->is_idle(conn));
}

static bool are_told(hy_net_endpoint *endpoint)
{
    bool all = true;
    pthread_mutex_lock(&endpoint->lock);
    for (uint32_t i = 0; i < endpoint->conn_count; i++)
        if (!is_told(endpoint, endpoint->conns[i])) all = false;
    pthread_mutex_unlock(&endpoint->lock);
    return all;
}

static bool are_all_told(const hy_net_base *net)
{
    bool all = true;
    for (int i = 0; i < net->endpoints_wanted; i++) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (endpoint && !are_told(endpoint)) all = false;
    }
    return all;
}

/* Waits for no peer in particular: a peer that accepts no messages does not keep the others from
 * theirs. */
static void tell_all(hy_net_base *net, uint64_t end)
{
    for (uint32_t turns = 0; !are_all_told(net) && hy_now_ns() < end; turns++)
        if (net->net.ops->progress(&net->net) == 0) hy_net_rest(turns);
}

void hy_net_leave(hy_net *self)
{
    tell_all(hy_net_base_of(self), hy_now_ns() + LEAVE_NS);
}

/* Waits until the peers have answered that everything has arrived, or have said that they leave as
 * well. */
static void finish_endpoint(hy_net_endpoint *endpoint, uint64_t end)
{
    hy_net_base *net = endpoint->net;
    uint64_t now;
    pthread_mutex_lock(&endpoint->lock);
    for (uint32_t i = 0; i < endpoint->conn_count && (now = hy_now_ns()) < end; i++) {
        hy_net_conn *conn = endpoint->conns[i];
        int rank = conn->peer->life.rank;
        net->silence = end - now;
        if (conn->ready && rank != net->attr.rank && !hy_net_peer_failed(endpoint, conn->peer))
            (void)hy_net_fence(endpoint, conn, !net->parted[rank]);
    }
    pthread_mutex_unlock(&endpoint->lock);
}

/* Threads that wait for a peer now, such as the progress thread, must not wait longer than leaving
 * may take. */
static void hurry(hy_net_base *net)
{
    for (int i = 0; i < net->endpoints_wanted; i++) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (!endpoint) continue;
        pthread_mutex_lock(&endpoint->lock);
        if (net->silence > LEAVE_NS) net->silence = LEAVE_NS;
        pthread_mutex_unlock(&endpoint->lock);
    }
}

/* Tells nobody before all lanes have been finished: a peer that learns of it ends all of them. */
void hy_net_close(hy_net *self)
{
    hy_net_base *net = hy_net_base_of(self);
    uint64_t end = hy_now_ns() + LEAVE_NS;
    net->leaving = true;
    hurry(net);
    hy_net_progress_stop(net->progress);
    for (int i = net->endpoints_wanted - 1; i >= 0; i--) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (endpoint) finish_endpoint(endpoint, end);
    }
    tell_all(net, end);
    net->provider->release(net);
}
