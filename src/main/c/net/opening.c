/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of opening and closing that all networks share. */
#include <stdlib.h>
#include <sys/random.h>

#include "base/status.h"
#include "net/provider.h"

_Static_assert(HY_ENDPOINTS_HIGH <= HY_NET_ENDPOINTS, "as many as can be asked for");

int hy_net_base_init(hy_net_base *net, const hy_net_ops *ops, const hy_net_provider *provider,
                     const hy_net_attr *attr)
{
    net->net.ops = ops;
    net->provider = provider;
    net->attr = *attr;
    net->silence = UINT64_C(1000000) * (attr->silence_ms ? attr->silence_ms : HY_NET_SILENCE_MS);
    pthread_mutex_init(&net->opening, NULL);
    pthread_mutex_init(&net->looking, NULL);
    net->peer_states = calloc((size_t)attr->ranks, sizeof *net->peer_states);
    net->parted = calloc((size_t)attr->ranks, sizeof *net->parted);
    if (!net->peer_states || !net->parted)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network of %d ranks", attr->ranks);
    if (getrandom(&net->token, sizeof net->token, 0) != sizeof net->token)
        return hy_fail_errno("getrandom");
    return hy_net_read_endpoints(&net->endpoints_wanted);
}

void hy_net_base_free(hy_net_base *net)
{
    pthread_mutex_destroy(&net->opening);
    pthread_mutex_destroy(&net->looking);
    free(net->peer_states);
    free(net->parted);
}

int hy_net_open_first(hy_net_base *net)
{
    hy_net_endpoint *endpoint = NULL;
    int rc = net->provider->open_endpoint(net, 0, &endpoint);
    if (!rc) hy_store_release(&net->endpoints[0], endpoint);
    return rc;
}

void hy_net_close_endpoints(hy_net_base *net)
{
    for (int i = HY_NET_ENDPOINTS - 1; i >= 0; i--) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (endpoint) net->provider->close_endpoint(endpoint);
    }
}

void hy_net_address(const hy_net *self, void *address, size_t *len)
{
    const hy_net_base *net = (const hy_net_base *)(const void *)self;
    memcpy(address, net->address, net->address_bytes);
    *len = net->address_bytes;
}

void hy_net_attach(hy_net *self, hy_ep *ep, int rank, int lane)
{
    ep->ops = self->ops->row;
    ep->net = self;
    ep->rank = rank;
    ep->lane = lane;
    ep->part_bytes = hy_net_base_of(self)->attr.part_bytes;
}
