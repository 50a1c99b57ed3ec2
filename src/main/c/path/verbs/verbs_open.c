/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and leaving. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/status.h"
#include "path/verbs/verbs_net.h"

#define CLOSE_NS UINT64_C(1000000000)
#define INLINE_BYTES 96 /* any message of ours */
#define POSTED 16       /* receives by one call */

/* A peer's device that does not answer is given up after a quarter of the silence: seven tries,
 * each of which may take the device longer. */
static uint8_t timeout_of(uint64_t silence)
{
    uint8_t exponent = 14;
    while (exponent < 18 && (UINT64_C(4096) << (exponent + 1)) * 7 <= silence / 4) exponent++;
    return exponent;
}

static int prepare(verbs_net *net)
{
    const struct ibv_device_attr *device = &net->choice.device;
    if (getrandom(&net->token, sizeof net->token, 0) != sizeof net->token ||
        getrandom(&net->datagram_key, sizeof net->datagram_key, 0) != sizeof net->datagram_key)
        return hy_fail_errno("getrandom");
    net->datagram_key &= 0x7fffffff; /* the highest bit is for the privileged */
    net->silence = UINT64_C(1000000) *
                   (net->wish.silence_ms ? net->wish.silence_ms : HY_NET_SILENCE_MS);
    net->timeout = timeout_of(net->silence);
    net->inline_bytes = INLINE_BYTES;
    net->replies_end = &net->replies;
    net->depth = VERBS_DEPTH - 1; /* soft-RoCE wants a place more, and rounds up */
    if (device->max_qp_wr < VERBS_DEPTH) net->depth = (uint32_t)device->max_qp_wr;
    net->most_under_way = VERBS_UNDER_WAY;
    if (device->max_cqe < VERBS_UNDER_WAY + VERBS_HELLOS)
        net->most_under_way = (uint32_t)device->max_cqe - VERBS_HELLOS;
    if (device->max_srq > 0 && device->max_srq_wr >= VERBS_RECEIVES) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   "%s has no shared receive queue of %d entries; use the network \"ofi\"",
                   net->choice.name, VERBS_RECEIVES);
}

static int open_queues(verbs_net *net)
{
    const hy_verbs_calls *calls = net->calls;
    struct ibv_context *context = net->choice.context;
    const struct ibv_device_attr *device = &net->choice.device;
    struct ibv_srq_init_attr srq = {.attr = {.max_wr = VERBS_RECEIVES, .max_sge = 1}};
    net->pd = calls->alloc_pd(context);
    if (!net->pd) return verbs_fail_call(net, "ibv_alloc_pd", "domains", device->max_pd);
    net->sends = calls->create_cq(context, (int)net->most_under_way + VERBS_HELLOS, NULL, NULL, 0);
    if (net->sends)
        net->receives = calls->create_cq(context, VERBS_RECEIVES + VERBS_HELLOS, NULL, NULL, 0);
    if (!net->receives)
        return verbs_fail_call(net, "ibv_create_cq", "completion queues", device->max_cq);
    net->srq = calls->create_srq(net->pd, &srq);
    if (!net->srq)
        return verbs_fail_call(net, "ibv_create_srq", "shared receive queues", device->max_srq);
    return HAYATE_OK;
}

static int post_receives(verbs_net *net)
{
    for (uint32_t i = 0; i < VERBS_RECEIVES; i += POSTED) {
        errno = verbs_receive_post(net, i, POSTED);
        if (errno)
            return verbs_fail_call(net, "ibv_post_srq_recv", "receives",
                                   net->choice.device.max_srq_wr);
    }
    return HAYATE_OK;
}

static int open_all(verbs_net *net)
{
    const hy_net_duties duties = {.net = net, .bell = net->wish.bell, .look = verbs_look};
    int rc = hy_net_table_make(&net->peers, net->wish.ranks);
    if (!rc) rc = hy_verbs_load(&net->calls);
    if (!rc) rc = hy_verbs_choose(net->calls, &net->wish, &net->choice);
    if (!rc) rc = prepare(net);
    if (!rc) rc = open_queues(net);
    if (!rc) rc = verbs_memory_make(net);
    if (!rc) rc = verbs_queue_datagrams(net);
    if (!rc) rc = post_receives(net);
    if (!rc) verbs_blob_make(net);
    if (!rc) rc = hy_net_keeper_start(&net->keeper, &duties);
    return rc;
}

static void release_peers(verbs_net *net)
{
    verbs_peer *peer;
    for (uint32_t i = 0; i < net->conn_count; i++) {
        net->calls->destroy_qp(net->conns[i]->qp);
        free(net->conns[i]);
    }
    free(net->conns);
    for (int i = 0; (peer = hy_net_table_next(&net->peers, &i)); i++) verbs_peer_free(net, peer);
    hy_net_table_free(&net->peers);
    while (net->replies) {
        verbs_reply *reply = net->replies;
        net->replies = reply->next;
        free(reply);
    }
}

static void release(verbs_net *net)
{
    const hy_verbs_calls *calls = net->calls;
    release_peers(net);
    if (net->datagrams) calls->destroy_qp(net->datagrams);
    if (net->srq) calls->destroy_srq(net->srq);
    if (net->receives) calls->destroy_cq(net->receives);
    if (net->sends) calls->destroy_cq(net->sends);
    verbs_memory_free(net);
    if (net->pd) calls->dealloc_pd(net->pd);
    if (net->choice.context) calls->close_device(net->choice.context);
    pthread_mutex_destroy(&net->lock);
    free(net);
}

int verbs_open(const hy_net_wish *wish, hy_net **result)
{
    verbs_net *net = aligned_alloc(HY_LINE, hy_round_up(sizeof *net, HY_LINE));
    if (!net) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *net = (verbs_net){.net = {.ops = &hy_net_verbs}, .wish = *wish};
    pthread_mutex_init(&net->lock, NULL);
    int rc = open_all(net);
    if (rc) release(net);
    else *result = &net->net;
    return rc;
}

void verbs_blob(const hy_net *self, void *blob, size_t *len)
{
    const verbs_net *net = (const verbs_net *)self;
    memcpy(blob, net->blob, net->blob_bytes);
    *len = net->blob_bytes;
}

void verbs_attach(hy_net *self, hy_ep *ep, int rank, int lane)
{
    ep->ops = &hy_path_verbs;
    ep->net = self;
    ep->rank = rank;
    ep->lane = lane;
    ep->part_bytes = verbs_of(self)->wish.part_bytes;
}

/* XRC would let ranks of a node share the connections of one; it is not used, as soft-RoCE, with
 * which this is tested, has none. */
void verbs_describe(const hy_net *self, char *text, size_t room)
{
    const hy_verbs_choice *choice = &((const verbs_net *)self)->choice;
    char address[INET6_ADDRSTRLEN] = "?";
    bool mapped = choice->gid.raw[10] == 0xff && choice->gid.raw[11] == 0xff;
    inet_ntop(mapped ? AF_INET : AF_INET6, choice->gid.raw + (mapped ? 12 : 0), address,
              sizeof address);
    snprintf(text, room, "verbs on %s:%d, %s, %s", choice->name, choice->port, address,
             choice->device.device_cap_flags & IBV_DEVICE_XRC ? "its XRC not used" : "without XRC");
}

/* ---- leaving ---- */

static bool is_told(verbs_net *net, verbs_peer *peer)
{
    const hy_net_head bye = {.kind = HY_NET_BYE};
    bool ready = false;
    if (peer->life.failed || peer->life.rank == net->wish.rank) return true;
    for (int i = 0; i < peer->lanes && !peer->parted; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || conn->state != VERBS_READY) continue;
        ready = true;
        peer->parted = verbs_send_now(net, conn, &bye);
    }
    return peer->parted || !ready;
}

static bool are_all_told(verbs_net *net)
{
    bool all = true;
    verbs_peer *peer;
    for (int i = 0; (peer = hy_net_table_next(&net->peers, &i)); i++)
        if (!is_told(net, peer)) all = false;
    return all;
}

void verbs_leave(hy_net *self)
{
    verbs_net *net = verbs_of(self);
    verbs_wait wait = {0};
    uint64_t end = hy_now_ns() + CLOSE_NS;
    pthread_mutex_lock(&net->lock);
    while (!are_all_told(net) && hy_now_ns() < end) verbs_turn(net, &wait);
    pthread_mutex_unlock(&net->lock);
}

/* The last messages of a rank that leaves in order arrive: the peers answer that they have, or say
 * that they leave as well. */
static void part_from(verbs_net *net, verbs_peer *peer)
{
    verbs_conn *last = NULL;
    int (*finish)(verbs_net *, verbs_conn *) = peer->parted ? verbs_settle : verbs_fence;
    for (int i = 0; i < peer->lanes && !peer->life.failed; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || conn->state != VERBS_READY || finish(net, conn)) continue;
        last = conn;
    }
    if (last && !peer->life.failed && !peer->parted) verbs_say_bye(net, last);
}

static void say_farewell(verbs_net *net)
{
    uint64_t now, end = hy_now_ns() + CLOSE_NS;
    verbs_peer *peer;
    for (int i = 0; (peer = hy_net_table_next(&net->peers, &i)) && (now = hy_now_ns()) < end; i++) {
        net->silence = end - now;
        if (peer->life.rank != net->wish.rank) part_from(net, peer);
    }
}

void verbs_close(hy_net *self)
{
    verbs_net *net = verbs_of(self);
    hy_net_keeper_stop(net->keeper);
    pthread_mutex_lock(&net->lock);
    say_farewell(net);
    pthread_mutex_unlock(&net->lock);
    release(net);
}
