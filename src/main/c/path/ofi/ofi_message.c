/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that go out, and answers that are waited for. */
#include "base/clock.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

static size_t address(const ofi_endpoint *endpoint, const ofi_peer *peer, hy_net_message *message,
                      size_t bytes)
{
    message->head.token = peer->token;
    message->head.rank = (uint32_t)endpoint->net->wish.rank;
    message->head.endpoint = (uint8_t)endpoint->number;
    message->head.bytes = (uint8_t)bytes;
    return sizeof message->head + bytes;
}

/* The longest that it may become by a rider. */
static size_t most_bytes(const ofi_endpoint *endpoint, const ofi_peer *peer, size_t bytes)
{
    return endpoint->held_for == peer ? sizeof(hy_net_message) : sizeof(hy_net_head) + bytes;
}

static bool mount_held(const ofi_endpoint *endpoint, const ofi_peer *peer, hy_net_message *message,
                       size_t *bytes)
{
    const ofi_held *held = &endpoint->held;
    return endpoint->held_for == peer &&
           hy_net_mount(message, bytes, held->offset, held->data, held->len);
}

static void has_left(ofi_endpoint *endpoint, ofi_peer *peer)
{
    hy_net_rides(&peer->riders, peer->delivered, peer->sent + 1, endpoint->held.offset,
                 endpoint->held.len);
    endpoint->held_for = NULL;
}

long ofi_post(ofi_endpoint *endpoint, ofi_peer *peer, hy_net_message *message, size_t bytes,
              ofi_op *op)
{
    bool short_enough = op || most_bytes(endpoint, peer, bytes) <= endpoint->net->inject;
    bool rides = short_enough && mount_held(endpoint, peer, message, &bytes);
    bytes = address(endpoint, peer, message, bytes);
    if (op) memcpy(op->data, message, bytes);
    long result = op ? fi_send(endpoint->ep, op->data, bytes, ofi_desc(endpoint->own_mr),
                               peer->address, op)
                     : fi_inject(endpoint->ep, message, bytes, peer->address);
    if (rides && result == 0) has_left(endpoint, peer);
    else if (rides) message->head.what = 0;
    return result;
}

/* Nothing tells of the end of an injected message. So that a full queue is not taken for a broken
 * connection (ofi_life.c), every so often one is not. */
static bool may_inject(const ofi_endpoint *endpoint, const ofi_peer *peer, size_t bytes)
{
    return bytes <= endpoint->net->inject && peer->sent % 32 != 31;
}

/* What cannot ride goes before. */
static int make_way(ofi_endpoint *endpoint, ofi_peer *peer, const hy_net_message *message,
                    size_t bytes)
{
    if (hy_likely(endpoint->held_for != peer)) return HAYATE_OK;
    hy_net_message copy = *message;
    return mount_held(endpoint, peer, &copy, &bytes) ? HAYATE_OK : ofi_await_held(endpoint, peer);
}

/* Where order is not kept behind writes, they are over before the message goes: also that which was
 * held until this waited. */
static int order(ofi_endpoint *endpoint, ofi_peer *peer)
{
    if (endpoint->net->ordered) return HAYATE_OK;
    bool held = endpoint->held_for == peer;
    uint64_t which = endpoint->holds;
    int rc = ofi_settle(endpoint, peer);
    bool went = held && (endpoint->held_for != peer || endpoint->holds != which);
    return rc || !went ? rc : ofi_settle(endpoint, peer);
}

int ofi_send(ofi_endpoint *endpoint, ofi_peer *peer, hy_net_message *message, size_t bytes)
{
    ofi_wait wait = {.peer = peer};
    ofi_op *op = NULL;
    int rc = make_way(endpoint, peer, message, bytes);
    if (!rc && !may_inject(endpoint, peer, most_bytes(endpoint, peer, bytes)))
        rc = ofi_op_take(endpoint, &wait, OFI_SEND, &op);
    if (rc) return rc;
    do {
        rc = order(endpoint, peer);
        if (!rc)
            rc = ofi_posted(endpoint, &wait, "fi_send",
                            ofi_post(endpoint, peer, message, bytes, op));
    } while (rc == HAYATE_IN_PROGRESS);
    if (rc && op) ofi_op_give(endpoint, op);
    if (rc) return rc;
    if (op) ofi_under_way(endpoint, &peer->sending);
    peer->sent++;
    return HAYATE_OK;
}

/* Before the first question by an endpoint that the peer cannot know. */
static int introduce(ofi_endpoint *endpoint, ofi_peer *peer)
{
    hy_net_message message = {.head = {.kind = HY_NET_ENDPOINT}};
    if (endpoint->number == 0 || peer->told) return HAYATE_OK;
    memcpy(message.payload, endpoint->address, endpoint->address_bytes);
    int rc = ofi_send(endpoint, peer, &message, endpoint->address_bytes);
    peer->told = rc == HAYATE_OK;
    return rc;
}

int ofi_ask(ofi_endpoint *endpoint, ofi_peer *peer, hy_net_message *message, size_t bytes,
            uint64_t *value)
{
    ofi_wait wait = {.peer = peer};
    hy_net_ticket *ticket;
    int rc = introduce(endpoint, peer);
    while (!(ticket = hy_net_ticket_take(&endpoint->tickets, peer->life.rank, message)) && !rc)
        rc = ofi_turn(endpoint, &wait);
    if (!rc) rc = ofi_send(endpoint, peer, message, bytes);
    uint64_t sent = peer->sent;
    wait = (ofi_wait){.peer = peer};
    while (!rc && !ticket->answered) rc = ofi_turn(endpoint, &wait);
    if (ticket) *value = ticket->value, ticket->taken = false;
    if (!rc && sent > peer->delivered) peer->delivered = sent;
    return rc;
}

static bool is_older(const ofi_op *op, const ofi_peer *peer, uint64_t number)
{
    return op->use == OFI_RMA && op->peer == peer && op->number <= number;
}

/* What others begin meanwhile is not waited for: no op that was passed gets an older number. */
int ofi_settle(ofi_endpoint *endpoint, ofi_peer *peer)
{
    ofi_wait wait = {.peer = peer};
    uint64_t last = peer->begun;
    int rc = HAYATE_OK;
    for (int i = 0; i < endpoint->ops_count && peer->pending && !rc; i++)
        while (!rc && is_older(&endpoint->ops[i], peer, last)) rc = ofi_turn(endpoint, &wait);
    return rc;
}

int ofi_fence(ofi_endpoint *endpoint, ofi_peer *peer)
{
    hy_net_message message = {.head = {.kind = HY_NET_ASK}};
    uint64_t nothing;
    int rc = ofi_await_held(endpoint, peer);
    if (!rc) rc = ofi_settle(endpoint, peer);
    if (rc || peer->delivered == peer->sent) return rc;
    return ofi_ask(endpoint, peer, &message, 0, &nothing);
}

bool ofi_say(ofi_endpoint *endpoint, ofi_peer *peer, enum hy_net_kind kind)
{
    hy_net_message message = {.head = {.kind = (uint8_t)kind}};
    ofi_op *op = ofi_op_try(endpoint, peer, OFI_SEND);
    if (!op) return false;
    long result = ofi_post(endpoint, peer, &message, 0, op);
    if (result == 0) ofi_under_way(endpoint, &peer->sending);
    else ofi_op_give(endpoint, op);
    if (result && result != -FI_EAGAIN)
        hy_net_lost(&peer->life, "fi_send: %s", endpoint->net->calls->error((int)-result));
    return result == 0;
}
