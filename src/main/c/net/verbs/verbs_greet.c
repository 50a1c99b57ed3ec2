/* SPDX-License-Identifier: Apache-2.0 */
/* Datagrams: the queue pair of a rank that other ranks know, by which connections are set up. */
#include <errno.h>
#include <sys/random.h>

#include "base/log.h"
#include "base/status.h"
#include "net/verbs/verbs_net.h"

#define GRH 40 /* bytes in front of a datagram */

static int verbs_greet_post(verbs_net *net, uint32_t index)
{
    verbs_greeter *greeter = &net->greeter;
    struct ibv_sge line = {.addr = (uintptr_t)(greeter->received + (size_t)index * VERBS_LINE),
                           .length = VERBS_LINE,
                           .lkey = verbs_first(net)->own_mr->lkey};
    struct ibv_recv_wr *bad,
        request = {.wr_id = VERBS_DATAGRAM | index, .sg_list = &line, .num_sge = 1};
    int error = ibv_post_recv(greeter->qp, &request, &bad);
    if (!error) greeter->hearing++;
    return error;
}

/* Returns an errno number. */
static int verbs_greet_start(verbs_net *net)
{
    const hy_verbs_calls *calls = net->calls;
    struct ibv_qp *qp = net->greeter.qp;
    struct ibv_qp_attr receive = {.qp_state = IBV_QPS_RTR}, send = {.qp_state = IBV_QPS_RTS};
    int error = verbs_queue_init(net, qp, true);
    if (!error) error = calls->modify_qp(qp, &receive, IBV_QP_STATE);
    if (!error) error = calls->modify_qp(qp, &send, IBV_QP_STATE | IBV_QP_SQ_PSN);
    for (uint32_t i = 0; !error && i < VERBS_HELLOS; i++) error = verbs_greet_post(net, i);
    return error;
}

int verbs_greet_open(verbs_net *net)
{
    verbs_greeter *greeter = &net->greeter;
    struct ibv_qp_init_attr attr = {.send_cq = verbs_first(net)->sends,
                                    .recv_cq = verbs_first(net)->receives,
                                    .qp_type = IBV_QPT_UD,
                                    .sq_sig_all = 1,
                                    .cap = {.max_send_wr = VERBS_HELLOS,
                                            .max_recv_wr = VERBS_HELLOS,
                                            .max_send_sge = 1,
                                            .max_recv_sge = 1}};
    if (getrandom(&greeter->key, sizeof greeter->key, 0) != sizeof greeter->key)
        return hy_fail_errno("getrandom");
    greeter->key &= 0x7fffffff; /* the highest bit is reserved for privileged users */
    greeter->qp = net->calls->create_qp(net->pd, &attr);
    if (!greeter->qp)
        return verbs_fail_call(net, "ibv_create_qp", "queue pairs", net->choice.device.max_qp);
    errno = verbs_greet_start(net);
    return errno ? verbs_fail_call(net, "ibv_modify_qp", "queue pairs", net->choice.device.max_qp)
                 : HAYATE_OK;
}

/* On some devices only sends fail from then on: puts the queue pair into the error state, so that
 * it is started again as a whole. */
static void fail(verbs_net *net, enum ibv_wc_status status)
{
    if (!net->greeter.deaf++)
        hy_log(HY_LOG_WARN, "verbs (%s): a datagram failed: %s", net->choice.name,
               net->calls->wc_status_str(status));
    if (status != IBV_WC_WR_FLUSH_ERR) verbs_queue_break(net, net->greeter.qp);
}

void verbs_greet_again(verbs_net *net)
{
    verbs_greeter *greeter = &net->greeter;
    struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};
    pthread_mutex_lock(&greeter->lock); /* nothing is sent meanwhile */
    bool can = !greeter->hearing && !greeter->saying && greeter->remade < VERBS_REMADE;
    int error = 0;
    if (can) {
        greeter->remade++;
        hy_log(HY_LOG_WARN,
               "verbs (%s): the queue pair for datagrams failed and is started again (%u of %d)",
               net->choice.name, greeter->remade, VERBS_REMADE);
        error = net->calls->modify_qp(greeter->qp, &reset, IBV_QP_STATE);
        if (!error) error = verbs_greet_start(net);
    }
    pthread_mutex_unlock(&greeter->lock);
    if (!error) return;
    hy_log(HY_LOG_WARN, "verbs (%s): cannot start the queue pair for datagrams again: %s",
           net->choice.name, strerror(error));
    verbs_queue_break(net, greeter->qp);
}

static bool verbs_greet_say(verbs_net *net, const verbs_peer *peer, uint8_t *line, size_t bytes)
{
    verbs_greeter *greeter = &net->greeter;
    struct ibv_sge piece = {
        .addr = (uintptr_t)line, .length = (uint32_t)bytes, .lkey = verbs_first(net)->own_mr->lkey};
    struct ibv_send_wr *bad,
        request = {.wr_id = VERBS_DATAGRAM | (uint32_t)(line - greeter->lines.memory),
                   .sg_list = &piece,
                   .num_sge = 1,
                   .opcode = IBV_WR_SEND,
                   .send_flags = IBV_SEND_SIGNALED};
    request.wr.ud.ah = peer->address;
    request.wr.ud.remote_qpn = peer->datagram_qp;
    request.wr.ud.remote_qkey = peer->datagram_key;
    return ibv_post_send(greeter->qp, &request, &bad) == 0;
}

void verbs_greet(verbs_net *net, const verbs_peer *peer, const void *hello, size_t bytes)
{
    verbs_greeter *greeter = &net->greeter;
    pthread_mutex_lock(&greeter->lock);
    uint8_t *line = verbs_buffer_take(&greeter->lines);
    if (line) {
        memcpy(line, hello, bytes);
        if (verbs_greet_say(net, peer, line, bytes)) greeter->saying++;
        else verbs_buffer_give(&greeter->lines, line);
    }
    pthread_mutex_unlock(&greeter->lock);
}

void verbs_greet_said(verbs_net *net, const struct ibv_wc *entry)
{
    verbs_greeter *greeter = &net->greeter;
    pthread_mutex_lock(&greeter->lock);
    greeter->saying--;
    verbs_buffer_give(&greeter->lines, greeter->lines.memory + (uint32_t)entry->wr_id);
    pthread_mutex_unlock(&greeter->lock);
    if (entry->status != IBV_WC_SUCCESS) fail(net, entry->status);
}

int64_t verbs_greet_receive(verbs_net *net, const struct ibv_wc *entry, verbs_hello *hello)
{
    uint32_t index = (uint32_t)entry->wr_id;
    const uint8_t *line = net->greeter.received + (size_t)index * VERBS_LINE + GRH;
    net->greeter.hearing--;
    if (entry->status != IBV_WC_SUCCESS) {
        fail(net, entry->status);
        return -1;
    }
    memcpy(hello, line, sizeof *hello);
    verbs_greet_post(net, index);
    return entry->byte_len < GRH ? 0 : entry->byte_len - GRH;
}
