/* SPDX-License-Identifier: Apache-2.0 */
/* The completion queue, and waiting for it. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "path/net_rest.h"
#include "path/ofi/ofi_net.h"

#define BATCH 16

void ofi_op_give(ofi_net *net, ofi_op *op)
{
    if (op->mr) fi_close(&op->mr->fid);
    op->mr = NULL;
    op->use = OFI_FREE;
    op->next = net->free;
    net->free = op;
}

int ofi_op_take(ofi_net *net, ofi_wait *wait, enum ofi_use use, ofi_op **op)
{
    const ofi_peer *peer = wait->peer;
    int rc = HAYATE_OK;
    while (hy_unlikely(!net->free || peer->pending + peer->sending >= OFI_OPS_PEER) && !rc)
        rc = ofi_turn(net, wait);
    if (rc) return rc;
    *op = net->free;
    net->free = (*op)->next;
    (*op)->use = use;
    (*op)->peer = wait->peer;
    (*op)->left = NULL;
    return HAYATE_OK;
}

/* To who is gone nothing is received from any more: a receive that cannot be posted now is tried
 * again in every look. */
void ofi_receive_post(ofi_net *net, ofi_op *op)
{
    op->use = OFI_RECEIVE;
    op->peer = NULL;
    if (net->closing) return;
    if (fi_recv(net->endpoint, op->data, sizeof(hy_net_message), ofi_desc(net->own_mr),
                FI_ADDR_UNSPEC, op) == 0)
        return;
    op->next = net->unposted;
    net->unposted = op;
}

static void post_again(ofi_net *net)
{
    ofi_op *all = net->unposted;
    net->unposted = NULL;
    while (all) {
        ofi_op *op = all;
        all = op->next;
        ofi_receive_post(net, op);
    }
}

static void queue_reply(ofi_net *net, ofi_op *op)
{
    op->next = NULL;
    *net->unsent_end = op;
    net->unsent_end = &op->next;
}

/* The answer lies where the question lay; when it is on its way, the buffer receives again. */
static void reply(ofi_net *net, ofi_op *op)
{
    const hy_net_message *message = (const hy_net_message *)(const void *)op->data;
    size_t bytes = sizeof message->head + message->head.bytes;
    op->use = OFI_REPLY;
    if (op->peer->life.failed) {
        ofi_receive_post(net, op);
        return;
    }
    long result = fi_send(net->endpoint, op->data, bytes, ofi_desc(net->own_mr), op->peer->address,
                          op);
    if (result == 0) return;
    if (result == -FI_EAGAIN) {
        queue_reply(net, op);
        return;
    }
    hy_net_lost(&op->peer->life, "fi_send: %s", net->calls->error((int)-result));
    ofi_receive_post(net, op);
}

static void reply_again(ofi_net *net)
{
    ofi_op *all = net->unsent;
    net->unsent = NULL;
    net->unsent_end = &net->unsent;
    while (all) {
        ofi_op *op = all;
        all = op->next;
        reply(net, op);
    }
}

static void finish(ofi_net *net, ofi_op *op)
{
    if (op->use == OFI_RMA) op->peer->pending--;
    else op->peer->sending--;
    if (op->left) --*op->left;
    ofi_op_give(net, op);
}

static void complete(ofi_net *net, const struct fi_cq_msg_entry *entry)
{
    ofi_op *op = entry->op_context;
    if (!op) return;
    switch (op->use) {
    case OFI_RMA:
    case OFI_WATCH: hy_net_heard(&op->peer->life); /* fall through */
    case OFI_SEND: finish(net, op); break;
    case OFI_REPLY: ofi_receive_post(net, op); break;
    case OFI_RECEIVE:
        if (ofi_deliver(net, op, entry->len)) reply(net, op);
        else ofi_receive_post(net, op);
        break;
    default: break;
    }
}

/* Errors of receives say nothing about a peer: a message was too long, or its sender is gone. */
static void complete_badly(ofi_net *net)
{
    struct fi_cq_err_entry error = {0};
    char text[128] = "";
    if (fi_cq_readerr(net->cq, &error, 0) != 1) return;
    ofi_op *op = error.op_context;
    if (!op) return;
    if (op->use != OFI_RECEIVE && !net->closing) {
        const char *said = error.prov_errno ? fi_cq_strerror(net->cq, error.prov_errno,
                                                             error.err_data, text, sizeof text)
                                            : NULL;
        hy_net_lost(&op->peer->life, "%s%s%s", net->calls->error(error.err), said ? ": " : "",
                    said ? said : "");
    }
    if (op->use == OFI_RECEIVE || op->use == OFI_REPLY) ofi_receive_post(net, op);
    else finish(net, op);
}

int ofi_drain(ofi_net *net)
{
    struct fi_cq_msg_entry entries[BATCH];
    long count = fi_cq_read(net->cq, entries, BATCH);
    net->turns++;
    for (long i = 0; i < count; i++) complete(net, &entries[i]);
    if (count == -FI_EAVAIL) complete_badly(net), count = 1;
    if (hy_unlikely(net->unsent)) reply_again(net);
    if (hy_unlikely(net->unposted)) post_again(net);
    return count > 0 ? (int)count : 0;
}

/* A burst that waited for it is taken whole. */
uint64_t ofi_look(void *of, uint64_t seen)
{
    ofi_net *net = of;
    pthread_mutex_lock(&net->lock);
    for (int i = 0; seen == net->turns || i > 0; i++)
        if (ofi_drain(net) == 0 || i == 1000) break;
    seen = net->turns;
    pthread_mutex_unlock(&net->lock);
    return seen;
}

int ofi_turn(ofi_net *net, ofi_wait *wait)
{
    if (wait->since == 0) wait->since = hy_now_ns();
    bool idle = ofi_drain(net) == 0;
    if (wait->peer && wait->peer->life.failed) return hy_net_fail_lost(&wait->peer->life);
    if (!idle) return HAYATE_OK;
    pthread_mutex_unlock(&net->lock);
    hy_net_rest(wait->turns);
    pthread_mutex_lock(&net->lock);
    if (++wait->turns % 256 || !wait->peer) return HAYATE_OK;
    return ofi_watch(net, wait->peer, wait->since);
}

int ofi_posted(ofi_net *net, ofi_wait *wait, const char *call, long result)
{
    if (hy_likely(result == 0)) {
        ofi_accepted(wait->peer);
        return HAYATE_OK;
    }
    if (result == -FI_EAGAIN) {
        ofi_refused(wait->peer);
        int rc = ofi_turn(net, wait);
        return rc ? rc : HAYATE_IN_PROGRESS;
    }
    hy_net_lost(&wait->peer->life, "%s: %s", call, net->calls->error((int)-result));
    return hy_net_fail_lost(&wait->peer->life);
}
