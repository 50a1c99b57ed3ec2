/* SPDX-License-Identifier: Apache-2.0 */
/* Posts requests to the device and keeps account of them. The id of a request contains its
 * connection and its operation number. */
#include "base/clock.h"
#include "base/status.h"
#include "net/verbs/verbs_net.h"

bool verbs_room(const verbs_endpoint *endpoint, const verbs_conn *conn)
{
    return conn->posted - conn->done < verbs_net_of(endpoint)->depth &&
           endpoint->under_way < endpoint->sizes.under_way;
}

/* An operation requests a completion if it holds a buffer or is waited for, and from time to time
 * in any case, so that room becomes free. */
static bool asks(const verbs_endpoint *endpoint, verbs_conn *conn, const verbs_op *op)
{
    bool told = op->told || op->pool || op->left || ++conn->quiet >= VERBS_QUIET ||
                conn->posted - conn->done >= verbs_net_of(endpoint)->depth / 2 ||
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

static void verbs_post_finish(verbs_endpoint *endpoint, verbs_op *op, bool good)
{
    if (op->to && good) memcpy(op->to, op->buffer, op->len);
    if (op->pool) verbs_buffer_give(op->pool, op->buffer);
    if (op->left) --*op->left;
    endpoint->wanted -= op->told;
    endpoint->under_way--;
    *op = (verbs_op){0};
}

/* Removes the newest operations, which the device did not accept. */
static void verbs_post_take_back(verbs_batch *batch, const struct ibv_send_wr *bad)
{
    verbs_conn *conn = batch->conn;
    uint32_t first = bad ? (uint32_t)bad->wr_id : conn->posted - (uint32_t)batch->count;
    while (conn->posted != first)
        verbs_post_finish(batch->endpoint, &conn->ring[--conn->posted % VERBS_DEPTH], false);
}

int verbs_ring(verbs_batch *batch)
{
    struct ibv_send_wr *bad = NULL;
    hy_net_peer *peer = batch->conn->base.peer;
    int error = batch->count && !peer->life.failed
                    ? ibv_post_send(batch->conn->qp, batch->requests, &bad)
                    : 0;
    if (hy_unlikely(error || (peer->life.failed && batch->count))) verbs_post_take_back(batch, bad);
    batch->count = 0;
    if (error) hy_net_peer_lost(&batch->endpoint->base, peer, "ibv_post_send: %s", strerror(error));
    return hy_unlikely(peer->life.failed) ? hy_net_fail_lost(&peer->life) : HAYATE_OK;
}

/* Progress of data shows that the peer is alive, as long as a question whether it lives is queued
 * behind them: on a slow link this may take long. */
static void flow(const verbs_conn *conn, uint32_t number)
{
    const verbs_peer *peer = verbs_peer_of(conn);
    if (!peer->watching || (peer->watch == conn && (int32_t)(peer->watch_number - number) >= 0))
        conn->base.peer->life.flowed = hy_now_ns();
}

/* A late completion, whose number is complete already, is ignored. */
void verbs_retire(verbs_endpoint *endpoint, verbs_conn *conn, uint32_t number, bool good)
{
    if (number - conn->done >= conn->posted - conn->done) return;
    if (good) flow(conn, number);
    for (bool last = false; !last; conn->done++) {
        last = conn->done == number;
        verbs_post_finish(endpoint, &conn->ring[conn->done % VERBS_DEPTH], good || !last);
    }
}

int verbs_receive_post(verbs_endpoint *endpoint, const uint16_t *lines, uint32_t count)
{
    struct ibv_recv_wr requests[VERBS_REPOSTED], *bad;
    struct ibv_sge pieces[VERBS_REPOSTED];
    for (uint32_t i = 0; i < count; i++) {
        pieces[i] = (struct ibv_sge){
            .addr = (uintptr_t)(endpoint->received + (size_t)lines[i] * VERBS_LINE),
            .length = VERBS_LINE,
            .lkey = endpoint->own_mr->lkey};
        requests[i] = (struct ibv_recv_wr){.wr_id = lines[i],
                                           .sg_list = &pieces[i],
                                           .num_sge = 1,
                                           .next = i + 1 < count ? &requests[i + 1] : NULL};
    }
    return ibv_post_srq_recv(endpoint->srq, requests, &bad);
}

void verbs_forget(hy_net_endpoint *endpoint, hy_net_conn *base, const uint32_t *left)
{
    verbs_conn *conn = verbs_conn_from(base);
    (void)endpoint;
    for (int i = 0; i < VERBS_DEPTH; i++) {
        if (conn->ring[i].left != left) continue;
        conn->ring[i].left = NULL;
        conn->ring[i].to = NULL;
    }
}

/* An operation that requests no completion uses nobody's memory. */
void verbs_mark(const hy_net_conn *conn, hy_net_order *order)
{
    order->number = ((const verbs_conn *)conn)->told;
    order->marked = true;
}

bool verbs_is_over(const hy_net_endpoint *endpoint, const hy_net_conn *conn, hy_net_order *order)
{
    (void)endpoint;
    return (int32_t)((uint32_t)order->number - ((const verbs_conn *)conn)->done) <= 0;
}

bool verbs_is_idle(const hy_net_conn *base)
{
    const verbs_conn *conn = (const verbs_conn *)base;
    return (int32_t)(conn->told - conn->done) <= 0;
}
