/* SPDX-License-Identifier: Apache-2.0 */
#include "net/fault/fault_wall.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/random_fixture.h"
#include "base/status.h"

/* A write that has waited for this many looks waits no longer. */
#define OLD 12
/* After this time behind a cut, whoever waits is told. */
#define SILENCE_NS UINT64_C(200000000)

/* What the words of a pair say. */
enum { WHOLE, BROKEN, CUT };

/* ---- the connection ---- */

static void drop(fault_item *i)
{
    free(i->copy);
    free(i);
}

static void drop_all(fault_wall *w)
{
    for (fault_item *i = w->first, *next; i; i = next) {
        next = i->next;
        drop(i);
    }
    w->first = NULL;
}

static void tear(fault_wall *w)
{
    w->broken = true;
    drop_all(w);
    if (w->conn.peer) hy_net_peer_lost(w->endpoint, w->conn.peer, "the connection broke");
    if (w->cut) return; /* whoever was cut off tells nobody */
    hy_store_release(w->there, BROKEN);
    hy_store_release(w->here, BROKEN); /* for the other lanes */
    hy_bell_ring(w->inner.bell);
}

void fault_wall_tell(const fault_wall *w, hy_net_peer *peer)
{
    if (w->broken) hy_net_peer_lost(w->endpoint, peer, "the connection broke");
}

static void cut(fault_wall *w)
{
    drop_all(w);
    if (w->cut) return;
    w->cut = hy_now_ns();
    hy_store_release(w->there, CUT);
    hy_store_release(w->here, CUT);
}

static int failure(const fault_wall *w)
{
    return w->broken ? hy_net_fail_lost(&w->conn.peer->life) : HAYATE_OK;
}

void fault_wall_look(fault_wall *w, bool counts)
{
    if (counts && w->left && --w->left == 0) {
        if (w->cuts) cut(w);
        else tear(w);
    }
    uint32_t word = hy_load_acquire(w->here);
    if (!w->broken && word == BROKEN) tear(w);
    if (!w->broken && word == CUT) cut(w);
    if (!w->broken && w->cut && hy_now_ns() > w->cut + SILENCE_NS) tear(w);
}

/* ---- what is on its way ---- */

fault_item *fault_wall_enqueue(fault_wall *w, fault_item_kind kind, uint64_t remote, void *local,
                               size_t len)
{
    fault_item **end = &w->first, *i = calloc(1, sizeof *i);
    if (!i) abort();
    *i = (fault_item){
        .kind = kind, .number = ++w->begun, .remote = remote, .local = local, .len = len};
    while (*end) end = &(*end)->next;
    *end = i;
    return i;
}

static void deliver_message(fault_wall *w, const hy_net_send *send)
{
    const hy_net_head *head = &send->message.head;
    const uint8_t *payload = send->message.payload;
    hy_net_head answer = {.rank = (uint32_t)w->inner.rank, .offset = head->offset};
    hy_ep *ep = &w->inner;
    hy_flag flag = {.value = head->value};
    uint64_t expected;
    switch (head->kind) {
    case HY_NET_SIGNAL:
        ep->ops->signal(ep, head->offset, head->value, payload, send->bytes);
        return;
    case HY_NET_FLAG:
        memcpy(flag.data, payload, sizeof flag.data);
        ep->ops->put_flag(ep, head->offset, &flag);
        return;
    case HY_NET_ATOMIC:
        memcpy(&answer.offset, payload, 8);
        memcpy(&expected, payload + 8, 8);
        ep->ops->atomic(ep, head->offset, head->what, head->value, expected, &answer.value);
        break;
    default: break;
    }
    hy_net_answered(&w->endpoint->tickets, &answer);
}

static void carry_out(fault_wall *w, const fault_item *i)
{
    hy_ep *ep = &w->inner;
    if (i->kind == FAULT_MESSAGE) deliver_message(w, &i->send);
    else if (i->kind == FAULT_PUT) ep->ops->put(ep, i->remote, i->local, i->len);
    else ep->ops->get(ep, i->remote, i->local, i->len);
    if (i->left) --*i->left;
}

/* Does it have to wait for one before it? Behind a message all that was put before. */
static bool is_behind(const fault_wall *w, const fault_item *i)
{
    if (i->kind != FAULT_MESSAGE) return false;
    for (const fault_item *before = w->first; before != i; before = before->next)
        if (before->kind != FAULT_GET) return true;
    return false;
}

static bool stays(fault_wall *w, fault_item *i)
{
    return is_behind(w, i) || (i->age++ < OLD && random_below(&w->random, 100) < w->delay);
}

int fault_wall_deliver(fault_wall *w)
{
    int events = 0;
    for (fault_item **at = &w->first; *at;) {
        fault_item *i = *at;
        if (stays(w, i)) {
            at = &i->next;
            continue;
        }
        carry_out(w, i);
        *at = i->next;
        drop(i);
        events++;
    }
    return events;
}

int fault_wall_begin(fault_wall *w)
{
    fault_wall_look(w, true);
    if (!w->broken) fault_wall_deliver(w);
    return failure(w);
}

void fault_wall_forget(fault_wall *w, const uint32_t *left)
{
    for (fault_item **at = &w->first; *at;) {
        fault_item *i = *at;
        if (i->left == left) *at = i->next, drop(i);
        else at = &i->next;
    }
}
