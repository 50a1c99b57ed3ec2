/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of operations, and the results of posting calls. */
#include "base/clock.h"
#include "base/status.h"
#include "net/memlock.h"
#include "net/ofi/ofi_net.h"

/* Many turns of the progress thread, even on a busy machine. */
#define REFUSED_NS UINT64_C(2000000000)

int ofi_fail_call(const ofi_net *net, int code, const char *call, long result)
{
    return hy_fail(code, "libfabric (%s): %s: %s", net->info->fabric_attr->prov_name, call,
                   net->calls->error((int)-result));
}

int ofi_fail_resource(const ofi_net *net, const char *call, long result)
{
    char limit[40];
    if (result != -FI_ENOMEM && result != -FI_EAGAIN)
        return ofi_fail_call(net, HAYATE_ERR_SYSTEM, call, result);
    hy_net_say_memlock(limit, sizeof limit);
    return hy_fail(HAYATE_ERR_NO_MEMORY,
                   "libfabric (%s): %s: %s; if it uses a device, memory must be locked, of"
                   " which the limit is %s. " HY_NET_RAISE_MEMLOCK,
                   net->info->fabric_attr->prov_name, call, net->calls->error((int)-result), limit);
}

/* Some providers silently reconnect a broken connection at the next post, and return "try again"
 * forever while nobody listens there any more. So if a peer that was reached before refuses
 * operations for a while, and none to it is under way, the peer is lost. */
static void note_refused(ofi_peer *peer)
{
    uint64_t now = hy_now_ns();
    if (!peer->base.life.known || peer->pending || peer->sending) peer->refused = 0;
    else if (peer->refused == 0) peer->refused = now;
    else if (now > peer->refused + REFUSED_NS)
        hy_net_lost(&peer->base.life, "the connection is broken and cannot be made again");
}

int ofi_posted(ofi_endpoint *endpoint, ofi_peer *peer, const char *call, long result)
{
    hy_net_life *life = &peer->base.life;
    if (hy_likely(result == 0)) {
        peer->refused = 0;
        hy_store_relaxed(&endpoint->quiet, 0);
        return HAYATE_OK;
    }
    if (result == -FI_EAGAIN) note_refused(peer);
    else hy_net_lost(life, "%s: %s", call, ofi_net_of(endpoint)->calls->error((int)-result));
    return life->failed ? hy_net_fail_lost(life) : HAYATE_IN_PROGRESS;
}

/* ---- the pool ---- */

void ofi_op_give(ofi_endpoint *endpoint, ofi_op *op)
{
    if (op->mr) fi_close(&op->mr->fid);
    op->mr = NULL;
    op->use = OFI_FREE;
    op->next = endpoint->free;
    endpoint->free = op;
}

ofi_op *ofi_op_try(ofi_endpoint *endpoint, ofi_peer *peer, enum ofi_use use)
{
    ofi_op *op = endpoint->free;
    if (hy_unlikely(!op)) return NULL;
    endpoint->free = op->next;
    op->use = use;
    op->peer = peer;
    op->left = NULL;
    op->memory = NULL;
    return op;
}

ofi_op *ofi_op_take(ofi_endpoint *endpoint, ofi_peer *peer, enum ofi_use use)
{
    bool room = peer->pending + peer->sending < OFI_OPS_PEER;
    return hy_likely(room) ? ofi_op_try(endpoint, peer, use) : NULL;
}

/* Nothing more is received from a peer that is gone: a receive that cannot be posted now is tried
 * again at every poll. */
void ofi_receive_post(ofi_endpoint *endpoint, ofi_op *op)
{
    op->use = OFI_RECEIVE;
    op->peer = NULL;
    if (endpoint->closing) return;
    if (fi_recv(endpoint->ep, op->data, sizeof(hy_net_message), ofi_desc(endpoint->own_mr),
                FI_ADDR_UNSPEC, op) == 0)
        return;
    op->next = endpoint->unposted;
    endpoint->unposted = op;
}

/* ---- which operations are complete ---- */

void ofi_mark(const hy_net_conn *conn, hy_net_order *order)
{
    order->number = ofi_peer_of(conn)->begun;
    order->passed = 0;
    order->marked = true;
}

/* Operations that other threads begin meanwhile are not waited for: an op that was passed never
 * gets an older number. */
static bool are_older_over(const ofi_endpoint *endpoint, const ofi_peer *peer, hy_net_order *order)
{
    for (; peer->pending && order->passed < (uint32_t)endpoint->ops_count; order->passed++) {
        const ofi_op *op = &endpoint->ops[order->passed];
        if (op->use == OFI_RMA && op->peer == peer && op->number <= order->number) return false;
    }
    return true;
}

bool ofi_is_over(const hy_net_endpoint *endpoint, const hy_net_conn *conn, hy_net_order *order)
{
    return are_older_over(ofi_endpoint_of(endpoint), ofi_peer_of(conn), order);
}

/* Each poll sends held puts: after that, they count as under way as well. */
bool ofi_is_behind(const ofi_endpoint *endpoint, const ofi_peer *peer, hy_net_order *order)
{
    bool held = endpoint->held_for == peer;
    if (ofi_net_of(endpoint)->ordered) return true;
    if (!order->marked) {
        ofi_mark(&peer->conn, order);
        order->held = held;
        order->holds = endpoint->holds;
    }
    if (!are_older_over(endpoint, peer, order)) return false;
    if (!order->held || (held && endpoint->holds == order->holds)) return true;
    order->held = false;
    ofi_mark(&peer->conn, order);
    return are_older_over(endpoint, peer, order);
}

void ofi_forget(hy_net_endpoint *base, hy_net_conn *conn, const uint32_t *left)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    (void)conn;
    for (int i = 0; i < endpoint->ops_count; i++)
        if (endpoint->ops[i].left == left)
            endpoint->ops[i].left = NULL, endpoint->ops[i].memory = NULL;
}

bool ofi_is_idle(const hy_net_conn *conn)
{
    return ofi_peer_of(conn)->sending == 0;
}
