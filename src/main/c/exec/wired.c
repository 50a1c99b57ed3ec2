/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a wired schedule: the hot path of persistent collectives. A signal is one store, a wait
 * polls one line. */
#include "exec/wired.h"

/* The line of a signal in this turn; the payload continues behind it. */
static hy_slot *line_of(const hy_wired_step *s, uint32_t turn)
{
    return (hy_slot *)(uintptr_t)(s->remote + turn * s->remote_turn);
}

static uint8_t *local_of(const hy_wired_step *s, uint32_t turn)
{
    return s->local + turn * s->local_turn;
}

/* ---- steps that cross a network ---- */

/* Begins the operation if it is not under way; IN_PROGRESS, or its result. */
static int go_far(hy_wired *w, int member, hy_op_kind kind, uint64_t remote, void *local,
                  size_t len)
{
    hy_ep *ep = w->eps[member];
    if (w->under_way) {
        int rc = hy_op_test(ep->ops, ep, w->op);
        w->under_way = rc == HAYATE_IN_PROGRESS;
        return rc;
    }
    w->op->kind = kind;
    w->op->remote = remote;
    w->op->local = local;
    w->op->len = len;
    w->op->operand = w->run;
    w->member = member;
    int rc = hy_op_begin(ep->ops, ep, w->op);
    w->under_way = rc == HAYATE_IN_PROGRESS;
    return rc;
}

/* The range of what is left may look like one that this signal does not wait for. */
static bool is_flushing(const hy_wired *w)
{
    return w->under_way && w->op->kind == HY_OP_FLUSH;
}

/* One member after the other: nearly always there is one. */
static int flush_far(hy_wired *w)
{
    for (hy_unflushed *set = &w->unflushed; set->from < set->end; set->from++) {
        hy_ep *ep = w->eps[set->from];
        if (!ep || !hy_ep_is_far(ep)) continue;
        int rc = hy_unflushed_over(ep, go_far(w, set->from, HY_OP_FLUSH, 0, NULL, 0));
        if (rc) return rc;
    }
    w->unflushed = (hy_unflushed){0, 0};
    return HAYATE_OK;
}

/* A payload that is too long for the signal is put first. */
static int signal_far(hy_wired *w, const hy_wired_step *s, uint64_t line, uint8_t *from)
{
    bool carried = s->len <= HY_SLOT_PAYLOAD;
    if (!carried && w->moved == 0) {
        int rc = go_far(w, s->peer, HY_OP_PUT, line + offsetof(hy_slot, payload), from, s->len);
        if (rc) return rc;
        w->moved = s->len;
    }
    int rc = go_far(w, s->peer, HY_OP_SIGNAL, line, from, carried ? s->len : 0);
    if (rc != HAYATE_IN_PROGRESS) w->moved = 0;
    return rc;
}

static int reduce_far(hy_wired *w, const hy_wired_step *s, uint64_t remote)
{
    while (w->moved < s->len) {
        uint64_t len = hy_fold_piece(&w->fold, s->len - w->moved);
        int rc = go_far(w, s->peer, HY_OP_GET, remote + w->moved, w->fold.bounce, len);
        if (rc) return rc;
        hy_fold_in(&w->fold, local_of(s, w->turn) + w->moved, w->fold.bounce, len);
        w->moved += len;
    }
    w->moved = 0;
    return HAYATE_OK;
}

/* ---- steps ---- */

static int run_signal(hy_wired *w, const hy_wired_step *s)
{
    const hy_path_ops *ops = s->ep->ops;
    uint64_t line = s->remote + w->turn * s->remote_turn;
    uint8_t *from = local_of(s, w->turn);
    bool flush = hy_unlikely(is_flushing(w)) || hy_unflushed_before(&w->unflushed, s->peer);
    int rc = flush ? flush_far(w) : HAYATE_OK;
    if (hy_unlikely(rc)) return rc;
    if (hy_unlikely(s->far)) return signal_far(w, s, line, from);
    if (hy_likely(s->len <= HY_SLOT_PAYLOAD)) {
        ops->signal(s->ep, line, w->run, from, s->len);
        return HAYATE_OK;
    }
    rc = ops->put(s->ep, line + offsetof(hy_slot, payload), from, s->len);
    if (hy_likely(!rc)) ops->signal(s->ep, line, w->run, NULL, 0);
    return rc;
}

/* In an image that a rank has written (wired_image.h) the two sides may overlap. */
static int run_wait(const hy_wired *w, const hy_wired_step *s)
{
    const hy_slot *line = line_of(s, w->turn);
    /* acquire: makes the payload and the peer's earlier writes visible */
    if (hy_load_acquire(&line->head) != w->run) return HAYATE_IN_PROGRESS;
    if (s->len == 0) return HAYATE_OK;
    uint8_t *to = local_of(s, w->turn);
    if (s->flags & HY_STEP_FOLD) hy_fold_in(&w->fold, to, line->payload, s->len);
    else if (s->len <= HY_SLOT_PAYLOAD) hy_copy_slot(to, line->payload, s->len);
    else memmove(to, (const uint8_t *)line + offsetof(hy_slot, payload), s->len);
    return HAYATE_OK;
}

static int run_move(hy_wired *w, const hy_wired_step *s)
{
    const hy_path_ops *path = s->heap ? s->ep->ops : s->ep->single;
    uint64_t remote = s->remote + w->turn * s->remote_turn;
    uint8_t *local = local_of(s, w->turn);
    bool get = s->kind == HY_STEP_GET;
    if (hy_unlikely(s->far)) {
        if (!get) hy_unflushed_put(&w->unflushed, s->ep, s->peer);
        return go_far(w, s->peer, get ? HY_OP_GET : HY_OP_PUT, remote, local, s->len);
    }
    return get ? path->get(s->ep, remote, local, s->len) : path->put(s->ep, remote, local, s->len);
}

/* Memory of this node that is not mapped here. */
static int reduce_bounced(const hy_wired *w, const hy_wired_step *s, uint64_t remote)
{
    const hy_path_ops *path = s->heap ? s->ep->ops : s->ep->single;
    return hy_fold_through(&w->fold, path, s->ep, remote, local_of(s, w->turn), s->len);
}

static int run_reduce(hy_wired *w, const hy_wired_step *s)
{
    uint64_t remote = s->remote + w->turn * s->remote_turn;
    if (!s->ep) hy_fold_in(&w->fold, local_of(s, w->turn), (const void *)(uintptr_t)remote, s->len);
    else if (s->heap && !hy_ep_is_far(s->ep))
        hy_fold_in(&w->fold, local_of(s, w->turn), s->ep->part + remote, s->len);
    else return s->far ? reduce_far(w, s, remote) : reduce_bounced(w, s, remote);
    return HAYATE_OK;
}

static int run_step(hy_wired *w, const hy_wired_step *s)
{
    switch (s->kind) {
    case HY_STEP_SIGNAL: return run_signal(w, s);
    case HY_STEP_WAIT: return run_wait(w, s);
    case HY_STEP_PUT:
    case HY_STEP_GET: return run_move(w, s);
    case HY_STEP_COPY: memmove(local_of(s, w->turn), line_of(s, w->turn), s->len); return HAYATE_OK;
    default: return run_reduce(w, s);
    }
}

static hy_slot *count_line_of(const hy_wired *w, int peer)
{
    return (hy_slot *)(void *)(w->lines + (size_t)peer * HY_SLOT_STRIDE);
}

static int not_ready(const hy_wired *w)
{
    for (int i = 0; i < w->asked_count; i++) {
        uint64_t finished = hy_load_acquire(&count_line_of(w, w->asked[i])->head);
        if (finished + w->depth < w->run && finished != HY_WIRED_LEFT) return w->asked[i];
    }
    return -1;
}

static int wired_tell(hy_wired *w)
{
    for (; w->telling < w->told_count; w->telling++) {
        int member = w->told[w->telling];
        hy_ep *ep = w->eps[member];
        if (!hy_ep_is_far(ep)) {
            ep->ops->signal(ep, w->count_at[member], w->run, NULL, 0);
            continue;
        }
        int rc = go_far(w, member, HY_OP_SIGNAL, w->count_at[member], NULL, 0);
        if (rc) return rc;
    }
    return HAYATE_OK;
}

static bool may_begin(hy_wired *w)
{
    if (hy_unlikely(!w->begun)) w->begun = not_ready(w) < 0;
    return w->begun;
}

static int end_run(hy_wired *w)
{
    return w->run % (w->depth / 2) == 0 ? wired_tell(w) : HAYATE_OK;
}

int hy_wired_run(hy_wired *w, uint64_t most)
{
    if (!may_begin(w)) return HAYATE_IN_PROGRESS;
    for (; w->next < w->count; w->next++) {
        const hy_wired_step *step = &w->steps[w->next];
        if (hy_unlikely(step->len > most)) return HAYATE_IN_PROGRESS;
        int rc = run_step(w, step);
        if (rc) return rc;
    }
    return end_run(w);
}

/* ---- runs by slices ---- */

/* Whether it can be executed from its first byte to its last, in pieces. A copy into memory that
 * begins within what it reads cannot. */
static bool is_divisible(const hy_wired *w, const hy_wired_step *s)
{
    if (s->far || s->kind == HY_STEP_SIGNAL || s->kind == HY_STEP_WAIT) return false;
    uint64_t ahead = (uint64_t)(local_of(s, w->turn) - (uint8_t *)line_of(s, w->turn));
    return s->kind != HY_STEP_COPY || ahead >= s->len;
}

static int run_piece(hy_wired *w, const hy_wired_step *s, uint64_t bytes)
{
    hy_wired_step piece = *s;
    uint64_t left = s->len - w->moved;
    if (s->kind == HY_STEP_REDUCE) bytes = bytes / w->fold.unit * w->fold.unit;
    piece.len = left < bytes ? left : bytes;
    piece.local += w->moved;
    piece.remote += w->moved;
    int rc = run_step(w, &piece);
    if (rc) return rc;
    w->moved += piece.len;
    if (piece.len < left) return HAYATE_IN_PROGRESS;
    w->moved = 0;
    return HAYATE_OK;
}

int hy_wired_run_slice(hy_wired *w, uint64_t bytes)
{
    if (!may_begin(w)) return HAYATE_IN_PROGRESS;
    for (uint64_t spent = 0; w->next < w->count; w->next++) {
        const hy_wired_step *step = &w->steps[w->next];
        if (spent >= bytes) return HAYATE_IN_PROGRESS;
        bool cut = step->len > bytes && is_divisible(w, step);
        int rc = cut ? run_piece(w, step, bytes) : run_step(w, step);
        if (rc) return rc;
        spent += HY_LINE + step->len; /* short steps take time, too */
    }
    return end_run(w);
}

int hy_wired_peer(const hy_wired *w)
{
    if (!w->begun) return not_ready(w);
    if (w->under_way) return w->member;
    bool waits = w->next < w->count && w->steps[w->next].kind == HY_STEP_WAIT;
    return waits ? w->steps[w->next].peer : -1;
}

void hy_wired_leave(hy_wired *w)
{
    for (int peer = 0; w->count_at && peer < w->size; peer++)
        if (peer != w->rank)
            w->eps[peer]->ops->signal(w->eps[peer], w->count_at[peer], HY_WIRED_LEFT, NULL, 0);
}

static bool has_left(const hy_wired *w, int peer)
{
    return hy_load_acquire(&count_line_of(w, peer)->head) == HY_WIRED_LEFT;
}

bool hy_wired_left(const hy_wired *w)
{
    for (int peer = 0; w->count_at && peer < w->size; peer++)
        if (peer != w->rank && !has_left(w, peer)) return false;
    return true;
}

/* The peer signalled before it left: whoever sees that it has left also sees its signals. Its line
 * may be that of a later run already, if another process runs this one's. */
static bool is_abandoned(const hy_wired *w, const hy_wired_step *step)
{
    if (step->kind != HY_STEP_WAIT || !has_left(w, step->peer)) return false;
    return hy_load_acquire(&line_of(step, w->turn)->head) < w->run;
}

int hy_wired_abandoned(const hy_wired *w)
{
    for (uint32_t i = w->next; i < w->count; i++)
        if (is_abandoned(w, &w->steps[i])) return w->steps[i].peer;
    return -1;
}
