/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections. A rank that uses a (peer, lane) first creates its queue pair and sends the peer its
 * number in a HELLO; the peer creates its own, connects it, and answers by a WELCOME with the same
 * data of its own. Datagrams get lost: a HELLO is repeated until it is answered, and a WELCOME is
 * sent for each HELLO. If both begin at once, each takes the other's HELLO as the answer to its
 * own.
 *
 * A side that is connected may send before the other side is: what arrives too early is dropped
 * there, and the device sends it again.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "net/verbs/verbs_net.h"

#define AGAIN_NS UINT64_C(20000000)
#define AGAIN_MOST 5 /* the interval grows up to this multiple */

static void introduce(verbs_endpoint *endpoint, verbs_conn *conn, uint16_t kind)
{
    verbs_hello hello = {.token = conn->base.peer->token,
                         .rank = (uint32_t)endpoint->base.net->attr.rank,
                         .lane = conn->lane,
                         .kind = kind,
                         .reads = verbs_queue_reads(verbs_net_of(endpoint)),
                         .index = conn->index,
                         .qp = conn->qp->qp_num,
                         .psn = conn->psn};
    verbs_greet(verbs_net_of(endpoint), verbs_peer_of(conn), &hello, sizeof hello);
}

static int verbs_connect_no_memory(int rank)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a connection to rank %d", rank);
}

static int make_lanes(verbs_peer *peer, int lane)
{
    int room = peer->lanes ? peer->lanes : 1;
    while (room <= lane) room *= 2;
    if (room == peer->lanes) return HAYATE_OK;
    verbs_conn **conns = realloc(peer->conns, (size_t)room * sizeof(verbs_conn *));
    if (!conns) return verbs_connect_no_memory(peer->base.life.rank);
    memset(conns + peer->lanes, 0, (size_t)(room - peer->lanes) * sizeof(verbs_conn *));
    peer->conns = conns;
    peer->lanes = room;
    return HAYATE_OK;
}

static int make_conn(verbs_endpoint *endpoint, verbs_peer *peer, int lane, verbs_conn **result)
{
    int rc = make_lanes(peer, lane);
    if (rc) return rc;
    verbs_conn *conn = calloc(1, sizeof *conn);
    if (!conn) return verbs_connect_no_memory(peer->base.life.rank);
    conn->base.peer = &peer->base;
    conn->lane = (uint8_t)lane;
    conn->index = endpoint->base.conn_count;
    if (getrandom(&conn->psn, sizeof conn->psn, 0) != sizeof conn->psn) conn->psn = conn->index;
    conn->psn &= 0xffffff;
    rc = verbs_queue_make(endpoint, conn);
    if (!rc) rc = hy_net_conn_add(&endpoint->base, &conn->base);
    if (rc) {
        if (conn->qp) verbs_net_of(endpoint)->calls->destroy_qp(conn->qp);
        free(conn);
        return rc;
    }
    peer->conns[lane] = conn;
    endpoint->asking++;
    *result = conn;
    return HAYATE_OK;
}

static void connect_to(verbs_endpoint *endpoint, verbs_conn *conn, const verbs_hello *hello)
{
    int error = verbs_queue_connect(verbs_net_of(endpoint), conn, hello);
    if (error) {
        hy_net_peer_lost(&endpoint->base, conn->base.peer, "its queue pair cannot be connected: %s",
                         strerror(error));
        return;
    }
    conn->theirs = hello->index;
    conn->base.ready = true;
    endpoint->asking--;
    hy_net_note_sign(&conn->base.peer->life);
}

static void verbs_connect_ask(verbs_endpoint *endpoint, verbs_conn *conn)
{
    conn->asked++;
    conn->asked_at = hy_now_ns();
    introduce(endpoint, conn, VERBS_HELLO);
}

/* A rank's connection to itself needs no peer. */
static int verbs_connect_begin(verbs_endpoint *endpoint, verbs_peer *peer, int lane,
                               verbs_conn **conn)
{
    int rc = make_conn(endpoint, peer, lane, conn);
    if (rc) return rc;
    if (peer->base.life.rank != endpoint->base.net->attr.rank) {
        verbs_connect_ask(endpoint, *conn);
        return HAYATE_OK;
    }
    const verbs_hello self = {.index = (*conn)->index,
                              .qp = (*conn)->qp->qp_num,
                              .psn = (*conn)->psn,
                              .reads = verbs_queue_reads(verbs_net_of(endpoint))};
    connect_to(endpoint, *conn, &self);
    return HAYATE_OK;
}

hy_net_conn *verbs_conn_of(hy_net_peer *base, int lane)
{
    const verbs_peer *peer = verbs_from(base);
    return lane < peer->lanes && peer->conns[lane] ? &peer->conns[lane]->base : NULL;
}

int verbs_connect(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane, hy_net_conn **result)
{
    verbs_conn *conn;
    int rc = verbs_connect_begin(verbs_endpoint_of(endpoint), verbs_from(peer), lane, &conn);
    if (!rc) *result = &conn->base;
    return rc;
}

void verbs_ask_again(verbs_endpoint *endpoint)
{
    uint64_t now = hy_now_ns();
    for (uint32_t i = 0; i < endpoint->base.conn_count; i++) {
        verbs_conn *conn = verbs_conn_at(endpoint, i);
        if (hy_net_peer_failed(&endpoint->base, conn->base.peer)) continue;
        uint64_t times = conn->asked < AGAIN_MOST ? conn->asked : AGAIN_MOST;
        if (!conn->base.ready && now > conn->asked_at + times * AGAIN_NS)
            verbs_connect_ask(endpoint, conn);
    }
}

static void verbs_connect_refuse(verbs_endpoint *endpoint, verbs_peer *peer,
                                 const verbs_hello *hello)
{
    hy_log(HY_LOG_WARN, "rank %u is not connected: %s", hello->rank, hayate_error());
    const verbs_hello no = {.token = peer->base.token,
                            .rank = (uint32_t)endpoint->base.net->attr.rank,
                            .lane = hello->lane,
                            .kind = VERBS_NO_ROOM};
    verbs_greet(verbs_net_of(endpoint), peer, &no, sizeof no);
}

static void welcome(verbs_endpoint *endpoint, verbs_peer *peer, const verbs_hello *hello)
{
    verbs_conn *conn = (int)hello->lane < peer->lanes ? peer->conns[hello->lane] : NULL;
    if (!conn && hello->kind == VERBS_HELLO && make_conn(endpoint, peer, (int)hello->lane, &conn)) {
        verbs_connect_refuse(endpoint, peer, hello);
        return;
    }
    if (!conn) return;
    if (!conn->base.ready) connect_to(endpoint, conn, hello);
    if (hello->kind == VERBS_HELLO && !peer->base.life.failed)
        introduce(endpoint, conn, VERBS_WELCOME);
}

/* Handled by the endpoint of the lane on this side, whichever that is. */
static void greet(verbs_endpoint *endpoint, const verbs_hello *hello)
{
    hy_net_peer *found;
    if (hy_net_peer_find(&endpoint->base, (int)hello->rank, &found)) return;
    verbs_peer *peer = verbs_from(found);
    if (hello->kind == VERBS_NO_ROOM)
        hy_net_peer_lost(&endpoint->base, &peer->base,
                         "it has no queue pair left: use fewer ranks or endpoints per node");
    else welcome(endpoint, peer, hello);
}

void verbs_greeted(verbs_net *net, const verbs_hello *hello, size_t bytes)
{
    hy_net_endpoint *first = net->base.endpoints[0];
    if (bytes != sizeof *hello || hello->token != net->base.token) {
        if (first->dropped.strangers++ == 0)
            hy_log(HY_LOG_WARN, "a datagram of %zu bytes without this job's token was dropped",
                   bytes);
        return;
    }
    if (hello->rank >= (uint32_t)net->base.attr.ranks ||
        hello->rank == (uint32_t)net->base.attr.rank || hello->lane >= HY_NET_LANES ||
        hello->qp >> 24 || hello->kind < VERBS_HELLO || hello->kind > VERBS_NO_ROOM) {
        first->dropped.senseless++;
        return;
    }
    hy_net_endpoint *endpoint = hy_net_endpoint_of(&net->base, (int)hello->lane);
    if (endpoint != first) pthread_mutex_lock(&endpoint->lock);
    greet(verbs_endpoint_of(endpoint), hello);
    if (endpoint != first) pthread_mutex_unlock(&endpoint->lock);
}
