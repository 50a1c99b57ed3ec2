/* SPDX-License-Identifier: Apache-2.0 */
/* Outgoing messages, and the short puts that travel with them. */
#include <stdlib.h>

#include "base/log.h"
#include "base/status.h"
#include "net/verbs/verbs_net.h"

#define REPLIES 65536 /* limit of answers that wait because peers do not accept them */

static bool is_inline(const verbs_conn *conn, size_t bytes)
{
    return bytes <= conn->inline_bytes;
}

static void make_send(const verbs_conn *conn, struct ibv_send_wr *request)
{
    request->opcode = IBV_WR_SEND_WITH_IMM;
    request->imm_data = htonl(conn->theirs);
}

/* `line` is NULL for a message that is sent inline. */
static void verbs_message_add(verbs_batch *batch, const hy_net_message *message, size_t bytes,
                              uint8_t *line)
{
    verbs_endpoint *endpoint = batch->endpoint;
    verbs_conn *conn = batch->conn;
    verbs_op op = {.told = message->head.kind == HY_NET_BYE};
    if (line) {
        memcpy(line, message, bytes);
        op.pool = &endpoint->lines;
        op.buffer = line;
    }
    struct ibv_send_wr *request = verbs_add(batch, &op, line ? line : (uint8_t *)(uintptr_t)message,
                                            bytes, endpoint->own_mr->lkey);
    make_send(conn, request);
    if (!line) request->send_flags |= IBV_SEND_INLINE;
}

static size_t address(const verbs_endpoint *endpoint, const verbs_conn *conn, hy_net_head *head,
                      size_t bytes)
{
    head->token = conn->base.peer->token;
    head->rank = (uint32_t)endpoint->base.net->attr.rank;
    head->bytes = (uint16_t)bytes;
    return sizeof *head + bytes;
}

/* The held put and its offset if exactly one is held, else NULL. */
static const struct ibv_sge *lone_put(const verbs_endpoint *endpoint, uint64_t *offset)
{
    const verbs_batch *held = &endpoint->held;
    if (held->count != 1) return NULL;
    *offset = held->requests[0].wr.rdma.remote_addr - held->conn->base.peer->base;
    return &held->pieces[0];
}

/* Whether a message under way may still write these bytes. */
static bool overlaps_piggyback(const verbs_conn *conn, uint64_t remote, uint64_t len)
{
    return hy_net_piggybacks_overlap(&conn->base.piggybacks, conn->base.messages_there, remote,
                                     len);
}

/* Whether the only held put must not pass piggybacks under way. */
static bool must_ride(const verbs_endpoint *endpoint)
{
    uint64_t offset;
    const struct ibv_sge *put = lone_put(endpoint, &offset);
    return put && overlaps_piggyback(endpoint->held.conn, offset, put->length);
}

/* Turns the put into a message that carries it: the message takes over its request and its
 * operation number. */
static bool carry(verbs_endpoint *endpoint, verbs_conn *conn, hy_net_message *message, size_t bytes)
{
    uint64_t offset;
    const struct ibv_sge *put = endpoint->held.conn == conn ? lone_put(endpoint, &offset) : NULL;
    if (!put || !is_inline(conn, sizeof *message)) return false;
    uint32_t len = put->length;
    if (!hy_net_mount(message, &bytes, offset, endpoint->held_data[0], len)) return false;
    endpoint->held.pieces[0].addr = (uintptr_t)message;
    endpoint->held.pieces[0].length = (uint32_t)address(endpoint, conn, &message->head, bytes);
    make_send(conn, &endpoint->held.requests[0]);
    conn->base.writes--;
    hy_net_piggybacks_add(&conn->base.piggybacks, conn->base.messages_there, ++conn->base.messages,
                          offset, len);
    return true;
}

/* Whether the message can be posted in one batch with the held puts. */
static bool can_join(const verbs_endpoint *endpoint, const verbs_conn *conn, size_t bytes)
{
    return endpoint->held.conn == conn && endpoint->held.count &&
           endpoint->held.count < VERBS_BATCH && is_inline(conn, bytes) &&
           verbs_room(endpoint, conn);
}

int verbs_send(hy_net_endpoint *base, hy_net_conn *base_conn, hy_net_send *send)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(base);
    verbs_conn *conn = verbs_conn_from(base_conn);
    hy_net_message *message = &send->message;
    verbs_batch batch;
    uint8_t *line = NULL;
    if (carry(endpoint, conn, message, send->bytes)) return verbs_ring(&endpoint->held);
    size_t bytes = address(endpoint, conn, &message->head, send->bytes);
    if (must_ride(endpoint)) verbs_release_held(endpoint, NULL);
    if (can_join(endpoint, conn, bytes)) {
        verbs_message_add(&endpoint->held, message, bytes, NULL);
        conn->base.messages++;
        return verbs_ring(&endpoint->held);
    }
    verbs_release_held(endpoint, conn);
    if (!verbs_room(endpoint, conn)) return HAYATE_IN_PROGRESS;
    if (!is_inline(conn, bytes) && !(line = verbs_buffer_take(&endpoint->lines)))
        return HAYATE_IN_PROGRESS;
    verbs_begin(&batch, endpoint, conn);
    verbs_message_add(&batch, message, bytes, line);
    conn->base.messages++;
    return verbs_ring(&batch);
}

/* Sends at once or not at all: false if there is no room. */
static bool send_now(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head)
{
    verbs_batch batch;
    hy_net_message message = {.head = *head};
    uint8_t *line = NULL;
    size_t bytes = address(endpoint, conn, &message.head, 0);
    verbs_release_held(endpoint, conn);
    verbs_begin(&batch, endpoint, conn);
    if (conn->base.peer->life.failed) return true; /* dropped: the peer has failed */
    if (!verbs_room(endpoint, conn)) return false;
    if (!is_inline(conn, bytes) && !(line = verbs_buffer_take(&endpoint->lines))) return false;
    verbs_message_add(&batch, &message, bytes, line);
    (void)verbs_ring(&batch);
    return true;
}

bool verbs_say(hy_net_endpoint *endpoint, hy_net_conn *conn, enum hy_net_kind kind)
{
    const hy_net_head head = {.kind = (uint8_t)kind};
    return send_now(verbs_endpoint_of(endpoint), verbs_conn_from(conn), &head);
}

/* ---- held puts ---- */

/* Held until the next operation of the connection, or until any thread makes progress. */
bool verbs_hold(hy_net_endpoint *base, hy_net_conn *base_conn, uint64_t remote, const void *local,
                size_t len)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(base);
    verbs_conn *conn = verbs_conn_from(base_conn);
    const verbs_op op = {0};
    if (!is_inline(conn, len)) return false;
    if (endpoint->held.conn != conn || endpoint->held.count == VERBS_BATCH || must_ride(endpoint))
        verbs_release_held(endpoint, NULL);
    bool overlaps = overlaps_piggyback(conn, remote, len);
    if (overlaps) verbs_release_held(endpoint, NULL);
    if ((overlaps && len > HY_NET_PIGGYBACK) || !verbs_room(endpoint, conn)) return false;
    endpoint->held.endpoint = endpoint;
    endpoint->held.conn = conn;
    uint8_t *copy = endpoint->held_data[endpoint->held.count];
    memcpy(copy, local, len);
    struct ibv_send_wr *request = verbs_add(&endpoint->held, &op, copy, len, 0);
    request->opcode = IBV_WR_RDMA_WRITE;
    request->send_flags |= IBV_SEND_INLINE;
    request->wr.rdma.remote_addr = conn->base.peer->base + remote;
    request->wr.rdma.rkey = verbs_peer_of(conn)->key;
    conn->base.writes++;
    return true;
}

void verbs_release_held(verbs_endpoint *endpoint, const verbs_conn *conn)
{
    hy_net_message message = {.head = {.kind = HY_NET_PUT}};
    if (!endpoint->held.count || (conn && endpoint->held.conn != conn)) return;
    if (must_ride(endpoint)) (void)carry(endpoint, endpoint->held.conn, &message, 0);
    (void)verbs_ring(&endpoint->held);
}

int verbs_send_held(hy_net_endpoint *endpoint, hy_net_conn *conn)
{
    verbs_release_held(verbs_endpoint_of(endpoint), verbs_conn_from(conn));
    return HAYATE_OK;
}

/* ---- answers ---- */

static void reply_later(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head)
{
    verbs_reply *reply = endpoint->reply_count < REPLIES ? malloc(sizeof *reply) : NULL;
    if (!reply) {
        hy_log(HY_LOG_WARN, "an answer to rank %d was dropped: the rank accepts none",
               conn->base.peer->life.rank);
        return;
    }
    *reply = (verbs_reply){.conn = conn, .head = *head};
    *endpoint->replies_end = reply;
    endpoint->replies_end = &reply->next;
    endpoint->reply_count++;
}

/* Sends waiting answers in order; answers to peers whose queues are full stay. */
void verbs_reply_again(verbs_endpoint *endpoint)
{
    verbs_reply **at = &endpoint->replies;
    while (*at) {
        verbs_reply *reply = *at;
        if (!send_now(endpoint, reply->conn, &reply->head)) {
            at = &reply->next;
            continue;
        }
        *at = reply->next;
        free(reply);
        endpoint->reply_count--;
    }
    endpoint->replies_end = at;
}

void verbs_answer(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head)
{
    if (endpoint->replies || !send_now(endpoint, conn, head)) reply_later(endpoint, conn, head);
}
