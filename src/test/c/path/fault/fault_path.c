/* SPDX-License-Identifier: Apache-2.0 */
#include "path/fault/fault_path.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/random_fixture.h"
#include "base/status.h"

/* A write that has waited for so many looks waits no longer. */
#define OLD 12
/* Puts of more than this come in two pieces, the later one first if it happens so. */
#define SPLIT_FROM 128
/* Up to so many bytes a blocking put is copied, and arrives when it likes as well. */
#define COPIED 4096
/* Each has walls of its own, so what goes by one overtakes what goes by another. */
#define LANES HY_NET_LANES
/* So long after a cut who waits is told. */
#define SILENCE_NS UINT64_C(200000000)

/* What the words of a pair say. */
enum { WHOLE, BROKEN, CUT };

typedef enum item_kind { PUT, GET, SIGNAL, FLAG } item_kind;

typedef struct item {
    struct item *next;
    item_kind kind;
    uint32_t age;
    uint64_t remote, head;
    void *local;
    void *copy; /* `local` points into it; NULL: it is the caller's */
    size_t len;
    uint8_t payload[HY_SLOT_PAYLOAD];
    hy_flag flag;
} item;

typedef struct wall {
    hy_ep inner;
    pthread_mutex_t lock;
    item *first;
    uint64_t random, delay;
    uint64_t left; /* operations until it breaks, 0: it does not */
    bool cuts;     /* it is cut then */
    uint64_t cut;  /* since when nothing arrives; 0: it does */
    int failed;    /* 0, or the code of all that comes */
    _Atomic uint32_t *here, *there;
    _Atomic bool stands;
} wall;

typedef struct net {
    hy_net base;
    fault_plan plan;
    int size;
    struct net *next;           /* all of the program, so that none counts as lost */
    pthread_mutex_t lock;       /* of who makes a lane */
    wall *_Atomic lanes[LANES]; /* [size] of each; NULL: it was never used */
} net;

static net *_Atomic all;

static wall *wall_of(const hy_ep *ep)
{
    return &hy_load_acquire(&((net *)ep->net)->lanes[ep->lane])[ep->rank];
}

/* ---- the connection ---- */

static void drop(item *i)
{
    free(i->copy);
    free(i);
}

static void drop_all(wall *w)
{
    for (item *i = w->first, *next; i; i = next) {
        next = i->next;
        drop(i);
    }
    w->first = NULL;
}

static void tear(wall *w, int code)
{
    w->failed = code;
    drop_all(w);
    if (w->cut) return; /* who was cut off tells nobody */
    hy_store_release(w->there, BROKEN);
    hy_store_release(w->here, BROKEN); /* for the other lanes */
    hy_bell_ring(w->inner.bell);
}

static void cut(wall *w)
{
    drop_all(w);
    if (w->cut) return;
    w->cut = hy_now_ns();
    hy_store_release(w->there, CUT);
    hy_store_release(w->here, CUT);
}

static int failure(const wall *w)
{
    return hy_fail_peer(w->failed, w->inner.rank, "the connection to rank %d broke", w->inner.rank);
}

/* Of each row, with the lock. */
static int look(wall *w, bool counts)
{
    if (counts && w->left && --w->left == 0) {
        if (w->cuts) cut(w);
        else tear(w, HAYATE_ERR_PEER_FAILED);
    }
    uint32_t word = hy_load_acquire(w->here);
    if (!w->failed && word == BROKEN) tear(w, HAYATE_ERR_PEER_FAILED);
    if (!w->failed && word == CUT) cut(w);
    if (!w->failed && w->cut && hy_now_ns() > w->cut + SILENCE_NS) tear(w, HAYATE_ERR_PEER_FAILED);
    return w->failed ? failure(w) : HAYATE_OK;
}

/* ---- what is on its way ---- */

static item *enqueue(wall *w, item_kind kind, uint64_t remote, void *local, size_t len)
{
    item **end = &w->first, *i = calloc(1, sizeof *i);
    if (!i) abort();
    *i = (item){.kind = kind, .remote = remote, .local = local, .len = len};
    while (*end) end = &(*end)->next;
    *end = i;
    return i;
}

static int carry_out(wall *w, const item *i)
{
    hy_ep *ep = &w->inner;
    switch (i->kind) {
    case PUT: return ep->ops->put(ep, i->remote, i->local, i->len);
    case GET: return ep->ops->get(ep, i->remote, i->local, i->len);
    case FLAG: return ep->ops->put_flag(ep, i->remote, &i->flag);
    default: ep->ops->signal(ep, i->remote, i->head, i->payload, i->len); return HAYATE_OK;
    }
}

/* Does it have to wait for one before it? Behind a signal or flag all that was put before. */
static bool is_behind(const wall *w, const item *i)
{
    if (i->kind == PUT || i->kind == GET) return false;
    for (const item *before = w->first; before != i; before = before->next)
        if (before->kind != GET) return true;
    return false;
}

static bool stays(wall *w, item *i)
{
    return is_behind(w, i) || (i->age++ < OLD && random_below(&w->random, 100) < w->delay);
}

/* What has arrived now; `everything`, in the end, in its order. */
static int deliver(wall *w, bool everything)
{
    int events = 0, rc = HAYATE_OK;
    for (item **at = &w->first; !rc && *at;) {
        item *i = *at;
        if (!everything && stays(w, i)) {
            at = &i->next;
            continue;
        }
        rc = carry_out(w, i);
        *at = i->next;
        drop(i);
        events++;
    }
    if (rc) tear(w, rc);
    return rc ? failure(w) : events;
}

static int begin(wall *w)
{
    pthread_mutex_lock(&w->lock);
    int rc = look(w, true);
    return rc ? rc : deliver(w, false);
}

/* The same for who waits for an answer. */
static int begin_waiting(wall *w)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    int rc = begin(w);
    while (rc >= 0 && w->cut) {
        pthread_mutex_unlock(&w->lock);
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&w->lock);
        rc = look(w, false);
    }
    return rc;
}

static int end(wall *w, int rc)
{
    pthread_mutex_unlock(&w->lock);
    return rc < 0 ? rc : HAYATE_OK;
}

/* ---- rows ---- */

static void put_later(wall *w, uint64_t remote, const void *local, size_t len)
{
    void *copy = malloc(len + 1);
    if (!copy) abort();
    memcpy(copy, local, len);
    enqueue(w, PUT, remote, copy, len)->copy = copy;
}

static int fault_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    wall *w = wall_of(ep);
    int rc = begin(w);
    if (rc >= 0 && len <= COPIED && hy_ep_contains(&w->inner, remote, len))
        put_later(w, remote, local, len);
    else if (rc >= 0 && !w->cut) rc = w->inner.ops->put(&w->inner, remote, local, len);
    return end(w, rc);
}

static int fault_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    wall *w = wall_of(ep);
    int rc = begin_waiting(w);
    return end(w, rc < 0 ? rc : w->inner.ops->get(&w->inner, remote, local, len));
}

static void fault_signal(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload, size_t len)
{
    wall *w = wall_of(ep);
    if (begin(w) >= 0) {
        item *i = enqueue(w, SIGNAL, slot, NULL, len);
        i->head = head;
        if (len) memcpy(i->payload, payload, len);
    }
    end(w, HAYATE_OK);
}

static int start(hy_ep *ep, item_kind kind, uint64_t remote, void *local, size_t len)
{
    wall *w = wall_of(ep);
    int rc = begin(w);
    size_t half = rc >= 0 && len > SPLIT_FROM ? random_below(&w->random, len) : 0;
    if (rc >= 0 && half) enqueue(w, kind, remote + half, (uint8_t *)local + half, len - half);
    if (rc >= 0) enqueue(w, kind, remote, local, half ? half : len);
    return end(w, rc);
}

static int fault_put_start(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    return start(ep, PUT, remote, (void *)(uintptr_t)local, len);
}

static int fault_get_start(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    return start(ep, GET, remote, local, len);
}

static int fault_put_flag(hy_ep *ep, uint64_t remote, const hy_flag *flag)
{
    wall *w = wall_of(ep);
    int rc = begin(w);
    if (rc >= 0) enqueue(w, FLAG, remote, NULL, 0)->flag = *flag;
    return end(w, rc);
}

static int fault_atomic(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand,
                        uint64_t expected, uint64_t *before)
{
    wall *w = wall_of(ep);
    int rc = begin_waiting(w);
    if (rc >= 0) rc = deliver(w, true);
    if (rc >= 0) rc = w->inner.ops->atomic(&w->inner, remote, what, operand, expected, before);
    return end(w, rc);
}

static int fault_flush(hy_ep *ep)
{
    wall *w = wall_of(ep);
    int rc = begin_waiting(w);
    return end(w, rc < 0 ? rc : deliver(w, true));
}

static int get_on(wall *w)
{
    pthread_mutex_lock(&w->lock);
    int rc = look(w, false);
    if (rc >= 0) rc = deliver(w, false);
    pthread_mutex_unlock(&w->lock);
    return rc;
}

static int progress_all(hy_net *base)
{
    net *n = (net *)base;
    int events = 0;
    for (int lane = 0; lane < LANES; lane++) {
        wall *walls = hy_load_acquire(&n->lanes[lane]);
        for (int rank = 0; walls && rank < n->size; rank++) {
            int rc = hy_load_acquire(&walls[rank].stands) ? get_on(&walls[rank]) : 0;
            if (rc > 0) events += rc;
        }
    }
    return events;
}

static int fault_check(hy_ep *ep)
{
    int rc = get_on(wall_of(ep));
    return rc < 0 ? rc : HAYATE_OK;
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

const hy_path_ops fault_path = {
    .name = "fault",
    .put = fault_put,
    .get = fault_get,
    .signal = fault_signal,
    .put_start = fault_put_start,
    .get_start = fault_get_start,
    .put_flag = fault_put_flag,
    .atomic = fault_atomic,
    .flush = fault_flush,
    .probe = fault_probe,
};

static void end_at_once(hy_ep *ep, bool cuts)
{
    wall *w = wall_of(ep);
    pthread_mutex_lock(&w->lock);
    w->left = 1;
    w->cuts = cuts;
    pthread_mutex_unlock(&w->lock);
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
        for (net *n = atomic_load(&all); n; n = n->next) progress_all(&n->base);
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
        wall *walls = hy_load_acquire(&n->lanes[lane]);
        for (int rank = 0; walls && rank < n->size; rank++)
            hy_store_relaxed(&walls[rank].stands, false);
    }
    pthread_mutex_unlock(&keeping);
}

static wall *walls_of(net *n, int lane)
{
    wall *walls = hy_load_acquire(&n->lanes[lane]);
    if (!walls) walls = calloc((size_t)n->size, sizeof *walls);
    if (!walls) abort();
    hy_store_release(&n->lanes[lane], walls);
    return walls;
}

static void put_between(net *n, const hy_ep *inner, int lane, _Atomic uint32_t *here,
                        _Atomic uint32_t *there)
{
    wall *w = &walls_of(n, lane)[inner->rank];
    if (hy_load_acquire(&w->stands)) return;
    w->inner = *inner;
    w->delay = n->plan.delay;
    w->left = n->plan.drop ? n->plan.drop : n->plan.fail;
    w->cuts = n->plan.drop != 0;
    w->here = here;
    w->there = there;
    w->random = n->plan.seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(inner->rank + 64 * lane) +
                1;
    pthread_mutex_init(&w->lock, NULL);
    hy_store_release(&w->stands, true);
}

static void leave_to(net *n, hy_ep *ep, int rank, int lane)
{
    ep->ops = &fault_path;
    ep->net = &n->base;
    ep->rank = rank;
    ep->lane = lane;
}

/* A connection that breaks takes all lanes with it. */
static void fault_attach(hy_net *base, hy_ep *ep, int rank, int lane)
{
    net *n = (net *)base;
    const wall *first = &hy_load_acquire(&n->lanes[0])[rank];
    pthread_mutex_lock(&n->lock);
    put_between(n, &first->inner, lane, first->here, first->there);
    pthread_mutex_unlock(&n->lock);
    leave_to(n, ep, rank, lane);
    ep->part_bytes = first->inner.part_bytes;
}

static const hy_net_ops net_ops = {.name = "fault",
                                   .row = &fault_path,
                                   .attach = fault_attach,
                                   .progress = progress_all,
                                   .check = fault_check,
                                   .has_left = fault_has_left,
                                   .leave = fault_leave,
                                   .close = fault_close};

static void start_keeper(void)
{
    pthread_t keeper;
    if (pthread_create(&keeper, NULL, keep, NULL) != 0) abort();
    pthread_detach(keeper);
}

hy_net *fault_net(const fault_plan *plan, int size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    net *n = calloc(1, sizeof *n);
    if (!n) abort();
    pthread_mutex_init(&n->lock, NULL);
    n->base.ops = &net_ops;
    n->plan = *plan;
    n->size = size;
    n->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &n->next, n)) continue;
    pthread_once(&once, start_keeper);
    return &n->base;
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
