/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections. Who uses a (peer, lane) first makes its queue pair and tells the peer by a HELLO
 * where it is; the peer makes its own, connects it, and answers by a WELCOME with the same of its
 * own. Datagrams get lost: a HELLO is repeated until it is answered, and a WELCOME is sent for each
 * HELLO. When both begin at once, each takes the other's HELLO for what it waits for.
 *
 * A side that is connected may send before the other is: what comes too early is dropped there, and
 * sent again by the device.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "path/verbs/verbs_net.h"

#define AGAIN_NS UINT64_C(20000000)
#define AGAIN_MOST 5 /* times that, in the end */

static void introduce(verbs_port *port, verbs_conn *conn, uint16_t kind)
{
    verbs_hello hello = {.token = conn->peer->token,
                         .rank = (uint32_t)port->net->wish.rank,
                         .lane = conn->lane,
                         .kind = kind,
                         .reads = verbs_queue_reads(port->net),
                         .index = conn->index,
                         .qp = conn->qp->qp_num,
                         .psn = conn->psn};
    verbs_greet(port->net, conn->peer, &hello, sizeof hello);
}

static int no_memory(int rank)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a connection to rank %d", rank);
}

static int make_lanes(verbs_peer *peer, int lane)
{
    int room = peer->lanes ? peer->lanes : 1;
    while (room <= lane) room *= 2;
    if (room == peer->lanes) return HAYATE_OK;
    verbs_conn **conns = realloc(peer->conns, (size_t)room * sizeof(verbs_conn *));
    if (!conns) return no_memory(peer->life.rank);
    memset(conns + peer->lanes, 0, (size_t)(room - peer->lanes) * sizeof(verbs_conn *));
    peer->conns = conns;
    peer->lanes = room;
    return HAYATE_OK;
}

static int make_index(verbs_port *port, int rank)
{
    if (port->conn_count < port->conn_room) return HAYATE_OK;
    uint32_t room = port->conn_room ? 2 * port->conn_room : 16;
    verbs_conn **conns = realloc(port->conns, room * sizeof(verbs_conn *));
    if (!conns) return no_memory(rank);
    port->conns = conns;
    port->conn_room = room;
    return HAYATE_OK;
}

static int make_conn(verbs_port *port, verbs_peer *peer, int lane, verbs_conn **result)
{
    int rc = make_lanes(peer, lane);
    if (!rc) rc = make_index(port, peer->life.rank);
    if (rc) return rc;
    verbs_conn *conn = calloc(1, sizeof *conn);
    if (!conn) return no_memory(peer->life.rank);
    conn->peer = peer;
    conn->lane = (uint8_t)lane;
    conn->index = port->conn_count;
    if (getrandom(&conn->psn, sizeof conn->psn, 0) != sizeof conn->psn) conn->psn = conn->index;
    conn->psn &= 0xffffff;
    rc = verbs_queue_make(port, conn);
    if (rc) {
        if (conn->qp) port->net->calls->destroy_qp(conn->qp);
        free(conn);
        return rc;
    }
    port->conns[port->conn_count++] = peer->conns[lane] = conn;
    port->asking++;
    *result = conn;
    return HAYATE_OK;
}

static void connect_to(verbs_port *port, verbs_conn *conn, const verbs_hello *hello)
{
    int error = verbs_queue_connect(port->net, conn, hello);
    if (error) {
        verbs_peer_lost(port, conn->peer, "its queue pair cannot be connected: %s",
                        strerror(error));
        return;
    }
    conn->theirs = hello->index;
    conn->state = VERBS_READY;
    port->asking--;
    hy_net_heard(&conn->peer->life);
}

static void ask(verbs_port *port, verbs_conn *conn)
{
    conn->asked++;
    conn->asked_at = hy_now_ns();
    introduce(port, conn, VERBS_HELLO);
}

/* A rank's connection to itself needs nobody. */
static int begin(verbs_port *port, verbs_peer *peer, int lane, verbs_conn **conn)
{
    int rc = make_conn(port, peer, lane, conn);
    if (rc) return rc;
    if (peer->life.rank != port->net->wish.rank) {
        ask(port, *conn);
        return HAYATE_OK;
    }
    const verbs_hello self = {.index = (*conn)->index,
                              .qp = (*conn)->qp->qp_num,
                              .psn = (*conn)->psn,
                              .reads = verbs_queue_reads(port->net)};
    connect_to(port, *conn, &self);
    return HAYATE_OK;
}

int verbs_conn_begin(verbs_port *port, verbs_peer *peer, int lane)
{
    verbs_conn *conn;
    return lane < peer->lanes && peer->conns[lane] ? HAYATE_OK : begin(port, peer, lane, &conn);
}

int verbs_conn_find(verbs_port *port, int rank, int lane, verbs_conn **conn)
{
    verbs_peer *peer;
    int rc = verbs_peer_find(port, rank, &peer);
    if (hy_unlikely(rc)) return rc;
    *conn = lane < peer->lanes ? peer->conns[lane] : NULL;
    if (hy_unlikely(!*conn)) rc = begin(port, peer, lane, conn);
    verbs_wait wait = {.peer = peer};
    while (hy_unlikely(!rc && (*conn)->state != VERBS_READY)) rc = verbs_turn(port, &wait);
    return hy_unlikely(!rc && peer->life.failed) ? hy_net_fail_lost(&peer->life) : rc;
}

void verbs_ask_again(verbs_port *port)
{
    uint64_t now = hy_now_ns();
    for (uint32_t i = 0; i < port->conn_count; i++) {
        verbs_conn *conn = port->conns[i];
        if (verbs_peer_failed(port, conn->peer)) continue;
        uint64_t times = conn->asked < AGAIN_MOST ? conn->asked : AGAIN_MOST;
        if (conn->state == VERBS_ASKING && now > conn->asked_at + times * AGAIN_NS) ask(port, conn);
    }
}

static void refuse(verbs_port *port, verbs_peer *peer, const verbs_hello *hello)
{
    hy_log(HY_LOG_WARN, "rank %u is not connected: %s", hello->rank, hayate_error());
    const verbs_hello no = {.token = peer->token,
                            .rank = (uint32_t)port->net->wish.rank,
                            .lane = hello->lane,
                            .kind = VERBS_NO_ROOM};
    verbs_greet(port->net, peer, &no, sizeof no);
}

static void welcome(verbs_port *port, verbs_peer *peer, const verbs_hello *hello)
{
    verbs_conn *conn = (int)hello->lane < peer->lanes ? peer->conns[hello->lane] : NULL;
    if (!conn && hello->kind == VERBS_HELLO && make_conn(port, peer, (int)hello->lane, &conn)) {
        refuse(port, peer, hello);
        return;
    }
    if (!conn) return;
    if (conn->state == VERBS_ASKING) connect_to(port, conn, hello);
    if (hello->kind == VERBS_HELLO && !peer->life.failed) introduce(port, conn, VERBS_WELCOME);
}

/* By the port of its lane here, whatever that is there. */
static void greet(verbs_port *port, const verbs_hello *hello)
{
    verbs_peer *peer;
    if (verbs_peer_find(port, (int)hello->rank, &peer)) return;
    if (hello->kind == VERBS_NO_ROOM)
        verbs_peer_lost(port, peer, "it has no queue pair left: fewer ranks or endpoints per node");
    else welcome(port, peer, hello);
}

void verbs_greeted(verbs_net *net, const verbs_hello *hello, size_t bytes)
{
    verbs_port *first = net->ports[0];
    if (bytes != sizeof *hello || hello->token != net->token) {
        if (first->dropped.strangers++ == 0)
            hy_log(HY_LOG_WARN, "a datagram of %zu bytes without this job's token was dropped",
                   bytes);
        return;
    }
    if (hello->rank >= (uint32_t)net->wish.ranks || hello->rank == (uint32_t)net->wish.rank ||
        hello->lane >= HY_NET_LANES || hello->qp >> 24 || hello->kind < VERBS_HELLO ||
        hello->kind > VERBS_NO_ROOM) {
        first->dropped.senseless++;
        return;
    }
    verbs_port *port = verbs_port_of(net, (int)hello->lane);
    if (port != first) pthread_mutex_lock(&port->lock);
    greet(port, hello);
    if (port != first) pthread_mutex_unlock(&port->lock);
}
