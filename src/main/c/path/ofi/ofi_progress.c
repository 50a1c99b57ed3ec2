/* SPDX-License-Identifier: Apache-2.0 */
/* The completion queue, and waiting for it. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "path/net_rest.h"
#include "path/ofi/ofi_net.h"

#define BATCH 16
#define AWAKE 256 /* looks in vain at a port, until it is left to its own threads */

void ofi_op_give(ofi_port *port, ofi_op *op)
{
    if (op->mr) fi_close(&op->mr->fid);
    op->mr = NULL;
    op->use = OFI_FREE;
    op->next = port->free;
    port->free = op;
}

ofi_op *ofi_op_try(ofi_port *port, ofi_peer *peer, enum ofi_use use)
{
    ofi_op *op = port->free;
    if (hy_unlikely(!op)) return NULL;
    port->free = op->next;
    op->use = use;
    op->peer = peer;
    op->left = NULL;
    op->memory = NULL;
    return op;
}

int ofi_op_take(ofi_port *port, ofi_wait *wait, enum ofi_use use, ofi_op **op)
{
    const ofi_peer *peer = wait->peer;
    int rc = HAYATE_OK;
    while (hy_unlikely(!port->free || peer->pending + peer->sending >= OFI_OPS_PEER) && !rc)
        rc = ofi_turn(port, wait);
    if (!rc) *op = ofi_op_try(port, wait->peer, use);
    return rc;
}

/* To who is gone nothing is received from any more: a receive that cannot be posted now is tried
 * again in every look. */
void ofi_receive_post(ofi_port *port, ofi_op *op)
{
    op->use = OFI_RECEIVE;
    op->peer = NULL;
    if (port->closing) return;
    if (fi_recv(port->endpoint, op->data, sizeof(hy_net_message), ofi_desc(port->own_mr),
                FI_ADDR_UNSPEC, op) == 0)
        return;
    op->next = port->unposted;
    port->unposted = op;
}

static void post_again(ofi_port *port)
{
    ofi_op *all = port->unposted;
    port->unposted = NULL;
    while (all) {
        ofi_op *op = all;
        all = op->next;
        ofi_receive_post(port, op);
    }
}

static void queue_reply(ofi_port *port, ofi_op *op)
{
    op->next = NULL;
    *port->unsent_end = op;
    port->unsent_end = &op->next;
}

/* The answer lies where the question lay; when it is on its way, the buffer receives again. */
static void reply(ofi_port *port, ofi_op *op)
{
    const hy_net_message *message = (const hy_net_message *)(const void *)op->data;
    size_t bytes = sizeof message->head + message->head.bytes;
    op->use = OFI_REPLY;
    if (hy_net_failed(&op->peer->life)) {
        ofi_receive_post(port, op);
        return;
    }
    long result = fi_send(port->endpoint, op->data, bytes, ofi_desc(port->own_mr), op->to, op);
    if (result == 0) return;
    if (result == -FI_EAGAIN) {
        queue_reply(port, op);
        return;
    }
    hy_net_lost(&op->peer->life, "fi_send: %s", port->net->calls->error((int)-result));
    ofi_receive_post(port, op);
}

static void reply_again(ofi_port *port)
{
    ofi_op *all = port->unsent;
    port->unsent = NULL;
    port->unsent_end = &port->unsent;
    while (all) {
        ofi_op *op = all;
        all = op->next;
        reply(port, op);
    }
}

static void finish(ofi_port *port, ofi_op *op, bool good)
{
    if (op->memory && good && !hy_net_failed(&op->peer->life))
        memcpy(op->memory, op->len > OFI_COPIED ? op->owned : op->data, op->len);
    if (op->use == OFI_RMA) op->peer->pending--;
    else op->peer->sending--;
    atomic_fetch_sub_explicit(&port->under_way, 1, memory_order_relaxed);
    if (op->left) --*op->left;
    ofi_op_give(port, op);
    hy_bell_ring(port->net->wish.bell);
}

static void complete(ofi_port *port, const struct fi_cq_msg_entry *entry)
{
    ofi_op *op = entry->op_context;
    if (!op) return;
    switch (op->use) {
    case OFI_RMA:
    case OFI_WATCH: hy_net_heard(&op->peer->life); /* fall through */
    case OFI_SEND: finish(port, op, true); break;
    case OFI_REPLY: ofi_receive_post(port, op); break;
    case OFI_RECEIVE:
        if (ofi_deliver(port, op, entry->len)) reply(port, op);
        else ofi_receive_post(port, op);
        break;
    default: break;
    }
}

/* Errors of receives say nothing about a peer: a message was too long, or its sender is gone. */
static void complete_badly(ofi_port *port)
{
    struct fi_cq_err_entry error = {0};
    char text[128] = "";
    if (fi_cq_readerr(port->cq, &error, 0) != 1) return;
    ofi_op *op = error.op_context;
    if (!op) return;
    if (op->use != OFI_RECEIVE && !port->closing) {
        const char *said = error.prov_errno ? fi_cq_strerror(port->cq, error.prov_errno,
                                                             error.err_data, text, sizeof text)
                                            : NULL;
        hy_net_lost(&op->peer->life, "%s%s%s", port->net->calls->error(error.err), said ? ": " : "",
                    said ? said : "");
    }
    if (op->use == OFI_RECEIVE || op->use == OFI_REPLY) ofi_receive_post(port, op);
    else finish(port, op, false);
}

int ofi_drain(ofi_port *port)
{
    struct fi_cq_msg_entry entries[BATCH];
    if (port->held_for) ofi_let_go(port);
    long count = fi_cq_read(port->cq, entries, BATCH);
    hy_store_relaxed(&port->turns, hy_load_relaxed(&port->turns) + 1);
    uint32_t quiet = hy_load_relaxed(&port->quiet);
    if (quiet < UINT32_MAX) hy_store_relaxed(&port->quiet, count > 0 ? 0 : quiet + 1);
    for (long i = 0; i < count; i++) complete(port, &entries[i]);
    if (count == -FI_EAVAIL) complete_badly(port), count = 1;
    if (hy_unlikely(port->unsent)) reply_again(port);
    if (hy_unlikely(port->unposted)) post_again(port);
    return count > 0 ? (int)count : 0;
}

int ofi_try(ofi_port *port)
{
    if (pthread_mutex_trylock(&port->lock) != 0) return 0;
    int events = ofi_drain(port);
    pthread_mutex_unlock(&port->lock);
    return events;
}

/* What it has sent may still lie in the provider. What comes in by itself comes to port 0. */
static bool is_awake(const ofi_port *port)
{
    return hy_load_relaxed(&port->under_way) || hy_load_relaxed(&port->quiet) < AWAKE;
}

int ofi_try_all(ofi_net *net)
{
    ofi_port *first = net->ports[0];
    int events = ofi_try(first);
    for (int i = 1; i < net->ports_wanted; i++) {
        ofi_port *port = hy_load_acquire(&net->ports[i]);
        if (port && port != first && is_awake(port)) events += ofi_try(port);
    }
    return events;
}

/* The peer may wait for an answer, too, and that is asked for at port 0. */
static void let_others(ofi_port *port, ofi_wait *wait, bool idle)
{
    pthread_mutex_unlock(&port->lock);
    if (port->number == 0 || ofi_try(port->net->ports[0]) == 0)
        hy_net_rest(idle ? wait->vain++ : HY_NET_SPINS);
    pthread_mutex_lock(&port->lock);
}

/* However much comes in, others have their turn and the peer is looked at. */
int ofi_turn(ofi_port *port, ofi_wait *wait)
{
    if (wait->since == 0) wait->since = hy_now_ns();
    bool idle = ofi_drain(port) == 0, slow = ++wait->turns % 256 == 0;
    if (wait->peer && hy_net_failed(&wait->peer->life)) return hy_net_fail_lost(&wait->peer->life);
    if (idle || slow) let_others(port, wait, idle);
    /* Others, the keeper too, may have seen it fail meanwhile. */
    if (wait->peer && hy_net_failed(&wait->peer->life)) return hy_net_fail_lost(&wait->peer->life);
    return slow && wait->peer ? ofi_watch(port, wait->peer, wait->since) : HAYATE_OK;
}

int ofi_posted(ofi_port *port, ofi_wait *wait, const char *call, long result)
{
    if (hy_likely(result == 0)) {
        ofi_accepted(wait->peer);
        hy_store_relaxed(&port->quiet, 0);
        return HAYATE_OK;
    }
    if (result == -FI_EAGAIN) {
        ofi_refused(wait->peer);
        int rc = ofi_turn(port, wait);
        return rc ? rc : HAYATE_IN_PROGRESS;
    }
    hy_net_lost(&wait->peer->life, "%s: %s", call, port->net->calls->error((int)-result));
    return hy_net_fail_lost(&wait->peer->life);
}
