/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device in memory, for machines without one: networks of one process reach each other by it.
 * Whatever is posted is done at once, in its order; messages for which there is no receive wait at
 * their queue pair until there is. One lock for all of it. What it does not do: break, lose, or
 * check keys.
 *
 * Ranks are threads of the test's process then, and not processes as in net/fixture.h.
 */
#ifndef HY_TEST_VERBS_LOOP_H
#define HY_TEST_VERBS_LOOP_H

#include "net/fixture.h"

#include <pthread.h>

#include "net/verbs/verbs_net.h"

#define LOOP_QPS 512
#define LOOP_WAITING 64 /* messages of one queue pair */
#define GRH_BYTES 40

typedef struct loop_cq {
    struct ibv_cq cq;
    struct ibv_wc *entries;
    uint32_t first, count, room;
} loop_cq;

/* Receives, in order, of a shared queue or of one queue pair. */
typedef struct loop_receives {
    struct ibv_srq srq;
    struct {
        uint64_t id;
        uint8_t *memory;
    } all[1024];
    uint32_t first, count;
} loop_receives;

typedef struct loop_message {
    uint8_t data[VERBS_LINE];
    uint32_t bytes, immediate;
    unsigned int flags;
} loop_message;

typedef struct loop_qp {
    struct ibv_qp qp;
    uint32_t number, other; /* 0: it is not connected */
    bool broken;
    loop_receives *receives, own;
    loop_message waiting[LOOP_WAITING];
    uint32_t first, count;
} loop_qp;

/* Completion queues that can still be made. */
static _Atomic int loop_queues = 1000;
/* Room of a completion queue, and bytes that go inline, at most. */
static int loop_cqes = 32767;
static uint32_t loop_inline = VERBS_LINE;
/* Calls that posted, and requests of them that went inline. */
static _Atomic uint32_t loop_rings, loop_inlined;

static struct {
    pthread_mutex_t lock;
    loop_qp *qps[LOOP_QPS];
    uint32_t made, mrs;
} loop = {.lock = PTHREAD_MUTEX_INITIALIZER};

static inline int loop_error(void)
{
    errno = ENOMEM;
    return errno;
}

/* ---- under the lock ---- */

static inline void loop_complete(struct ibv_cq *cq, const struct ibv_wc *entry)
{
    loop_cq *queue = (loop_cq *)(void *)cq;
    CHECK(queue->count < queue->room); /* it was overrun */
    queue->entries[(queue->first + queue->count++) % queue->room] = *entry;
}

static inline void loop_deliver(loop_qp *qp)
{
    loop_receives *receives = qp->receives;
    bool datagram = qp->qp.qp_type == IBV_QPT_UD;
    bool ready = datagram || qp->other;
    while (ready && qp->count && receives->count) {
        loop_message *message = &qp->waiting[qp->first];
        uint32_t at = receives->first, skip = datagram ? GRH_BYTES : 0;
        struct ibv_wc entry = {.wr_id = receives->all[at].id,
                               .byte_len = message->bytes + skip,
                               .imm_data = message->immediate,
                               .wc_flags = message->flags,
                               .qp_num = qp->number};
        memcpy(receives->all[at].memory + skip, message->data, message->bytes);
        receives->first = (at + 1) % 1024, receives->count--;
        qp->first = (qp->first + 1) % LOOP_WAITING, qp->count--;
        loop_complete(qp->qp.recv_cq, &entry);
    }
}

static inline int loop_send(loop_qp *to, const struct ibv_send_wr *request)
{
    if (to->count == LOOP_WAITING) return to->qp.qp_type == IBV_QPT_UD ? 0 : -1;
    loop_message *message = &to->waiting[(to->first + to->count++) % LOOP_WAITING];
    message->bytes = request->num_sge ? request->sg_list->length : 0;
    CHECK(message->bytes <= sizeof message->data);
    message->flags = request->opcode == IBV_WR_SEND_WITH_IMM ? IBV_WC_WITH_IMM : 0;
    message->immediate = request->imm_data;
    memcpy(message->data, (const void *)(uintptr_t)request->sg_list->addr, message->bytes);
    loop_deliver(to);
    return 0;
}

static inline void loop_run(loop_qp *qp, const struct ibv_send_wr *request)
{
    struct ibv_wc entry = {.wr_id = request->wr_id, .qp_num = qp->number};
    bool datagram = qp->qp.qp_type == IBV_QPT_UD;
    uint32_t number = datagram ? request->wr.ud.remote_qpn : qp->other;
    loop_qp *to = number < LOOP_QPS ? loop.qps[number] : NULL;
    void *local = request->num_sge ? (void *)(uintptr_t)request->sg_list->addr : NULL;
    void *remote = (void *)(uintptr_t)request->wr.rdma.remote_addr;
    bool gone = !datagram && (!to || to->broken || qp->broken);
    if (gone) entry.status = qp->broken ? IBV_WC_WR_FLUSH_ERR : IBV_WC_RETRY_EXC_ERR;
    else if (request->opcode == IBV_WR_RDMA_WRITE) memcpy(remote, local, request->sg_list->length);
    else if (request->opcode == IBV_WR_RDMA_READ) memcpy(local, remote, request->sg_list->length);
    else if (to && loop_send(to, request)) entry.status = IBV_WC_RNR_RETRY_EXC_ERR;
    if (entry.status) qp->broken = true;
    if (entry.status || request->send_flags & IBV_SEND_SIGNALED)
        loop_complete(qp->qp.send_cq, &entry);
}

/* ---- what networks call ---- */

static inline int loop_post(struct ibv_qp *ibv, struct ibv_send_wr *request,
                            struct ibv_send_wr **bad)
{
    (void)bad;
    loop_rings++;
    pthread_mutex_lock(&loop.lock);
    for (; request; request = request->next) {
        bool is_inline = request->send_flags & IBV_SEND_INLINE;
        CHECK(!is_inline || request->sg_list->length <= loop_inline);
        loop_inlined += is_inline;
        loop_run((loop_qp *)(void *)ibv, request);
    }
    pthread_mutex_unlock(&loop.lock);
    return 0;
}

static inline void loop_add(loop_receives *receives, const struct ibv_recv_wr *request)
{
    for (; request; request = request->next) {
        uint32_t at = (receives->first + receives->count++) % 1024;
        CHECK(receives->count <= 1024);
        receives->all[at].id = request->wr_id;
        receives->all[at].memory = (uint8_t *)(uintptr_t)request->sg_list->addr;
    }
}

static inline int loop_receive(struct ibv_qp *ibv, struct ibv_recv_wr *request,
                               struct ibv_recv_wr **bad)
{
    (void)bad;
    loop_qp *qp = (loop_qp *)(void *)ibv;
    pthread_mutex_lock(&loop.lock);
    loop_add(qp->receives, request);
    loop_deliver(qp);
    pthread_mutex_unlock(&loop.lock);
    return 0;
}

static inline int loop_receive_shared(struct ibv_srq *srq, struct ibv_recv_wr *request,
                                      struct ibv_recv_wr **bad)
{
    (void)bad;
    loop_receives *receives = (loop_receives *)(void *)srq;
    pthread_mutex_lock(&loop.lock);
    loop_add(receives, request);
    for (uint32_t i = 1; i <= loop.made; i++)
        if (loop.qps[i] && loop.qps[i]->receives == receives) loop_deliver(loop.qps[i]);
    pthread_mutex_unlock(&loop.lock);
    return 0;
}

static inline int loop_poll(struct ibv_cq *cq, int room, struct ibv_wc *entries)
{
    loop_cq *queue = (loop_cq *)(void *)cq;
    int count = 0;
    pthread_mutex_lock(&loop.lock);
    for (; queue->count && count < room; queue->count--, count++) {
        entries[count] = queue->entries[queue->first];
        queue->first = (queue->first + 1) % queue->room;
    }
    pthread_mutex_unlock(&loop.lock);
    return count;
}

/* ---- objects ---- */

static inline struct ibv_comp_channel *loop_no_channel(struct ibv_context *context)
{
    (void)context;
    return NULL;
}

static inline struct ibv_cq *loop_create_cq(struct ibv_context *context, int entries, void *user,
                                            struct ibv_comp_channel *channel, int vector)
{
    (void)user, (void)channel, (void)vector;
    if (loop_queues-- <= 0) return loop_error(), NULL;
    loop_cq *queue = calloc(1, sizeof *queue);
    queue->cq.context = context;
    queue->room = (uint32_t)entries;
    queue->entries = calloc((size_t)entries, sizeof *queue->entries);
    return &queue->cq;
}

static inline int loop_destroy_cq(struct ibv_cq *cq)
{
    free(((loop_cq *)(void *)cq)->entries);
    free(cq);
    return 0;
}

static inline struct ibv_srq *loop_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
    (void)attr;
    loop_receives *receives = calloc(1, sizeof *receives);
    receives->srq.context = pd->context;
    return &receives->srq;
}

static inline int loop_destroy_srq(struct ibv_srq *srq)
{
    free(srq);
    return 0;
}

static inline struct ibv_qp *loop_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    loop_qp *qp = calloc(1, sizeof *qp);
    if (attr->cap.max_inline_data > loop_inline) attr->cap.max_inline_data = loop_inline;
    pthread_mutex_lock(&loop.lock);
    CHECK(++loop.made < LOOP_QPS);
    qp->number = qp->qp.qp_num = loop.made;
    qp->qp.context = pd->context;
    qp->qp.qp_type = attr->qp_type;
    qp->qp.send_cq = attr->send_cq;
    qp->qp.recv_cq = attr->recv_cq;
    qp->receives = attr->srq ? (loop_receives *)(void *)attr->srq : &qp->own;
    loop.qps[loop.made] = qp;
    pthread_mutex_unlock(&loop.lock);
    return &qp->qp;
}

static inline int loop_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask)
{
    loop_qp *qp = (loop_qp *)(void *)ibv;
    pthread_mutex_lock(&loop.lock);
    if (mask & IBV_QP_DEST_QPN) qp->other = attr->dest_qp_num;
    loop_deliver(qp); /* what came too early */
    if (attr->qp_state == IBV_QPS_ERR) qp->broken = true;
    pthread_mutex_unlock(&loop.lock);
    return 0;
}

static inline int loop_destroy_qp(struct ibv_qp *ibv)
{
    loop_qp *qp = (loop_qp *)(void *)ibv;
    pthread_mutex_lock(&loop.lock);
    loop.qps[qp->number] = NULL;
    pthread_mutex_unlock(&loop.lock);
    free(qp);
    return 0;
}

static inline struct ibv_pd *loop_alloc_pd(struct ibv_context *context)
{
    struct ibv_pd *pd = calloc(1, sizeof *pd);
    pd->context = context;
    return pd;
}

static inline int loop_dealloc_pd(struct ibv_pd *pd)
{
    free(pd);
    return 0;
}

static inline struct ibv_mr *loop_reg_mr(struct ibv_pd *pd, void *memory, size_t bytes, int access)
{
    (void)pd, (void)memory, (void)bytes, (void)access;
    return calloc(1, sizeof(struct ibv_mr));
}

static inline int loop_dereg_mr(struct ibv_mr *mr)
{
    free(mr);
    return 0;
}

static inline struct ibv_ah *loop_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
    (void)pd, (void)attr;
    return calloc(1, sizeof(struct ibv_ah));
}

static inline int loop_destroy_ah(struct ibv_ah *ah)
{
    free(ah);
    return 0;
}

/* ---- the device ---- */

static struct ibv_device loop_device;

static inline struct ibv_device **loop_list(int *count)
{
    static struct ibv_device *all[] = {&loop_device, NULL};
    *count = 1;
    return all;
}

static inline void loop_free_list(struct ibv_device **list)
{
    (void)list;
}

static inline const char *loop_name(struct ibv_device *device)
{
    (void)device;
    return "loop0";
}

static inline int loop_query_port(struct ibv_context *context, uint8_t port,
                                  struct ibv_port_attr *attr, size_t bytes)
{
    (void)context, (void)port, (void)bytes;
    *attr = (struct ibv_port_attr){.state = IBV_PORT_ACTIVE,
                                   .active_mtu = IBV_MTU_1024,
                                   .gid_tbl_len = 1,
                                   .link_layer = IBV_LINK_LAYER_ETHERNET};
    return 0;
}

static inline struct ibv_context *loop_open(struct ibv_device *device)
{
    struct verbs_context *verbs = calloc(1, sizeof *verbs);
    verbs->sz = sizeof *verbs;
    verbs->query_port = loop_query_port;
    verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
    verbs->context.device = device;
    verbs->context.ops = (struct ibv_context_ops){.poll_cq = loop_poll,
                                                  .post_send = loop_post,
                                                  .post_recv = loop_receive,
                                                  .post_srq_recv = loop_receive_shared};
    return &verbs->context;
}

static inline int loop_close(struct ibv_context *context)
{
    free(verbs_get_ctx(context));
    return 0;
}

static inline int loop_query(struct ibv_context *context, struct ibv_device_attr *attr)
{
    (void)context;
    *attr = (struct ibv_device_attr){.max_qp = LOOP_QPS,
                                     .max_qp_wr = 1024,
                                     .max_cqe = loop_cqes,
                                     .max_srq = 100,
                                     .max_srq_wr = 1024,
                                     .phys_port_cnt = 1};
    return 0;
}

static inline int loop_query_gid(struct ibv_context *context, uint32_t port, uint32_t index,
                                 struct ibv_gid_entry *entry, uint32_t flags, size_t bytes)
{
    (void)context, (void)port, (void)index, (void)flags, (void)bytes;
    *entry = (struct ibv_gid_entry){.gid_type = IBV_GID_TYPE_IB};
    return 0;
}

static inline const char *loop_status(enum ibv_wc_status status)
{
    return status == IBV_WC_RETRY_EXC_ERR ? "nobody there" : "another error";
}

/* From now on this is the only device. The library is wanted all the same: 77 without it. */
static inline void use_loop(void)
{
    static const hy_verbs_calls ours = {.get_device_list = loop_list,
                                        .free_device_list = loop_free_list,
                                        .get_device_name = loop_name,
                                        .open_device = loop_open,
                                        .close_device = loop_close,
                                        .query_device = loop_query,
                                        .query_gid_ex = loop_query_gid,
                                        .alloc_pd = loop_alloc_pd,
                                        .dealloc_pd = loop_dealloc_pd,
                                        .reg_mr = loop_reg_mr,
                                        .dereg_mr = loop_dereg_mr,
                                        .create_comp_channel = loop_no_channel,
                                        .create_cq = loop_create_cq,
                                        .destroy_cq = loop_destroy_cq,
                                        .create_srq = loop_create_srq,
                                        .destroy_srq = loop_destroy_srq,
                                        .create_qp = loop_create_qp,
                                        .modify_qp = loop_modify_qp,
                                        .destroy_qp = loop_destroy_qp,
                                        .create_ah = loop_create_ah,
                                        .destroy_ah = loop_destroy_ah,
                                        .wc_status_str = loop_status};
    const hy_verbs_calls *calls;
    if (hy_verbs_load(&calls)) {
        fprintf(stderr, "SKIPPED verbs: %s\n", hayate_error());
        exit(77);
    }
    *(hy_verbs_calls *)(uintptr_t)calls = ours;
}

/* ---- ranks that are threads ---- */

typedef struct loop_rank {
    member me;
    pthread_t thread;
    story tell;
} loop_rank;

static inline void *loop_life(void *argument)
{
    loop_rank *rank = argument;
    rank->tell(&rank->me);
    return NULL;
}

static inline void run_threads(int size, story tell_story)
{
    static loop_rank ranks[MOST];
    world *w = make_world(size);
    for (int i = 0; i < size; i++) {
        prepare(&ranks[i].me, w, i);
        ranks[i].tell = tell_story;
        CHECK(pthread_create(&ranks[i].thread, NULL, loop_life, &ranks[i]) == 0);
    }
    for (int i = 0; i < size; i++) {
        pthread_join(ranks[i].thread, NULL);
        munmap(ranks[i].me.part, PART);
    }
    munmap(w, sizeof *w);
}

#define THREADS_TEST(name, size) STORY_TEST_BY(run_threads, name, size)

#endif
