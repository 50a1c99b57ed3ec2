/* SPDX-License-Identifier: Apache-2.0 */
/* Finds peers at their first use, and handles their failures. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/status.h"
#include "net/provider.h"

/* One look-up at a time, because boot methods need not support more. */
static int read_address(hy_net_endpoint *endpoint, hy_net_peer *peer)
{
    hy_net_base *net = endpoint->net;
    uint8_t address[HY_NET_ADDRESS + 1] = {0};
    size_t bytes = HY_NET_ADDRESS;
    pthread_mutex_lock(&net->looking);
    int rc = net->attr.lookup(net->attr.lookup_context, peer->life.rank, address, &bytes);
    pthread_mutex_unlock(&net->looking);
    if (rc) return rc;
    return net->provider->add_peer(endpoint, peer, address, bytes > HY_NET_ADDRESS ? 0 : bytes);
}

static int make_peer(hy_net_endpoint *endpoint, int rank, hy_net_peer **made)
{
    hy_net_peer *peer = calloc(1, endpoint->net->provider->peer_bytes);
    if (!peer) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a connection to rank %d", rank);
    peer->life.rank = rank;
    peer->life.peer_state = &endpoint->net->peer_states[rank];
    int rc = read_address(endpoint, peer);
    peer->life.last_sign = hy_now_ns();
    if (!rc && (rc = hy_net_table_add(&endpoint->peers, rank, peer)))
        endpoint->net->provider->remove_peer(endpoint, peer);
    if (rc) free(peer);
    else *made = peer;
    return rc;
}

int hy_net_peer_find(hy_net_endpoint *endpoint, int rank, hy_net_peer **peer)
{
    *peer = hy_net_table_look(&endpoint->peers, rank);
    if (hy_unlikely(!*peer)) {
        int rc = make_peer(endpoint, rank, peer);
        if (rc) return rc;
    }
    return hy_unlikely(hy_net_peer_failed(endpoint, *peer)) ? hy_net_fail_lost(&(*peer)->life)
                                                            : HAYATE_OK;
}

bool hy_net_peer_failed(hy_net_endpoint *endpoint, hy_net_peer *peer)
{
    if (peer->life.failed) return true;
    if (hy_likely(!hy_net_failed(&peer->life))) return false;
    if (endpoint->net->provider->break_off) endpoint->net->provider->break_off(endpoint, peer);
    return true;
}

void hy_net_peer_lost(hy_net_endpoint *endpoint, hy_net_peer *peer, const char *format, ...)
{
    va_list arguments;
    char why[sizeof peer->life.why];
    if (hy_net_peer_failed(endpoint, peer)) return;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    hy_net_lost(&peer->life, "%s", why);
    if (endpoint->net->provider->break_off) endpoint->net->provider->break_off(endpoint, peer);
}

/* Tells the peer that it was declared failed, so that it does not wait for answers forever if it
 * wakes up; or that this rank leaves and could not wait for it. */
static void give_up_peer(hy_net_endpoint *endpoint, hy_net_peer *peer)
{
    const hy_net_base *net = endpoint->net;
    enum hy_net_kind last = net->leaving ? HY_NET_BYE : HY_NET_GIVEN_UP;
    bool said = false;
    hy_net_lost(&peer->life, "no answer for %.1f s", (double)net->silence / 1e9);
    for (uint32_t i = 0; i < endpoint->conn_count && !said; i++)
        if (endpoint->conns[i]->peer == peer)
            said = net->provider->say(endpoint, endpoint->conns[i], last);
    if (net->provider->break_off) net->provider->break_off(endpoint, peer);
}

int hy_net_peer_watch(hy_net_endpoint *endpoint, hy_net_peer *peer, uint64_t since)
{
    const hy_net_attr *attr = &endpoint->net->attr;
    if (hy_net_peer_failed(endpoint, peer)) return hy_net_fail_lost(&peer->life);
    if (attr->is_lost && attr->is_lost(attr->lookup_context, peer->life.rank))
        hy_net_peer_lost(endpoint, peer, HY_NET_TOLD);
    else endpoint->net->provider->watch(endpoint, peer, hy_net_wants_watch(&peer->life));
    if (!peer->life.failed && hy_net_silent(&peer->life, endpoint->net->silence, since))
        give_up_peer(endpoint, peer);
    return peer->life.failed ? hy_net_fail_lost(&peer->life) : HAYATE_OK;
}

int hy_net_conn_add(hy_net_endpoint *endpoint, hy_net_conn *conn)
{
    if (endpoint->conn_count == endpoint->conn_room) {
        uint32_t room = endpoint->conn_room ? 2 * endpoint->conn_room : 16;
        hy_net_conn **conns = realloc(endpoint->conns, room * sizeof(hy_net_conn *));
        if (!conns)
            return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a connection to rank %d",
                           conn->peer->life.rank);
        endpoint->conns = conns;
        endpoint->conn_room = room;
    }
    endpoint->conns[endpoint->conn_count++] = conn;
    return HAYATE_OK;
}

void hy_net_peers_free(hy_net_endpoint *endpoint)
{
    hy_net_peer *peer;
    for (int i = 0; (peer = hy_net_table_next(&endpoint->peers, &i)); i++)
        endpoint->net->provider->remove_peer(endpoint, peer);
    hy_net_table_free(&endpoint->peers);
    free(endpoint->conns);
    endpoint->conns = NULL;
}
