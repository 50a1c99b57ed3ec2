/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that go out, and answers that are waited for. */
#include <stdlib.h>

#include "base/log.h"
#include "base/status.h"
#include "path/verbs/verbs_net.h"

#define REPLIES 65536 /* that a peer who does not read its answers may make wait */

static bool is_inline(const verbs_conn *conn, size_t bytes)
{
    return bytes <= conn->inline_bytes;
}

static void make_send(const verbs_conn *conn, struct ibv_send_wr *request)
{
    request->opcode = IBV_WR_SEND_WITH_IMM;
    request->imm_data = htonl(conn->theirs);
}

/* `line` is NULL for what goes inline, out of the message itself. */
static void add(verbs_batch *batch, const hy_net_message *message, size_t bytes, uint8_t *line)
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
    head->token = conn->peer->token;
    head->rank = (uint32_t)endpoint->net->wish.rank;
    head->bytes = (uint16_t)bytes;
    return sizeof *head + bytes;
}

/* The put that is held, if it is one, and its place there. */
static const struct ibv_sge *lone_put(const verbs_endpoint *endpoint, uint64_t *offset)
{
    const verbs_batch *held = &endpoint->held;
    if (held->count != 1) return NULL;
    *offset = held->requests[0].wr.rdma.remote_addr - held->conn->peer->base;
    return &held->pieces[0];
}

/* The put becomes the message that carries it: its request, and the operation of its number. */
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
    conn->writes--;
    hy_net_rides(&conn->riders, conn->messages_there, ++conn->messages, offset, len);
    return true;
}

/* Behind puts that are held, and with them. */
static bool can_join(const verbs_endpoint *endpoint, const verbs_conn *conn, size_t bytes)
{
    return endpoint->held.conn == conn && endpoint->held.count &&
           endpoint->held.count < VERBS_BATCH && is_inline(conn, bytes) &&
           verbs_room(endpoint, conn);
}

int verbs_send(verbs_endpoint *endpoint, verbs_conn *conn, hy_net_message *message, size_t bytes)
{
    verbs_batch batch;
    uint8_t *line = NULL;
    if (carry(endpoint, conn, message, bytes)) return verbs_ring(&endpoint->held);
    bytes = address(endpoint, conn, &message->head, bytes);
    if (verbs_must_ride(endpoint)) verbs_let_go(endpoint, NULL);
    if (can_join(endpoint, conn, bytes)) {
        add(&endpoint->held, message, bytes, NULL);
        conn->messages++;
        return verbs_ring(&endpoint->held);
    }
    verbs_begin(&batch, endpoint, conn);
    int rc = verbs_room_wait(&batch, is_inline(conn, bytes) ? NULL : &endpoint->lines, &line);
    if (rc) return rc;
    add(&batch, message, bytes, line);
    conn->messages++;
    return verbs_ring(&batch);
}

bool verbs_must_ride(const verbs_endpoint *endpoint)
{
    uint64_t offset;
    const struct ibv_sge *put = lone_put(endpoint, &offset);
    return put && verbs_rides_to(endpoint->held.conn, offset, put->length);
}

void verbs_let_go(verbs_endpoint *endpoint, verbs_conn *conn)
{
    hy_net_message message = {.head = {.kind = HY_NET_PUT}};
    if (!endpoint->held.count || (conn && endpoint->held.conn != conn)) return;
    if (verbs_must_ride(endpoint)) (void)carry(endpoint, endpoint->held.conn, &message, 0);
    (void)verbs_ring(&endpoint->held);
}

int verbs_await_riders(verbs_endpoint *endpoint, verbs_conn *conn, uint64_t remote, uint64_t len)
{
    hy_net_message message = {.head = {.kind = HY_NET_ASK}};
    uint64_t nothing;
    return verbs_rides_to(conn, remote, len) ? verbs_ask(endpoint, conn, &message, 0, &nothing)
                                             : HAYATE_OK;
}

bool verbs_send_now(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head)
{
    verbs_batch batch;
    hy_net_message message = {.head = *head};
    uint8_t *line = NULL;
    size_t bytes = address(endpoint, conn, &message.head, 0);
    verbs_let_go(endpoint, conn);
    verbs_begin(&batch, endpoint, conn);
    if (conn->peer->life.failed) return true; /* it went nowhere */
    if (!verbs_room(endpoint, conn)) return false;
    if (!is_inline(conn, bytes) && !(line = verbs_buffer_take(&endpoint->lines))) return false;
    add(&batch, &message, bytes, line);
    (void)verbs_ring(&batch);
    return true;
}

void verbs_reply_later(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head)
{
    verbs_reply *reply = endpoint->reply_count < REPLIES ? malloc(sizeof *reply) : NULL;
    if (!reply) {
        hy_log(HY_LOG_WARN, "an answer to rank %d was dropped: it takes none",
               conn->peer->life.rank);
        return;
    }
    *reply = (verbs_reply){.conn = conn, .head = *head};
    *endpoint->replies_end = reply;
    endpoint->replies_end = &reply->next;
    endpoint->reply_count++;
}

/* One after the other; the peers whose queues are full keep theirs. */
void verbs_reply_again(verbs_endpoint *endpoint)
{
    verbs_reply **at = &endpoint->replies;
    while (*at) {
        verbs_reply *reply = *at;
        if (!verbs_send_now(endpoint, reply->conn, &reply->head)) {
            at = &reply->next;
            continue;
        }
        *at = reply->next;
        free(reply);
        endpoint->reply_count--;
    }
    endpoint->replies_end = at;
}

int verbs_ask(verbs_endpoint *endpoint, verbs_conn *conn, hy_net_message *message, size_t bytes,
              uint64_t *value)
{
    verbs_wait wait = {.peer = conn->peer};
    hy_net_ticket *ticket = NULL;
    uint64_t writes = conn->writes, messages = conn->messages;
    int rc = HAYATE_OK;
    while (!rc &&
           !(ticket = hy_net_ticket_take(&endpoint->tickets, conn->peer->life.rank, message)))
        rc = verbs_turn(endpoint, &wait);
    if (!rc) rc = verbs_send(endpoint, conn, message, bytes);
    wait = (verbs_wait){.peer = conn->peer};
    while (!rc && !ticket->answered) rc = verbs_turn(endpoint, &wait);
    if (ticket) *value = ticket->value, ticket->taken = false;
    if (rc) return rc;
    if (writes > conn->writes_there) conn->writes_there = writes;
    if (messages >= conn->messages_there) conn->messages_there = messages + 1;
    return HAYATE_OK;
}

/* Messages are over when they are carried out, writes when a read behind them comes back, in which
 * the peer's processor has no part. */
int verbs_fence(verbs_endpoint *endpoint, verbs_conn *conn)
{
    hy_net_message message = {.head = {.kind = HY_NET_ASK}};
    uint64_t nothing;
    int rc = HAYATE_OK;
    if (conn->messages > conn->messages_there)
        rc = verbs_ask(endpoint, conn, &message, 0, &nothing);
    else if (conn->writes > conn->writes_there) rc = verbs_read_back(endpoint, conn);
    return rc ? rc : verbs_settle(endpoint, conn);
}
