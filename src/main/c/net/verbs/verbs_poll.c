/* SPDX-License-Identifier: Apache-2.0 */
/* Polls the completion queues: handles operations that have completed, and messages that arrive. */
#include <fcntl.h>

#include "base/status.h"
#include "net/verbs/verbs_net.h"

#define BATCH 16

static void sent(verbs_endpoint *endpoint, const struct ibv_wc *entry)
{
    uint32_t index = (uint32_t)(entry->wr_id >> 32), number = (uint32_t)entry->wr_id;
    bool good = entry->status == IBV_WC_SUCCESS;
    if (index >> 31) {
        verbs_greet_said(verbs_net_of(endpoint), entry);
        return;
    }
    verbs_conn *conn = verbs_conn_at(endpoint, index);
    verbs_retire(endpoint, conn, number, good);
    hy_bell_ring(endpoint->base.net->attr.bell); /* another thread may be sleeping until this
                                                  * event */
    if (!good && entry->status != IBV_WC_WR_FLUSH_ERR)
        hy_net_peer_lost(&endpoint->base, conn->base.peer, "%s (lane %d)",
                         verbs_net_of(endpoint)->calls->wc_status_str(entry->status), conn->lane);
    else if (!good) hy_net_peer_lost(&endpoint->base, conn->base.peer, "its connection is broken");
}

/* The immediate data name the connection; the queue pair and the rank must match it. */
static void receive(verbs_endpoint *endpoint, const struct ibv_wc *entry)
{
    hy_net_endpoint *base = &endpoint->base;
    const uint8_t *line = endpoint->received + (size_t)entry->wr_id * VERBS_LINE;
    const hy_net_message *message = (const hy_net_message *)(const void *)line;
    uint32_t index = ntohl(entry->imm_data);
    verbs_conn *conn = index < base->conn_count ? verbs_conn_at(endpoint, index) : NULL;
    hy_net_head answer;
    if (!(entry->wc_flags & IBV_WC_WITH_IMM) || !conn || conn->qp->qp_num != entry->qp_num) {
        base->dropped.strangers++;
        return;
    }
    if (!hy_net_is_sound(&base->net->attr, base->net->token, message, entry->byte_len,
                         &base->dropped))
        return;
    if ((int)message->head.rank != conn->base.peer->life.rank) {
        base->dropped.senseless++;
        return;
    }
    hy_net_note_sign(&conn->base.peer->life);
    verbs_peer_of(conn)->watching = false;
    if (hy_net_deliver(base, message, &answer)) verbs_answer(endpoint, conn, &answer);
}

static void verbs_poll_greeting(verbs_net *net, const struct ibv_wc *entry)
{
    verbs_hello hello;
    int64_t bytes = verbs_greet_receive(net, entry, &hello);
    if (bytes >= 0) verbs_greeted(net, &hello, (size_t)bytes);
}

/* Receive buffers are posted again several at a time, and in a turn that found nothing, so that no
 * thread waits for it. */
static void verbs_poll_give_back(verbs_endpoint *endpoint)
{
    (void)verbs_receive_post(endpoint, endpoint->read, endpoint->read_count);
    endpoint->read_count = 0;
}

static int drain_receives(verbs_endpoint *endpoint)
{
    struct ibv_wc entries[BATCH];
    int count = ibv_poll_cq(endpoint->receives, BATCH, entries);
    for (int i = 0; i < count; i++) {
        if (entries[i].wr_id & VERBS_DATAGRAM) {
            verbs_poll_greeting(verbs_net_of(endpoint), &entries[i]);
            continue;
        }
        if (entries[i].status == IBV_WC_SUCCESS) receive(endpoint, &entries[i]);
        endpoint->read[endpoint->read_count++] = (uint16_t)entries[i].wr_id;
        if (endpoint->read_count == VERBS_REPOSTED) verbs_poll_give_back(endpoint);
    }
    if (count <= 0 && endpoint->read_count) verbs_poll_give_back(endpoint);
    return count > 0 ? count : 0;
}

/* If no operation has requested a completion, only a failure brings one. */
static int drain_sends(verbs_endpoint *endpoint)
{
    struct ibv_wc entries[BATCH];
    bool wanted = endpoint->wanted || (endpoint->base.number == 0 &&
                                       hy_load_relaxed(&verbs_net_of(endpoint)->greeter.saying));
    if (!wanted && endpoint->base.turns % HY_NET_RARELY) return 0;
    int count = ibv_poll_cq(endpoint->sends, BATCH, entries);
    for (int i = 0; i < count; i++) sent(endpoint, &entries[i]);
    return count > 0 ? count : 0;
}

/* Receives first: a peer's last messages count before the failure of what was sent to it. */
int verbs_poll(hy_net_endpoint *base)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(base);
    verbs_net *net = verbs_net_of(endpoint);
    if (endpoint->held.count) verbs_release_held(endpoint, NULL);
    base->turns++;
    int events = drain_receives(endpoint);
    events += drain_sends(endpoint);
    if (hy_unlikely(endpoint->replies)) verbs_reply_again(endpoint);
    if (hy_unlikely(base->number == 0 && !net->greeter.hearing)) verbs_greet_again(net);
    if (hy_unlikely(endpoint->asking && base->turns % HY_NET_RARELY == 0))
        verbs_ask_again(endpoint);
    return events;
}

int verbs_poll_others(hy_net_endpoint *endpoint)
{
    return hy_net_try_all(endpoint->net, endpoint, verbs_poll, NULL);
}

int verbs_progress(hy_net *net)
{
    return hy_net_try_all(hy_net_base_of(net), NULL, verbs_poll, NULL);
}

/* ---- sleeping: all completion queues notify one channel ---- */

/* A queue notifies once, about what arrives after the request: so it is polled again afterwards. */
static bool arm_endpoint(verbs_endpoint *endpoint)
{
    pthread_mutex_lock(&endpoint->base.lock);
    endpoint->base.turns |= HY_NET_RARELY - 1;
    bool armed = ibv_req_notify_cq(endpoint->receives, 0) == 0 &&
                 ibv_req_notify_cq(endpoint->sends, 0) == 0;
    armed = verbs_poll(&endpoint->base) == 0 && armed && !endpoint->replies;
    pthread_mutex_unlock(&endpoint->base.lock);
    return armed;
}

static void forget_events(const verbs_net *net)
{
    struct ibv_cq *queue;
    void *context;
    while (net->calls->get_cq_event(net->channel, &queue, &context) == 0)
        net->calls->ack_cq_events(queue, 1);
}

int verbs_arm(void *of, struct pollfd *descriptors)
{
    const verbs_net *net = of;
    forget_events(net);
    for (int i = 0; i < net->base.endpoints_wanted; i++) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(&net->base, i);
        if (endpoint && !arm_endpoint(verbs_endpoint_of(endpoint))) return -1;
    }
    descriptors[0] = (struct pollfd){.fd = net->channel->fd, .events = POLLIN};
    return 1;
}

void verbs_channel_open(verbs_net *net)
{
    net->channel = net->calls->create_comp_channel(net->choice.context);
    if (!net->channel || fcntl(net->channel->fd, F_SETFL, O_NONBLOCK) == 0) return;
    net->calls->destroy_comp_channel(net->channel);
    net->channel = NULL;
}
