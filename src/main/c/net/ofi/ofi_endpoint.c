/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and closes the libfabric objects and the buffers of an endpoint. */
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/status.h"
#include "net/ofi/ofi_net.h"

static int try_queue(ofi_endpoint *endpoint)
{
    enum fi_wait_obj object = ofi_net_of(endpoint)->wait_object;
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_MSG,
                            .wait_obj = object,
                            .size = (size_t)(endpoint->ops_count + endpoint->receives_count)};
    int result = fi_cq_open(endpoint->domain, &cq, &endpoint->cq, NULL);
    if (result || object == FI_WAIT_NONE) return result;
    return fi_control(&endpoint->cq->fid, FI_GETWAIT, &endpoint->descriptor);
}

/* Not every provider has descriptors: the first endpoint finds out. */
static int open_queue(ofi_endpoint *endpoint)
{
    int result = try_queue(endpoint);
    if (!result || endpoint->base.number > 0 || ofi_net_of(endpoint)->wait_object == FI_WAIT_NONE)
        return result;
    if (endpoint->cq) fi_close(&endpoint->cq->fid);
    endpoint->cq = NULL;
    ofi_net_of(endpoint)->wait_object = FI_WAIT_NONE;
    return try_queue(endpoint);
}

static int open_domain(ofi_endpoint *endpoint)
{
    ofi_net *net = ofi_net_of(endpoint);
    struct fi_av_attr av = {.type = net->info->domain_attr->av_type};
    const char *call = "fi_domain";
    int result = fi_domain(net->fabric, net->info, &endpoint->domain, NULL);
    if (!result)
        call = "fi_av_open", result = fi_av_open(endpoint->domain, &av, &endpoint->av, NULL);
    if (!result) call = "fi_cq_open", result = open_queue(endpoint);
    return result ? ofi_fail_resource(net, call, result) : HAYATE_OK;
}

static int try_endpoint(ofi_endpoint *endpoint, const char **call)
{
    *call = "fi_endpoint";
    int result = fi_endpoint(endpoint->domain, ofi_net_of(endpoint)->info, &endpoint->ep, NULL);
    if (!result) *call = "fi_ep_bind", result = fi_ep_bind(endpoint->ep, &endpoint->av->fid, 0);
    if (!result) result = fi_ep_bind(endpoint->ep, &endpoint->cq->fid, FI_TRANSMIT | FI_RECV);
    if (!result) *call = "fi_enable", result = fi_enable(endpoint->ep);
    return result;
}

/* IPv4 and IPv6 addresses have the port at the same place. */
static struct sockaddr_in *address_with_port(const struct fi_info *info)
{
    bool has = info->addr_format == FI_SOCKADDR_IN || info->addr_format == FI_SOCKADDR_IN6;
    return has ? info->src_addr : NULL;
}

/* Tries the ports one after the other; each rank starts at another one. */
static int open_in_range(ofi_endpoint *endpoint, const char **call)
{
    const hy_net_attr *attr = &endpoint->base.net->attr;
    struct sockaddr_in *address = address_with_port(ofi_net_of(endpoint)->info);
    int span = attr->port_high - attr->port_low + 1, result = -FI_EADDRINUSE;
    for (int i = 0; i < span && result == -FI_EADDRINUSE; i++) {
        if (endpoint->ep) fi_close(&endpoint->ep->fid);
        endpoint->ep = NULL;
        address->sin_port = htons((uint16_t)(attr->port_low + (attr->rank + i) % span));
        result = try_endpoint(endpoint, call);
    }
    return result;
}

static int open_endpoint(ofi_endpoint *endpoint)
{
    const ofi_net *net = ofi_net_of(endpoint);
    const hy_net_attr *attr = &net->base.attr;
    const char *call;
    if (attr->port_low && !address_with_port(net->info))
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "libfabric (%s) does not let the port be chosen: unset HAYATE_NET_PORTS",
                       net->info->fabric_attr->prov_name);
    int result = attr->port_low ? open_in_range(endpoint, &call) : try_endpoint(endpoint, &call);
    if (attr->port_low && result == -FI_EADDRINUSE)
        return hy_fail(HAYATE_ERR_SYSTEM,
                       "no port from %d to %d is free (HAYATE_NET_PORTS): a rank needs one for each"
                       " endpoint that its threads share (HAYATE_ENDPOINTS)",
                       attr->port_low, attr->port_high);
    return result ? ofi_fail_resource(net, call, result) : HAYATE_OK;
}

/* If an address is too long for a message, all lanes use endpoint 0. */
static int note_address(ofi_endpoint *endpoint)
{
    endpoint->address_bytes = sizeof endpoint->address;
    int result = fi_getname(&endpoint->ep->fid, endpoint->address, &endpoint->address_bytes);
    if (result == -FI_ETOOSMALL ||
        (!result && endpoint->address_bytes > sizeof endpoint->address)) {
        endpoint->base.net->endpoints_wanted = 1;
        return HAYATE_OK;
    }
    return result ? ofi_fail_resource(ofi_net_of(endpoint), "fi_getname", result) : HAYATE_OK;
}

/* Some providers must know for which endpoint the memory is. */
static int bind_memory(ofi_endpoint *endpoint, struct fid_mr *mr)
{
    if (!(ofi_net_of(endpoint)->info->domain_attr->mr_mode & FI_MR_ENDPOINT)) return 0;
    int result = fi_mr_bind(mr, &endpoint->ep->fid, 0);
    return result ? result : fi_mr_enable(mr);
}

static uint64_t random_key(const ofi_net *net)
{
    uint64_t key = 0;
    size_t bytes = net->info->domain_attr->mr_key_size;
    if (getrandom(&key, sizeof key, 0) != sizeof key) key = net->base.token;
    return bytes < sizeof key ? key & ((UINT64_C(1) << 8 * bytes) - 1) : key;
}

/* Peers access the part through endpoint 0; other endpoints need it registered only for what they
 * send, if at all. */
static int register_part(ofi_endpoint *endpoint)
{
    const ofi_net *net = ofi_net_of(endpoint);
    uint64_t access = net->local_mr ? FI_READ | FI_WRITE : 0;
    int result, tries = 0;
    if (endpoint->base.number == 0) access |= FI_REMOTE_READ | FI_REMOTE_WRITE;
    if (access == 0) return HAYATE_OK;
    do { /* a short key may be in use already */
        result = fi_mr_reg(endpoint->domain, net->base.attr.part, net->base.attr.part_bytes, access,
                           0, random_key(net), 0, &endpoint->part_mr, NULL);
    } while (result == -FI_ENOKEY && ++tries < 16);
    if (!result) result = bind_memory(endpoint, endpoint->part_mr);
    return result ? ofi_fail_resource(net, "fi_mr_reg of this rank's part", result) : HAYATE_OK;
}

#define MESSAGE_ROOM (2 * (size_t)HY_LINE)

static int make_ops(ofi_endpoint *endpoint)
{
    size_t mine = (size_t)endpoint->ops_count * OFI_COPIED;
    endpoint->ops = calloc((size_t)(endpoint->ops_count + endpoint->receives_count),
                           sizeof *endpoint->ops);
    endpoint->buffers = aligned_alloc(4096, mine + (size_t)endpoint->receives_count * MESSAGE_ROOM);
    if (!endpoint->buffers || !endpoint->ops)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the buffers of the network");
    endpoint->receives = endpoint->ops + endpoint->ops_count;
    for (int i = 0; i < endpoint->receives_count; i++)
        endpoint->receives[i].data = endpoint->buffers + mine + (size_t)i * MESSAGE_ROOM;
    for (int i = endpoint->ops_count - 1; i >= 0; i--) {
        endpoint->ops[i].data = endpoint->buffers + (size_t)i * OFI_COPIED;
        ofi_op_give(endpoint, &endpoint->ops[i]);
    }
    return HAYATE_OK;
}

static int register_buffers(ofi_endpoint *endpoint)
{
    const ofi_net *net = ofi_net_of(endpoint);
    size_t bytes = (size_t)endpoint->ops_count * OFI_COPIED +
                   (size_t)endpoint->receives_count * MESSAGE_ROOM;
    if (!net->local_mr) return HAYATE_OK;
    int result = fi_mr_reg(endpoint->domain, endpoint->buffers, bytes,
                           FI_SEND | FI_RECV | FI_WRITE | FI_READ, 0, random_key(net), 0,
                           &endpoint->own_mr, NULL);
    if (!result) result = bind_memory(endpoint, endpoint->own_mr);
    return result ? ofi_fail_resource(net, "fi_mr_reg", result) : HAYATE_OK;
}

static int ofi_endpoint_open_all(ofi_endpoint *endpoint)
{
    int rc = open_domain(endpoint);
    if (!rc) rc = open_endpoint(endpoint);
    if (!rc) rc = note_address(endpoint);
    if (!rc && endpoint->base.net->attr.hosts.count > 0) ofi_guard(endpoint);
    if (!rc) rc = register_part(endpoint);
    if (!rc) rc = make_ops(endpoint);
    if (!rc) rc = register_buffers(endpoint);
    for (int i = 0; !rc && i < endpoint->receives_count; i++)
        ofi_receive_post(endpoint, &endpoint->receives[i]);
    return rc;
}

int ofi_open_endpoint(hy_net_base *net, int number, hy_net_endpoint **result)
{
    ofi_endpoint *endpoint = aligned_alloc(HY_LINE, hy_round_up(sizeof *endpoint, HY_LINE));
    if (!endpoint) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for an endpoint of libfabric");
    *endpoint = (ofi_endpoint){.descriptor = -1,
                               .ops_count = number ? OFI_OPS_FURTHER : OFI_OPS,
                               .receives_count = number ? OFI_ANSWERS : OFI_RECEIVES};
    endpoint->unsent_end = &endpoint->unsent;
    int rc = hy_net_endpoint_init(&endpoint->base, net, number);
    if (!rc) rc = ofi_endpoint_open_all(endpoint);
    if (rc) ofi_close_endpoint(&endpoint->base);
    else *result = &endpoint->base;
    return rc;
}

static void close_object(void *object)
{
    struct fid *fid = object; /* all libfabric objects begin with it */
    if (fid) fi_close(fid);
}

static void close_memory(ofi_endpoint *endpoint)
{
    for (int i = 0; endpoint->ops && i < endpoint->ops_count; i++)
        close_object(endpoint->ops[i].mr);
    close_object(endpoint->part_mr);
    close_object(endpoint->own_mr);
}

/* Memory that is bound to the endpoint is closed before it, other memory after it. */
void ofi_close_endpoint(hy_net_endpoint *base)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    bool bound = ofi_net_of(endpoint)->info->domain_attr->mr_mode & FI_MR_ENDPOINT;
    endpoint->closing = true;
    if (bound) close_memory(endpoint);
    close_object(endpoint->ep);
    if (!bound) close_memory(endpoint);
    close_object(endpoint->cq);
    close_object(endpoint->av);
    close_object(endpoint->domain);
    hy_net_endpoint_free(base);
    for (int i = 0; endpoint->ops && i < endpoint->ops_count; i++) free(endpoint->ops[i].owned);
    free(endpoint->buffers);
    free(endpoint->ops);
    free(endpoint);
}
