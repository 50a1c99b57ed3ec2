/* SPDX-License-Identifier: Apache-2.0 */
/* The completion queue, and waiting for it. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "path/net_rest.h"
#include "path/ofi/ofi_net.h"

#define BATCH 16
#define AWAKE 256 /* looks in vain at an endpoint, until it is left to its own threads */

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

int ofi_op_take(ofi_endpoint *endpoint, ofi_wait *wait, enum ofi_use use, ofi_op **op)
{
    const ofi_peer *peer = wait->peer;
    int rc = HAYATE_OK;
    while (hy_unlikely(!endpoint->free || peer->pending + peer->sending >= OFI_OPS_PEER) && !rc)
        rc = ofi_turn(endpoint, wait);
    if (!rc) *op = ofi_op_try(endpoint, wait->peer, use);
    return rc;
}

/* To who is gone nothing is received from any more: a receive that cannot be posted now is tried
 * again in every look. */
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

static void post_again(ofi_endpoint *endpoint)
{
    ofi_op *all = endpoint->unposted;
    endpoint->unposted = NULL;
    while (all) {
        ofi_op *op = all;
        all = op->next;
        ofi_receive_post(endpoint, op);
    }
}

static void queue_reply(ofi_endpoint *endpoint, ofi_op *op)
{
    op->next = NULL;
    *endpoint->unsent_end = op;
    endpoint->unsent_end = &op->next;
}

/* The answer lies where the question lay; when it is on its way, the buffer receives again. */
static void reply(ofi_endpoint *endpoint, ofi_op *op)
{
    const hy_net_message *message = (const hy_net_message *)(const void *)op->data;
    size_t bytes = sizeof message->head + message->head.bytes;
    op->use = OFI_REPLY;
    if (hy_net_failed(&op->peer->life)) {
        ofi_receive_post(endpoint, op);
        return;
    }
    long result = fi_send(endpoint->ep, op->data, bytes, ofi_desc(endpoint->own_mr), op->to, op);
    if (result == 0) return;
    if (result == -FI_EAGAIN) {
        queue_reply(endpoint, op);
        return;
    }
    hy_net_lost(&op->peer->life, "fi_send: %s", endpoint->net->calls->error((int)-result));
    ofi_receive_post(endpoint, op);
}

static void reply_again(ofi_endpoint *endpoint)
{
    ofi_op *all = endpoint->unsent;
    endpoint->unsent = NULL;
    endpoint->unsent_end = &endpoint->unsent;
    while (all) {
        ofi_op *op = all;
        all = op->next;
        reply(endpoint, op);
    }
}

static void finish(ofi_endpoint *endpoint, ofi_op *op, bool good)
{
    if (op->memory && good && !hy_net_failed(&op->peer->life))
        memcpy(op->memory, op->len > OFI_COPIED ? op->owned : op->data, op->len);
    if (op->use == OFI_RMA) op->peer->pending--;
    else op->peer->sending--;
    atomic_fetch_sub_explicit(&endpoint->under_way, 1, memory_order_relaxed);
    if (op->left) --*op->left;
    ofi_op_give(endpoint, op);
    hy_bell_ring(endpoint->net->wish.bell);
}

static void complete(ofi_endpoint *endpoint, const struct fi_cq_msg_entry *entry)
{
    ofi_op *op = entry->op_context;
    if (!op) return;
    switch (op->use) {
    case OFI_RMA:
    case OFI_WATCH: hy_net_heard(&op->peer->life); /* fall through */
    case OFI_SEND: finish(endpoint, op, true); break;
    case OFI_REPLY: ofi_receive_post(endpoint, op); break;
    case OFI_RECEIVE:
        if (ofi_deliver(endpoint, op, entry->len)) reply(endpoint, op);
        else ofi_receive_post(endpoint, op);
        break;
    default: break;
    }
}

/* Errors of receives say nothing about a peer: a message was too long, or its sender is gone. */
static void complete_badly(ofi_endpoint *endpoint)
{
    struct fi_cq_err_entry error = {0};
    char text[128] = "";
    if (fi_cq_readerr(endpoint->cq, &error, 0) != 1) return;
    ofi_op *op = error.op_context;
    if (!op) return;
    if (op->use != OFI_RECEIVE && !endpoint->closing) {
        const char *said = error.prov_errno ? fi_cq_strerror(endpoint->cq, error.prov_errno,
                                                             error.err_data, text, sizeof text)
                                            : NULL;
        hy_net_lost(&op->peer->life, "%s%s%s", endpoint->net->calls->error(error.err),
                    said ? ": " : "", said ? said : "");
    }
    if (op->use == OFI_RECEIVE || op->use == OFI_REPLY) ofi_receive_post(endpoint, op);
    else finish(endpoint, op, false);
}

int ofi_drain(ofi_endpoint *endpoint)
{
    struct fi_cq_msg_entry entries[BATCH];
    if (endpoint->held_for) ofi_let_go(endpoint);
    long count = fi_cq_read(endpoint->cq, entries, BATCH);
    hy_store_relaxed(&endpoint->turns, hy_load_relaxed(&endpoint->turns) + 1);
    uint32_t quiet = hy_load_relaxed(&endpoint->quiet);
    if (quiet < UINT32_MAX) hy_store_relaxed(&endpoint->quiet, count > 0 ? 0 : quiet + 1);
    for (long i = 0; i < count; i++) complete(endpoint, &entries[i]);
    if (count == -FI_EAVAIL) complete_badly(endpoint), count = 1;
    if (hy_unlikely(endpoint->unsent)) reply_again(endpoint);
    if (hy_unlikely(endpoint->unposted)) post_again(endpoint);
    return count > 0 ? (int)count : 0;
}

int ofi_try(ofi_endpoint *endpoint)
{
    if (pthread_mutex_trylock(&endpoint->lock) != 0) return 0;
    int events = ofi_drain(endpoint);
    pthread_mutex_unlock(&endpoint->lock);
    return events;
}

/* What it has sent may still lie in the provider. What comes in by itself comes to endpoint 0. */
static bool is_awake(const ofi_endpoint *endpoint)
{
    return hy_load_relaxed(&endpoint->under_way) || hy_load_relaxed(&endpoint->quiet) < AWAKE;
}

int ofi_try_all(ofi_net *net)
{
    ofi_endpoint *first = net->endpoints[0];
    int events = ofi_try(first);
    for (int i = 1; i < net->endpoints_wanted; i++) {
        ofi_endpoint *endpoint = hy_load_acquire(&net->endpoints[i]);
        if (endpoint && endpoint != first && is_awake(endpoint)) events += ofi_try(endpoint);
    }
    return events;
}

/* The peer may wait for an answer, too, and that is asked for at endpoint 0. */
static void let_others(ofi_endpoint *endpoint, ofi_wait *wait, bool idle)
{
    pthread_mutex_unlock(&endpoint->lock);
    if (endpoint->number == 0 || ofi_try(endpoint->net->endpoints[0]) == 0)
        hy_net_rest(idle ? wait->vain++ : HY_NET_SPINS);
    pthread_mutex_lock(&endpoint->lock);
}

/* However much comes in, others have their turn and the peer is looked at. */
int ofi_turn(ofi_endpoint *endpoint, ofi_wait *wait)
{
    if (wait->since == 0) wait->since = hy_now_ns();
    bool idle = ofi_drain(endpoint) == 0, slow = ++wait->turns % 256 == 0;
    if (wait->peer && hy_net_failed(&wait->peer->life)) return hy_net_fail_lost(&wait->peer->life);
    if (idle || slow) let_others(endpoint, wait, idle);
    /* Others, the keeper too, may have seen it fail meanwhile. */
    if (wait->peer && hy_net_failed(&wait->peer->life)) return hy_net_fail_lost(&wait->peer->life);
    return slow && wait->peer ? ofi_watch(endpoint, wait->peer, wait->since) : HAYATE_OK;
}

int ofi_posted(ofi_endpoint *endpoint, ofi_wait *wait, const char *call, long result)
{
    if (hy_likely(result == 0)) {
        ofi_accepted(wait->peer);
        hy_store_relaxed(&endpoint->quiet, 0);
        return HAYATE_OK;
    }
    if (result == -FI_EAGAIN) {
        ofi_refused(wait->peer);
        int rc = ofi_turn(endpoint, wait);
        return rc ? rc : HAYATE_IN_PROGRESS;
    }
    hy_net_lost(&wait->peer->life, "%s: %s", call, endpoint->net->calls->error((int)-result));
    return hy_net_fail_lost(&wait->peer->life);
}
