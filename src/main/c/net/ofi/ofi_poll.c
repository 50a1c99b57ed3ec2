/* SPDX-License-Identifier: Apache-2.0 */
/* Polls the completion queue: handles operations that have completed, and messages that arrive. */
#include "base/log.h"
#include "base/status.h"
#include "net/ofi/ofi_net.h"

#define BATCH 16
#define AWAKE 256 /* polls without events until an endpoint is left to its own threads */

/* ---- answers ---- */

static void queue_reply(ofi_endpoint *endpoint, ofi_op *op)
{
    op->next = NULL;
    *endpoint->unsent_end = op;
    endpoint->unsent_end = &op->next;
}

/* The answer is written over the question; after it is sent, the buffer receives again. */
static void reply(ofi_endpoint *endpoint, ofi_op *op)
{
    const hy_net_message *message = (const hy_net_message *)(const void *)op->data;
    size_t bytes = sizeof message->head + message->head.bytes;
    hy_net_life *life = &op->peer->base.life;
    op->use = OFI_REPLY;
    if (hy_net_failed(life)) {
        ofi_receive_post(endpoint, op);
        return;
    }
    long result = fi_send(endpoint->ep, op->data, bytes, ofi_desc(endpoint->own_mr), op->to, op);
    if (result == 0) return;
    if (result == -FI_EAGAIN) {
        queue_reply(endpoint, op);
        return;
    }
    hy_net_lost(life, "fi_send: %s", ofi_net_of(endpoint)->calls->error((int)-result));
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

/* Replaces the question by the answer. */
static bool prepare_answer(ofi_endpoint *endpoint, ofi_op *op, uint32_t rank,
                           const hy_net_head *head)
{
    hy_net_message *message = (hy_net_message *)(void *)op->data;
    uint8_t number = message->head.endpoint;
    hy_net_peer *peer;
    if (hy_net_peer_find(&endpoint->base, (int)rank, &peer)) {
        hy_log(HY_LOG_INFO, "cannot answer rank %u: %s", rank, hayate_error());
        return false;
    }
    hy_net_note_sign(&peer->life);
    op->peer = ofi_from(peer);
    op->to = ofi_peer_endpoint(op->peer, number);
    if (op->to == FI_ADDR_UNSPEC) return false;
    message->head = *head;
    message->head.token = peer->token;
    return true;
}

bool ofi_deliver(ofi_endpoint *endpoint, ofi_op *op, size_t bytes)
{
    const hy_net_message *message = (const hy_net_message *)(const void *)op->data;
    hy_net_endpoint *base = &endpoint->base;
    hy_net_head answer;
    if (!hy_net_is_sound(&base->net->attr, base->net->token, message, bytes, &base->dropped))
        return false;
    uint32_t rank = message->head.rank;
    hy_net_peer *peer = hy_net_table_look(&base->peers,
                                          (int)rank); /* NULL: nothing was sent to it */
    if (peer) hy_net_note_sign(&peer->life);
    if (message->head.kind == HY_NET_ENDPOINT) {
        ofi_peer_has_endpoint(endpoint, message);
        return false;
    }
    return hy_net_deliver(base, message, &answer) && prepare_answer(endpoint, op, rank, &answer);
}

/* ---- completions ---- */

static void ofi_poll_finish(ofi_endpoint *endpoint, ofi_op *op, bool good)
{
    if (op->memory && good && !hy_net_failed(&op->peer->base.life))
        memcpy(op->memory, op->len > OFI_COPIED ? op->owned : op->data, op->len);
    if (op->use == OFI_RMA) op->peer->pending--;
    else op->peer->sending--;
    atomic_fetch_sub_explicit(&endpoint->under_way, 1, memory_order_relaxed);
    if (op->left) --*op->left;
    ofi_op_give(endpoint, op);
    hy_bell_ring(endpoint->base.net->attr.bell);
}

static void ofi_poll_complete(ofi_endpoint *endpoint, const struct fi_cq_msg_entry *entry)
{
    ofi_op *op = entry->op_context;
    if (!op) return;
    switch (op->use) {
    case OFI_RMA:
    case OFI_WATCH: hy_net_note_sign(&op->peer->base.life); /* fall through */
    case OFI_SEND: ofi_poll_finish(endpoint, op, true); break;
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
        hy_net_lost(&op->peer->base.life, "%s%s%s", ofi_net_of(endpoint)->calls->error(error.err),
                    said ? ": " : "", said ? said : "");
    }
    if (op->use == OFI_RECEIVE || op->use == OFI_REPLY) ofi_receive_post(endpoint, op);
    else ofi_poll_finish(endpoint, op, false);
}

int ofi_poll(hy_net_endpoint *base)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    struct fi_cq_msg_entry entries[BATCH];
    if (endpoint->held_for) ofi_release_held(endpoint);
    long count = fi_cq_read(endpoint->cq, entries, BATCH);
    base->turns++;
    uint32_t quiet = hy_load_relaxed(&endpoint->quiet);
    if (quiet < UINT32_MAX) hy_store_relaxed(&endpoint->quiet, count > 0 ? 0 : quiet + 1);
    for (long i = 0; i < count; i++) ofi_poll_complete(endpoint, &entries[i]);
    if (count == -FI_EAVAIL) complete_badly(endpoint), count = 1;
    if (hy_unlikely(endpoint->unsent)) reply_again(endpoint);
    if (hy_unlikely(endpoint->unposted)) post_again(endpoint);
    return count > 0 ? (int)count : 0;
}

/* Answers arrive at the endpoint that asked, and questions of the peer at endpoint 0. */
int ofi_poll_others(hy_net_endpoint *endpoint)
{
    return endpoint->number == 0 ? 0 : hy_net_try(endpoint->net->endpoints[0], ofi_poll);
}

/* Its messages may still be inside the provider. Unsolicited messages arrive at endpoint 0 only. */
static bool is_awake(const hy_net_endpoint *base)
{
    const ofi_endpoint *endpoint = ofi_endpoint_of(base);
    return hy_load_relaxed(&endpoint->under_way) || hy_load_relaxed(&endpoint->quiet) < AWAKE;
}

int ofi_progress(hy_net *net)
{
    return hy_net_try_all(hy_net_base_of(net), NULL, ofi_poll, is_awake);
}

/* ---- sleeping for them ---- */

/* False: something has arrived, or an operation for which the provider had no room must be tried
 * again. */
static bool arm_endpoint(ofi_endpoint *endpoint, struct pollfd *descriptor)
{
    struct fid *queue = &endpoint->cq->fid;
    pthread_mutex_lock(&endpoint->base.lock);
    bool armed = !endpoint->unsent && !endpoint->unposted && !endpoint->held_for &&
                 fi_trywait(ofi_net_of(endpoint)->fabric, &queue, 1) == 0;
    pthread_mutex_unlock(&endpoint->base.lock);
    *descriptor = (struct pollfd){.fd = endpoint->descriptor, .events = POLLIN};
    return armed;
}

/* Messages of other ranks arrive at endpoint 0; operations of this rank may be under way on the
 * others. */
int ofi_arm(void *of, struct pollfd *descriptors)
{
    const hy_net_base *net = of;
    int count = 0;
    for (int i = 0; i < net->endpoints_wanted; i++) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (endpoint && !arm_endpoint(ofi_endpoint_of(endpoint), &descriptors[count++])) return -1;
    }
    return count;
}
