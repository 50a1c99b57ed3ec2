/* SPDX-License-Identifier: Apache-2.0 */
/* The row of the path table. */
#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

static int outside(const hy_ep *ep, uint64_t offset, uint64_t len)
{
    return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                        "rank %d names memory outside of its segment (offset %llu, %llu bytes)",
                        ep->rank, (unsigned long long)offset, (unsigned long long)len);
}

int ofi_enter(hy_ep *ep, uint64_t remote, uint64_t len, ofi_endpoint **result, ofi_peer **peer)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, len))) return outside(ep, remote, len);
    ofi_endpoint *endpoint = *result = ofi_endpoint_of(ofi_of(ep->net), ep->lane);
    pthread_mutex_lock(&endpoint->lock);
    int rc = ofi_peer_find(endpoint, ep->rank, peer);
    if (hy_unlikely(!rc && (remote > (*peer)->part_bytes || len > (*peer)->part_bytes - remote)))
        rc = outside(ep, remote, len);
    if (hy_unlikely(rc)) pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

static void ofi_signal(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload, size_t len)
{
    ofi_endpoint *endpoint = NULL;
    hy_net_message message = {.head = {.kind = HY_NET_SIGNAL, .value = head, .offset = slot}};
    ofi_peer *peer;
    hy_copy_slot(message.payload, payload, len);
    int rc = ofi_enter(ep, slot, sizeof(hy_slot), &endpoint, &peer);
    if (!rc) {
        rc = ofi_send(endpoint, peer, &message, len);
        pthread_mutex_unlock(&endpoint->lock);
    }
    /* Who waits for what it would have led to is told so by check(). */
    if (rc) hy_log(HY_LOG_INFO, "a signal was lost: %s", hayate_error());
}

static int ofi_put_flag(hy_ep *ep, uint64_t remote, const hy_flag *flag)
{
    ofi_endpoint *endpoint = NULL;
    hy_net_message message = {
        .head = {.kind = HY_NET_FLAG, .value = flag->value, .offset = remote}};
    ofi_peer *peer;
    memcpy(message.payload, flag->data, sizeof flag->data);
    int rc = ofi_enter(ep, remote, sizeof *flag, &endpoint, &peer);
    if (rc) return rc;
    rc = ofi_send(endpoint, peer, &message, sizeof flag->data);
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

static int ofi_atomic(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand,
                      uint64_t expected, uint64_t *before)
{
    ofi_endpoint *endpoint = NULL;
    hy_net_message message = {
        .head = {.kind = HY_NET_ATOMIC, .value = operand, .offset = remote, .what = (uint8_t)what}};
    ofi_peer *peer;
    memcpy(message.payload + 8, &expected, 8);
    int rc = ofi_enter(ep, remote, sizeof operand, &endpoint, &peer);
    if (rc) return rc;
    rc = ofi_ask(endpoint, peer, &message, 16, before);
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

/* Who was never used has nothing to be flushed, and is not connected to for that. */
static int ofi_flush(hy_ep *ep)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(ofi_of(ep->net), ep->lane);
    pthread_mutex_lock(&endpoint->lock);
    ofi_peer *peer = hy_net_table_look(&endpoint->peers, ep->rank);
    int rc = peer && hy_net_failed(&peer->life) ? hy_net_fail_lost(&peer->life) : HAYATE_OK;
    if (peer && !rc) rc = ofi_fence(endpoint, peer);
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

static int net_progress(hy_net *self)
{
    return ofi_try_all(ofi_of(self));
}

static int net_check(hy_ep *ep)
{
    ofi_endpoint *endpoint = NULL;
    ofi_peer *peer;
    int rc = ofi_enter(ep, 0, 0, &endpoint, &peer);
    if (rc) return rc;
    ofi_drain(endpoint);
    rc = ofi_watch(endpoint, peer, 0);
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

static bool net_has_left(hy_ep *ep)
{
    ofi_endpoint *endpoint = NULL;
    ofi_peer *peer = NULL;
    int failed = ofi_enter(ep, 0, 0, &endpoint, &peer);
    if (!failed) pthread_mutex_unlock(&endpoint->lock);
    return failed && peer && peer->life.left;
}

static int ofi_probe(void)
{
    const hy_ofi_calls *calls;
    hy_net_wish wish = {.ranks = 1};
    struct fi_info *info;
    bool ordered;
    int rc = hy_ofi_load(&calls);
    if (!rc) rc = hy_net_read_wish(&wish);
    if (!rc) rc = hy_ofi_choose(calls, &wish, &info, &ordered);
    if (!rc) calls->freeinfo(info);
    return rc;
}

const hy_path_ops hy_path_ofi = {
    .name = "ofi",
    .put = ofi_put,
    .get = ofi_get,
    .signal = ofi_signal,
    .put_start = ofi_put_start,
    .get_start = ofi_get_start,
    .put_flag = ofi_put_flag,
    .atomic = ofi_atomic,
    .flush = ofi_flush,
    .probe = ofi_probe,
};

const hy_net_ops hy_net_ofi = {
    .name = "ofi",
    .row = &hy_path_ofi,
    .open = ofi_open,
    .blob = ofi_blob,
    .attach = ofi_attach,
    .progress = net_progress,
    .watches = ofi_watches,
    .check = net_check,
    .has_left = net_has_left,
    .leave = ofi_leave,
    .describe = ofi_describe,
    .close = ofi_close,
};
