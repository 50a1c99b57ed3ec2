/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outgoing messages, and short puts. A short put is held until the next operation to its peer,
 * which is nearly always the flag that follows it: the put becomes its piggyback (net/piggyback.h).
 * Any poll of the queue sends a held put, at the latest one by the progress thread.
 */
#include "base/status.h"
#include "net/ofi/ofi_net.h"

static size_t address(const ofi_endpoint *endpoint, const ofi_peer *peer, hy_net_message *message,
                      size_t bytes)
{
    message->head.token = peer->base.token;
    message->head.rank = (uint32_t)endpoint->base.net->attr.rank;
    message->head.endpoint = (uint8_t)endpoint->base.number;
    message->head.bytes = (uint8_t)bytes;
    return sizeof message->head + bytes;
}

/* The length that the message may reach with a piggyback. */
static size_t most_bytes(const ofi_endpoint *endpoint, const ofi_peer *peer, size_t bytes)
{
    return endpoint->held_for == peer ? sizeof(hy_net_message) : sizeof(hy_net_head) + bytes;
}

static bool append_held(const ofi_endpoint *endpoint, const ofi_peer *peer, hy_net_message *message,
                        size_t *bytes)
{
    const ofi_held *held = &endpoint->held;
    return endpoint->held_for == peer &&
           hy_net_mount(message, bytes, held->offset, held->data, held->len);
}

/* The held put is in the message that was just posted, and no longer counts as a write. */
static void count_piggyback(ofi_endpoint *endpoint, ofi_peer *peer)
{
    hy_net_conn *conn = &peer->conn;
    hy_net_piggybacks_add(&conn->piggybacks, conn->messages_there, conn->messages + 1,
                          endpoint->held.offset, endpoint->held.len);
    conn->writes--;
    endpoint->held_for = NULL;
}

/* Tries once, and returns libfabric's result. A held put for the peer becomes a piggyback if there
 * is room. `op` NULL: the end of the message is not reported; it must be short enough for this. */
static long ofi_message_post(ofi_endpoint *endpoint, ofi_peer *peer, hy_net_message *message,
                             size_t bytes, ofi_op *op)
{
    const ofi_net *net = ofi_net_of(endpoint);
    bool short_enough = op || most_bytes(endpoint, peer, bytes) <= net->inject;
    bool piggybacks = short_enough && append_held(endpoint, peer, message, &bytes);
    bytes = address(endpoint, peer, message, bytes);
    if (op) memcpy(op->data, message, bytes);
    long result = op ? fi_send(endpoint->ep, op->data, bytes, ofi_desc(endpoint->own_mr),
                               peer->address, op)
                     : fi_inject(endpoint->ep, message, bytes, peer->address);
    if (piggybacks && result == 0) count_piggyback(endpoint, peer);
    else if (piggybacks) message->head.what = 0;
    return result;
}

/* ---- held puts ---- */

bool ofi_hold(hy_net_endpoint *base, hy_net_conn *conn, uint64_t remote, const void *local,
              size_t len)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    if (len > HY_NET_PIGGYBACK) return false;
    ofi_release_held(endpoint);
    if (endpoint->held_for) return false;
    endpoint->held_for = ofi_peer_of(conn);
    endpoint->holds++;
    conn->writes++;
    endpoint->held = (ofi_held){.offset = remote, .len = len};
    memcpy(endpoint->held.data, local, len);
    hy_store_relaxed(&endpoint->quiet, 0); /* the endpoint has work */
    return true;
}

static long post_write(ofi_endpoint *endpoint, const ofi_peer *peer, ofi_op *op)
{
    const ofi_held *held = &endpoint->held;
    memcpy(op->data, held->data, held->len);
    return fi_write(endpoint->ep, op->data, held->len, ofi_desc(endpoint->own_mr), peer->address,
                    peer->base.base + held->offset, peer->key, op);
}

static void post_held(ofi_endpoint *endpoint, ofi_peer *peer, bool piggybacks)
{
    hy_net_message message = {.head = {.kind = HY_NET_PUT}};
    ofi_op *op = ofi_op_take(endpoint, peer, piggybacks ? OFI_SEND : OFI_RMA);
    if (!op) return;
    long result = piggybacks ? ofi_message_post(endpoint, peer, &message, 0, op)
                             : post_write(endpoint, peer, op);
    if (ofi_posted(endpoint, peer, "fi_write", result)) {
        ofi_op_give(endpoint, op);
        return;
    }
    op->number = ++peer->begun;
    ofi_under_way(endpoint, piggybacks ? &peer->sending : &peer->pending);
    peer->conn.messages += piggybacks;
    endpoint->held_for = NULL;
}

void ofi_release_held(ofi_endpoint *endpoint)
{
    ofi_peer *peer = endpoint->held_for;
    if (!peer) return;
    const hy_net_conn *conn = &peer->conn;
    bool piggybacks = hy_net_piggybacks_overlap(&conn->piggybacks, conn->messages_there,
                                                endpoint->held.offset, endpoint->held.len);
    if (hy_net_failed(&peer->base.life)) endpoint->held_for = NULL;
    else if (!piggybacks || ofi_net_of(endpoint)->ordered || !peer->pending)
        post_held(endpoint, peer, piggybacks);
}

int ofi_send_held(hy_net_endpoint *base, hy_net_conn *conn)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    if (hy_likely(endpoint->held_for != ofi_peer_of(conn))) return HAYATE_OK;
    ofi_release_held(endpoint);
    return endpoint->held_for == ofi_peer_of(conn) ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

/* Sends a held put that does not fit into this message as a piggyback. */
static int send_held_alone(ofi_endpoint *endpoint, ofi_peer *peer, const hy_net_send *send)
{
    if (hy_likely(endpoint->held_for != peer)) return HAYATE_OK;
    hy_net_message copy = send->message;
    size_t bytes = send->bytes;
    return append_held(endpoint, peer, &copy, &bytes) ? HAYATE_OK
                                                      : ofi_send_held(&endpoint->base, &peer->conn);
}

/* ---- messages ---- */

/* The end of an injected message is never reported. So that a full queue is not taken for a broken
 * connection (ofi_op.c), a message is sent without injection from time to time. */
static bool may_inject(const ofi_endpoint *endpoint, const ofi_peer *peer, size_t bytes)
{
    uint64_t sent = peer->conn.messages + peer->conn.writes;
    return bytes <= ofi_net_of(endpoint)->inject && sent % 32 != 31;
}

static int send_one(ofi_endpoint *endpoint, ofi_peer *peer, hy_net_send *send)
{
    ofi_op *op = NULL;
    int rc = send_held_alone(endpoint, peer, send);
    if (rc) return rc;
    if (!ofi_is_behind(endpoint, peer, &send->order)) return HAYATE_IN_PROGRESS;
    if (!may_inject(endpoint, peer, most_bytes(endpoint, peer, send->bytes))) {
        op = ofi_op_take(endpoint, peer, OFI_SEND);
        if (!op) return HAYATE_IN_PROGRESS;
    }
    rc = ofi_posted(endpoint, peer, "fi_send",
                    ofi_message_post(endpoint, peer, &send->message, send->bytes, op));
    if (rc) {
        if (op) ofi_op_give(endpoint, op);
        return rc;
    }
    if (op) ofi_under_way(endpoint, &peer->sending);
    peer->conn.messages++;
    return HAYATE_OK;
}

/* Called before the first question on an endpoint that the peer does not know yet. */
static int introduce(ofi_endpoint *endpoint, ofi_peer *peer)
{
    hy_net_send send = {.message.head.kind = HY_NET_ENDPOINT, .bytes = endpoint->address_bytes};
    memcpy(send.message.payload, endpoint->address, endpoint->address_bytes);
    int rc = send_one(endpoint, peer, &send);
    peer->told = rc == HAYATE_OK;
    return rc;
}

int ofi_send(hy_net_endpoint *base, hy_net_conn *conn, hy_net_send *send)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    ofi_peer *peer = ofi_peer_of(conn);
    uint8_t kind = send->message.head.kind;
    bool asks = kind == HY_NET_ASK || kind == HY_NET_ATOMIC;
    if (hy_unlikely(asks && base->number > 0 && !peer->told)) {
        int rc = introduce(endpoint, peer);
        if (rc) return rc;
    }
    return send_one(endpoint, peer, send);
}

bool ofi_say(hy_net_endpoint *base, hy_net_conn *conn, enum hy_net_kind kind)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    ofi_peer *peer = ofi_peer_of(conn);
    hy_net_message message = {.head = {.kind = (uint8_t)kind}};
    ofi_op *op = ofi_op_try(endpoint, peer, OFI_SEND);
    if (!op) return false;
    long result = ofi_message_post(endpoint, peer, &message, 0, op);
    if (result == 0) ofi_under_way(endpoint, &peer->sending);
    else ofi_op_give(endpoint, op);
    if (result && result != -FI_EAGAIN)
        hy_net_lost(&peer->base.life, "fi_send: %s",
                    ofi_net_of(endpoint)->calls->error((int)-result));
    return result == 0;
}
