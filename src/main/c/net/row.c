/* SPDX-License-Identifier: Apache-2.0 */
/* The row of a network (path.h), on top of its provider. */
#include "base/log.h"
#include "net/net_operation.h"
#include "path/memory.h"

/* Checks the address, takes the lock of the lane's endpoint, and finds the peer. If the result is
 * not OK, the lock is not held. */
static int enter_peer(hy_ep *ep, uint64_t remote, uint64_t len, hy_net_endpoint **result,
                      hy_net_peer **peer)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, len))) return hy_fail_outside(ep, remote, len);
    hy_net_endpoint *endpoint = *result = hy_net_endpoint_of(hy_net_base_of(ep->net), ep->lane);
    pthread_mutex_lock(&endpoint->lock);
    int rc = hy_net_peer_find(endpoint, ep->rank, peer);
    if (hy_likely(!rc)) {
        uint64_t part = (*peer)->part_bytes;
        if (hy_unlikely(remote > part || len > part - remote))
            rc = hy_fail_outside(ep, remote, len);
    }
    if (hy_unlikely(rc)) pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

/* Does the same, and waits for the connection. */
static int enter_connected(hy_ep *ep, uint64_t remote, uint64_t len, hy_net_endpoint **endpoint,
                           hy_net_conn **conn)
{
    hy_net_peer *peer;
    int rc = enter_peer(ep, remote, len, endpoint, &peer);
    if (hy_unlikely(rc)) return rc;
    hy_net_wait wait = {.peer = peer};
    while (
        hy_unlikely((rc = hy_net_connect(*endpoint, peer, ep->lane, conn)) == HAYATE_IN_PROGRESS)) {
        rc = hy_net_turn(*endpoint, &wait);
        if (rc) break;
    }
    if (hy_unlikely(!rc && hy_net_peer_failed(*endpoint, peer))) rc = hy_net_fail_lost(&peer->life);
    if (hy_unlikely(rc)) pthread_mutex_unlock(&(*endpoint)->lock);
    return rc;
}

static int leave_with(hy_net_endpoint *endpoint, int rc)
{
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

/* ---- messages ---- */

static int send_and_leave(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_send *send)
{
    const hy_net_provider *provider = endpoint->net->provider;
    hy_net_wait wait = {.peer = conn->peer};
    int rc;
    while (hy_unlikely((rc = provider->send(endpoint, conn, send)) == HAYATE_IN_PROGRESS)) {
        rc = hy_net_turn(endpoint, &wait);
        if (rc) break;
    }
    return leave_with(endpoint, rc);
}

void hy_net_signal(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload, size_t len)
{
    hy_net_endpoint *endpoint = NULL;
    hy_net_conn *conn = NULL;
    hy_net_send send = {.message.head = {.kind = HY_NET_SIGNAL, .value = head, .offset = slot},
                        .bytes = len};
    hy_copy_slot(send.message.payload, payload, len);
    int rc = enter_connected(ep, slot, sizeof(hy_slot), &endpoint, &conn);
    if (!rc) rc = send_and_leave(endpoint, conn, &send);
    /* A thread that waits for the effect of the signal learns of the failure by check(). */
    if (rc) hy_log(HY_LOG_INFO, "a signal was lost: %s", hayate_error());
}

int hy_net_put_flag(hy_ep *ep, uint64_t remote, const hy_flag *flag)
{
    hy_net_endpoint *endpoint = NULL;
    hy_net_conn *conn = NULL;
    hy_net_send send = {
        .message.head = {.kind = HY_NET_FLAG, .value = flag->value, .offset = remote},
        .bytes = sizeof flag->data};
    memcpy(send.message.payload, flag->data, sizeof flag->data);
    int rc = enter_connected(ep, remote, sizeof *flag, &endpoint, &conn);
    return rc ? rc : send_and_leave(endpoint, conn, &send);
}

/* ---- data ---- */

/* waits: until the caller may reuse `local`. The lock is held, and is released. */
static int move_and_leave(hy_net_endpoint *endpoint, hy_net_conn *conn,
                          const hy_net_transfer *transfer, bool waits)
{
    hy_net_operation operation;
    hy_net_operation_init(&operation, endpoint, conn->peer, HY_NET_MOVE);
    operation.conn = conn;
    operation.transfer = *transfer;
    if (waits) operation.transfer.left = &operation.left;
    return leave_with(endpoint, hy_net_operation_run(&operation));
}

static int put_or_get(hy_ep *ep, uint64_t remote, void *local, size_t len, bool write, bool waits)
{
    hy_net_endpoint *endpoint = NULL;
    hy_net_conn *conn = NULL;
    const hy_net_transfer transfer = {
        .write = write, .remote = remote, .local = local, .bytes = len};
    int rc = enter_connected(ep, remote, len, &endpoint, &conn);
    if (rc) return rc;
    const hy_net_provider *provider = endpoint->net->provider;
    if (write && waits && len && provider->hold &&
        provider->hold(endpoint, conn, remote, local, len))
        return leave_with(endpoint, HAYATE_OK);
    return move_and_leave(endpoint, conn, &transfer, waits);
}

int hy_net_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    return put_or_get(ep, remote, (void *)(uintptr_t)local, len, true, true);
}

int hy_net_put_start(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    return put_or_get(ep, remote, (void *)(uintptr_t)local, len, true, false);
}

int hy_net_get_start(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    return put_or_get(ep, remote, local, len, false, false);
}

/* ---- non-blocking operations ---- */

static hy_net_operation *operation_of(hy_path_op *op)
{
    _Static_assert(sizeof(hy_net_operation) <= sizeof op->path, "room in hy_path_op");
    return (hy_net_operation *)(void *)op->path;
}

/* A peer that was never used has nothing to flush, and is not connected for this: OK. */
static int enter_flush(hy_ep *ep, hy_net_endpoint **result, hy_net_peer **peer)
{
    hy_net_endpoint *endpoint = *result = hy_net_endpoint_of(hy_net_base_of(ep->net), ep->lane);
    const hy_net_provider *provider = endpoint->net->provider;
    pthread_mutex_lock(&endpoint->lock);
    *peer = hy_net_table_look(&endpoint->peers, ep->rank);
    if (!*peer) return leave_with(endpoint, HAYATE_OK);
    if (hy_net_peer_failed(endpoint, *peer))
        return leave_with(endpoint, hy_net_fail_lost(&(*peer)->life));
    if (!provider->conn_of(*peer, ep->lane)) return leave_with(endpoint, HAYATE_OK);
    return HAYATE_IN_PROGRESS;
}

/* What an operation is to the network, and the bytes at the peer that it accesses. */
static enum hy_net_doing doing_of(const hy_path_op *op, uint64_t *bytes)
{
    switch (op->kind) {
    case HY_OP_GET:
    case HY_OP_PUT: *bytes = op->len; return HY_NET_MOVE;
    case HY_OP_SIGNAL: *bytes = sizeof(hy_slot); return HY_NET_SEND;
    case HY_OP_FLAG: *bytes = sizeof(hy_flag); return HY_NET_SEND;
    case HY_OP_ATOMIC: *bytes = sizeof op->operand; return HY_NET_ASK_ANSWER;
    default: return HY_NET_FENCE;
    }
}

static void write_atomic(hy_net_operation *operation, const hy_path_op *op)
{
    operation->question.message.head = (hy_net_head){.kind = HY_NET_ATOMIC,
                                                     .value = op->operand,
                                                     .offset = op->remote,
                                                     .what = (uint8_t)op->what};
    operation->question.bytes = 16;
    memcpy(operation->question.message.payload + 8, &op->expected, 8);
    operation->value = op->before;
}

static void write_signal(hy_net_operation *operation, const hy_path_op *op)
{
    hy_net_send *send = &operation->question;
    send->message.head = (hy_net_head){.kind = op->kind == HY_OP_SIGNAL ? HY_NET_SIGNAL
                                                                        : HY_NET_FLAG,
                                       .value = op->operand,
                                       .offset = op->remote};
    send->bytes = op->kind == HY_OP_SIGNAL ? op->len : sizeof((hy_flag *)NULL)->data;
    hy_copy_slot(send->message.payload, op->local, send->bytes);
}

/* Returns with the lock held if the result is IN_PROGRESS. */
static int enter_op(hy_ep *ep, hy_path_op *op)
{
    hy_net_operation *operation = operation_of(op);
    hy_net_endpoint *endpoint = NULL;
    hy_net_peer *peer = NULL;
    uint64_t bytes = 0;
    enum hy_net_doing doing = doing_of(op, &bytes);
    bool flush = doing == HY_NET_FENCE;
    int rc = flush ? enter_flush(ep, &endpoint, &peer)
                   : enter_peer(ep, op->remote, bytes, &endpoint, &peer);
    if (rc != (flush ? HAYATE_IN_PROGRESS : HAYATE_OK)) return rc;
    hy_net_operation_init(operation, endpoint, peer, doing);
    operation->lane = ep->lane;
    if (flush) operation->conn = endpoint->net->provider->conn_of(peer, ep->lane);
    if (doing == HY_NET_SEND) write_signal(operation, op);
    if (doing == HY_NET_ASK_ANSWER) write_atomic(operation, op);
    if (doing == HY_NET_MOVE) {
        operation->holds = op->kind == HY_OP_PUT && op->len;
        operation->transfer = (hy_net_transfer){.write = op->kind == HY_OP_PUT,
                                                .remote = op->remote,
                                                .local = op->local,
                                                .bytes = op->len,
                                                .left = &operation->left};
    }
    return HAYATE_IN_PROGRESS;
}

static int test_and_leave(hy_path_op *op)
{
    hy_net_operation *operation = operation_of(op);
    int rc = hy_net_operation_test(operation);
    op->ordered = rc != HAYATE_IN_PROGRESS || operation->posted;
    return leave_with(operation->endpoint, rc);
}

int hy_net_begin(hy_ep *ep, hy_path_op *op)
{
    int rc = enter_op(ep, op);
    return rc == HAYATE_IN_PROGRESS ? test_and_leave(op) : rc;
}

int hy_net_test(hy_ep *ep, hy_path_op *op)
{
    (void)ep;
    pthread_mutex_lock(&operation_of(op)->endpoint->lock);
    return test_and_leave(op);
}

/* The blocking form of these operations. */
static int block(hy_ep *ep, hy_path_op *op)
{
    int rc = enter_op(ep, op);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    return leave_with(operation_of(op)->endpoint, hy_net_operation_run(operation_of(op)));
}

int hy_net_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    hy_path_op op;
    op.kind = HY_OP_GET, op.remote = remote, op.local = local, op.len = len;
    return block(ep, &op);
}

int hy_net_atomic(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand, uint64_t expected,
                  uint64_t *before)
{
    hy_path_op op;
    op.kind = HY_OP_ATOMIC, op.remote = remote, op.what = what, op.operand = operand;
    op.expected = expected, op.before = before;
    return block(ep, &op);
}

int hy_net_flush(hy_ep *ep)
{
    hy_path_op op;
    op.kind = HY_OP_FLUSH;
    return block(ep, &op);
}

/* ---- failures ---- */

/* Requesting a sign of life connects the peer, but does not wait for the connection. */
int hy_net_check(hy_ep *ep)
{
    hy_net_endpoint *endpoint = NULL;
    hy_net_peer *peer;
    hy_net_conn *conn;
    int rc = enter_peer(ep, 0, 0, &endpoint, &peer);
    if (rc) return rc;
    rc = hy_net_connect(endpoint, peer, ep->lane, &conn);
    if (rc >= 0) {
        endpoint->net->provider->poll(endpoint);
        rc = hy_net_peer_watch(endpoint, peer, 0);
    }
    return leave_with(endpoint, rc);
}

bool hy_net_has_left(hy_ep *ep)
{
    hy_net_endpoint *endpoint = NULL;
    hy_net_peer *peer = NULL;
    int failed = enter_peer(ep, 0, 0, &endpoint, &peer);
    if (!failed) pthread_mutex_unlock(&endpoint->lock);
    return failed && peer && peer->life.left;
}
