/* SPDX-License-Identifier: Apache-2.0 */
/* Peers: what their blobs say, and what became of them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/status.h"
#include "path/verbs/verbs_net.h"

#define MAGIC UINT64_C(0x3130627265796168)

typedef struct blob {
    uint64_t magic;
    uint64_t part_bytes, base, token;
    uint8_t gid[16];
    uint32_t rank, key, datagram_qp, datagram_key;
    uint16_t lid;
    uint8_t mtu, link;
    uint32_t nothing;
} blob;

_Static_assert(sizeof(blob) == 72 && sizeof(blob) <= HY_NET_BLOB, "no holes");

void verbs_blob_make(verbs_net *net)
{
    const hy_verbs_choice *choice = &net->choice;
    blob mine = {.magic = MAGIC,
                 .part_bytes = net->wish.part_bytes,
                 .base = (uint64_t)(uintptr_t)net->wish.part,
                 .token = net->token,
                 .rank = (uint32_t)net->wish.rank,
                 .key = net->part_mr->rkey,
                 .datagram_qp = net->greeter.qp->qp_num,
                 .datagram_key = net->greeter.key,
                 .lid = choice->port_attr.lid,
                 .mtu = (uint8_t)choice->port_attr.active_mtu,
                 .link = choice->port_attr.link_layer};
    memcpy(mine.gid, &choice->gid, sizeof mine.gid);
    memcpy(net->blob, &mine, sizeof mine);
    net->blob_bytes = sizeof mine;
}

static int check_blob(const verbs_net *net, int rank, const blob *its, size_t bytes)
{
    if (bytes != sizeof *its || its->magic != MAGIC || its->rank != (uint32_t)rank ||
        its->part_bytes > UINT64_MAX - its->base || its->mtu < IBV_MTU_256 ||
        its->mtu > IBV_MTU_4096 || its->datagram_qp >> 24)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, rank,
                            "what is published as rank %d's address (%zu bytes) is none of verbs of"
                            " this version of Hayate; use one version and network on all nodes",
                            rank, bytes);
    if (its->link != net->choice.port_attr.link_layer)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                            "rank %d uses a port of another kind than this rank's %s:%d (InfiniBand"
                            " and Ethernet): choose by HAYATE_NET_DEVICE",
                            rank, net->choice.name, net->choice.port);
    return HAYATE_OK;
}

/* One at a time: a boot method need not be made for more. */
static int look_up(verbs_net *net, int rank, uint8_t *bytes, size_t *len)
{
    pthread_mutex_lock(&net->looking);
    int rc = net->wish.lookup(net->wish.lookup_context, rank, bytes, len);
    pthread_mutex_unlock(&net->looking);
    return rc;
}

static int read_blob(verbs_endpoint *endpoint, verbs_peer *peer)
{
    uint8_t bytes[HY_NET_BLOB];
    blob its = {0};
    size_t len = sizeof bytes;
    int rank = peer->life.rank;
    int rc = look_up(endpoint->net, rank, bytes, &len);
    if (rc) return rc;
    if (len == sizeof its) memcpy(&its, bytes, sizeof its);
    rc = check_blob(endpoint->net, rank, &its, len);
    if (rc) return rc;
    peer->part_bytes = its.part_bytes;
    peer->base = its.base;
    peer->token = its.token;
    peer->key = its.key;
    peer->datagram_qp = its.datagram_qp;
    peer->datagram_key = its.datagram_key;
    peer->lid = its.lid;
    peer->mtu = its.mtu;
    memcpy(&peer->gid, its.gid, sizeof its.gid);
    peer->life.heard = hy_now_ns();
    return HAYATE_OK;
}

static int make_peer(verbs_endpoint *endpoint, int rank, void **place)
{
    struct ibv_ah_attr attr;
    verbs_peer *peer = calloc(1, sizeof *peer);
    if (!peer) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a connection to rank %d", rank);
    peer->life.rank = rank;
    peer->life.fate = &endpoint->net->fates[rank];
    int rc = read_blob(endpoint, peer);
    if (!rc) {
        verbs_address(endpoint->net, peer, &attr);
        peer->address = endpoint->net->calls->create_ah(endpoint->net->pd, &attr);
        if (!peer->address)
            rc = verbs_fail_call(endpoint->net, "ibv_create_ah", "addresses",
                                 endpoint->net->choice.device.max_ah);
    }
    if (rc) free(peer);
    else *place = peer;
    return rc;
}

int verbs_peer_find(verbs_endpoint *endpoint, int rank, verbs_peer **peer)
{
    void **place = hy_net_table_place(&endpoint->peers, rank);
    if (hy_unlikely(!place)) return HAYATE_ERR_NO_MEMORY;
    if (hy_unlikely(!*place)) {
        int rc = make_peer(endpoint, rank, place);
        if (rc) return rc;
    }
    *peer = *place;
    return hy_unlikely(verbs_peer_failed(endpoint, *peer)) ? hy_net_fail_lost(&(*peer)->life)
                                                           : HAYATE_OK;
}

/* Its queue pairs give back, as failed, what they hold; reads that came all the same are not
 * copied: their memory is the callers' again. */
static void break_off(verbs_endpoint *endpoint, verbs_peer *peer)
{
    for (int i = 0; i < peer->lanes; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn) continue;
        if (conn->state == VERBS_ASKING) endpoint->asking--;
        conn->state = VERBS_READY; /* as far as it ever will be */
        for (int k = 0; k < VERBS_DEPTH; k++) conn->ring[k].to = NULL;
        verbs_queue_break(endpoint->net, conn->qp);
    }
}

void verbs_peer_lost(verbs_endpoint *endpoint, verbs_peer *peer, const char *format, ...)
{
    va_list arguments;
    char why[sizeof peer->life.why];
    if (verbs_peer_failed(endpoint, peer)) return;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    hy_net_lost(&peer->life, "%s", why);
    break_off(endpoint, peer);
}

bool verbs_peer_failed(verbs_endpoint *endpoint, verbs_peer *peer)
{
    if (peer->life.failed) return true;
    if (hy_likely(!hy_net_failed(&peer->life))) return false;
    break_off(endpoint, peer);
    return true;
}

void verbs_peers_free(verbs_endpoint *endpoint)
{
    verbs_peer *peer;
    for (int i = 0; (peer = hy_net_table_next(&endpoint->peers, &i)); i++) {
        if (peer->address) endpoint->net->calls->destroy_ah(peer->address);
        free(peer->conns);
    }
    hy_net_table_free(&endpoint->peers);
}
