/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what comes from outside over verbs, by a device that takes all and says what the
 * input says. The first byte chooses: the address of a peer, or what arrives one after the other:
 * each time two bytes, bits (below) and a length, and the datagram or message. Nothing outside of
 * the part is written, and nothing at all and no connection made without the token; each buffer of
 * a datagram or an answer is given back; a connection is to a rank that there is. */
#include <stdlib.h>

#include "base/status.h"
#include "net/verbs/verbs_net.h"

#define PART_BYTES 1024
#define RANKS 4
#define PEER 1
#define ENDPOINTS 3
#define TOKEN UINT64_C(0x746f6b656e)
#define GRH 40
#define OPS 8192

/* Bits of what arrives; the higher ones choose the endpoint. */
enum { MESSAGE = 1, HAS_TOKEN = 2, IS_KNOWN = 4, FAILED = 8, SENDS_FAIL = 16 };

static const uint8_t *input;
static size_t left;
static uint8_t address[HY_NET_ADDRESS];
static size_t address_bytes;
static struct ibv_wc arrived; /* once, if `arrives` */
static bool arrives;
/* Requests whose end is still to be told, the newest first, and to whom. */
static struct {
    uint64_t number;
    const struct ibv_cq *cq;
} ended[OPS];
static size_t endings;
static const struct ibv_cq *hears; /* who is told what arrived */
static uint32_t queue_pairs;
static bool sends_fail;

static void require(bool truth)
{
    if (!truth) abort();
}

static int give_address(void *context, int rank, void *to, size_t *len)
{
    (void)context;
    require(address_bytes <= *len && rank >= 0 && rank < RANKS);
    memcpy(to, address, address_bytes);
    if (address_bytes == 72) memcpy((uint8_t *)to + 48, &rank, sizeof rank);
    *len = address_bytes;
    return HAYATE_OK;
}

/* ---- the device ---- */

static struct ibv_context device;
static struct ibv_srq srq = {.context = &device};
static struct ibv_pd pd = {.context = &device};
static struct ibv_mr mr;

static int look(struct ibv_cq *cq, int room, struct ibv_wc *entries)
{
    int count = 0;
    for (; endings && ended[endings - 1].cq == cq && count < room; count++)
        entries[count] = (struct ibv_wc){.wr_id = ended[--endings].number,
                                         .status = sends_fail ? IBV_WC_GENERAL_ERR
                                                              : IBV_WC_SUCCESS};
    if (cq != hears || !arrives) return count;
    arrives = false;
    *entries = arrived;
    return 1;
}

static int post(struct ibv_qp *qp, struct ibv_send_wr *request, struct ibv_send_wr **bad)
{
    (void)bad;
    for (; request; request = request->next) {
        require(request->sg_list->length <= VERBS_LINE && endings < OPS);
        if (!(request->send_flags & IBV_SEND_SIGNALED)) continue;
        ended[endings].number = request->wr_id;
        ended[endings++].cq = qp->send_cq;
    }
    return 0;
}

static int receive_at_queue(struct ibv_qp *qp, struct ibv_recv_wr *request,
                            struct ibv_recv_wr **bad)
{
    (void)qp, (void)request, (void)bad;
    return 0;
}

static int receive_at_all(struct ibv_srq *all, struct ibv_recv_wr *request,
                          struct ibv_recv_wr **bad)
{
    (void)all, (void)request, (void)bad;
    return 0;
}

static struct ibv_mr *register_memory(struct ibv_pd *domain, void *memory, size_t bytes, int access)
{
    (void)domain, (void)memory, (void)bytes, (void)access;
    return &mr;
}

static int forget_memory(struct ibv_mr *memory)
{
    (void)memory;
    return 0;
}

static struct ibv_cq *create_queue(struct ibv_context *context, int entries, void *user,
                                   struct ibv_comp_channel *channel, int vector)
{
    (void)context, (void)entries, (void)user, (void)channel, (void)vector;
    struct ibv_cq *cq = calloc(1, sizeof *cq);
    cq->context = &device;
    return cq;
}

static int destroy_queue(struct ibv_cq *cq)
{
    free(cq);
    return 0;
}

static struct ibv_srq *create_shared(struct ibv_pd *domain, struct ibv_srq_init_attr *attr)
{
    (void)domain, (void)attr;
    return &srq;
}

static int destroy_shared(struct ibv_srq *all)
{
    (void)all;
    return 0;
}

static int close_any(struct ibv_context *context)
{
    (void)context;
    return 0;
}

static int forget_domain(struct ibv_pd *domain)
{
    (void)domain;
    return 0;
}

static struct ibv_qp *create(struct ibv_pd *domain, struct ibv_qp_init_attr *attr)
{
    struct ibv_qp *qp = calloc(1, sizeof *qp);
    (void)domain;
    qp->context = &device;
    qp->qp_num = ++queue_pairs;
    qp->send_cq = attr->send_cq;
    attr->cap.max_inline_data = attr->cap.max_inline_data / 2 * (queue_pairs % 3);
    return qp;
}

static int modify(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    (void)qp, (void)mask;
    require(attr->dest_qp_num >> 24 == 0 && attr->sq_psn >> 24 == 0);
    return attr->path_mtu > IBV_MTU_4096;
}

static int destroy(struct ibv_qp *qp)
{
    free(qp);
    return 0;
}

static struct ibv_ah *make_handle(struct ibv_pd *domain, struct ibv_ah_attr *attr)
{
    (void)domain, (void)attr;
    return calloc(1, sizeof(struct ibv_ah));
}

static int forget_address(struct ibv_ah *ah)
{
    free(ah);
    return 0;
}

static const char *name_status(enum ibv_wc_status status)
{
    (void)status;
    return "as the input says";
}

static const hy_verbs_calls calls = {.reg_mr = register_memory,
                                     .dereg_mr = forget_memory,
                                     .close_device = close_any,
                                     .dealloc_pd = forget_domain,
                                     .create_cq = create_queue,
                                     .destroy_cq = destroy_queue,
                                     .create_srq = create_shared,
                                     .destroy_srq = destroy_shared,
                                     .create_qp = create,
                                     .modify_qp = modify,
                                     .destroy_qp = destroy,
                                     .create_ah = make_handle,
                                     .destroy_ah = forget_address,
                                     .wc_status_str = name_status};

/* ---- a network at it ---- */

static verbs_net *make_net(void)
{
    static hy_bell bell;
    verbs_net *net = aligned_alloc(HY_LINE, hy_round_up(sizeof *net, HY_LINE));
    *net = (verbs_net){.calls = &calls, .pd = &pd, .depth = VERBS_DEPTH - 1};
    hy_net_base *base = &net->base;
    const hy_net_attr attr = {.ranks = RANKS,
                              .part = aligned_alloc(HY_LINE, PART_BYTES),
                              .part_bytes = PART_BYTES,
                              .bell = &bell,
                              .lookup = give_address};
    require(hy_net_base_init(base, &hy_net_verbs, &verbs_provider, &attr) == HAYATE_OK);
    base->token = TOKEN;
    base->endpoints_wanted = ENDPOINTS;
    memset(attr.part, 0, PART_BYTES);
    device.ops = (struct ibv_context_ops){.poll_cq = look,
                                          .post_send = post,
                                          .post_recv = receive_at_queue,
                                          .post_srq_recv = receive_at_all};
    net->choice.context = &device;
    net->choice.port_attr.link_layer = IBV_LINK_LAYER_ETHERNET;
    net->choice.port_attr.active_mtu = IBV_MTU_1024;
    net->choice.device.max_cqe = 1 << 16;
    pthread_mutex_init(&net->greeter.lock, NULL);
    arrives = sends_fail = false;
    endings = queue_pairs = 0;
    net->choice.device.max_srq = 1;
    net->choice.device.max_srq_wr = 1 << 16;
    require(hy_net_open_first(base) == HAYATE_OK);
    require(verbs_greet_open(net) == HAYATE_OK);
    return net;
}

static void free_net(verbs_net *net)
{
    free(net->base.attr.part);
    verbs_release(&net->base);
}

static uint8_t take_byte(void)
{
    return left ? left--, *input++ : 0;
}

/* The line that the device wrote, and what it says about it. */
static size_t fill_line(const verbs_net *net, uint8_t *line, size_t room, uint8_t bits)
{
    size_t bytes = take_byte() % (room + 1);
    memset(line, 0, room);
    for (size_t i = 0; i < bytes; i++) line[i] = take_byte();
    if (bits & HAS_TOKEN) memcpy(line, &net->base.token, sizeof net->base.token);
    return bytes;
}

/* Does the line begin with the token? */
static bool let_arrive(verbs_net *net, uint8_t bits)
{
    uint8_t *line = net->greeter.received + GRH;
    hears = verbs_first(net)->receives;
    arrived = (struct ibv_wc){.wr_id = VERBS_DATAGRAM,
                              .status = bits & FAILED ? IBV_WC_WR_FLUSH_ERR : IBV_WC_SUCCESS};
    if (bits & MESSAGE) {
        hy_net_endpoint *base = hy_net_endpoint_at(&net->base, (bits >> 5) % ENDPOINTS);
        verbs_endpoint *endpoint = base ? verbs_endpoint_of(base) : verbs_first(net);
        uint32_t count = endpoint->base.conn_count;
        const verbs_conn *conn = count ? verbs_conn_at(endpoint, take_byte() % count) : NULL;
        line = endpoint->received;
        hears = endpoint->receives;
        arrived.wr_id = 0;
        arrived.wc_flags = IBV_WC_WITH_IMM;
        arrived.imm_data = htonl(conn && bits & IS_KNOWN ? conn->index : take_byte());
        arrived.qp_num = conn && bits & IS_KNOWN ? conn->qp->qp_num : take_byte();
        arrived.byte_len = (uint32_t)fill_line(net, line, VERBS_LINE, bits);
    } else {
        size_t bytes = fill_line(net, line, VERBS_LINE - GRH, bits);
        arrived.byte_len = (uint32_t)(bits & IS_KNOWN ? bytes + GRH : bytes);
    }
    arrives = true;
    return memcmp(line, &net->base.token, sizeof net->base.token) == 0;
}

static void check_endpoint(const verbs_endpoint *endpoint)
{
    uint32_t count = endpoint->base.conn_count;
    require(endpoint->asking <= count && endpoint->wanted <= endpoint->under_way);
    for (uint32_t i = 0; i < count; i++) {
        const verbs_conn *conn = verbs_conn_at(endpoint, i);
        int rank = conn->base.peer->life.rank;
        require(conn->index == i && rank > 0 && rank < RANKS);
        require(verbs_peer_of(conn)->conns[conn->lane] == conn);
        require(conn->posted - conn->done < VERBS_DEPTH);
        require(hy_net_endpoint_of(endpoint->base.net, conn->lane) == &endpoint->base);
    }
}

/* Checks all endpoints, and counts their connections. */
static uint32_t check(verbs_net *net)
{
    uint32_t count = 0;
    require(net->greeter.saying <= VERBS_HELLOS);
    for (int i = 0; i < ENDPOINTS; i++) {
        const hy_net_endpoint *endpoint = hy_net_endpoint_at(&net->base, i);
        if (!endpoint) continue;
        check_endpoint(verbs_endpoint_of(endpoint));
        count += endpoint->conn_count;
    }
    return count;
}

/* Until nothing is left, also of what nobody asked for. */
static void drain_all(verbs_net *net)
{
    for (int idle = 0; idle < 64;) idle = verbs_progress(&net->base.net) ? 0 : idle + 1;
}

static void hear_all(void)
{
    static const uint8_t nothing[PART_BYTES];
    hy_net_peer *peer;
    hy_net_conn *conn;
    verbs_net *net = make_net();
    hy_net_endpoint *first = net->base.endpoints[0];
    require(hy_net_peer_find(first, PEER, &peer) == HAYATE_OK);
    require(verbs_connect(first, peer, 0, &conn) == HAYATE_OK);
    bool knew = false;
    while (left) {
        uint8_t bits = take_byte();
        uint32_t count = check(net);
        sends_fail = bits & SENDS_FAIL;
        bool knows = let_arrive(net, bits);
        knew = knew || knows;
        drain_all(net);
        if (!knows) require(check(net) == count);
        if (!knew) require(memcmp(net->base.attr.part, nothing, PART_BYTES) == 0);
    }
    sends_fail = false;
    /* The last turn of one may have repeated a datagram. */
    for (int i = 0; i < 2; i++) drain_all(net);
    require(check(net) > 0 && net->greeter.saying == 0);
    free_net(net);
}

/* What a peer of the job publishes, but for its rank. */
static void make_address(void)
{
    const uint64_t head[] = {UINT64_C(0x3130627265796168), PART_BYTES, 4096, TOKEN};
    address_bytes = 72;
    memset(address, 0, sizeof address);
    memcpy(address, head, sizeof head);
    address[66] = IBV_MTU_1024;
    address[67] = IBV_LINK_LAYER_ETHERNET;
}

static void connect_by_address(void)
{
    hy_net_peer *peer;
    verbs_net *net = make_net();
    address_bytes = left < sizeof address ? left : sizeof address;
    memcpy(address, input, address_bytes);
    int rc = hy_net_peer_find(net->base.endpoints[0], PEER, &peer);
    require(rc == HAYATE_OK || *hayate_error());
    if (!rc) require(peer->life.rank == PEER && peer->base + peer->part_bytes >= peer->base);
    if (!rc) require(verbs_from(peer)->mtu >= IBV_MTU_256 && verbs_from(peer)->mtu <= IBV_MTU_4096);
    free_net(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    input = data + 1;
    left = size - 1;
    make_address();
    if (data[0] % 8 == 0) connect_by_address();
    else hear_all();
    return 0;
}
