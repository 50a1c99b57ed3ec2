/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts and gets: RMA writes and reads, long ones in pieces that are under way together. A short put
 * is copied, so that it does not wait. Memory of the user's goes straight to the provider; where
 * that wants it registered (FI_MR_LOCAL), it is so for the time of the operation.
 *
 * After a failure operations may still be under way, and a read may come back for as long as the
 * network is open. So only the part, which lives as long, is read to straight; other memory by a
 * buffer of the operation's own, from which nothing is copied once the peer has failed.
 */
#include <stdlib.h>

#include "base/status.h"
#include "path/ofi/ofi_net.h"

typedef struct transfer {
    ofi_endpoint *endpoint;
    ofi_peer *peer;
    bool write;
    uint64_t remote;
    uint8_t *local;
    uint32_t *left; /* NULL: nobody waits for these */
} transfer;

static bool in_part(const ofi_endpoint *endpoint, const uint8_t *memory, size_t len)
{
    uint64_t offset = (uint64_t)((uintptr_t)memory - (uintptr_t)endpoint->net->wish.part);
    return offset < endpoint->net->wish.part_bytes &&
           len <= endpoint->net->wish.part_bytes - offset;
}

/* Where it is written from or read to; NULL: no memory. */
static uint8_t *own_end(const transfer *t, ofi_op *op, size_t len)
{
    if (t->write || in_part(t->endpoint, t->local, len)) return t->local;
    op->memory = t->local;
    op->len = len;
    if (len <= OFI_COPIED) return op->data;
    if (!op->owned) op->owned = malloc(OFI_OWNED);
    return op->owned;
}

static int describe(const transfer *t, ofi_op *op, uint8_t *local, size_t len, void **desc)
{
    ofi_endpoint *endpoint = t->endpoint;
    *desc = NULL;
    if (!endpoint->net->local_mr) return HAYATE_OK;
    if (local == op->data || in_part(endpoint, local, len)) {
        *desc = fi_mr_desc(local == op->data ? endpoint->own_mr : endpoint->part_mr);
        return HAYATE_OK;
    }
    int result = fi_mr_reg(endpoint->domain, local, len, t->write ? FI_WRITE : FI_READ, 0,
                           ++endpoint->registrations, 0, &op->mr, NULL);
    if (result) return ofi_fail_resource(endpoint->net, "fi_mr_reg", result);
    *desc = fi_mr_desc(op->mr);
    return HAYATE_OK;
}

static long post(const transfer *t, void *local, size_t len, void *desc, ofi_op *op)
{
    const ofi_peer *peer = t->peer;
    uint64_t to = peer->base + t->remote;
    if (t->write)
        return fi_write(t->endpoint->ep, local, len, desc, peer->address, to, peer->key, op);
    return fi_read(t->endpoint->ep, local, len, desc, peer->address, to, peer->key, op);
}

static int start(const transfer *t, ofi_op *op, void *local, size_t len, void *desc)
{
    ofi_wait wait = {.peer = t->peer};
    int rc;
    do {
        rc = ofi_posted(t->endpoint, &wait, t->write ? "fi_write" : "fi_read",
                        post(t, local, len, desc, op));
    } while (rc == HAYATE_IN_PROGRESS);
    if (rc) {
        ofi_op_give(t->endpoint, op);
        return rc;
    }
    op->left = t->left;
    op->number = ++t->peer->begun;
    if (t->left) ++*t->left;
    ofi_under_way(t->endpoint, &t->peer->pending);
    if (t->write) t->peer->sent++;
    return HAYATE_OK;
}

/* The completion cannot come before start() has counted it: the lock is held. */
static int start_piece(const transfer *t, size_t len)
{
    ofi_wait wait = {.peer = t->peer};
    ofi_op *op;
    void *desc;
    int rc = ofi_op_take(t->endpoint, &wait, OFI_RMA, &op);
    if (rc) return rc;
    uint8_t *local = own_end(t, op, len);
    rc = local ? describe(t, op, local, len, &desc)
               : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a read of %zu bytes", len);
    if (!rc) return start(t, op, local, len, desc);
    ofi_op_give(t->endpoint, op);
    return rc;
}

static int start_all(transfer t, size_t len)
{
    uint64_t chunk = t.endpoint->net->chunk;
    int rc = HAYATE_OK;
    if (chunk > OFI_OWNED && !t.write && !in_part(t.endpoint, t.local, len)) chunk = OFI_OWNED;
    while (len > 0 && !rc) {
        size_t piece = len < chunk ? len : chunk;
        rc = start_piece(&t, piece);
        t.remote += piece;
        t.local += piece;
        len -= piece;
    }
    return rc;
}

static void forget(ofi_endpoint *endpoint, const uint32_t *left)
{
    for (int i = 0; i < endpoint->ops_count; i++)
        if (endpoint->ops[i].left == left)
            endpoint->ops[i].left = NULL, endpoint->ops[i].memory = NULL;
}

static int run(transfer t, size_t len)
{
    uint32_t left = 0;
    ofi_wait wait = {.peer = t.peer};
    t.left = &left;
    int rc = start_all(t, len);
    while (!rc && left) rc = ofi_turn(t.endpoint, &wait);
    if (left) forget(t.endpoint, &left);
    return !rc && hy_net_failed(&t.peer->life) ? hy_net_fail_lost(&t.peer->life) : rc;
}

static int put_copied(const transfer *t, size_t len)
{
    ofi_wait wait = {.peer = t->peer};
    ofi_op *op;
    int rc = ofi_op_take(t->endpoint, &wait, OFI_RMA, &op);
    if (rc) return rc;
    memcpy(op->data, t->local, len);
    return start(t, op, op->data, len, ofi_desc(t->endpoint->own_mr));
}

/* No completion tells of the end of an injected write: only where a fence asks for it. */
static int put_injected(const transfer *t, size_t len)
{
    const ofi_peer *peer = t->peer;
    ofi_wait wait = {.peer = t->peer};
    int rc;
    do {
        rc = ofi_posted(t->endpoint, &wait, "fi_inject_write",
                        fi_inject_write(t->endpoint->ep, t->local, len, peer->address,
                                        peer->base + t->remote, peer->key));
    } while (rc == HAYATE_IN_PROGRESS);
    if (!rc) t->peer->sent++;
    return rc;
}

static int enter(hy_ep *ep, uint64_t remote, const void *local, size_t len, transfer *t)
{
    *t = (transfer){.remote = remote, .local = (void *)(uintptr_t)local};
    return ofi_enter(ep, remote, len, &t->endpoint, &t->peer);
}

static int leave(const transfer *t, int rc)
{
    pthread_mutex_unlock(&t->endpoint->lock);
    return rc;
}

/* As may_inject() of ofi_message.c: an end is told every so often. */
static bool may_inject(const transfer *t, size_t len)
{
    const ofi_net *net = t->endpoint->net;
    return len <= net->inject && len <= OFI_COPIED && net->ordered && t->peer->sent % 32 != 31;
}

int ofi_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    transfer t;
    int rc = enter(ep, remote, local, len, &t);
    if (rc) return rc;
    t.write = true;
    if (len > 0 && len <= HY_NET_RIDER && ofi_hold(t.endpoint, t.peer, remote, local, len))
        return leave(&t, HAYATE_OK);
    rc = ofi_go_behind(t.endpoint, t.peer, remote, len);
    if (rc) return leave(&t, rc);
    if (may_inject(&t, len)) rc = put_injected(&t, len);
    else if (len <= OFI_COPIED) rc = put_copied(&t, len);
    else rc = run(t, len);
    return leave(&t, rc);
}

int ofi_put_start(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    transfer t;
    int rc = enter(ep, remote, local, len, &t);
    if (rc) return rc;
    t.write = true;
    rc = ofi_go_behind(t.endpoint, t.peer, remote, len);
    if (rc) return leave(&t, rc);
    if (may_inject(&t, len)) rc = put_injected(&t, len);
    else rc = start_all(t, len);
    return leave(&t, rc);
}

int ofi_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    transfer t;
    int rc = enter(ep, remote, local, len, &t);
    if (rc) return rc;
    rc = ofi_go_behind(t.endpoint, t.peer, remote, len);
    if (!rc && !t.endpoint->net->ordered) rc = ofi_settle(t.endpoint, t.peer);
    if (!rc) rc = run(t, len);
    return leave(&t, rc);
}

int ofi_get_start(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    transfer t;
    int rc = enter(ep, remote, local, len, &t);
    if (rc) return rc;
    rc = ofi_go_behind(t.endpoint, t.peer, remote, len);
    if (!rc && !t.endpoint->net->ordered) rc = ofi_settle(t.endpoint, t.peer);
    if (!rc) rc = start_all(t, len);
    return leave(&t, rc);
}
