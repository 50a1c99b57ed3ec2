/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what comes from ranks of other nodes. The first byte chooses: a message, which may
 * have the token; the address of a peer; the text in which a launcher carries one; the networks
 * that a rank can use. Messages change nothing outside of the part, and nothing at all without the
 * token; what is believed of an address is a part within the address space and an address that
 * ends. */
#include <stddef.h>
#include <stdlib.h>

#include "net/ofi/ofi_net.h"

/* Its functions that read texts are its own. */
#define hy_network_open fuzzed_network_open
#include "nodes/network.c"

#define PART_BYTES 1024
#define RANKS 4
#define PEER 1
#define TOKEN UINT64_C(0x746f6b656e)

static char received[HY_BOOT_TEXT]; /* what the launcher and the network give */
static uint8_t address[HY_NET_ADDRESS];
static size_t address_bytes;

static void require(bool truth)
{
    if (!truth) abort();
}

static int give_text(hy_boot *boot, int rank, const char *name, char *text, size_t room)
{
    (void)boot, (void)rank, (void)name;
    snprintf(text, room, "%s", received);
    return HAYATE_OK;
}

static int give_address(void *context, int rank, void *to, size_t *len)
{
    (void)context, (void)rank;
    require(address_bytes <= *len);
    memcpy(to, address, address_bytes);
    *len = address_bytes;
    return HAYATE_OK;
}

/* A provider whose addresses are texts, as that of shm. */
static int insert(struct fid_av *av, const void *address, size_t count, fi_addr_t *to,
                  uint64_t flags, void *context)
{
    (void)av, (void)flags, (void)context;
    *to = strlen(address);
    return (int)count;
}

static ofi_net *make_net(void)
{
    static struct fi_ops_av calls = {.size = sizeof calls, .insert = insert};
    static struct fid_av av = {.ops = &calls};
    static struct fi_fabric_attr fabric = {.prov_name = "tcp;ofi_rxm"};
    static struct fi_info info = {.fabric_attr = &fabric};
    static hy_bell bell;
    ofi_net *net = calloc(1, sizeof *net);
    ofi_endpoint *endpoint = calloc(1, sizeof *endpoint);
    const hy_net_attr attr = {.ranks = RANKS,
                              .part = aligned_alloc(HY_LINE, PART_BYTES),
                              .part_bytes = PART_BYTES,
                              .bell = &bell,
                              .lookup = give_address};
    require(hy_net_base_init(&net->base, &hy_net_ofi, &ofi_provider, &attr) == HAYATE_OK);
    net->base.token = TOKEN;
    net->info = &info;
    net->base.endpoints_wanted = 1;
    require(hy_net_endpoint_init(&endpoint->base, &net->base, 0) == HAYATE_OK);
    hy_store_relaxed(&net->base.endpoints[0], &endpoint->base);
    endpoint->av = &av;
    memset(attr.part, 0, PART_BYTES);
    return net;
}

static void free_net(ofi_net *net)
{
    hy_net_endpoint *endpoint = hy_load_relaxed(&net->base.endpoints[0]);
    hy_net_endpoint_free(endpoint);
    free(endpoint);
    free(net->base.attr.part);
    hy_net_base_free(&net->base);
    free(net);
}

static void receive(const uint8_t *data, size_t size, bool has_token)
{
    static const uint8_t nothing[PART_BYTES];
    ofi_net *net = make_net();
    size_t room = sizeof(hy_net_message), bytes = size < room ? size : room + 1;
    ofi_op op = {.data = aligned_alloc(HY_LINE, 2 * HY_LINE)};
    memcpy(op.data, data, size < room ? size : room);
    if (has_token) memcpy(op.data, &(uint64_t){TOKEN}, sizeof(uint64_t));
    bool knows = bytes >= 8 && memcmp(op.data, &(uint64_t){TOKEN}, 8) == 0;
    hy_net_endpoint *endpoint = hy_load_relaxed(&net->base.endpoints[0]);
    endpoint->tickets.all[3] = (hy_net_ticket){.taken = true, .rank = PEER, .number = 67};
    bool answered = ofi_deliver(ofi_endpoint_of(endpoint), &op, bytes);
    require(answered ? op.peer != NULL : true);
    if (!knows) require(!answered && memcmp(net->base.attr.part, nothing, PART_BYTES) == 0);
    free(op.data);
    free_net(net);
}

static void connect_by(const uint8_t *data, size_t size)
{
    hy_net_peer *peer;
    ofi_net *net = make_net();
    address_bytes = size < sizeof address ? size : sizeof address;
    memcpy(address, data, address_bytes);
    int rc = hy_net_peer_find(hy_load_relaxed(&net->base.endpoints[0]), PEER, &peer);
    require(rc == HAYATE_OK || *hayate_error());
    if (!rc) require(peer->life.rank == PEER && peer->base + peer->part_bytes >= peer->base);
    if (!rc) require(ofi_from(peer)->address < HY_NET_ADDRESS);
    free_net(net);
}

static void look_texts_up(const uint8_t *data, size_t size)
{
    static const hy_boot_ops boot = {.name = "fuzz", .lookup = give_text};
    static const hy_net_ops ops = {.name = "ofi"};
    hy_net net = {.ops = &ops};
    hy_job *job = calloc(1, sizeof *job);
    offer heard = {0};
    size_t length = size < sizeof received ? size : sizeof received - 1;
    memcpy(received, data, length);
    received[length] = '\0';
    job->boot.ops = &boot;
    job->net = &net;
    uint8_t *found = malloc(HY_NET_ADDRESS);
    size_t bytes = HY_NET_ADDRESS;
    int rc = look_up(job, PEER, found, &bytes);
    require(rc ? rc == HAYATE_ERR_LAUNCH || rc == HAYATE_ERR_PEER_FAILED : bytes <= HY_NET_ADDRESS);
    rc = read_offer(job, 0, PEER, &heard);
    require(rc ? rc == HAYATE_ERR_LAUNCH : heard.usable < 1u << HY_NETS_MOST);
    require(heard.hosts.count >= 0 && heard.hosts.count <= HY_NET_HOSTS);
    free(found);
    free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    switch (data[0] % 8) {
    case 0: look_texts_up(data + 1, size - 1); break;
    case 1: connect_by(data + 1, size - 1); break;
    default: receive(data + 1, size - 1, data[0] & 1);
    }
    return 0;
}
