/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the addresses of peers and of their further endpoints. */
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "net/ofi/ofi_net.h"

#define MAGIC UINT64_C(0x3130696f66796168)

typedef struct address_head {
    uint64_t magic;
    uint64_t part_bytes, key, base, token;
    char provider[32];
    uint32_t rank;
    uint32_t address_bytes; /* it follows */
} address_head;

#define ADDRESS_ROOM (HY_NET_ADDRESS - sizeof(address_head))

int ofi_address_make(ofi_net *net)
{
    const ofi_endpoint *endpoint = ofi_endpoint_of(net->base.endpoints[0]);
    const hy_net_attr *attr = &net->base.attr;
    address_head head = {.magic = MAGIC,
                         .part_bytes = attr->part_bytes,
                         .key = fi_mr_key(endpoint->part_mr),
                         .token = net->base.token,
                         .rank = (uint32_t)attr->rank};
    size_t room = ADDRESS_ROOM;
    if (net->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR)
        head.base = (uint64_t)(uintptr_t)attr->part;
    snprintf(head.provider, sizeof head.provider, "%s", net->info->fabric_attr->prov_name);
    int result = fi_getname(&endpoint->ep->fid, net->base.address + sizeof head, &room);
    if (result || room > ADDRESS_ROOM)
        return ofi_fail_call(net, HAYATE_ERR_SYSTEM, "fi_getname", result);
    head.address_bytes = (uint32_t)room;
    memcpy(net->base.address, &head, sizeof head);
    net->base.address_bytes = sizeof head + room;
    return HAYATE_OK;
}

static int check_address(const ofi_net *net, int rank, const address_head *head, size_t bytes)
{
    const char *mine = net->info->fabric_attr->prov_name;
    if (bytes < sizeof *head || head->magic != MAGIC || head->rank != (uint32_t)rank ||
        head->address_bytes != bytes - sizeof *head || head->address_bytes == 0 ||
        head->provider[sizeof head->provider - 1] || head->part_bytes > UINT64_MAX - head->base)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, rank,
                            "the address that rank %d published (%zu bytes) is not one of this"
                            " version of Hayate; use one version on all nodes",
                            rank, bytes);
    if (strncmp(head->provider, mine, sizeof head->provider - 1) != 0)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                            "rank %d uses libfabric's provider %s, but this rank uses %s: set"
                            " HAYATE_OFI_PROVIDER to the same value for all ranks",
                            rank, head->provider, mine);
    return HAYATE_OK;
}

int ofi_add_peer(hy_net_endpoint *base, hy_net_peer *base_peer, const uint8_t *address,
                 size_t bytes)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    const ofi_net *net = ofi_net_of(endpoint);
    ofi_peer *peer = ofi_from(base_peer);
    address_head head = {0};
    if (bytes >= sizeof head) memcpy(&head, address, sizeof head);
    int rc = check_address(net, base_peer->life.rank, &head, bytes);
    if (rc) return rc;
    int added = fi_av_insert(endpoint->av, address + sizeof head, 1, &peer->address, 0, NULL);
    if (added != 1)
        return ofi_fail_call(net, HAYATE_ERR_SYSTEM, "fi_av_insert",
                             added < 0 ? added : -FI_EINVAL);
    peer->key = head.key;
    peer->base.base = head.base;
    peer->base.token = head.token;
    peer->base.part_bytes = head.part_bytes;
    peer->conn = (hy_net_conn){.peer = base_peer, .ready = true};
    return hy_net_conn_add(base, &peer->conn);
}

hy_net_conn *ofi_conn_of(hy_net_peer *peer, int lane)
{
    (void)lane;
    return &ofi_from(peer)->conn;
}

/* libfabric connects at the first post. */
int ofi_connect(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane, hy_net_conn **conn)
{
    (void)endpoint;
    *conn = ofi_conn_of(peer, lane);
    return HAYATE_OK;
}

/* Textual addresses may have any length. */
static bool can_be_address(const ofi_endpoint *endpoint, size_t bytes)
{
    return ofi_net_of(endpoint)->info->addr_format == FI_ADDR_STR ||
           bytes == endpoint->address_bytes;
}

/* Only the first message about an endpoint counts, and only with a valid address. */
void ofi_peer_has_endpoint(ofi_endpoint *endpoint, const hy_net_message *message)
{
    const hy_net_head *head = &message->head;
    uint8_t address[HY_SLOT_PAYLOAD + 1] = {0}; /* a textual address is always terminated */
    hy_net_peer *found;
    if (head->endpoint >= HY_NET_ENDPOINTS || !can_be_address(endpoint, head->bytes)) return;
    memcpy(address, message->payload, head->bytes);
    if (hy_net_peer_find(&endpoint->base, (int)head->rank, &found)) return;
    ofi_peer *peer = ofi_from(found);
    if (!peer->endpoints) {
        peer->endpoints = malloc(HY_NET_ENDPOINTS * sizeof *peer->endpoints);
        for (int i = 0; peer->endpoints && i < HY_NET_ENDPOINTS; i++)
            peer->endpoints[i] = FI_ADDR_UNSPEC;
    }
    if (!peer->endpoints || peer->endpoints[head->endpoint] != FI_ADDR_UNSPEC) return;
    if (fi_av_insert(endpoint->av, address, 1, &peer->endpoints[head->endpoint], 0, NULL) != 1)
        peer->endpoints[head->endpoint] = FI_ADDR_UNSPEC;
}

fi_addr_t ofi_peer_endpoint(const ofi_peer *peer, int number)
{
    if (number == 0) return peer->address;
    return peer->endpoints && number < HY_NET_ENDPOINTS ? peer->endpoints[number] : FI_ADDR_UNSPEC;
}

void ofi_remove_peer(hy_net_endpoint *endpoint, hy_net_peer *peer)
{
    (void)endpoint;
    free(ofi_from(peer)->endpoints);
}
