/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each operation is a small state machine over the functions of the provider, driven by
 * step_operation().
 */
#include "net/net_operation.h"

#include "base/clock.h"
#include "base/status.h"

/* Clears few members only: this is done for every long put. */
void hy_net_operation_init(hy_net_operation *operation, hy_net_endpoint *endpoint,
                           hy_net_peer *peer, enum hy_net_doing doing)
{
    memset(operation, 0, offsetof(hy_net_operation, order));
    operation->endpoint = endpoint;
    operation->peer = operation->wait.peer = peer;
    operation->doing = doing;
    operation->question.message.head = (hy_net_head){.kind = HY_NET_ASK};
    operation->question.bytes = 0;
    operation->question.order = (hy_net_order){0};
}

/* Sends the question once there is a ticket and room. */
static int ask_peer(hy_net_operation *o)
{
    hy_net_endpoint *endpoint = o->endpoint;
    hy_net_conn *conn = o->conn;
    if (!o->ticket)
        o->ticket = hy_net_ticket_take(&endpoint->tickets, o->peer->life.rank,
                                       &o->question.message);
    if (!o->ticket) return HAYATE_IN_PROGRESS;
    if (!o->sent) {
        int rc = endpoint->net->provider->send(endpoint, conn, &o->question);
        if (rc) return rc;
        o->sent = o->advanced = true;
        o->writes = conn->writes;
        o->messages = conn->messages;
    }
    if (!o->ticket->answered) return HAYATE_IN_PROGRESS;
    if (o->value) *o->value = o->ticket->value;
    o->ticket->taken = false;
    o->ticket = NULL;
    if (o->writes > conn->writes_there) conn->writes_there = o->writes;
    if (o->messages > conn->messages_there) conn->messages_there = o->messages;
    return HAYATE_OK;
}

/* Sends held puts first, and lets no operation pass piggybacks under way to the same bytes. */
static int clear(hy_net_operation *o)
{
    hy_net_conn *conn = o->conn;
    const hy_net_transfer *t = &o->transfer;
    const hy_net_provider *provider = o->endpoint->net->provider;
    int rc = o->ticket || !provider->send_held ? HAYATE_OK : provider->send_held(o->endpoint, conn);
    if (!rc && (o->ticket || hy_net_piggybacks_overlap(&conn->piggybacks, conn->messages_there,
                                                       t->remote, t->bytes)))
        rc = ask_peer(o);
    o->cleared = rc == HAYATE_OK;
    return rc;
}

static int move_data(hy_net_operation *o)
{
    const hy_net_provider *provider = o->endpoint->net->provider;
    const hy_net_transfer *t = &o->transfer;
    if (o->holds && provider->hold &&
        provider->hold(o->endpoint, o->conn, t->remote, t->local, t->bytes))
        return HAYATE_OK;
    o->holds = false;
    int rc = o->cleared ? HAYATE_OK : clear(o);
    if (rc) return rc;
    if (!o->posted) {
        size_t before = o->transfer.bytes;
        rc = provider->move(o->endpoint, o->conn, &o->transfer);
        if (o->transfer.bytes != before) o->advanced = true;
        if (rc) return rc;
        o->posted = true;
    }
    return o->left ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

static int read_back(hy_net_operation *o)
{
    int rc = move_data(o);
    if (!rc && o->writes > o->conn->writes_there) o->conn->writes_there = o->writes;
    return rc;
}

/* What was sent has arrived when the receiver has carried out a question that follows it. If
 * there are only writes, and a read that follows them confirms them, the peer's processor is not
 * needed. */
static void decide(hy_net_operation *o)
{
    const hy_net_conn *conn = o->conn;
    const hy_net_provider *provider = o->endpoint->net->provider;
    uint64_t part = o->peer->part_bytes;
    bool messages = conn->messages > conn->messages_there;
    bool writes = conn->writes > conn->writes_there;
    o->decided = true;
    if (o->doing == HY_NET_FENCE) {
        o->asks = messages || (writes && !provider->reads_back);
        o->reads = !o->asks && writes;
    }
    o->writes = conn->writes;
    o->transfer = (hy_net_transfer){
        .local = o->back, .bytes = part < sizeof o->back ? part : sizeof o->back, .left = &o->left};
    provider->mark(conn, &o->order);
}

static int fence(hy_net_operation *o)
{
    if (!o->decided) decide(o);
    int rc = !o->asks ? HAYATE_OK : ask_peer(o);
    if (rc) return rc;
    o->asks = false;
    rc = o->reads ? read_back(o) : HAYATE_OK;
    if (rc) return rc;
    o->reads = false;
    return o->endpoint->net->provider->is_over(o->endpoint, o->conn, &o->order)
               ? HAYATE_OK
               : HAYATE_IN_PROGRESS;
}

static int step_operation(hy_net_operation *o)
{
    if (hy_unlikely(hy_net_peer_failed(o->endpoint, o->peer)))
        return hy_net_fail_lost(&o->peer->life);
    if (!o->conn) {
        hy_net_conn *conn;
        int rc = hy_net_connect(o->endpoint, o->peer, o->lane, &conn);
        if (rc) return rc;
        o->conn = conn;
        o->advanced = true;
    }
    switch (o->doing) {
    case HY_NET_MOVE: return move_data(o);
    case HY_NET_SEND: return o->endpoint->net->provider->send(o->endpoint, o->conn, &o->question);
    case HY_NET_ASK_ANSWER: return ask_peer(o);
    default: return fence(o);
    }
}

/* After a failure, operations that are still under way must not touch the caller's memory. */
static int end_operation(hy_net_operation *o, int rc)
{
    if (hy_unlikely(o->left)) o->endpoint->net->provider->forget(o->endpoint, o->conn, &o->left);
    if (o->ticket) o->ticket->taken = false;
    return rc;
}

/* A wait for the peer starts anew when something has been sent. */
static void note_advance(hy_net_operation *o)
{
    if (o->advanced) o->wait = (hy_net_wait){.peer = o->peer};
    o->advanced = false;
}

int hy_net_operation_run(hy_net_operation *o)
{
    for (;;) {
        int rc = step_operation(o);
        if (hy_likely(rc != HAYATE_IN_PROGRESS)) return end_operation(o, rc);
        note_advance(o);
        rc = hy_net_turn(o->endpoint, &o->wait);
        if (hy_unlikely(rc)) return end_operation(o, rc);
    }
}

int hy_net_operation_test(hy_net_operation *o)
{
    int rc = step_operation(o);
    if (rc == HAYATE_IN_PROGRESS) {
        note_advance(o);
        if (o->wait.since == 0) o->wait.since = hy_now_ns();
        if (hy_ratelimit_pass(&o->look, hy_tick_ns()))
            rc = hy_net_peer_watch(o->endpoint, o->peer, o->wait.since);
        if (!rc) rc = HAYATE_IN_PROGRESS;
    }
    return rc == HAYATE_IN_PROGRESS ? rc : end_operation(o, rc);
}

int hy_net_fence(hy_net_endpoint *endpoint, hy_net_conn *conn, bool asks)
{
    hy_net_operation operation;
    hy_net_operation_init(&operation, endpoint, conn->peer, asks ? HY_NET_FENCE : HY_NET_SETTLE);
    operation.conn = conn;
    return hy_net_operation_run(&operation);
}
