/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes the network, and defines its tables. */
#include <stdio.h>
#include <stdlib.h>

#include "base/handlers.h"
#include "base/status.h"
#include "net/verbs/verbs_net.h"

/* A device that does not answer is given up after a quarter of the silence limit: after seven
 * attempts, each of which may take the device longer. */
static uint8_t timeout_of(uint64_t silence)
{
    uint8_t exponent = 14;
    while (exponent < 18 && (UINT64_C(4096) << (exponent + 1)) * 7 <= silence / 4) exponent++;
    return exponent;
}

static void verbs_open_prepare(verbs_net *net)
{
    const struct ibv_device_attr *device = &net->choice.device;
    net->timeout = timeout_of(net->base.silence);
    net->depth = VERBS_DEPTH - 1; /* soft-RoCE needs one more entry, and rounds up */
    if (device->max_qp_wr < VERBS_DEPTH) net->depth = (uint32_t)device->max_qp_wr;
}

/* Opens what all endpoints share. */
static int open_domain(verbs_net *net)
{
    verbs_channel_open(net);
    net->pd = net->calls->alloc_pd(net->choice.context);
    return net->pd ? verbs_memory_part(net)
                   : verbs_fail_call(net, "ibv_alloc_pd", "domains", net->choice.device.max_pd);
}

static int verbs_open_open_all(verbs_net *net, const hy_net_attr *attr)
{
    int rc = hy_net_base_init(&net->base, &hy_net_verbs, &verbs_provider, attr);
    if (!rc) rc = hy_verbs_load(&net->calls);
    if (!rc) rc = hy_verbs_choose(net->calls, attr, &net->choice);
    if (rc) return rc;
    verbs_open_prepare(net);
    rc = open_domain(net);
    if (!rc) rc = hy_net_open_first(&net->base);
    if (!rc) rc = verbs_greet_open(net);
    if (!rc) verbs_address_make(net);
    if (!rc) rc = hy_net_keep(&net->base, net->channel != NULL);
    return rc;
}

void verbs_release(hy_net_base *base)
{
    verbs_net *net = (verbs_net *)base;
    const hy_verbs_calls *calls = net->calls;
    if (net->greeter.qp) calls->destroy_qp(net->greeter.qp);
    hy_net_close_endpoints(base);
    if (net->channel) calls->destroy_comp_channel(net->channel);
    if (net->part_mr) calls->dereg_mr(net->part_mr);
    if (net->pd) calls->dealloc_pd(net->pd);
    if (net->choice.context) calls->close_device(net->choice.context);
    free(net->greeter.lines.stack);
    pthread_mutex_destroy(&net->greeter.lock);
    hy_net_base_free(base);
    free(net);
}

static int verbs_open(const hy_net_attr *attr, hy_net **result)
{
    verbs_net *net = aligned_alloc(HY_LINE, hy_round_up(sizeof *net, HY_LINE));
    if (!net) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *net = (verbs_net){.base.net.class = HY_NET_VERBS};
    pthread_mutex_init(&net->greeter.lock, NULL);
    hy_handlers_keep();
    int rc = verbs_open_open_all(net, attr);
    hy_handlers_put_back();
    if (rc) verbs_release(&net->base);
    else *result = &net->base.net;
    return rc;
}

/* XRC would let the ranks of a node share connections. It is not used, because soft-RoCE, with
 * which this is tested, does not have it. */
static void verbs_describe(const hy_net *self, char *text, size_t room)
{
    const hy_verbs_choice *choice = &((const verbs_net *)self)->choice;
    char address[INET6_ADDRSTRLEN] = "?";
    bool mapped = choice->gid.raw[10] == 0xff && choice->gid.raw[11] == 0xff;
    inet_ntop(mapped ? AF_INET : AF_INET6, choice->gid.raw + (mapped ? 12 : 0), address,
              sizeof address);
    snprintf(text, room, "verbs on %s:%d, %s, %s", choice->name, choice->port, address,
             choice->device.device_cap_flags & IBV_DEVICE_XRC ? "XRC not used" : "without XRC");
}

static int verbs_probe(void)
{
    const hy_verbs_calls *calls;
    hy_net_attr attr = {.ranks = 1};
    hy_verbs_choice choice;
    hy_handlers_keep();
    int rc = hy_verbs_load(&calls);
    if (!rc) rc = hy_net_read_attr(&attr);
    if (!rc) rc = hy_verbs_choose(calls, &attr, &choice);
    if (!rc) calls->close_device(choice.context);
    hy_handlers_put_back();
    return rc;
}

const hy_net_provider verbs_provider = {
    .open_endpoint = verbs_open_endpoint,
    .close_endpoint = verbs_close_endpoint,
    .poll = verbs_poll,
    .poll_others = verbs_poll_others,
    .release = verbs_release,
    .arm = verbs_arm,
    .peer_bytes = sizeof(verbs_peer),
    .add_peer = verbs_add_peer,
    .remove_peer = verbs_remove_peer,
    .break_off = verbs_break_off,
    .watch = verbs_watch,
    .conn_of = verbs_conn_of,
    .connect = verbs_connect,
    .send = verbs_send,
    .say = verbs_say,
    .move = verbs_move,
    .hold = verbs_hold,
    .send_held = verbs_send_held,
    .forget = verbs_forget,
    .mark = verbs_mark,
    .is_over = verbs_is_over,
    .is_idle = verbs_is_idle,
    .reads_back = true,
};

static const hy_path_ops row = {.name = "verbs", .probe = verbs_probe, HY_NET_ROW};

const hy_net_ops hy_net_verbs = {.name = "verbs",
                                 .row = &row,
                                 .open = verbs_open,
                                 .progress = verbs_progress,
                                 .describe = verbs_describe,
                                 HY_NET_OPS};
