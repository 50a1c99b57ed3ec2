/* SPDX-License-Identifier: Apache-2.0 */
/* Creates queue pairs and moves them from one state to the next. */
#include <errno.h>

#include "base/status.h"
#include "net/verbs/verbs_net.h"

#define RETRIES 6        /* of what was not acknowledged; 7 means for ever with soft-RoCE */
#define NO_RECEIVE 7     /* retries without limit while the receiver has no buffer */
#define NO_RECEIVE_MS 12 /* 0.64 ms until the next attempt */
#define HOPS 64

void verbs_address(const verbs_net *net, const verbs_peer *peer, struct ibv_ah_attr *attr)
{
    const hy_verbs_choice *choice = &net->choice;
    *attr = (struct ibv_ah_attr){.dlid = peer->lid, .port_num = choice->port};
    /* InfiniBand without a router uses the LID only. */
    if (choice->port_attr.link_layer == IBV_LINK_LAYER_INFINIBAND && peer->lid) return;
    attr->is_global = 1;
    attr->grh.dgid = peer->gid;
    attr->grh.sgid_index = choice->gid_index;
    attr->grh.hop_limit = HOPS;
}

int verbs_queue_init(const verbs_net *net, struct ibv_qp *qp, bool datagrams)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT,
                               .port_num = net->choice.port,
                               .qkey = net->greeter.key,
                               .qp_access_flags = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE};
    return net->calls->modify_qp(qp, &attr,
                                 IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                     (datagrams ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS));
}

static struct ibv_qp *verbs_queue_create(verbs_endpoint *endpoint, struct ibv_qp_init_attr *attr)
{
    *attr = (struct ibv_qp_init_attr){.send_cq = endpoint->sends,
                                      .recv_cq = endpoint->receives,
                                      .srq = endpoint->srq,
                                      .qp_type = IBV_QPT_RC,
                                      .cap = {.max_send_wr = verbs_net_of(endpoint)->depth,
                                              .max_send_sge = 1,
                                              .max_inline_data = endpoint->inline_bytes}};
    return verbs_net_of(endpoint)->calls->create_qp(verbs_net_of(endpoint)->pd, attr);
}

/* Not every device can send data out of its queue; trying finds this out. */
int verbs_queue_make(verbs_endpoint *endpoint, verbs_conn *conn)
{
    const verbs_net *net = verbs_net_of(endpoint);
    struct ibv_qp_init_attr got;
    conn->qp = verbs_queue_create(endpoint, &got);
    if (!conn->qp && endpoint->inline_bytes) {
        endpoint->inline_bytes = 0;
        conn->qp = verbs_queue_create(endpoint, &got);
    }
    if (!conn->qp)
        return verbs_fail_call(net, "ibv_create_qp", "queue pairs", net->choice.device.max_qp);
    conn->inline_bytes = got.cap.max_inline_data < VERBS_LINE ? got.cap.max_inline_data
                                                              : VERBS_LINE;
    errno = verbs_queue_init(net, conn->qp, false);
    return errno ? verbs_fail_call(net, "ibv_modify_qp", "queue pairs", net->choice.device.max_qp)
                 : HAYATE_OK;
}

uint8_t verbs_queue_reads(const verbs_net *net)
{
    const struct ibv_device_attr *device = &net->choice.device;
    int most = device->max_qp_rd_atom < device->max_qp_init_rd_atom ? device->max_qp_rd_atom
                                                                    : device->max_qp_init_rd_atom;
    return (uint8_t)(most < 1 ? 1 : most > 16 ? 16 : most);
}

int verbs_queue_connect(const verbs_net *net, const verbs_conn *conn, const verbs_hello *hello)
{
    enum ibv_mtu mine = net->choice.port_attr.active_mtu,
                 its = (enum ibv_mtu)verbs_peer_of(conn)->mtu;
    uint8_t served = verbs_queue_reads(net);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR,
                               .path_mtu = mine < its ? mine : its,
                               .dest_qp_num = hello->qp,
                               .rq_psn = hello->psn,
                               .max_dest_rd_atomic = served,
                               .min_rnr_timer = NO_RECEIVE_MS};
    verbs_address(net, verbs_peer_of(conn), &attr.ah_attr);
    int error = net->calls->modify_qp(conn->qp, &attr,
                                      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                          IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                                          IBV_QP_MIN_RNR_TIMER);
    if (error) return error;
    attr = (struct ibv_qp_attr){
        .qp_state = IBV_QPS_RTS,
        .sq_psn = conn->psn,
        .timeout = net->timeout,
        .retry_cnt = RETRIES,
        .rnr_retry = NO_RECEIVE,
        .max_rd_atomic = (uint8_t)(hello->reads < served ? hello->reads : served)};
    return net->calls->modify_qp(conn->qp, &attr,
                                 IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                     IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
}

void verbs_queue_break(const verbs_net *net, struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
    if (qp) net->calls->modify_qp(qp, &attr, IBV_QP_STATE);
}
