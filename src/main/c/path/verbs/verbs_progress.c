/* SPDX-License-Identifier: Apache-2.0 */
/* The completion queues, and waiting for them. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "path/net_rest.h"
#include "path/verbs/verbs_net.h"

#define BATCH 16

int verbs_receive_post(verbs_endpoint *endpoint, const uint16_t *lines, uint32_t count)
{
    struct ibv_recv_wr requests[VERBS_REPOSTED], *bad;
    struct ibv_sge pieces[VERBS_REPOSTED];
    for (uint32_t i = 0; i < count; i++) {
        pieces[i] = (struct ibv_sge){
            .addr = (uintptr_t)(endpoint->received + (size_t)lines[i] * VERBS_LINE),
            .length = VERBS_LINE,
            .lkey = endpoint->own_mr->lkey};
        requests[i] = (struct ibv_recv_wr){.wr_id = lines[i],
                                           .sg_list = &pieces[i],
                                           .num_sge = 1,
                                           .next = i + 1 < count ? &requests[i + 1] : NULL};
    }
    return ibv_post_srq_recv(endpoint->srq, requests, &bad);
}

static void sent(verbs_endpoint *endpoint, const struct ibv_wc *entry)
{
    uint32_t index = (uint32_t)(entry->wr_id >> 32), number = (uint32_t)entry->wr_id;
    bool good = entry->status == IBV_WC_SUCCESS;
    if (index >> 31) {
        verbs_greet_said(endpoint->net, entry);
        return;
    }
    verbs_conn *conn = endpoint->conns[index];
    verbs_retire(endpoint, conn, number, good);
    hy_bell_ring(endpoint->net->wish.bell); /* another thread's may sleep for it */
    if (!good && entry->status != IBV_WC_WR_FLUSH_ERR)
        verbs_peer_lost(endpoint, conn->peer, "%s (lane %d)",
                        endpoint->net->calls->wc_status_str(entry->status), conn->lane);
    else if (!good) verbs_peer_lost(endpoint, conn->peer, "its connection is broken");
}

static void answer(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head)
{
    if (endpoint->replies || !verbs_send_now(endpoint, conn, head))
        verbs_reply_later(endpoint, conn, head);
}

/* The immediate names the connection, and the queue pair and the rank prove it. */
static void receive(verbs_endpoint *endpoint, const struct ibv_wc *entry)
{
    const uint8_t *line = endpoint->received + (size_t)entry->wr_id * VERBS_LINE;
    const hy_net_message *message = (const hy_net_message *)(const void *)line;
    uint32_t index = ntohl(entry->imm_data);
    verbs_conn *conn = index < endpoint->conn_count ? endpoint->conns[index] : NULL;
    hy_net_head reply;
    if (!(entry->wc_flags & IBV_WC_WITH_IMM) || !conn || conn->qp->qp_num != entry->qp_num) {
        endpoint->dropped.strangers++;
        return;
    }
    if (!hy_net_is_sound(&endpoint->net->wish, endpoint->net->token, message, entry->byte_len,
                         &endpoint->dropped))
        return;
    if ((int)message->head.rank != conn->peer->life.rank) {
        endpoint->dropped.senseless++;
        return;
    }
    hy_net_heard(&conn->peer->life);
    conn->peer->watching = false;
    switch (message->head.kind) {
    case HY_NET_ANSWER: hy_net_answered(&endpoint->tickets, &message->head); break;
    case HY_NET_BYE:
        hy_net_decide(conn->peer->life.fate, HY_NET_LEFT);
        (void)verbs_peer_failed(endpoint, conn->peer);
        hy_bell_ring(endpoint->net->wish.bell);
        break;
    default:
        if (hy_net_carry_out(&endpoint->net->wish, message, &reply)) answer(endpoint, conn, &reply);
    }
}

/* Lines are given back several at once, and when nobody waits for it: in a turn that finds nothing.
 */
static void give_back(verbs_endpoint *endpoint)
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
            verbs_greet_heard(endpoint->net, &entries[i]);
            continue;
        }
        if (entries[i].status == IBV_WC_SUCCESS) receive(endpoint, &entries[i]);
        endpoint->read[endpoint->read_count++] = (uint16_t)entries[i].wr_id;
        if (endpoint->read_count == VERBS_REPOSTED) give_back(endpoint);
    }
    if (count <= 0 && endpoint->read_count) give_back(endpoint);
    return count > 0 ? count : 0;
}

/* Where nothing has asked for a completion, only a failure brings one. */
static int drain_sends(verbs_endpoint *endpoint)
{
    struct ibv_wc entries[BATCH];
    bool wanted = endpoint->wanted ||
                  (endpoint->number == 0 && hy_load_relaxed(&endpoint->net->greeter.saying));
    if (!wanted && endpoint->turns % VERBS_RARELY) return 0;
    int count = ibv_poll_cq(endpoint->sends, BATCH, entries);
    for (int i = 0; i < count; i++) sent(endpoint, &entries[i]);
    return count > 0 ? count : 0;
}

/* A peer's last words come before the failure of what was sent to it. */
int verbs_drain(verbs_endpoint *endpoint)
{
    if (endpoint->held.count) verbs_let_go(endpoint, NULL);
    endpoint->turns++;
    int events = drain_receives(endpoint);
    events += drain_sends(endpoint);
    if (hy_unlikely(endpoint->replies)) verbs_reply_again(endpoint);
    if (hy_unlikely(endpoint->number == 0 && !endpoint->net->greeter.hearing))
        verbs_greet_again(endpoint->net);
    if (hy_unlikely(endpoint->asking && endpoint->turns % VERBS_RARELY == 0))
        verbs_ask_again(endpoint);
    return events;
}

static int try(verbs_endpoint *endpoint)
{
    if (pthread_mutex_trylock(&endpoint->lock) != 0) return 0;
    int events = verbs_drain(endpoint);
    pthread_mutex_unlock(&endpoint->lock);
    return events;
}

int verbs_try_all(verbs_net *net, const verbs_endpoint *held)
{
    int events = 0, highest = hy_load_acquire(&net->highest);
    for (int i = 0; i <= highest; i++) {
        verbs_endpoint *endpoint = verbs_endpoint_at(net, i);
        if (endpoint && endpoint != held) events += try(endpoint);
    }
    return events;
}

/* A question of no ticket: any message of the peer's is a sign of life, its answer at the latest.
 * That its device answers says nothing of its process. */
static void set_watch(verbs_endpoint *endpoint, verbs_peer *peer)
{
    const hy_net_head question = {.kind = HY_NET_ASK, .rank = (uint32_t)endpoint->net->wish.rank};
    for (int i = 0; i < peer->lanes && !peer->watching; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || conn->state != VERBS_READY || !verbs_send_now(endpoint, conn, &question))
            continue;
        peer->watching = true;
        peer->watch = conn;
        peer->watch_number = conn->posted - 1;
    }
}

int verbs_watch(verbs_endpoint *endpoint, verbs_peer *peer, uint64_t since)
{
    const hy_net_wish *wish = &endpoint->net->wish;
    if (verbs_peer_failed(endpoint, peer)) return hy_net_fail_lost(&peer->life);
    if (wish->is_lost && wish->is_lost(wish->lookup_context, peer->life.rank))
        verbs_peer_lost(endpoint, peer, HY_NET_TOLD);
    if (hy_net_wants_watch(&peer->life) && !peer->watching) set_watch(endpoint, peer);
    if (since == 0) since = peer->life.watched;
    if (since && peer->flowed > since) since = peer->flowed;
    if (peer->life.failed || hy_net_silent(&peer->life, endpoint->net->silence, since))
        verbs_peer_lost(endpoint, peer, "no answer for %.1f s",
                        (double)endpoint->net->silence / 1e9);
    return peer->life.failed ? hy_net_fail_lost(&peer->life) : HAYATE_OK;
}

/* The peer may wait for an answer, too, by any lane. */
static void let_others(verbs_endpoint *endpoint, verbs_wait *wait, bool idle)
{
    pthread_mutex_unlock(&endpoint->lock);
    if (verbs_try_all(endpoint->net, endpoint) == 0)
        hy_net_rest(idle ? wait->vain++ : HY_NET_SPINS);
    pthread_mutex_lock(&endpoint->lock);
}

/* However much comes in, others have their turn and the peer is looked at. */
int verbs_turn(verbs_endpoint *endpoint, verbs_wait *wait)
{
    if (wait->since == 0) wait->since = hy_now_ns();
    bool idle = verbs_drain(endpoint) == 0, slow = ++wait->turns % 256 == 0;
    if (verbs_peer_failed(endpoint, wait->peer)) return hy_net_fail_lost(&wait->peer->life);
    if (idle || slow) let_others(endpoint, wait, idle);
    /* Others, the keeper too, may have seen it fail meanwhile. */
    if (verbs_peer_failed(endpoint, wait->peer)) return hy_net_fail_lost(&wait->peer->life);
    return slow ? verbs_watch(endpoint, wait->peer, wait->since) : HAYATE_OK;
}
