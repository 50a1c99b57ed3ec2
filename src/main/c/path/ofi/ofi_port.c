/* SPDX-License-Identifier: Apache-2.0 */
/* Ports: what they are made of, and which lanes go by which. */
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/log.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

static int try_queue(ofi_port *port)
{
    enum fi_wait_obj object = port->net->wait_object;
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_MSG,
                            .wait_obj = object,
                            .size = (size_t)(port->ops_count + port->receives_count)};
    int result = fi_cq_open(port->domain, &cq, &port->cq, NULL);
    if (result || object == FI_WAIT_NONE) return result;
    return fi_control(&port->cq->fid, FI_GETWAIT, &port->descriptor);
}

/* Not every provider has descriptors: the first port finds out. */
static int open_queue(ofi_port *port)
{
    int result = try_queue(port);
    if (!result || port->number > 0 || port->net->wait_object == FI_WAIT_NONE) return result;
    if (port->cq) fi_close(&port->cq->fid);
    port->cq = NULL;
    port->net->wait_object = FI_WAIT_NONE;
    return try_queue(port);
}

static int open_domain(ofi_port *port)
{
    ofi_net *net = port->net;
    struct fi_av_attr av = {.type = net->info->domain_attr->av_type};
    const char *call = "fi_domain";
    int result = fi_domain(net->fabric, net->info, &port->domain, NULL);
    if (!result) call = "fi_av_open", result = fi_av_open(port->domain, &av, &port->av, NULL);
    if (!result) call = "fi_cq_open", result = open_queue(port);
    return result ? ofi_fail_resource(net, call, result) : HAYATE_OK;
}

static int try_endpoint(ofi_port *port, const char **call)
{
    *call = "fi_endpoint";
    int result = fi_endpoint(port->domain, port->net->info, &port->endpoint, NULL);
    if (!result) *call = "fi_ep_bind", result = fi_ep_bind(port->endpoint, &port->av->fid, 0);
    if (!result) result = fi_ep_bind(port->endpoint, &port->cq->fid, FI_TRANSMIT | FI_RECV);
    if (!result) *call = "fi_enable", result = fi_enable(port->endpoint);
    return result;
}

/* The addresses of IPv4 and IPv6 have it in the same place. */
static struct sockaddr_in *address_with_port(const struct fi_info *info)
{
    bool has = info->addr_format == FI_SOCKADDR_IN || info->addr_format == FI_SOCKADDR_IN6;
    return has ? info->src_addr : NULL;
}

/* One after the other, each rank from another one on. */
static int open_in_range(ofi_port *port, const char **call)
{
    const hy_net_wish *wish = &port->net->wish;
    struct sockaddr_in *address = address_with_port(port->net->info);
    int span = wish->port_high - wish->port_low + 1, result = -FI_EADDRINUSE;
    for (int i = 0; i < span && result == -FI_EADDRINUSE; i++) {
        if (port->endpoint) fi_close(&port->endpoint->fid);
        port->endpoint = NULL;
        address->sin_port = htons((uint16_t)(wish->port_low + (wish->rank + i) % span));
        result = try_endpoint(port, call);
    }
    return result;
}

static int open_endpoint(ofi_port *port)
{
    const ofi_net *net = port->net;
    const hy_net_wish *wish = &net->wish;
    const char *call;
    if (wish->port_low && !address_with_port(net->info))
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "libfabric (%s) has no ports to choose from: unset HAYATE_NET_PORTS",
                       net->info->fabric_attr->prov_name);
    int result = wish->port_low ? open_in_range(port, &call) : try_endpoint(port, &call);
    if (wish->port_low && result == -FI_EADDRINUSE)
        return hy_fail(HAYATE_ERR_SYSTEM,
                       "no port from %d to %d is free (HAYATE_NET_PORTS): a rank needs one for each"
                       " endpoint that its threads share (HAYATE_OFI_ENDPOINTS)",
                       wish->port_low, wish->port_high);
    return result ? ofi_fail_resource(net, call, result) : HAYATE_OK;
}

/* An address that is too long to be told by a message: all lanes go by port 0. */
static int note_address(ofi_port *port)
{
    port->address_bytes = sizeof port->address;
    int result = fi_getname(&port->endpoint->fid, port->address, &port->address_bytes);
    if (result == -FI_ETOOSMALL || (!result && port->address_bytes > sizeof port->address)) {
        port->net->ports_wanted = 1;
        return HAYATE_OK;
    }
    return result ? ofi_fail_resource(port->net, "fi_getname", result) : HAYATE_OK;
}

/* Some providers want to know which endpoint memory is for. */
static int bind_memory(ofi_port *port, struct fid_mr *mr)
{
    if (!(port->net->info->domain_attr->mr_mode & FI_MR_ENDPOINT)) return 0;
    int result = fi_mr_bind(mr, &port->endpoint->fid, 0);
    return result ? result : fi_mr_enable(mr);
}

static uint64_t random_key(const ofi_net *net)
{
    uint64_t key = 0;
    size_t bytes = net->info->domain_attr->mr_key_size;
    if (getrandom(&key, sizeof key, 0) != sizeof key) key = net->token;
    return bytes < sizeof key ? key & ((UINT64_C(1) << 8 * bytes) - 1) : key;
}

/* Peers reach it by port 0; the others need it for what goes out of it, if at all. */
static int register_part(ofi_port *port)
{
    const ofi_net *net = port->net;
    uint64_t access = net->local_mr ? FI_READ | FI_WRITE : 0;
    int result, tries = 0;
    if (port->number == 0) access |= FI_REMOTE_READ | FI_REMOTE_WRITE;
    if (access == 0) return HAYATE_OK;
    do { /* a short key may be taken */
        result = fi_mr_reg(port->domain, net->wish.part, net->wish.part_bytes, access, 0,
                           random_key(net), 0, &port->part_mr, NULL);
    } while (result == -FI_ENOKEY && ++tries < 16);
    if (!result) result = bind_memory(port, port->part_mr);
    return result ? ofi_fail_resource(net, "fi_mr_reg of this rank's part", result) : HAYATE_OK;
}

#define MESSAGE_ROOM (2 * (size_t)HY_LINE)

static int make_ops(ofi_port *port)
{
    size_t mine = (size_t)port->ops_count * OFI_COPIED;
    port->ops = calloc((size_t)(port->ops_count + port->receives_count), sizeof *port->ops);
    port->buffers = aligned_alloc(4096, mine + (size_t)port->receives_count * MESSAGE_ROOM);
    if (!port->buffers || !port->ops)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the buffers of the network");
    port->receives = port->ops + port->ops_count;
    for (int i = 0; i < port->receives_count; i++)
        port->receives[i].data = port->buffers + mine + (size_t)i * MESSAGE_ROOM;
    for (int i = port->ops_count - 1; i >= 0; i--) {
        port->ops[i].data = port->buffers + (size_t)i * OFI_COPIED;
        ofi_op_give(port, &port->ops[i]);
    }
    return HAYATE_OK;
}

static int register_buffers(ofi_port *port)
{
    const ofi_net *net = port->net;
    size_t bytes = (size_t)port->ops_count * OFI_COPIED +
                   (size_t)port->receives_count * MESSAGE_ROOM;
    if (!net->local_mr) return HAYATE_OK;
    int result = fi_mr_reg(port->domain, port->buffers, bytes,
                           FI_SEND | FI_RECV | FI_WRITE | FI_READ, 0, random_key(net), 0,
                           &port->own_mr, NULL);
    if (!result) result = bind_memory(port, port->own_mr);
    return result ? ofi_fail_resource(net, "fi_mr_reg", result) : HAYATE_OK;
}

static int open_all(ofi_port *port)
{
    int rc = hy_net_table_make(&port->peers, port->net->wish.ranks);
    if (!rc) rc = open_domain(port);
    if (!rc) rc = open_endpoint(port);
    if (!rc) rc = note_address(port);
    if (!rc && port->net->wish.hosts.count > 0) ofi_guard(port);
    if (!rc) rc = register_part(port);
    if (!rc) rc = make_ops(port);
    if (!rc) rc = register_buffers(port);
    for (int i = 0; !rc && i < port->receives_count; i++)
        ofi_receive_post(port, &port->receives[i]);
    return rc;
}

int ofi_port_open(ofi_net *net, int number, ofi_port **result)
{
    ofi_port *port = aligned_alloc(HY_LINE, hy_round_up(sizeof *port, HY_LINE));
    if (!port) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for an endpoint of libfabric");
    *port = (ofi_port){.net = net,
                       .number = number,
                       .descriptor = -1,
                       .ops_count = number ? OFI_OPS_FURTHER : OFI_OPS,
                       .receives_count = number ? OFI_ANSWERS : OFI_RECEIVES};
    port->unsent_end = &port->unsent;
    pthread_mutex_init(&port->lock, NULL);
    int rc = open_all(port);
    if (rc) ofi_port_close(port);
    else *result = port;
    return rc;
}

static void close_object(void *object)
{
    struct fid *fid = object; /* which all of libfabric's objects begin with */
    if (fid) fi_close(fid);
}

static void close_memory(ofi_port *port)
{
    for (int i = 0; port->ops && i < port->ops_count; i++) close_object(port->ops[i].mr);
    close_object(port->part_mr);
    close_object(port->own_mr);
}

/* Memory that is bound to the endpoint goes before it, other memory after it. */
void ofi_port_close(ofi_port *port)
{
    bool bound = port->net->info->domain_attr->mr_mode & FI_MR_ENDPOINT;
    port->closing = true;
    if (bound) close_memory(port);
    close_object(port->endpoint);
    if (!bound) close_memory(port);
    close_object(port->cq);
    close_object(port->av);
    close_object(port->domain);
    ofi_peers_free(port);
    for (int i = 0; port->ops && i < port->ops_count; i++) free(port->ops[i].owned);
    free(port->buffers);
    free(port->ops);
    pthread_mutex_destroy(&port->lock);
    free(port);
}

/* ---- lanes ---- */

/* A lane stays where it is: also at port 0, when its own could not be had. */
static ofi_port *open_further(ofi_net *net, int number)
{
    pthread_mutex_lock(&net->opening);
    ofi_port *port = hy_load_relaxed(&net->ports[number]);
    if (!port && ofi_port_open(net, number, &port)) {
        hy_log(HY_LOG_INFO, "no further endpoint for threads, they share the first: %s",
               hayate_error());
        port = net->ports[0];
    }
    hy_store_release(&net->ports[number], port);
    pthread_mutex_unlock(&net->opening);
    hy_net_keeper_wake(net->keeper);
    return port;
}

ofi_port *ofi_port_of(ofi_net *net, int lane)
{
    if (lane == 0 || net->ports_wanted == 1) return net->ports[0];
    int number = 1 + (lane - 1) % (net->ports_wanted - 1);
    ofi_port *port = hy_load_acquire(&net->ports[number]);
    return hy_likely(port) ? port : open_further(net, number);
}
