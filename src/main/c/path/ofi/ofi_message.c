/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that go out, and answers that are waited for. */
#include "base/clock.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

static size_t address(const ofi_port *port, const ofi_peer *peer, hy_net_message *message,
                      size_t bytes)
{
    message->head.token = peer->token;
    message->head.rank = (uint32_t)port->net->wish.rank;
    message->head.port = (uint8_t)port->number;
    message->head.bytes = (uint8_t)bytes;
    return sizeof message->head + bytes;
}

/* The longest that it may become by a rider. */
static size_t most_bytes(const ofi_port *port, const ofi_peer *peer, size_t bytes)
{
    return port->held_for == peer ? sizeof(hy_net_message) : sizeof(hy_net_head) + bytes;
}

static bool mount_held(const ofi_port *port, const ofi_peer *peer, hy_net_message *message,
                       size_t *bytes)
{
    const ofi_held *held = &port->held;
    return port->held_for == peer &&
           hy_net_mount(message, bytes, held->offset, held->data, held->len);
}

static void has_left(ofi_port *port, ofi_peer *peer)
{
    hy_net_rides(&peer->riders, peer->delivered, peer->sent + 1, port->held.offset, port->held.len);
    port->held_for = NULL;
}

long ofi_post(ofi_port *port, ofi_peer *peer, hy_net_message *message, size_t bytes, ofi_op *op)
{
    bool short_enough = op || most_bytes(port, peer, bytes) <= port->net->inject;
    bool rides = short_enough && mount_held(port, peer, message, &bytes);
    bytes = address(port, peer, message, bytes);
    if (op) memcpy(op->data, message, bytes);
    long result = op ? fi_send(port->endpoint, op->data, bytes, ofi_desc(port->own_mr),
                               peer->address, op)
                     : fi_inject(port->endpoint, message, bytes, peer->address);
    if (rides && result == 0) has_left(port, peer);
    else if (rides) message->head.what = 0;
    return result;
}

/* Nothing tells of the end of an injected message. So that a full queue is not taken for a broken
 * connection (ofi_life.c), every so often one is not. */
static bool may_inject(const ofi_port *port, const ofi_peer *peer, size_t bytes)
{
    return bytes <= port->net->inject && peer->sent % 32 != 31;
}

/* What cannot ride goes before. */
static int make_way(ofi_port *port, ofi_peer *peer, const hy_net_message *message, size_t bytes)
{
    if (hy_likely(port->held_for != peer)) return HAYATE_OK;
    hy_net_message copy = *message;
    return mount_held(port, peer, &copy, &bytes) ? HAYATE_OK : ofi_await_held(port, peer);
}

/* Where order is not kept behind writes, they are over before the message goes: also that which was
 * held until this waited. */
static int order(ofi_port *port, ofi_peer *peer)
{
    if (port->net->ordered) return HAYATE_OK;
    bool held = port->held_for == peer;
    uint64_t which = port->holds;
    int rc = ofi_settle(port, peer);
    bool went = held && (port->held_for != peer || port->holds != which);
    return rc || !went ? rc : ofi_settle(port, peer);
}

int ofi_send(ofi_port *port, ofi_peer *peer, hy_net_message *message, size_t bytes)
{
    ofi_wait wait = {.peer = peer};
    ofi_op *op = NULL;
    int rc = make_way(port, peer, message, bytes);
    if (!rc && !may_inject(port, peer, most_bytes(port, peer, bytes)))
        rc = ofi_op_take(port, &wait, OFI_SEND, &op);
    if (rc) return rc;
    do {
        rc = order(port, peer);
        if (!rc) rc = ofi_posted(port, &wait, "fi_send", ofi_post(port, peer, message, bytes, op));
    } while (rc == HAYATE_IN_PROGRESS);
    if (rc && op) ofi_op_give(port, op);
    if (rc) return rc;
    if (op) ofi_under_way(port, &peer->sending);
    peer->sent++;
    return HAYATE_OK;
}

/* Before the first question by a port that the peer cannot know. */
static int introduce(ofi_port *port, ofi_peer *peer)
{
    hy_net_message message = {.head = {.kind = HY_NET_PORT}};
    if (port->number == 0 || peer->told) return HAYATE_OK;
    memcpy(message.payload, port->address, port->address_bytes);
    int rc = ofi_send(port, peer, &message, port->address_bytes);
    peer->told = rc == HAYATE_OK;
    return rc;
}

int ofi_ask(ofi_port *port, ofi_peer *peer, hy_net_message *message, size_t bytes, uint64_t *value)
{
    ofi_wait wait = {.peer = peer};
    hy_net_ticket *ticket;
    int rc = introduce(port, peer);
    while (!(ticket = hy_net_ticket_take(&port->tickets, peer->life.rank, message)) && !rc)
        rc = ofi_turn(port, &wait);
    if (!rc) rc = ofi_send(port, peer, message, bytes);
    uint64_t sent = peer->sent;
    wait = (ofi_wait){.peer = peer};
    while (!rc && !ticket->answered) rc = ofi_turn(port, &wait);
    if (ticket) *value = ticket->value, ticket->taken = false;
    if (!rc && sent > peer->delivered) peer->delivered = sent;
    return rc;
}

static bool is_older(const ofi_op *op, const ofi_peer *peer, uint64_t number)
{
    return op->use == OFI_RMA && op->peer == peer && op->number <= number;
}

/* What others begin meanwhile is not waited for: no op that was passed gets an older number. */
int ofi_settle(ofi_port *port, ofi_peer *peer)
{
    ofi_wait wait = {.peer = peer};
    uint64_t last = peer->begun;
    int rc = HAYATE_OK;
    for (int i = 0; i < port->ops_count && peer->pending && !rc; i++)
        while (!rc && is_older(&port->ops[i], peer, last)) rc = ofi_turn(port, &wait);
    return rc;
}

int ofi_fence(ofi_port *port, ofi_peer *peer)
{
    hy_net_message message = {.head = {.kind = HY_NET_ASK}};
    uint64_t nothing;
    int rc = ofi_await_held(port, peer);
    if (!rc) rc = ofi_settle(port, peer);
    if (rc || peer->delivered == peer->sent) return rc;
    return ofi_ask(port, peer, &message, 0, &nothing);
}

bool ofi_say(ofi_port *port, ofi_peer *peer, enum hy_net_kind kind)
{
    hy_net_message message = {.head = {.kind = (uint8_t)kind}};
    ofi_op *op = ofi_op_try(port, peer, OFI_SEND);
    if (!op) return false;
    long result = ofi_post(port, peer, &message, 0, op);
    if (result == 0) ofi_under_way(port, &peer->sending);
    else ofi_op_give(port, op);
    if (result && result != -FI_EAGAIN)
        hy_net_lost(&peer->life, "fi_send: %s", port->net->calls->error((int)-result));
    return result == 0;
}
