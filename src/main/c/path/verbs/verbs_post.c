/* SPDX-License-Identifier: Apache-2.0 */
/* What goes to the device, and the books of it. The number of a request tells connection and
 * operation. */
#include "base/clock.h"
#include "base/status.h"
#include "path/verbs/verbs_net.h"

bool verbs_room(const verbs_endpoint *endpoint, const verbs_conn *conn)
{
    return conn->posted - conn->done < endpoint->net->depth &&
           endpoint->under_way < endpoint->sizes.under_way;
}

/* The lock is given away between, and others post: what is in the batch goes before. What is held
 * has older numbers than the next of the batch. */
int verbs_room_wait(verbs_batch *batch, verbs_pool *pool, uint8_t **buffer)
{
    verbs_endpoint *endpoint = batch->endpoint;
    verbs_wait wait = {.peer = batch->conn->peer};
    for (;;) {
        verbs_let_go(endpoint, batch->conn);
        if (verbs_room(endpoint, batch->conn)) {
            if (!pool) return HAYATE_OK;
            *buffer = verbs_buffer_take(pool);
            if (*buffer) return HAYATE_OK;
        }
        int rc = verbs_ring(batch);
        if (!rc) rc = verbs_turn(endpoint, &wait);
        if (rc) return rc;
    }
}

/* Who holds a buffer, or is waited for, wants to be told of; and now and then all others, too, so
 * that there is room again. */
static bool asks(const verbs_endpoint *endpoint, verbs_conn *conn, const verbs_op *op)
{
    bool told = op->told || op->pool || op->left || ++conn->quiet >= VERBS_QUIET ||
                conn->posted - conn->done >= endpoint->net->depth / 2 ||
                endpoint->under_way >= endpoint->sizes.under_way / 2;
    if (told) conn->quiet = 0, conn->told = conn->posted + 1;
    return told;
}

struct ibv_send_wr *verbs_add(verbs_batch *batch, const verbs_op *op, void *local, size_t len,
                              uint32_t key)
{
    verbs_conn *conn = batch->conn;
    struct ibv_send_wr *request = &batch->requests[batch->count];
    struct ibv_sge *piece = &batch->pieces[batch->count];
    bool told = asks(batch->endpoint, conn, op);
    *piece = (struct ibv_sge){.addr = (uintptr_t)local, .length = (uint32_t)len, .lkey = key};
    *request = (struct ibv_send_wr){.wr_id = (uint64_t)conn->index << 32 | conn->posted,
                                    .sg_list = piece,
                                    .num_sge = len ? 1 : 0,
                                    .send_flags = told ? IBV_SEND_SIGNALED : 0};
    if (batch->count++) request[-1].next = request;
    verbs_op *mine = &conn->ring[conn->posted++ % VERBS_DEPTH];
    *mine = *op;
    mine->told = told;
    batch->endpoint->wanted += told;
    if (op->left) ++*op->left;
    batch->endpoint->under_way++;
    return request;
}

static void finish(verbs_endpoint *endpoint, verbs_op *op, bool good)
{
    if (op->to && good) memcpy(op->to, op->buffer, op->len);
    if (op->pool) verbs_buffer_give(op->pool, op->buffer);
    if (op->left) --*op->left;
    endpoint->wanted -= op->told;
    endpoint->under_way--;
    *op = (verbs_op){0};
}

/* Those that the device did not take, the newest, are over. */
static void take_back(verbs_batch *batch, const struct ibv_send_wr *bad)
{
    verbs_conn *conn = batch->conn;
    uint32_t first = bad ? (uint32_t)bad->wr_id : conn->posted - (uint32_t)batch->count;
    while (conn->posted != first)
        finish(batch->endpoint, &conn->ring[--conn->posted % VERBS_DEPTH], false);
}

int verbs_ring(verbs_batch *batch)
{
    struct ibv_send_wr *bad = NULL;
    verbs_peer *peer = batch->conn->peer;
    int error = batch->count && !peer->life.failed
                    ? ibv_post_send(batch->conn->qp, batch->requests, &bad)
                    : 0;
    if (hy_unlikely(error || (peer->life.failed && batch->count))) take_back(batch, bad);
    batch->count = 0;
    if (error) verbs_peer_lost(batch->endpoint, peer, "ibv_post_send: %s", strerror(error));
    return hy_unlikely(peer->life.failed) ? hy_net_fail_lost(&peer->life) : HAYATE_OK;
}

bool verbs_hold(verbs_endpoint *endpoint, verbs_conn *conn, uint64_t remote, const void *data,
                size_t len)
{
    const verbs_op op = {0};
    if (endpoint->held.conn != conn || endpoint->held.count == VERBS_BATCH ||
        verbs_must_ride(endpoint))
        verbs_let_go(endpoint, NULL);
    bool rides = verbs_rides_to(conn, remote, len);
    if (rides) verbs_let_go(endpoint, NULL);
    if ((rides && len > HY_NET_RIDER) || !verbs_room(endpoint, conn)) return false;
    endpoint->held.endpoint = endpoint;
    endpoint->held.conn = conn;
    uint8_t *copy = endpoint->held_data[endpoint->held.count];
    memcpy(copy, data, len);
    struct ibv_send_wr *request = verbs_add(&endpoint->held, &op, copy, len, 0);
    request->opcode = IBV_WR_RDMA_WRITE;
    request->send_flags |= IBV_SEND_INLINE;
    request->wr.rdma.remote_addr = conn->peer->base + remote;
    request->wr.rdma.rkey = conn->peer->key;
    conn->writes++;
    return true;
}

/* Data that go show that the peer is there only as long as the question whether it lives is behind
 * them: on a slow way that may take long. */
static void flow(const verbs_conn *conn, uint32_t number)
{
    verbs_peer *peer = conn->peer;
    if (!peer->watching || (peer->watch == conn && (int32_t)(peer->watch_number - number) >= 0))
        peer->flowed = hy_now_ns();
}

/* What comes late, of a number that is over already, says nothing. */
void verbs_retire(verbs_endpoint *endpoint, verbs_conn *conn, uint32_t number, bool good)
{
    if (number - conn->done >= conn->posted - conn->done) return;
    if (good) flow(conn, number);
    for (bool last = false; !last; conn->done++) {
        last = conn->done == number;
        finish(endpoint, &conn->ring[conn->done % VERBS_DEPTH], good || !last);
    }
}

void verbs_forget(verbs_conn *conn, const uint32_t *left)
{
    for (int i = 0; i < VERBS_DEPTH; i++) {
        if (conn->ring[i].left != left) continue;
        conn->ring[i].left = NULL;
        conn->ring[i].to = NULL;
    }
}
