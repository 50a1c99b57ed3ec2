/* SPDX-License-Identifier: Apache-2.0 */
/* A short put is held until the next operation to its peer, which nearly always is the flag behind
 * it: it rides in that (net_rider.h). Any look at the queue lets it go, the keeper's at the latest.
 */
#include "base/status.h"
#include "path/ofi/ofi_net.h"

bool ofi_hold(ofi_port *port, ofi_peer *peer, uint64_t remote, const void *data, size_t len)
{
    ofi_let_go(port);
    if (port->held_for) return false;
    port->held_for = peer;
    port->holds++;
    port->held = (ofi_held){.offset = remote, .len = len};
    memcpy(port->held.data, data, len);
    hy_store_relaxed(&port->quiet, 0); /* the port has something to do */
    return true;
}

static ofi_op *take_op(ofi_port *port, ofi_peer *peer, bool rides)
{
    bool room = peer->pending + peer->sending < OFI_OPS_PEER;
    return room ? ofi_op_try(port, peer, rides ? OFI_SEND : OFI_RMA) : NULL;
}

static long post_write(ofi_port *port, const ofi_peer *peer, ofi_op *op)
{
    const ofi_held *held = &port->held;
    memcpy(op->data, held->data, held->len);
    return fi_write(port->endpoint, op->data, held->len, ofi_desc(port->own_mr), peer->address,
                    peer->base + held->offset, peer->key, op);
}

/* One try, as nobody may wait here. */
static void post_held(ofi_port *port, ofi_peer *peer, bool rides)
{
    hy_net_message message = {.head = {.kind = HY_NET_PUT}};
    ofi_op *op = take_op(port, peer, rides);
    if (!op) return;
    long result = rides ? ofi_post(port, peer, &message, 0, op) : post_write(port, peer, op);
    if (result == 0) {
        op->number = ++peer->begun;
        ofi_under_way(port, rides ? &peer->sending : &peer->pending);
        ofi_accepted(peer);
        peer->sent++;
        port->held_for = NULL;
        return;
    }
    ofi_op_give(port, op);
    if (result == -FI_EAGAIN) ofi_refused(peer);
    else hy_net_lost(&peer->life, "fi_write: %s", port->net->calls->error((int)-result));
}

void ofi_let_go(ofi_port *port)
{
    ofi_peer *peer = port->held_for;
    if (!peer) return;
    bool rides = ofi_rides_to(peer, port->held.offset, port->held.len);
    if (hy_net_failed(&peer->life)) port->held_for = NULL;
    else if (!rides || port->net->ordered || !peer->pending) post_held(port, peer, rides);
}

int ofi_await_held(ofi_port *port, ofi_peer *peer)
{
    ofi_wait wait = {.peer = peer};
    int rc = HAYATE_OK;
    if (port->held_for == peer) ofi_let_go(port);
    while (!rc && port->held_for == peer) rc = ofi_turn(port, &wait);
    return rc;
}

int ofi_go_behind(ofi_port *port, ofi_peer *peer, uint64_t remote, uint64_t len)
{
    hy_net_message message = {.head = {.kind = HY_NET_ASK}};
    uint64_t nothing;
    int rc = ofi_await_held(port, peer);
    return rc || !ofi_rides_to(peer, remote, len) ? rc : ofi_ask(port, peer, &message, 0, &nothing);
}
