/* SPDX-License-Identifier: Apache-2.0 */
/* Opening. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/status.h"
#include "path/ofi/ofi_net.h"

_Static_assert(HY_ENDPOINTS_HIGH <= OFI_ENDPOINTS_MOST, "as many as can be asked for");

static int prepare(ofi_net *net)
{
    if (getrandom(&net->token, sizeof net->token, 0) != sizeof net->token)
        return hy_fail_errno("getrandom");
    uint64_t longest = net->info->ep_attr->max_msg_size;
    net->chunk = longest < OFI_CHUNK ? longest : OFI_CHUNK;
    net->inject = net->info->tx_attr->inject_size;
    if (net->inject > OFI_COPIED) net->inject = OFI_COPIED;
    net->local_mr = (net->info->domain_attr->mr_mode & FI_MR_LOCAL) != 0;
    net->silence = UINT64_C(1000000) *
                   (net->wish.silence_ms ? net->wish.silence_ms : HY_NET_SILENCE_MS);
    net->wait_object = FI_WAIT_FD;
    return hy_net_read_endpoints(&net->endpoints_wanted);
}

static int open_first(ofi_net *net)
{
    ofi_endpoint *endpoint = NULL;
    int result = net->calls->fabric(net->info->fabric_attr, &net->fabric, NULL);
    if (result) return ofi_fail_call(net, HAYATE_ERR_SYSTEM, "fi_fabric", result);
    int rc = ofi_endpoint_open(net, 0, &endpoint);
    if (!rc) hy_store_relaxed(&net->endpoints[0], endpoint);
    return rc;
}

static int open_all(ofi_net *net)
{
    net->fates = calloc((size_t)net->wish.ranks, sizeof *net->fates);
    int rc = net->fates ? hy_ofi_load(&net->calls)
                        : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network of %d ranks",
                                  net->wish.ranks);
    if (!rc) rc = hy_ofi_choose(net->calls, &net->wish, &net->info, &net->ordered);
    if (!rc) net->net.class = hy_ofi_class(net->info);
    if (!rc) rc = prepare(net);
    if (!rc) rc = open_first(net);
    if (!rc) rc = ofi_blob_make(net);
    if (!rc) rc = ofi_keep(net);
    return rc;
}

void ofi_release(ofi_net *net)
{
    ofi_endpoint *first = net->endpoints[0];
    for (int i = 1; i < OFI_ENDPOINTS_MOST; i++)
        if (net->endpoints[i] && net->endpoints[i] != first) ofi_endpoint_close(net->endpoints[i]);
    if (first) ofi_endpoint_close(first);
    if (net->fabric) fi_close(&net->fabric->fid);
    if (net->info) net->calls->freeinfo(net->info);
    pthread_mutex_destroy(&net->opening);
    pthread_mutex_destroy(&net->looking);
    free(net->fates);
    free(net);
}

int ofi_open(const hy_net_wish *wish, hy_net **result)
{
    ofi_net *net = aligned_alloc(HY_LINE, hy_round_up(sizeof *net, HY_LINE));
    if (!net) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *net = (ofi_net){.net = {.ops = &hy_net_ofi}, .wish = *wish};
    pthread_mutex_init(&net->opening, NULL);
    pthread_mutex_init(&net->looking, NULL);
    int rc = open_all(net);
    if (rc) ofi_release(net);
    else *result = &net->net;
    return rc;
}

void ofi_blob(const hy_net *self, void *blob, size_t *len)
{
    const ofi_net *net = (const ofi_net *)self;
    memcpy(blob, net->blob, net->blob_bytes);
    *len = net->blob_bytes;
}

void ofi_attach(hy_net *self, hy_ep *ep, int rank, int lane)
{
    ep->ops = &hy_path_ofi;
    ep->net = self;
    ep->rank = rank;
    ep->lane = lane;
    ep->part_bytes = ofi_of(self)->wish.part_bytes;
}

void ofi_describe(const hy_net *self, char *text, size_t room)
{
    const struct fi_info *info = ((const ofi_net *)self)->info;
    snprintf(text, room, "libfabric %s on %s", info->fabric_attr->prov_name,
             info->domain_attr->name);
}
