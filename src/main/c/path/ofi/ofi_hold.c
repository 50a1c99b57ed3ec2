/* SPDX-License-Identifier: Apache-2.0 */
/* A short put is held until the next operation to its peer, which nearly always is the flag behind
 * it: it rides in that (net_rider.h). Any look at the queue lets it go, the keeper's at the latest.
 */
#include "base/status.h"
#include "path/ofi/ofi_net.h"

bool ofi_hold(ofi_endpoint *endpoint, ofi_peer *peer, uint64_t remote, const void *data, size_t len)
{
    ofi_let_go(endpoint);
    if (endpoint->held_for) return false;
    endpoint->held_for = peer;
    endpoint->holds++;
    endpoint->held = (ofi_held){.offset = remote, .len = len};
    memcpy(endpoint->held.data, data, len);
    hy_store_relaxed(&endpoint->quiet, 0); /* the endpoint has something to do */
    return true;
}

static ofi_op *take_op(ofi_endpoint *endpoint, ofi_peer *peer, bool rides)
{
    bool room = peer->pending + peer->sending < OFI_OPS_PEER;
    return room ? ofi_op_try(endpoint, peer, rides ? OFI_SEND : OFI_RMA) : NULL;
}

static long post_write(ofi_endpoint *endpoint, const ofi_peer *peer, ofi_op *op)
{
    const ofi_held *held = &endpoint->held;
    memcpy(op->data, held->data, held->len);
    return fi_write(endpoint->ep, op->data, held->len, ofi_desc(endpoint->own_mr), peer->address,
                    peer->base + held->offset, peer->key, op);
}

/* One try, as nobody may wait here. */
static void post_held(ofi_endpoint *endpoint, ofi_peer *peer, bool rides)
{
    hy_net_message message = {.head = {.kind = HY_NET_PUT}};
    ofi_op *op = take_op(endpoint, peer, rides);
    if (!op) return;
    long result = rides ? ofi_post(endpoint, peer, &message, 0, op)
                        : post_write(endpoint, peer, op);
    if (result == 0) {
        op->number = ++peer->begun;
        ofi_under_way(endpoint, rides ? &peer->sending : &peer->pending);
        ofi_accepted(peer);
        peer->sent++;
        endpoint->held_for = NULL;
        return;
    }
    ofi_op_give(endpoint, op);
    if (result == -FI_EAGAIN) ofi_refused(peer);
    else hy_net_lost(&peer->life, "fi_write: %s", endpoint->net->calls->error((int)-result));
}

void ofi_let_go(ofi_endpoint *endpoint)
{
    ofi_peer *peer = endpoint->held_for;
    if (!peer) return;
    bool rides = ofi_rides_to(peer, endpoint->held.offset, endpoint->held.len);
    if (hy_net_failed(&peer->life)) endpoint->held_for = NULL;
    else if (!rides || endpoint->net->ordered || !peer->pending) post_held(endpoint, peer, rides);
}

int ofi_await_held(ofi_endpoint *endpoint, ofi_peer *peer)
{
    ofi_wait wait = {.peer = peer};
    int rc = HAYATE_OK;
    if (endpoint->held_for == peer) ofi_let_go(endpoint);
    while (!rc && endpoint->held_for == peer) rc = ofi_turn(endpoint, &wait);
    return rc;
}

int ofi_go_behind(ofi_endpoint *endpoint, ofi_peer *peer, uint64_t remote, uint64_t len)
{
    hy_net_message message = {.head = {.kind = HY_NET_ASK}};
    uint64_t nothing;
    int rc = ofi_await_held(endpoint, peer);
    return rc || !ofi_rides_to(peer, remote, len) ? rc
                                                  : ofi_ask(endpoint, peer, &message, 0, &nothing);
}
