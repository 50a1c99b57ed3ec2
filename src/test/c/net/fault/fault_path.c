/* SPDX-License-Identifier: Apache-2.0 */
/* A provider (net/provider.h) that carries out what is under way itself, on the mapped memory
 * of the peer: so all else is that of any network. */
#include "net/fault/fault_path.h"

#include <stdlib.h>
#include <time.h>

#include "base/random_fixture.h"
#include "base/status.h"
#include "net/fault/fault_wall.h"
#include "net/provider.h"

/* Puts of more than this come in two pieces, the later one first if it happens so. */
#define SPLIT_FROM 128
/* Up to so many bytes a blocking put is copied, and arrives when it likes as well. */
#define COPIED 4096
/* Each has walls of its own, so what goes by one overtakes what goes by another. */
#define LANES HY_NET_LANES

typedef struct net {
    hy_net_base base;
    hy_net_endpoint endpoint; /* the only one */
    fault_plan plan;
    int size;
    struct net *next;                 /* all of the program, so that none counts as lost */
    fault_wall *_Atomic lanes[LANES]; /* [size] of each; NULL: it was never used */
} net;

typedef struct fault_peer {
    hy_net_peer base;
    net *net;
} fault_peer;

static net *_Atomic all;

static fault_wall *wall_at(net *n, int lane, int rank)
{
    fault_wall *walls = hy_load_acquire(&n->lanes[lane]);
    return walls && hy_load_acquire(&walls[rank].stands) ? &walls[rank] : NULL;
}

static fault_wall *wall_of(const hy_ep *ep)
{
    return wall_at((net *)ep->net, ep->lane, ep->rank);
}

/* ---- the provider ---- */

static fault_wall *wall_from(hy_net_conn *conn)
{
    return (fault_wall *)conn;
}

static int fault_send(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_send *send)
{
    (void)endpoint;
    fault_wall *w = wall_from(conn);
    int rc = fault_wall_begin(w);
    if (rc) return rc;
    fault_wall_enqueue(w, FAULT_MESSAGE, 0, NULL, 0)->send = *send;
    conn->messages++;
    return HAYATE_OK;
}

/* A question of no ticket; whoever is cut off does not hear it. */
static bool fault_say(hy_net_endpoint *endpoint, hy_net_conn *conn, enum hy_net_kind kind)
{
    (void)endpoint, (void)conn, (void)kind;
    return true;
}

static void move_piece(fault_wall *w, const hy_net_transfer *t, size_t from, size_t to)
{
    fault_item *i = fault_wall_enqueue(w, t->write ? FAULT_PUT : FAULT_GET, t->remote + from,
                                       t->local + from, to - from);
    if (t->write && t->left && t->bytes <= COPIED) {
        i->local = i->copy = malloc(to - from + 1);
        if (!i->copy) abort();
        memcpy(i->copy, t->local + from, to - from);
    } else if (t->left) {
        i->left = t->left;
        ++*t->left;
    }
}

/* The later piece is the first to have a look whether it arrives. */
static int fault_move(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_transfer *t)
{
    (void)endpoint;
    fault_wall *w = wall_from(conn);
    int rc = fault_wall_begin(w);
    if (rc) return rc;
    size_t half = t->bytes > SPLIT_FROM ? random_below(&w->random, t->bytes) : 0;
    if (half) move_piece(w, t, half, t->bytes);
    move_piece(w, t, 0, half ? half : t->bytes);
    conn->writes += t->write;
    t->bytes = 0;
    return HAYATE_OK;
}

static void fault_forget(hy_net_endpoint *endpoint, hy_net_conn *conn, const uint32_t *left)
{
    (void)endpoint;
    fault_wall_forget(wall_from(conn), left);
}

static void fault_mark(const hy_net_conn *conn, hy_net_order *order)
{
    order->number = ((const fault_wall *)conn)->begun;
    order->marked = true;
}

static bool fault_is_over(const hy_net_endpoint *endpoint, const hy_net_conn *conn,
                          hy_net_order *order)
{
    (void)endpoint;
    for (const fault_item *i = ((const fault_wall *)conn)->first; i; i = i->next)
        if (i->number <= order->number) return false;
    return true;
}

/* Of whose connection there is a wall its address is known. */
static int fault_add_peer(hy_net_endpoint *endpoint, hy_net_peer *peer, const uint8_t *address,
                          size_t bytes)
{
    (void)address, (void)bytes;
    net *n = (net *)endpoint->net;
    ((fault_peer *)peer)->net = n;
    peer->part_bytes = wall_at(n, 0, peer->life.rank)->inner.part_bytes;
    return HAYATE_OK;
}

static int look_up_nothing(void *context, int rank, void *address, size_t *len)
{
    (void)context, (void)rank, (void)address;
    *len = 0;
    return HAYATE_OK;
}

static hy_net_conn *fault_conn_of(hy_net_peer *peer, int lane)
{
    fault_wall *w = wall_at(((fault_peer *)peer)->net, lane, peer->life.rank);
    return w && w->conn.peer ? &w->conn : NULL;
}

static int fault_connect(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane, hy_net_conn **conn)
{
    fault_wall *w = wall_at((net *)endpoint->net, lane, peer->life.rank);
    w->conn.peer = peer;
    w->conn.ready = true;
    fault_wall_tell(w, peer);
    *conn = &w->conn;
    return HAYATE_OK;
}

/* Whose connection is whole is alive. */
static void fault_watch(hy_net_endpoint *endpoint, hy_net_peer *peer, bool wanted)
{
    (void)wanted;
    net *n = (net *)endpoint->net;
    hy_net_note_sign(&peer->life);
    for (int lane = 0; lane < LANES; lane++) {
        fault_wall *w = wall_at(n, lane, peer->life.rank);
        if (!w) continue;
        if (w->conn.peer) fault_wall_look(w, false);
        fault_wall_tell(w, peer);
    }
}

static int fault_poll(hy_net_endpoint *endpoint)
{
    net *n = (net *)endpoint->net;
    int events = 0;
    endpoint->turns++;
    for (int lane = 0; lane < LANES; lane++) {
        if (!hy_load_acquire(&n->lanes[lane])) continue;
        for (int rank = 0; rank < n->size; rank++) {
            fault_wall *w = wall_at(n, lane, rank);
            if (!w) continue;
            fault_wall_look(w, false);
            if (!w->broken) events += fault_wall_deliver(w);
        }
    }
    return events;
}

static int fault_progress(hy_net *base)
{
    net *n = (net *)base;
    pthread_mutex_lock(&n->endpoint.lock);
    int events = fault_poll(&n->endpoint);
    pthread_mutex_unlock(&n->endpoint.lock);
    return events;
}

static bool fault_has_left(hy_ep *ep)
{
    (void)ep;
    return false; /* a wall that breaks says no bye */
}

static void fault_leave(hy_net *base)
{
    (void)base; /* likewise */
}

static int fault_probe(void)
{
    return HAYATE_OK;
}

static const hy_net_provider provider = {
    .poll = fault_poll,
    .peer_bytes = sizeof(fault_peer),
    .add_peer = fault_add_peer,
    .watch = fault_watch,
    .conn_of = fault_conn_of,
    .connect = fault_connect,
    .send = fault_send,
    .say = fault_say,
    .move = fault_move,
    .forget = fault_forget,
    .mark = fault_mark,
    .is_over = fault_is_over,
};

static const hy_path_ops row = {.name = "fault", .probe = fault_probe, HY_NET_ROW};

static void end_at_once(hy_ep *ep, bool cuts)
{
    fault_wall *w = wall_of(ep);
    pthread_mutex_lock(&w->endpoint->lock);
    w->left = 1;
    w->cuts = cuts;
    pthread_mutex_unlock(&w->endpoint->lock);
}

void fault_path_break(hy_ep *ep)
{
    end_at_once(ep, false);
}

void fault_path_cut(hy_ep *ep)
{
    end_at_once(ep, true);
}

static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

/* What is on its way arrives, even when those who sent it do not call. */
static void *keep(void *unused)
{
    const struct timespec pause = {.tv_nsec = 500000};
    for (;;) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&keeping);
        for (net *n = atomic_load(&all); n; n = n->next) fault_progress(&n->base.net);
        pthread_mutex_unlock(&keeping);
    }
    return unused;
}

/* The job's memory goes. */
static void fault_close(hy_net *base)
{
    net *n = (net *)base;
    pthread_mutex_lock(&keeping);
    for (int lane = 0; lane < LANES; lane++) {
        fault_wall *walls = hy_load_acquire(&n->lanes[lane]);
        for (int rank = 0; walls && rank < n->size; rank++)
            hy_store_relaxed(&walls[rank].stands, false);
    }
    pthread_mutex_unlock(&keeping);
}

static fault_wall *walls_of(net *n, int lane)
{
    fault_wall *walls = hy_load_acquire(&n->lanes[lane]);
    if (!walls) walls = calloc((size_t)n->size, sizeof *walls);
    if (!walls) abort();
    hy_store_release(&n->lanes[lane], walls);
    return walls;
}

static void put_between(net *n, const hy_ep *inner, int lane, _Atomic uint32_t *here,
                        _Atomic uint32_t *there)
{
    fault_wall *w = &walls_of(n, lane)[inner->rank];
    if (hy_load_acquire(&w->stands)) return;
    w->endpoint = &n->endpoint;
    w->inner = *inner;
    w->delay = n->plan.delay;
    w->left = n->plan.drop ? n->plan.drop : n->plan.fail;
    w->cuts = n->plan.drop != 0;
    w->here = here;
    w->there = there;
    w->random = n->plan.seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(inner->rank + 64 * lane) +
                1;
    hy_store_release(&w->stands, true);
}

static void leave_to(net *n, hy_ep *ep, int rank, int lane)
{
    ep->ops = &row;
    ep->net = &n->base.net;
    ep->rank = rank;
    ep->lane = lane;
}

/* A connection that breaks takes all lanes with it. */
static void fault_attach(hy_net *base, hy_ep *ep, int rank, int lane)
{
    net *n = (net *)base;
    const fault_wall *first = &hy_load_acquire(&n->lanes[0])[rank];
    pthread_mutex_lock(&n->endpoint.lock);
    put_between(n, &first->inner, lane, first->here, first->there);
    pthread_mutex_unlock(&n->endpoint.lock);
    leave_to(n, ep, rank, lane);
    ep->part_bytes = first->inner.part_bytes;
}

static const hy_net_ops net_ops = {.name = "fault",
                                   .row = &row,
                                   .attach = fault_attach,
                                   .progress = fault_progress,
                                   .check = hy_net_check,
                                   .has_left = fault_has_left,
                                   .leave = fault_leave,
                                   .close = fault_close};

static void start_progress(void)
{
    pthread_t progress;
    if (pthread_create(&progress, NULL, keep, NULL) != 0) abort();
    pthread_detach(progress);
}

hy_net *fault_net(const fault_plan *plan, int size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    net *n = calloc(1, sizeof *n);
    if (!n) abort();
    const hy_net_attr attr = {.ranks = size, .lookup = look_up_nothing};
    if (hy_net_base_init(&n->base, &net_ops, &provider, &attr)) abort();
    if (hy_net_endpoint_init(&n->endpoint, &n->base, 0)) abort();
    n->base.endpoints_wanted = 1;
    hy_store_release(&n->base.endpoints[0], &n->endpoint);
    n->plan = *plan;
    n->size = size;
    n->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &n->next, n)) continue;
    pthread_once(&once, start_progress);
    return &n->base.net;
}

void fault_path_wrap(hy_net *base, hy_ep *ep, _Atomic uint32_t *here, _Atomic uint32_t *there)
{
    net *n = (net *)base;
    const hy_ep inner = *ep;
    put_between(n, &inner, 0, here, there);
    *ep = (hy_ep){.part_bytes = inner.part_bytes,
                  .pid = inner.pid,
                  .why_not_single = "it counts as another node's, for a test"};
    leave_to(n, ep, inner.rank, 0);
}
