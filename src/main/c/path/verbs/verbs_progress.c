/* SPDX-License-Identifier: Apache-2.0 */
/* The completion queues, and waiting for them. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "path/net_rest.h"
#include "path/verbs/verbs_net.h"

#define BATCH 16
#define GRH 40 /* bytes before a datagram */

int verbs_receive_post(verbs_net *net, uint32_t first, uint32_t count)
{
    struct ibv_recv_wr requests[BATCH], *bad;
    struct ibv_sge lines[BATCH];
    for (uint32_t i = 0; i < count; i++) {
        lines[i] = (struct ibv_sge){
            .addr = (uintptr_t)(net->received + (size_t)(first + i) * VERBS_LINE),
            .length = VERBS_LINE,
            .lkey = net->own_mr->lkey};
        requests[i] = (struct ibv_recv_wr){.wr_id = first + i,
                                           .sg_list = &lines[i],
                                           .num_sge = 1,
                                           .next = i + 1 < count ? &requests[i + 1] : NULL};
    }
    return ibv_post_srq_recv(net->srq, requests, &bad);
}

int verbs_hello_post(verbs_net *net, uint32_t index)
{
    struct ibv_sge line = {.addr = (uintptr_t)(net->heard + (size_t)index * VERBS_LINE),
                           .length = VERBS_LINE,
                           .lkey = net->own_mr->lkey};
    struct ibv_recv_wr *bad,
        request = {.wr_id = VERBS_DATAGRAM | index, .sg_list = &line, .num_sge = 1};
    int error = ibv_post_recv(net->datagrams, &request, &bad);
    if (!error) net->hearing++;
    return error;
}

/* On some devices only sends fail from then on: it breaks as a whole, to be made anew. */
static void fail_datagrams(verbs_net *net, enum ibv_wc_status status)
{
    if (!net->deaf++)
        hy_log(HY_LOG_WARN, "verbs (%s): a datagram failed: %s", net->choice.name,
               net->calls->wc_status_str(status));
    if (status != IBV_WC_WR_FLUSH_ERR) verbs_queue_break(net, net->datagrams);
}

static void sent(verbs_net *net, const struct ibv_wc *entry)
{
    uint32_t index = (uint32_t)(entry->wr_id >> 32), number = (uint32_t)entry->wr_id;
    bool good = entry->status == IBV_WC_SUCCESS;
    if (index >> 31) {
        net->saying--;
        verbs_buffer_give(&net->lines, net->lines.memory + number);
        if (!good) fail_datagrams(net, entry->status);
        return;
    }
    verbs_conn *conn = net->conns[index];
    verbs_retire(net, conn, number, good);
    if (!good && entry->status != IBV_WC_WR_FLUSH_ERR)
        verbs_peer_lost(net, conn->peer, "%s (lane %d)", net->calls->wc_status_str(entry->status),
                        conn->lane);
    else if (!good) verbs_peer_lost(net, conn->peer, "its connection is broken");
}

static void answer(verbs_net *net, verbs_conn *conn, const hy_net_head *head)
{
    if (net->replies || !verbs_send_now(net, conn, head)) verbs_reply_later(net, conn, head);
}

/* The immediate names the connection, and the queue pair and the rank prove it. */
static void receive(verbs_net *net, const struct ibv_wc *entry)
{
    const uint8_t *line = net->received + (size_t)entry->wr_id * VERBS_LINE;
    const hy_net_message *message = (const hy_net_message *)(const void *)line;
    uint32_t index = ntohl(entry->imm_data);
    verbs_conn *conn = index < net->conn_count ? net->conns[index] : NULL;
    hy_net_head reply;
    if (!(entry->wc_flags & IBV_WC_WITH_IMM) || !conn || conn->qp->qp_num != entry->qp_num) {
        net->dropped.strangers++;
        return;
    }
    if (!hy_net_is_sound(&net->wish, net->token, message, entry->byte_len, &net->dropped)) return;
    if ((int)message->head.rank != conn->peer->life.rank) {
        net->dropped.senseless++;
        return;
    }
    hy_net_heard(&conn->peer->life);
    conn->peer->watching = false;
    switch (message->head.kind) {
    case HY_NET_ANSWER: hy_net_answered(&net->tickets, &message->head); break;
    case HY_NET_BYE:
        if (hy_net_leaves(&conn->peer->life))
            verbs_peer_lost(net, conn->peer, "it has left the job");
        break;
    default:
        if (hy_net_carry_out(&net->wish, message, &reply)) answer(net, conn, &reply);
    }
}

static void hear(verbs_net *net, const struct ibv_wc *entry)
{
    uint32_t index = (uint32_t)entry->wr_id;
    const uint8_t *line = net->heard + (size_t)index * VERBS_LINE + GRH;
    verbs_hello hello;
    net->hearing--;
    if (entry->status != IBV_WC_SUCCESS) {
        fail_datagrams(net, entry->status);
        return;
    }
    memcpy(&hello, line, sizeof hello);
    verbs_greeted(net, &hello, entry->byte_len < GRH ? 0 : entry->byte_len - GRH);
    verbs_hello_post(net, index);
}

static int drain_receives(verbs_net *net)
{
    struct ibv_wc entries[BATCH];
    int count = ibv_poll_cq(net->receives, BATCH, entries);
    for (int i = 0; i < count; i++) {
        if (entries[i].wr_id & VERBS_DATAGRAM) {
            hear(net, &entries[i]);
            continue;
        }
        if (entries[i].status == IBV_WC_SUCCESS) receive(net, &entries[i]);
        verbs_receive_post(net, (uint32_t)entries[i].wr_id, 1);
    }
    return count > 0 ? count : 0;
}

int verbs_drain(verbs_net *net)
{
    struct ibv_wc entries[BATCH];
    if (net->held.count) verbs_let_go(net, NULL);
    int count = ibv_poll_cq(net->sends, BATCH, entries);
    net->turns++;
    for (int i = 0; i < count; i++) sent(net, &entries[i]);
    count = (count > 0 ? count : 0) + drain_receives(net);
    if (hy_unlikely(net->replies)) verbs_reply_again(net);
    if (hy_unlikely(!net->hearing)) verbs_queue_again(net);
    if (hy_unlikely(net->asking && net->turns % 64 == 0)) verbs_ask_again(net);
    return count;
}

/* A burst that waited for it is taken whole. */
uint64_t verbs_look(void *of, uint64_t seen)
{
    verbs_net *net = of;
    pthread_mutex_lock(&net->lock);
    for (int i = 0; seen == net->turns || i > 0; i++)
        if (verbs_drain(net) == 0 || i == 1000) break;
    if (net->asking) verbs_ask_again(net);
    seen = net->turns;
    pthread_mutex_unlock(&net->lock);
    return seen;
}

/* A question of no ticket: any message of the peer's is a sign of life, its answer at the latest.
 * That its device answers says nothing of its process. */
static void set_watch(verbs_net *net, verbs_peer *peer)
{
    const hy_net_head question = {.kind = HY_NET_ASK, .rank = (uint32_t)net->wish.rank};
    for (int i = 0; i < peer->lanes && !peer->watching; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || conn->state != VERBS_READY || !verbs_send_now(net, conn, &question)) continue;
        peer->watching = true;
        peer->watch = conn;
        peer->watch_number = conn->posted - 1;
    }
}

int verbs_watch(verbs_net *net, verbs_peer *peer, uint64_t since)
{
    if (peer->life.failed) return hy_net_fail_lost(&peer->life);
    if (hy_net_wants_watch(&peer->life) && !peer->watching) set_watch(net, peer);
    if (since == 0) since = peer->life.watched;
    if (since && peer->flowed > since) since = peer->flowed;
    if (peer->life.failed || hy_net_silent(&peer->life, net->silence, since))
        verbs_peer_lost(net, peer, "no answer for %.1f s", (double)net->silence / 1e9);
    return peer->life.failed ? hy_net_fail_lost(&peer->life) : HAYATE_OK;
}

static void let_others(verbs_net *net, verbs_wait *wait, bool idle)
{
    pthread_mutex_unlock(&net->lock);
    hy_net_rest(idle ? wait->vain++ : HY_NET_SPINS);
    pthread_mutex_lock(&net->lock);
}

/* However much comes in, others have their turn and the peer is looked at. */
int verbs_turn(verbs_net *net, verbs_wait *wait)
{
    if (wait->since == 0) wait->since = hy_now_ns();
    bool idle = verbs_drain(net) == 0, slow = ++wait->turns % 256 == 0;
    if (wait->peer && wait->peer->life.failed) return hy_net_fail_lost(&wait->peer->life);
    if (idle || slow) let_others(net, wait, idle);
    /* Others, the keeper too, may have seen it fail meanwhile. */
    if (wait->peer && wait->peer->life.failed) return hy_net_fail_lost(&wait->peer->life);
    return slow && wait->peer ? verbs_watch(net, wait->peer, wait->since) : HAYATE_OK;
}
