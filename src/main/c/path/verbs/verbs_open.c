/* SPDX-License-Identifier: Apache-2.0 */
/* Opening. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/status.h"
#include "path/verbs/verbs_net.h"

_Static_assert(HY_ENDPOINTS_HIGH <= VERBS_ENDPOINTS_MOST, "as many as can be asked for");

/* A peer's device that does not answer is given up after a quarter of the silence: seven tries,
 * each of which may take the device longer. */
static uint8_t timeout_of(uint64_t silence)
{
    uint8_t exponent = 14;
    while (exponent < 18 && (UINT64_C(4096) << (exponent + 1)) * 7 <= silence / 4) exponent++;
    return exponent;
}

static int prepare(verbs_net *net)
{
    const struct ibv_device_attr *device = &net->choice.device;
    if (getrandom(&net->token, sizeof net->token, 0) != sizeof net->token)
        return hy_fail_errno("getrandom");
    net->silence = UINT64_C(1000000) *
                   (net->wish.silence_ms ? net->wish.silence_ms : HY_NET_SILENCE_MS);
    net->timeout = timeout_of(net->silence);
    net->depth = VERBS_DEPTH - 1; /* soft-RoCE wants a place more, and rounds up */
    if (device->max_qp_wr < VERBS_DEPTH) net->depth = (uint32_t)device->max_qp_wr;
    return hy_net_read_endpoints(&net->endpoints_wanted);
}

/* What all endpoints share. */
static int open_domain(verbs_net *net)
{
    verbs_channel_open(net);
    net->pd = net->calls->alloc_pd(net->choice.context);
    return net->pd ? verbs_memory_part(net)
                   : verbs_fail_call(net, "ibv_alloc_pd", "domains", net->choice.device.max_pd);
}

static int open_first(verbs_net *net)
{
    verbs_endpoint *endpoint = NULL;
    int rc = verbs_endpoint_open(net, 0, &endpoint);
    if (!rc) hy_store_release(&net->endpoints[0], endpoint);
    return rc;
}

static int open_all(verbs_net *net)
{
    net->fates = calloc((size_t)net->wish.ranks, sizeof *net->fates);
    net->parted = calloc((size_t)net->wish.ranks, sizeof *net->parted);
    if (!net->fates || !net->parted)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network of %d ranks",
                       net->wish.ranks);
    int rc = hy_verbs_load(&net->calls);
    if (!rc) rc = hy_verbs_choose(net->calls, &net->wish, &net->choice);
    if (!rc) rc = prepare(net);
    if (!rc) rc = open_domain(net);
    if (!rc) rc = open_first(net);
    if (!rc) rc = verbs_greet_open(net);
    if (!rc) verbs_blob_make(net);
    if (!rc) rc = verbs_keep(net);
    return rc;
}

void verbs_release(verbs_net *net)
{
    const hy_verbs_calls *calls = net->calls;
    if (net->greeter.qp) calls->destroy_qp(net->greeter.qp);
    for (int i = VERBS_ENDPOINTS_MOST - 1; i >= 0; i--) {
        verbs_endpoint *endpoint = verbs_endpoint_at(net, i);
        if (endpoint) verbs_endpoint_close(endpoint);
    }
    if (net->channel) calls->destroy_comp_channel(net->channel);
    if (net->part_mr) calls->dereg_mr(net->part_mr);
    if (net->pd) calls->dealloc_pd(net->pd);
    if (net->choice.context) calls->close_device(net->choice.context);
    free(net->greeter.lines.stack);
    free(net->fates);
    free(net->parted);
    pthread_mutex_destroy(&net->greeter.lock);
    pthread_mutex_destroy(&net->looking);
    pthread_mutex_destroy(&net->opening);
    free(net);
}

int verbs_open(const hy_net_wish *wish, hy_net **result)
{
    verbs_net *net = aligned_alloc(HY_LINE, hy_round_up(sizeof *net, HY_LINE));
    if (!net) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *net = (verbs_net){.net = {.ops = &hy_net_verbs, .class = HY_NET_VERBS}, .wish = *wish};
    pthread_mutex_init(&net->greeter.lock, NULL);
    pthread_mutex_init(&net->looking, NULL);
    pthread_mutex_init(&net->opening, NULL);
    int rc = open_all(net);
    if (rc) verbs_release(net);
    else *result = &net->net;
    return rc;
}

void verbs_blob(const hy_net *self, void *blob, size_t *len)
{
    const verbs_net *net = (const verbs_net *)self;
    memcpy(blob, net->blob, net->blob_bytes);
    *len = net->blob_bytes;
}

void verbs_attach(hy_net *self, hy_ep *ep, int rank, int lane)
{
    ep->ops = &hy_path_verbs;
    ep->net = self;
    ep->rank = rank;
    ep->lane = lane;
    ep->part_bytes = verbs_of(self)->wish.part_bytes;
}

/* XRC would let ranks of a node share the connections of one; it is not used, as soft-RoCE, with
 * which this is tested, has none. */
void verbs_describe(const hy_net *self, char *text, size_t room)
{
    const hy_verbs_choice *choice = &((const verbs_net *)self)->choice;
    char address[INET6_ADDRSTRLEN] = "?";
    bool mapped = choice->gid.raw[10] == 0xff && choice->gid.raw[11] == 0xff;
    inet_ntop(mapped ? AF_INET : AF_INET6, choice->gid.raw + (mapped ? 12 : 0), address,
              sizeof address);
    snprintf(text, room, "verbs on %s:%d, %s, %s", choice->name, choice->port, address,
             choice->device.device_cap_flags & IBV_DEVICE_XRC ? "its XRC not used" : "without XRC");
}
