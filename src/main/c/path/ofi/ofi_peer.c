/* SPDX-License-Identifier: Apache-2.0 */
/* Peers: what their blobs say, and what became of them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/status.h"
#include "path/net_memlock.h"
#include "path/ofi/ofi_net.h"

#define MAGIC UINT64_C(0x3130696f66796168)

typedef struct blob_head {
    uint64_t magic;
    uint64_t part_bytes, key, base, token;
    char provider[32];
    uint32_t rank;
    uint32_t address_bytes; /* behind */
} blob_head;

#define ADDRESS_ROOM (HY_NET_BLOB - sizeof(blob_head))

int ofi_blob_make(ofi_net *net)
{
    const ofi_endpoint *endpoint = net->endpoints[0];
    blob_head head = {.magic = MAGIC,
                      .part_bytes = net->wish.part_bytes,
                      .key = fi_mr_key(endpoint->part_mr),
                      .token = net->token,
                      .rank = (uint32_t)net->wish.rank};
    size_t room = ADDRESS_ROOM;
    if (net->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR)
        head.base = (uint64_t)(uintptr_t)net->wish.part;
    snprintf(head.provider, sizeof head.provider, "%s", net->info->fabric_attr->prov_name);
    int result = fi_getname(&endpoint->ep->fid, net->blob + sizeof head, &room);
    if (result || room > ADDRESS_ROOM)
        return ofi_fail_call(net, HAYATE_ERR_SYSTEM, "fi_getname", result);
    head.address_bytes = (uint32_t)room;
    memcpy(net->blob, &head, sizeof head);
    net->blob_bytes = sizeof head + room;
    return HAYATE_OK;
}

static int check_blob(const ofi_net *net, int rank, const blob_head *head, size_t bytes)
{
    const char *mine = net->info->fabric_attr->prov_name;
    if (bytes < sizeof *head || head->magic != MAGIC || head->rank != (uint32_t)rank ||
        head->address_bytes != bytes - sizeof *head || head->address_bytes == 0 ||
        head->provider[sizeof head->provider - 1] || head->part_bytes > UINT64_MAX - head->base)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, rank,
                            "what is published as rank %d's address (%zu bytes) is none of this"
                            " version of Hayate; use one version on all nodes",
                            rank, bytes);
    if (strncmp(head->provider, mine, sizeof head->provider - 1) != 0)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                            "rank %d is reached by libfabric's provider %s, this rank uses %s: set"
                            " HAYATE_OFI_PROVIDER for all ranks alike",
                            rank, head->provider, mine);
    return HAYATE_OK;
}

/* One at a time: a boot method need not be made for more. */
static int look_up(ofi_net *net, int rank, uint8_t *blob, size_t *bytes)
{
    pthread_mutex_lock(&net->looking);
    int rc = net->wish.lookup(net->wish.lookup_context, rank, blob, bytes);
    pthread_mutex_unlock(&net->looking);
    return rc;
}

static int connect_peer(ofi_endpoint *endpoint, ofi_peer *peer)
{
    uint8_t blob[HY_NET_BLOB + 1] = {0}; /* an address that is a text ends in any case */
    blob_head head = {0};
    size_t bytes = HY_NET_BLOB;
    int rc = look_up(endpoint->net, peer->life.rank, blob, &bytes);
    if (rc) return rc;
    if (bytes > HY_NET_BLOB) bytes = 0;
    if (bytes >= sizeof head) memcpy(&head, blob, sizeof head);
    rc = check_blob(endpoint->net, peer->life.rank, &head, bytes);
    if (rc) return rc;
    int added = fi_av_insert(endpoint->av, blob + sizeof head, 1, &peer->address, 0, NULL);
    if (added != 1)
        return ofi_fail_call(endpoint->net, HAYATE_ERR_SYSTEM, "fi_av_insert",
                             added < 0 ? added : -FI_EINVAL);
    peer->key = head.key;
    peer->base = head.base;
    peer->token = head.token;
    peer->part_bytes = head.part_bytes;
    peer->life.heard = hy_now_ns();
    return HAYATE_OK;
}

static int make_peer(ofi_endpoint *endpoint, int rank, void **place)
{
    ofi_peer *peer = calloc(1, sizeof *peer);
    if (!peer) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a connection to rank %d", rank);
    peer->life.rank = rank;
    peer->life.fate = &endpoint->net->fates[rank];
    int rc = connect_peer(endpoint, peer);
    if (rc) free(peer);
    else *place = peer;
    return rc;
}

int ofi_peer_find(ofi_endpoint *endpoint, int rank, ofi_peer **peer)
{
    void **place = hy_net_table_place(&endpoint->peers, rank);
    if (hy_unlikely(!place)) return HAYATE_ERR_NO_MEMORY;
    if (hy_unlikely(!*place)) {
        int rc = make_peer(endpoint, rank, place);
        if (rc) return rc;
    }
    *peer = *place;
    return hy_unlikely(hy_net_failed(&(*peer)->life)) ? hy_net_fail_lost(&(*peer)->life)
                                                      : HAYATE_OK;
}

/* A text may have any length. */
static bool can_be_address(const ofi_endpoint *endpoint, size_t bytes)
{
    return endpoint->net->info->addr_format == FI_ADDR_STR || bytes == endpoint->address_bytes;
}

/* Only the first that it says of an endpoint counts, and only what can be an address. */
void ofi_peer_has_endpoint(ofi_endpoint *endpoint, const hy_net_message *message)
{
    const hy_net_head *head = &message->head;
    uint8_t address[HY_SLOT_PAYLOAD + 1] = {0}; /* a text ends in any case */
    ofi_peer *peer;
    if (head->endpoint >= OFI_ENDPOINTS_MOST || !can_be_address(endpoint, head->bytes)) return;
    memcpy(address, message->payload, head->bytes);
    if (ofi_peer_find(endpoint, (int)head->rank, &peer)) return;
    if (!peer->endpoints) {
        peer->endpoints = malloc(OFI_ENDPOINTS_MOST * sizeof *peer->endpoints);
        for (int i = 0; peer->endpoints && i < OFI_ENDPOINTS_MOST; i++)
            peer->endpoints[i] = FI_ADDR_UNSPEC;
    }
    if (!peer->endpoints || peer->endpoints[head->endpoint] != FI_ADDR_UNSPEC) return;
    if (fi_av_insert(endpoint->av, address, 1, &peer->endpoints[head->endpoint], 0, NULL) != 1)
        peer->endpoints[head->endpoint] = FI_ADDR_UNSPEC;
}

fi_addr_t ofi_peer_endpoint(const ofi_peer *peer, int number)
{
    if (number == 0) return peer->address;
    return peer->endpoints && number < OFI_ENDPOINTS_MOST ? peer->endpoints[number]
                                                          : FI_ADDR_UNSPEC;
}

void ofi_peers_free(ofi_endpoint *endpoint)
{
    ofi_peer *peer;
    for (int i = 0; (peer = hy_net_table_next(&endpoint->peers, &i)); i++) free(peer->endpoints);
    hy_net_table_free(&endpoint->peers);
}

int ofi_fail_call(const ofi_net *net, int code, const char *call, long result)
{
    return hy_fail(code, "libfabric (%s): %s: %s", net->info->fabric_attr->prov_name, call,
                   net->calls->error((int)-result));
}

int ofi_fail_resource(const ofi_net *net, const char *call, long result)
{
    char limit[40];
    if (result != -FI_ENOMEM && result != -FI_EAGAIN)
        return ofi_fail_call(net, HAYATE_ERR_SYSTEM, call, result);
    hy_net_say_memlock(limit, sizeof limit);
    return hy_fail(HAYATE_ERR_NO_MEMORY,
                   "libfabric (%s): %s: %s; where a device is behind it, memory is locked, of"
                   " which the limit is %s. " HY_NET_RAISE_MEMLOCK,
                   net->info->fabric_attr->prov_name, call, net->calls->error((int)-result), limit);
}
