/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the addresses of peers, and handles their failures. */
#include <stdlib.h>

#include "base/status.h"
#include "net/verbs/verbs_net.h"

#define MAGIC UINT64_C(0x3130627265796168)

typedef struct verbs_contact {
    uint64_t magic;
    uint64_t part_bytes, base, token;
    uint8_t gid[16];
    uint32_t rank, key, datagram_qp, datagram_key;
    uint16_t lid;
    uint8_t mtu, link;
    uint32_t nothing;
} verbs_contact;

_Static_assert(sizeof(verbs_contact) == 72 && sizeof(verbs_contact) <= HY_NET_ADDRESS, "no holes");

void verbs_address_make(verbs_net *net)
{
    const hy_verbs_choice *choice = &net->choice;
    verbs_contact mine = {.magic = MAGIC,
                          .part_bytes = net->base.attr.part_bytes,
                          .base = (uint64_t)(uintptr_t)net->base.attr.part,
                          .token = net->base.token,
                          .rank = (uint32_t)net->base.attr.rank,
                          .key = net->part_mr->rkey,
                          .datagram_qp = net->greeter.qp->qp_num,
                          .datagram_key = net->greeter.key,
                          .lid = choice->port_attr.lid,
                          .mtu = (uint8_t)choice->port_attr.active_mtu,
                          .link = choice->port_attr.link_layer};
    memcpy(mine.gid, &choice->gid, sizeof mine.gid);
    memcpy(net->base.address, &mine, sizeof mine);
    net->base.address_bytes = sizeof mine;
}

static int check_address(const verbs_net *net, int rank, const verbs_contact *its, size_t bytes)
{
    if (bytes != sizeof *its || its->magic != MAGIC || its->rank != (uint32_t)rank ||
        its->part_bytes > UINT64_MAX - its->base || its->mtu < IBV_MTU_256 ||
        its->mtu > IBV_MTU_4096 || its->datagram_qp >> 24)
        return hy_fail_peer(
            HAYATE_ERR_CORRUPT, rank,
            "the address that rank %d published (%zu bytes) is not one of the network verbs of"
            " this version of Hayate; use one version and network on all nodes",
            rank, bytes);
    if (its->link != net->choice.port_attr.link_layer)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                            "rank %d uses another kind of port than this rank's %s:%d (InfiniBand"
                            " and Ethernet): set HAYATE_NET_DEVICE",
                            rank, net->choice.name, net->choice.port);
    return HAYATE_OK;
}

int verbs_add_peer(hy_net_endpoint *endpoint, hy_net_peer *base, const uint8_t *address,
                   size_t bytes)
{
    struct ibv_ah_attr attr;
    const verbs_net *net = (const verbs_net *)endpoint->net;
    verbs_peer *peer = verbs_from(base);
    verbs_contact its = {0};
    if (bytes == sizeof its) memcpy(&its, address, sizeof its);
    int rc = check_address(net, base->life.rank, &its, bytes);
    if (rc) return rc;
    base->part_bytes = its.part_bytes;
    base->base = its.base;
    base->token = its.token;
    peer->key = its.key;
    peer->datagram_qp = its.datagram_qp;
    peer->datagram_key = its.datagram_key;
    peer->lid = its.lid;
    peer->mtu = its.mtu;
    memcpy(&peer->gid, its.gid, sizeof its.gid);
    verbs_address(net, peer, &attr);
    peer->address = net->calls->create_ah(net->pd, &attr);
    return peer->address
               ? HAYATE_OK
               : verbs_fail_call(net, "ibv_create_ah", "addresses", net->choice.device.max_ah);
}

void verbs_remove_peer(hy_net_endpoint *endpoint, hy_net_peer *base)
{
    const verbs_net *net = (const verbs_net *)endpoint->net;
    verbs_peer *peer = verbs_from(base);
    if (peer->address) net->calls->destroy_ah(peer->address);
    free(peer->conns);
}

/* The queue pairs return the operations under way as failed; reads that arrived nevertheless are
 * not copied, because the callers own their memory again. */
void verbs_break_off(hy_net_endpoint *base, hy_net_peer *base_peer)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(base);
    const verbs_peer *peer = verbs_from(base_peer);
    for (int i = 0; i < peer->lanes; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn) continue;
        if (!conn->base.ready) endpoint->asking--;
        conn->base.ready = true;
        for (int k = 0; k < VERBS_DEPTH; k++) conn->ring[k].to = NULL;
        verbs_queue_break(verbs_net_of(endpoint), conn->qp);
    }
}

/* Sends a question without a ticket: any message of the peer is a sign of life, at the latest its
 * answer. An acknowledgement by its device would prove nothing about its process. */
void verbs_watch(hy_net_endpoint *endpoint, hy_net_peer *base, bool wanted)
{
    verbs_peer *peer = verbs_from(base);
    for (int i = 0; wanted && i < peer->lanes && !peer->watching; i++) {
        verbs_conn *conn = peer->conns[i];
        if (!conn || !conn->base.ready || !verbs_say(endpoint, &conn->base, HY_NET_ASK)) continue;
        peer->watching = true;
        peer->watch = conn;
        peer->watch_number = conn->posted - 1;
    }
}
