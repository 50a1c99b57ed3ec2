/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes the network, and defines its tables. */
#include <stdio.h>
#include <stdlib.h>

#include "base/handlers.h"
#include "base/status.h"
#include "net/ofi/ofi_net.h"

static void ofi_open_prepare(ofi_net *net)
{
    uint64_t longest = net->info->ep_attr->max_msg_size;
    net->chunk = longest < OFI_CHUNK ? longest : OFI_CHUNK;
    net->inject = net->info->tx_attr->inject_size;
    if (net->inject > OFI_COPIED) net->inject = OFI_COPIED;
    net->local_mr = (net->info->domain_attr->mr_mode & FI_MR_LOCAL) != 0;
    net->wait_object = FI_WAIT_FD;
}

static int open_fabric(ofi_net *net)
{
    int result = net->calls->fabric(net->info->fabric_attr, &net->fabric, NULL);
    return result ? ofi_fail_call(net, HAYATE_ERR_SYSTEM, "fi_fabric", result) : HAYATE_OK;
}

static int open_all(ofi_net *net, const hy_net_ops *ops, const hy_net_attr *attr)
{
    int rc = hy_net_base_init(&net->base, ops, &ofi_provider, attr);
    if (!rc) rc = hy_ofi_load(&net->calls);
    if (!rc) rc = hy_ofi_choose(net->calls, attr, &net->info, &net->ordered);
    if (rc) return rc;
    net->base.net.class = hy_ofi_class(net->info);
    ofi_open_prepare(net);
    rc = open_fabric(net);
    if (!rc) rc = hy_net_open_first(&net->base);
    if (!rc) rc = ofi_address_make(net);
    if (!rc) rc = hy_net_keep(&net->base, net->wait_object != FI_WAIT_NONE);
    return rc;
}

static void ofi_release(hy_net_base *base)
{
    ofi_net *net = (ofi_net *)base;
    hy_net_close_endpoints(base);
    if (net->fabric) fi_close(&net->fabric->fid);
    if (net->info) net->calls->freeinfo(net->info);
    hy_net_base_free(base);
    free(net);
}

static int ofi_open(const hy_net_attr *attr, hy_net **result)
{
    ofi_net *net = aligned_alloc(HY_LINE, hy_round_up(sizeof *net, HY_LINE));
    if (!net) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *net = (ofi_net){0};
    hy_handlers_keep();
    int rc = open_all(net, &hy_net_ofi, attr);
    hy_handlers_put_back();
    if (rc) ofi_release(&net->base);
    else *result = &net->base.net;
    return rc;
}

static void ofi_describe(const hy_net *self, char *text, size_t room)
{
    const struct fi_info *info = ((const ofi_net *)self)->info;
    snprintf(text, room, "libfabric %s on %s", info->fabric_attr->prov_name,
             info->domain_attr->name);
}

static int ofi_probe(void)
{
    const hy_ofi_calls *calls;
    hy_net_attr attr = {.ranks = 1};
    struct fi_info *info;
    bool ordered;
    hy_handlers_keep();
    int rc = hy_ofi_load(&calls);
    if (!rc) rc = hy_net_read_attr(&attr);
    if (!rc) rc = hy_ofi_choose(calls, &attr, &info, &ordered);
    if (!rc) calls->freeinfo(info);
    hy_handlers_put_back();
    return rc;
}

const hy_net_provider ofi_provider = {
    .open_endpoint = ofi_open_endpoint,
    .close_endpoint = ofi_close_endpoint,
    .poll = ofi_poll,
    .poll_others = ofi_poll_others,
    .release = ofi_release,
    .arm = ofi_arm,
    .peer_bytes = sizeof(ofi_peer),
    .add_peer = ofi_add_peer,
    .remove_peer = ofi_remove_peer,
    .watch = ofi_watch,
    .conn_of = ofi_conn_of,
    .connect = ofi_connect,
    .send = ofi_send,
    .say = ofi_say,
    .move = ofi_move,
    .hold = ofi_hold,
    .send_held = ofi_send_held,
    .forget = ofi_forget,
    .mark = ofi_mark,
    .is_over = ofi_is_over,
    .is_idle = ofi_is_idle,
};

static const hy_path_ops row = {.name = "ofi", .probe = ofi_probe, HY_NET_ROW};

const hy_net_ops hy_net_ofi = {.name = "ofi",
                               .row = &row,
                               .open = ofi_open,
                               .progress = ofi_progress,
                               .describe = ofi_describe,
                               HY_NET_OPS};
