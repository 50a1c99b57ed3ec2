/* SPDX-License-Identifier: Apache-2.0 */
/* The row of the path table. */
#include "base/log.h"
#include "base/status.h"
#include "path/verbs/verbs_net.h"

static int outside(const hy_ep *ep, uint64_t offset, uint64_t len)
{
    return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                        "rank %d names memory outside of its segment (offset %llu, %llu bytes)",
                        ep->rank, (unsigned long long)offset, (unsigned long long)len);
}

int verbs_enter(hy_ep *ep, uint64_t remote, uint64_t len, verbs_endpoint **result,
                verbs_conn **conn)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, len))) return outside(ep, remote, len);
    verbs_endpoint *endpoint = *result = verbs_endpoint_of(verbs_of(ep->net), ep->lane);
    pthread_mutex_lock(&endpoint->lock);
    int rc = verbs_conn_find(endpoint, ep->rank, ep->lane, conn);
    if (hy_likely(!rc)) {
        uint64_t part = (*conn)->peer->part_bytes;
        if (hy_unlikely(remote > part || len > part - remote)) rc = outside(ep, remote, len);
    }
    if (hy_unlikely(rc)) pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

static void verbs_signal(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload, size_t len)
{
    verbs_endpoint *endpoint = NULL;
    hy_net_message message = {.head = {.kind = HY_NET_SIGNAL, .value = head, .offset = slot}};
    verbs_conn *conn;
    hy_copy_slot(message.payload, payload, len);
    int rc = verbs_enter(ep, slot, sizeof(hy_slot), &endpoint, &conn);
    if (!rc) {
        rc = verbs_send(endpoint, conn, &message, len);
        pthread_mutex_unlock(&endpoint->lock);
    }
    /* Who waits for what it would have led to is told so by check(). */
    if (rc) hy_log(HY_LOG_INFO, "a signal was lost: %s", hayate_error());
}

static int verbs_put_flag(hy_ep *ep, uint64_t remote, const hy_flag *flag)
{
    verbs_endpoint *endpoint = NULL;
    hy_net_message message = {
        .head = {.kind = HY_NET_FLAG, .value = flag->value, .offset = remote}};
    verbs_conn *conn;
    memcpy(message.payload, flag->data, sizeof flag->data);
    int rc = verbs_enter(ep, remote, sizeof *flag, &endpoint, &conn);
    if (rc) return rc;
    rc = verbs_send(endpoint, conn, &message, sizeof flag->data);
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

static int verbs_atomic(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand,
                        uint64_t expected, uint64_t *before)
{
    verbs_endpoint *endpoint = NULL;
    hy_net_message message = {
        .head = {.kind = HY_NET_ATOMIC, .value = operand, .offset = remote, .what = (uint8_t)what}};
    verbs_conn *conn;
    memcpy(message.payload + 8, &expected, 8);
    int rc = verbs_enter(ep, remote, sizeof operand, &endpoint, &conn);
    if (rc) return rc;
    rc = verbs_ask(endpoint, conn, &message, 16, before);
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

/* Nothing to flush where nothing was begun, by either side. */
static int flush_used(verbs_endpoint *endpoint, const hy_ep *ep)
{
    verbs_peer *peer = hy_net_table_look(&endpoint->peers, ep->rank);
    if (!peer) return HAYATE_OK;
    if (verbs_peer_failed(endpoint, peer)) return hy_net_fail_lost(&peer->life);
    verbs_conn *conn = ep->lane < peer->lanes ? peer->conns[ep->lane] : NULL;
    return conn ? verbs_fence(endpoint, conn) : HAYATE_OK;
}

static int verbs_flush(hy_ep *ep)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(verbs_of(ep->net), ep->lane);
    pthread_mutex_lock(&endpoint->lock);
    int rc = flush_used(endpoint, ep);
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

static int net_progress(hy_net *self)
{
    return verbs_try_all(verbs_of(self), NULL);
}

/* The peer is connected by this, as it is asked for a sign of life, but not waited for. */
static int net_check(hy_ep *ep)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(verbs_of(ep->net), ep->lane);
    verbs_peer *peer;
    pthread_mutex_lock(&endpoint->lock);
    int rc = verbs_peer_find(endpoint, ep->rank, &peer);
    if (!rc) rc = verbs_conn_begin(endpoint, peer, ep->lane);
    if (!rc) {
        verbs_drain(endpoint);
        rc = verbs_watch(endpoint, peer, 0);
    }
    pthread_mutex_unlock(&endpoint->lock);
    return rc;
}

static bool net_has_left(hy_ep *ep)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(verbs_of(ep->net), ep->lane);
    verbs_peer *peer = NULL;
    pthread_mutex_lock(&endpoint->lock);
    bool left = verbs_peer_find(endpoint, ep->rank, &peer) && peer && peer->life.left;
    pthread_mutex_unlock(&endpoint->lock);
    return left;
}

static int verbs_probe(void)
{
    const hy_verbs_calls *calls;
    hy_net_wish wish = {.ranks = 1};
    hy_verbs_choice choice;
    int rc = hy_verbs_load(&calls);
    if (!rc) rc = hy_net_read_wish(&wish);
    if (!rc) rc = hy_verbs_choose(calls, &wish, &choice);
    if (!rc) calls->close_device(choice.context);
    return rc;
}

const hy_path_ops hy_path_verbs = {
    .name = "verbs",
    .put = verbs_put,
    .get = verbs_get,
    .signal = verbs_signal,
    .put_start = verbs_put_start,
    .get_start = verbs_get_start,
    .put_flag = verbs_put_flag,
    .atomic = verbs_atomic,
    .flush = verbs_flush,
    .probe = verbs_probe,
};

const hy_net_ops hy_net_verbs = {
    .name = "verbs",
    .row = &hy_path_verbs,
    .open = verbs_open,
    .blob = verbs_blob,
    .attach = verbs_attach,
    .progress = net_progress,
    .watches = verbs_watches,
    .check = net_check,
    .has_left = net_has_left,
    .leave = verbs_leave,
    .describe = verbs_describe,
    .close = verbs_close,
};
