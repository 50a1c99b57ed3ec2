/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts and gets: RDMA writes and reads in pieces that are under way together, several per doorbell.
 * Memory of the rank's own part is used directly; other memory is copied through buffers, so that a
 * put need not wait until its last pieces have completed.
 *
 * After a failure, nothing is written to the caller's memory any more, unless it belongs to the
 * part.
 */
#include "base/status.h"
#include "net/verbs/verbs_net.h"

static bool in_part(const hy_net_attr *attr, const uint8_t *memory, size_t len)
{
    uint64_t offset = (uint64_t)((uintptr_t)memory - (uintptr_t)attr->part);
    return offset < attr->part_bytes && len <= attr->part_bytes - offset;
}

/* Short data are copied even if they lie in the part: then the put need not wait. */
static bool goes_straight(const hy_net_attr *attr, const hy_net_transfer *t)
{
    size_t copied = !t->write ? 0 : t->left ? VERBS_PIECE : VERBS_LINE;
    return in_part(attr, t->local, t->bytes) && (!t->write || t->bytes > copied);
}

static void name_remote(const verbs_batch *batch, const hy_net_transfer *t,
                        struct ibv_send_wr *request)
{
    const hy_net_peer *peer = batch->conn->base.peer;
    if (t->write) batch->conn->base.writes++;
    request->opcode = t->write ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
    request->wr.rdma.remote_addr = peer->base + t->remote;
    request->wr.rdma.rkey = verbs_peer_of(batch->conn)->key;
}

static void add_direct(verbs_batch *batch, const hy_net_transfer *t, size_t len)
{
    const verbs_op op = {.left = t->left, .told = true};
    uint32_t key = verbs_net_of(batch->endpoint)->part_mr->lkey;
    name_remote(batch, t, verbs_add(batch, &op, t->local, len, key));
}

static void add_inline(verbs_batch *batch, const hy_net_transfer *t, size_t len)
{
    const verbs_op op = {0};
    struct ibv_send_wr *request = verbs_add(batch, &op, t->local, len, 0);
    name_remote(batch, t, request);
    request->send_flags |= IBV_SEND_INLINE;
}

/* False: no buffer is free. */
static bool add_copied(verbs_batch *batch, const hy_net_transfer *t, size_t len)
{
    verbs_endpoint *endpoint = batch->endpoint;
    verbs_op op = {.pool = len <= VERBS_LINE ? &endpoint->lines : &endpoint->pieces};
    op.buffer = verbs_buffer_take(op.pool);
    if (!op.buffer) return false;
    if (t->write) {
        memcpy(op.buffer, t->local, len);
    } else {
        op.to = t->local;
        op.len = (uint32_t)len;
        op.left = t->left;
    }
    name_remote(batch, t, verbs_add(batch, &op, op.buffer, len, endpoint->own_mr->lkey));
    return true;
}

/* False: there is no room now. */
static bool add_piece(verbs_batch *batch, hy_net_transfer *t)
{
    size_t most = t->direct ? VERBS_CHUNK : VERBS_PIECE, len = t->bytes < most ? t->bytes : most;
    if (!verbs_room(batch->endpoint, batch->conn)) return false;
    if (t->direct) add_direct(batch, t, len);
    else if (t->write && len <= batch->conn->inline_bytes) add_inline(batch, t, len);
    else if (!add_copied(batch, t, len)) return false;
    t->remote += len;
    t->local += len;
    t->bytes -= len;
    return true;
}

/* Held puts go first: they have older numbers than the batch. */
int verbs_move(hy_net_endpoint *base, hy_net_conn *base_conn, hy_net_transfer *t)
{
    verbs_endpoint *endpoint = verbs_endpoint_of(base);
    verbs_batch batch;
    verbs_begin(&batch, endpoint, verbs_conn_from(base_conn));
    verbs_release_held(endpoint, batch.conn);
    if (!t->begun) t->direct = goes_straight(&base->net->attr, t);
    t->begun = true;
    int rc = HAYATE_OK;
    while (!rc && t->bytes > 0 && add_piece(&batch, t))
        if (batch.count == VERBS_BATCH) rc = verbs_ring(&batch);
    int rung = verbs_ring(&batch);
    if (!rc) rc = rung;
    return rc || t->bytes == 0 ? rc : HAYATE_IN_PROGRESS;
}
