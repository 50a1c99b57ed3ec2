/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts and gets: RMA writes and reads; long ones are split into pieces that are under way together.
 * A short put is copied, so that it does not wait. Memory of the user is passed to the provider
 * directly; if the provider requires registration (FI_MR_LOCAL), it is registered for the duration
 * of the operation.
 *
 * After a failure, operations may still be under way, and a read may complete as long as the
 * network is open. So only the part, which lives as long, is the direct target of reads; other
 * memory is read through a buffer of the operation, from which nothing is copied after the peer has
 * failed.
 */
#include <stdlib.h>

#include "base/status.h"
#include "net/ofi/ofi_net.h"

static bool in_part(const ofi_endpoint *endpoint, const uint8_t *memory, size_t len)
{
    const hy_net_attr *attr = &endpoint->base.net->attr;
    uint64_t offset = (uint64_t)((uintptr_t)memory - (uintptr_t)attr->part);
    return offset < attr->part_bytes && len <= attr->part_bytes - offset;
}

/* The local end of the RMA operation; NULL: no memory. */
static uint8_t *own_end(const ofi_endpoint *endpoint, const hy_net_transfer *t, ofi_op *op,
                        size_t len)
{
    if (t->write && t->left && len <= OFI_COPIED) return memcpy(op->data, t->local, len);
    if (t->write || in_part(endpoint, t->local, len)) return t->local;
    op->memory = t->local;
    op->len = len;
    if (len <= OFI_COPIED) return op->data;
    if (!op->owned) op->owned = malloc(OFI_OWNED);
    return op->owned;
}

static int describe(ofi_endpoint *endpoint, bool write, ofi_op *op, uint8_t *local, size_t len,
                    void **desc)
{
    *desc = NULL;
    if (!ofi_net_of(endpoint)->local_mr) return HAYATE_OK;
    if (local == op->data || in_part(endpoint, local, len)) {
        *desc = fi_mr_desc(local == op->data ? endpoint->own_mr : endpoint->part_mr);
        return HAYATE_OK;
    }
    int result = fi_mr_reg(endpoint->domain, local, len, write ? FI_WRITE : FI_READ, 0,
                           ++endpoint->registrations, 0, &op->mr, NULL);
    if (result) return ofi_fail_resource(ofi_net_of(endpoint), "fi_mr_reg", result);
    *desc = fi_mr_desc(op->mr);
    return HAYATE_OK;
}

/* The operation cannot complete before it is counted here, because the lock is held. */
static void note_begun(ofi_endpoint *endpoint, ofi_peer *peer, const hy_net_transfer *t, ofi_op *op,
                       bool copied)
{
    op->left = copied ? NULL : t->left;
    op->number = ++peer->begun;
    if (op->left) ++*op->left;
    ofi_under_way(endpoint, &peer->pending);
}

static int post_piece(ofi_endpoint *endpoint, ofi_peer *peer, const hy_net_transfer *t, size_t len)
{
    void *desc;
    ofi_op *op = ofi_op_take(endpoint, peer, OFI_RMA);
    if (!op) return HAYATE_IN_PROGRESS;
    uint8_t *local = own_end(endpoint, t, op, len);
    int rc = local ? describe(endpoint, t->write, op, local, len, &desc)
                   : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a read of %zu bytes", len);
    if (!rc) {
        uint64_t to = peer->base.base + t->remote;
        long result = t->write ? fi_write(endpoint->ep, local, len, desc, peer->address, to,
                                          peer->key, op)
                               : fi_read(endpoint->ep, local, len, desc, peer->address, to,
                                         peer->key, op);
        rc = ofi_posted(endpoint, peer, t->write ? "fi_write" : "fi_read", result);
    }
    if (rc) ofi_op_give(endpoint, op);
    else note_begun(endpoint, peer, t, op, t->write && local == op->data);
    return rc;
}

/* The end of an injected write is never reported. So a write is injected only if a fence asks a
 * question (`ordered`), and from time to time one is not (like may_inject() of ofi_message.c). */
static bool may_inject(const ofi_net *net, const hy_net_conn *conn, const hy_net_transfer *t)
{
    return t->write && t->bytes <= net->inject && t->bytes <= OFI_COPIED && net->ordered &&
           (conn->messages + conn->writes) % 32 != 31;
}

static int inject(ofi_endpoint *endpoint, ofi_peer *peer, const hy_net_transfer *t)
{
    return ofi_posted(endpoint, peer, "fi_inject_write",
                      fi_inject_write(endpoint->ep, t->local, t->bytes, peer->address,
                                      peer->base.base + t->remote, peer->key));
}

int ofi_move(hy_net_endpoint *base, hy_net_conn *conn, hy_net_transfer *t)
{
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    ofi_peer *peer = ofi_peer_of(conn);
    const ofi_net *net = ofi_net_of(endpoint);
    uint64_t chunk = net->chunk;
    if (!t->write && !ofi_is_behind(endpoint, peer, &t->order)) return HAYATE_IN_PROGRESS;
    if (chunk > OFI_OWNED && !t->write && !in_part(endpoint, t->local, t->bytes)) chunk = OFI_OWNED;
    while (t->bytes > 0) {
        size_t piece = t->bytes < chunk ? t->bytes : chunk;
        int rc = may_inject(net, conn, t) ? inject(endpoint, peer, t)
                                          : post_piece(endpoint, peer, t, piece);
        if (rc) return rc;
        conn->writes += t->write;
        t->remote += piece;
        t->local += piece;
        t->bytes -= piece;
    }
    return HAYATE_OK;
}
