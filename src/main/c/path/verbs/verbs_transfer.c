/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts and gets: RDMA writes and reads in pieces that are under way together, several by one ring
 * of the doorbell. Memory of the rank's own part goes straight; other memory through buffers, so
 * that a put has no need to wait for the end of the last of them.
 *
 * After a failure nothing is written to the caller's memory any more that is not of its part.
 */
#include "base/status.h"
#include "path/verbs/verbs_net.h"

#define WATCHED 8 /* bytes that a fence reads */

typedef struct transfer {
    verbs_batch batch;
    bool write, direct;
    uint64_t remote;
    uint8_t *local;
    uint32_t *left; /* NULL: nobody waits for these */
} transfer;

static bool in_part(const verbs_net *net, const uint8_t *memory, size_t len)
{
    uint64_t offset = (uint64_t)((uintptr_t)memory - (uintptr_t)net->wish.part);
    return offset < net->wish.part_bytes && len <= net->wish.part_bytes - offset;
}

/* A write counts from here on: a wait for room before has let others flush. */
static void name_remote(const transfer *t, struct ibv_send_wr *request)
{
    if (t->write) t->batch.conn->writes++;
    const verbs_peer *peer = t->batch.conn->peer;
    request->opcode = t->write ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
    request->wr.rdma.remote_addr = peer->base + t->remote;
    request->wr.rdma.rkey = peer->key;
}

static int add_direct(transfer *t, size_t len)
{
    const verbs_op op = {.left = t->left, .told = true};
    int rc = verbs_room_wait(&t->batch, NULL, NULL);
    if (rc) return rc;
    name_remote(t, verbs_add(&t->batch, &op, t->local, len, t->batch.endpoint->net->part_mr->lkey));
    return HAYATE_OK;
}

static int add_inline(transfer *t, size_t len)
{
    const verbs_op op = {0};
    int rc = verbs_room_wait(&t->batch, NULL, NULL);
    if (rc) return rc;
    struct ibv_send_wr *request = verbs_add(&t->batch, &op, t->local, len, 0);
    name_remote(t, request);
    request->send_flags |= IBV_SEND_INLINE;
    return HAYATE_OK;
}

static int add_copied(transfer *t, size_t len)
{
    verbs_endpoint *endpoint = t->batch.endpoint;
    verbs_op op = {.pool = len <= VERBS_LINE ? &endpoint->lines : &endpoint->pieces,
                   .left = t->left};
    int rc = verbs_room_wait(&t->batch, op.pool, &op.buffer);
    if (rc) return rc;
    if (t->write) {
        memcpy(op.buffer, t->local, len);
    } else {
        op.to = t->local;
        op.len = (uint32_t)len;
    }
    name_remote(t, verbs_add(&t->batch, &op, op.buffer, len, endpoint->own_mr->lkey));
    return HAYATE_OK;
}

static int add_piece(transfer *t, size_t *len)
{
    size_t most = t->direct ? VERBS_CHUNK : VERBS_PIECE;
    if (*len > most) *len = most;
    if (t->direct) return add_direct(t, *len);
    if (t->write && *len <= t->batch.conn->inline_bytes) return add_inline(t, *len);
    return add_copied(t, *len);
}

static int start(transfer *t, size_t len)
{
    int rc = verbs_await_riders(t->batch.endpoint, t->batch.conn, t->remote, len);
    if (rc) return rc;
    while (len > 0 && !rc) {
        size_t piece = len;
        rc = add_piece(t, &piece);
        t->remote += piece;
        t->local += piece;
        len -= piece;
        if (!rc && t->batch.count == VERBS_BATCH) rc = verbs_ring(&t->batch);
    }
    int rung = verbs_ring(&t->batch);
    return rc ? rc : rung;
}

static int run(transfer *t, size_t len)
{
    uint32_t left = 0;
    verbs_peer *peer = t->batch.conn->peer;
    verbs_wait wait = {.peer = peer};
    t->left = &left;
    int rc = start(t, len);
    while (!rc && left) rc = verbs_turn(t->batch.endpoint, &wait);
    if (left) verbs_forget(t->batch.conn, &left);
    return !rc && peer->life.failed ? hy_net_fail_lost(&peer->life) : rc;
}

int verbs_read_back(verbs_endpoint *endpoint, verbs_conn *conn)
{
    uint8_t bytes[WATCHED];
    uint64_t writes = conn->writes, part = conn->peer->part_bytes;
    transfer t;
    verbs_begin(&t.batch, endpoint, conn);
    t.write = t.direct = false;
    t.remote = 0;
    t.local = bytes;
    int rc = run(&t, part < WATCHED ? part : WATCHED);
    if (!rc && writes > conn->writes_there) conn->writes_there = writes;
    return rc;
}

int verbs_settle(verbs_endpoint *endpoint, verbs_conn *conn)
{
    verbs_wait wait = {.peer = conn->peer};
    uint32_t until = conn->told;
    int rc = HAYATE_OK;
    while (!rc && (int32_t)(until - conn->done) > 0) rc = verbs_turn(endpoint, &wait);
    return rc;
}

static int enter(hy_ep *ep, uint64_t remote, const void *local, size_t len, transfer *t)
{
    verbs_conn *conn = NULL;
    verbs_endpoint *endpoint = NULL;
    t->remote = remote;
    t->local = (void *)(uintptr_t)local;
    t->left = NULL;
    t->write = false;
    t->direct = in_part(verbs_of(ep->net), t->local, len);
    int rc = verbs_enter(ep, remote, len, &endpoint, &conn);
    verbs_begin(&t->batch, endpoint, conn);
    return rc;
}

static bool hold(const transfer *t, size_t len)
{
    verbs_conn *conn = t->batch.conn;
    return len <= conn->inline_bytes && len > 0 &&
           verbs_hold(t->batch.endpoint, conn, t->remote, t->local, len);
}

static int leave(const transfer *t, int rc)
{
    pthread_mutex_unlock(&t->batch.endpoint->lock);
    return rc;
}

/* What is short is copied even out of the part: there is no need to wait for it then. */
int verbs_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    transfer t;
    int rc = enter(ep, remote, local, len, &t);
    if (rc) return rc;
    if (hold(&t, len)) return leave(&t, HAYATE_OK);
    t.write = true;
    t.direct = t.direct && len > VERBS_PIECE;
    return leave(&t, t.direct ? run(&t, len) : start(&t, len));
}

int verbs_put_start(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    transfer t;
    int rc = enter(ep, remote, local, len, &t);
    if (rc) return rc;
    t.write = true;
    t.direct = t.direct && len > VERBS_LINE;
    return leave(&t, start(&t, len));
}

int verbs_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    transfer t;
    int rc = enter(ep, remote, local, len, &t);
    return rc ? rc : leave(&t, run(&t, len));
}

int verbs_get_start(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    transfer t;
    int rc = enter(ep, remote, local, len, &t);
    return rc ? rc : leave(&t, start(&t, len));
}
