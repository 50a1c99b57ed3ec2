/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and leaving. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

#define CLOSE_NS UINT64_C(1000000000)

static int fail_open(const ofi_net *net, const char *call, long result)
{
    if (result == -FI_ENOMEM || result == -FI_EAGAIN)
        return hy_fail(HAYATE_ERR_NO_MEMORY,
                       "libfabric (%s): %s: %s; is the limit of locked memory too low (ulimit -l)?",
                       net->info->fabric_attr->prov_name, call, net->calls->error((int)-result));
    return ofi_fail_call(net, HAYATE_ERR_SYSTEM, call, result);
}

static int open_domain(ofi_net *net)
{
    struct fi_av_attr av = {.type = net->info->domain_attr->av_type};
    struct fi_cq_attr cq = {
        .format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_NONE, .size = OFI_OPS + OFI_RECEIVES};
    const char *call = "fi_fabric";
    int result = net->calls->fabric(net->info->fabric_attr, &net->fabric, NULL);
    if (!result) call = "fi_domain", result = fi_domain(net->fabric, net->info, &net->domain, NULL);
    if (!result) call = "fi_av_open", result = fi_av_open(net->domain, &av, &net->av, NULL);
    if (!result) call = "fi_cq_open", result = fi_cq_open(net->domain, &cq, &net->cq, NULL);
    return result ? fail_open(net, call, result) : HAYATE_OK;
}

static int open_endpoint(ofi_net *net)
{
    const char *call = "fi_endpoint";
    int result = fi_endpoint(net->domain, net->info, &net->endpoint, NULL);
    if (!result) call = "fi_ep_bind", result = fi_ep_bind(net->endpoint, &net->av->fid, 0);
    if (!result) result = fi_ep_bind(net->endpoint, &net->cq->fid, FI_TRANSMIT | FI_RECV);
    if (!result) call = "fi_enable", result = fi_enable(net->endpoint);
    return result ? fail_open(net, call, result) : HAYATE_OK;
}

/* Some providers want to know which endpoint memory is for. */
static int bind_memory(ofi_net *net, struct fid_mr *mr)
{
    if (!(net->info->domain_attr->mr_mode & FI_MR_ENDPOINT)) return 0;
    int result = fi_mr_bind(mr, &net->endpoint->fid, 0);
    return result ? result : fi_mr_enable(mr);
}

static uint64_t random_key(const ofi_net *net)
{
    uint64_t key = 0;
    size_t bytes = net->info->domain_attr->mr_key_size;
    if (getrandom(&key, sizeof key, 0) != sizeof key) key = net->token;
    return bytes < sizeof key ? key & ((UINT64_C(1) << 8 * bytes) - 1) : key;
}

static int register_part(ofi_net *net)
{
    uint64_t access = FI_REMOTE_READ | FI_REMOTE_WRITE | (net->local_mr ? FI_READ | FI_WRITE : 0);
    int result, tries = 0;
    do { /* a short key may be taken */
        result = fi_mr_reg(net->domain, net->wish.part, net->wish.part_bytes, access, 0,
                           random_key(net), 0, &net->part_mr, NULL);
    } while (result == -FI_ENOKEY && ++tries < 16);
    if (!result) result = bind_memory(net, net->part_mr);
    return result ? fail_open(net, "fi_mr_reg of this rank's part", result) : HAYATE_OK;
}

static int make_buffers(ofi_net *net)
{
    size_t mine = (size_t)OFI_OPS * OFI_COPIED, bytes = mine + OFI_RECEIVES * 2 * (size_t)HY_LINE;
    net->buffers = aligned_alloc(4096, bytes);
    if (!net->buffers)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the buffers of the network");
    for (int i = 0; i < OFI_RECEIVES; i++) net->receives[i].data = net->buffers + mine + i * 128;
    for (int i = OFI_OPS - 1; i >= 0; i--) {
        net->ops[i].data = net->buffers + (size_t)i * OFI_COPIED;
        ofi_op_give(net, &net->ops[i]);
    }
    if (!net->local_mr) return HAYATE_OK;
    int result = fi_mr_reg(net->domain, net->buffers, bytes, FI_SEND | FI_RECV | FI_WRITE | FI_READ,
                           0, random_key(net), 0, &net->own_mr, NULL);
    if (!result) result = bind_memory(net, net->own_mr);
    return result ? fail_open(net, "fi_mr_reg", result) : HAYATE_OK;
}

static int prepare(ofi_net *net)
{
    int rc = hy_net_table_make(&net->peers, net->wish.ranks);
    if (rc) return rc;
    if (getrandom(&net->token, sizeof net->token, 0) != sizeof net->token)
        return hy_fail_errno("getrandom");
    uint64_t longest = net->info->ep_attr->max_msg_size;
    net->chunk = longest < OFI_CHUNK ? longest : OFI_CHUNK;
    net->inject = net->info->tx_attr->inject_size;
    if (net->inject > OFI_COPIED) net->inject = OFI_COPIED;
    net->local_mr = (net->info->domain_attr->mr_mode & FI_MR_LOCAL) != 0;
    net->silence = UINT64_C(1000000) *
                   (net->wish.silence_ms ? net->wish.silence_ms : HY_NET_SILENCE_MS);
    net->unsent_end = &net->unsent;
    return HAYATE_OK;
}

static int open_all(ofi_net *net)
{
    int rc = hy_ofi_load(&net->calls);
    if (!rc) rc = hy_ofi_choose(net->calls, &net->wish, &net->info, &net->ordered);
    if (!rc) rc = prepare(net);
    if (!rc) rc = open_domain(net);
    if (!rc) rc = open_endpoint(net);
    if (!rc) rc = register_part(net);
    if (!rc) rc = make_buffers(net);
    if (!rc) rc = ofi_blob_make(net);
    for (int i = 0; !rc && i < OFI_RECEIVES; i++) ofi_receive_post(net, &net->receives[i]);
    if (!rc) rc = hy_net_keeper_start(&net->keeper, ofi_look, net);
    return rc;
}

static void close_object(void *object)
{
    struct fid *fid = object; /* which all of libfabric's objects begin with */
    if (fid) fi_close(fid);
}

static void close_memory(ofi_net *net)
{
    for (int i = 0; i < OFI_OPS; i++) close_object(net->ops[i].mr);
    close_object(net->part_mr);
    close_object(net->own_mr);
}

/* Memory that is bound to the endpoint goes before it, other memory after it. */
static void release(ofi_net *net)
{
    bool bound = net->info && (net->info->domain_attr->mr_mode & FI_MR_ENDPOINT);
    net->closing = true;
    if (bound) close_memory(net);
    close_object(net->endpoint);
    if (!bound) close_memory(net);
    close_object(net->cq);
    close_object(net->av);
    close_object(net->domain);
    close_object(net->fabric);
    if (net->info) net->calls->freeinfo(net->info);
    hy_net_table_free(&net->peers);
    free(net->buffers);
    pthread_mutex_destroy(&net->lock);
    free(net);
}

int ofi_open(const hy_net_wish *wish, hy_net **result)
{
    ofi_net *net = aligned_alloc(HY_LINE, hy_round_up(sizeof *net, HY_LINE));
    if (!net) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *net = (ofi_net){.net = {.ops = &hy_net_ofi}, .wish = *wish};
    pthread_mutex_init(&net->lock, NULL);
    int rc = open_all(net);
    if (rc) release(net);
    else *result = &net->net;
    return rc;
}

void ofi_blob(const hy_net *self, void *blob, size_t *len)
{
    const ofi_net *net = (const ofi_net *)self;
    memcpy(blob, net->blob, net->blob_bytes);
    *len = net->blob_bytes;
}

/* One endpoint of libfabric serves all lanes. */
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

/* The last messages of a rank that leaves in order arrive: the peers answer that they have, or say
 * that they leave as well. */
static void part_from(ofi_net *net, ofi_peer *peer)
{
    if (peer->life.failed) return;
    if (!ofi_fence(net, peer) && peer->life.known) ofi_say_bye(net, peer);
}

static void say_farewell(ofi_net *net)
{
    uint64_t now, end = hy_now_ns() + CLOSE_NS;
    ofi_peer *peer;
    for (int i = 0; (peer = hy_net_table_next(&net->peers, &i)) && (now = hy_now_ns()) < end; i++) {
        net->silence = end - now;
        part_from(net, peer);
    }
}

void ofi_close(hy_net *self)
{
    ofi_net *net = ofi_of(self);
    hy_net_keeper_stop(net->keeper);
    pthread_mutex_lock(&net->lock);
    say_farewell(net);
    pthread_mutex_unlock(&net->lock);
    release(net);
}
