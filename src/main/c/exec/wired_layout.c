/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares a wired schedule: assigns memory to every line, payload and region, and checks what
 * the peers sent. */
#include <stdlib.h>

#include "exec/wired.h"
#include "job/await.h"

/* A payload begins in the line of its signal. Lines of two signals are HY_SLOT_STRIDE apart. */
static uint64_t line_bytes(uint64_t payload)
{
    return hy_round_up(offsetof(hy_slot, payload) + payload, HY_SLOT_STRIDE);
}

static int wired_layout_no_memory(const hy_wired *w)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to prepare a collective on %d ranks",
                   w->group->size);
}

/* ---- open ---- */

/* Counts the bytes of the lines of one run from each peer, and notes which members signal each
 * other. */
static void count_lines(hy_wired *w, const hy_schedule *schedule, uint8_t *signals)
{
    for (uint32_t i = 0; i < schedule->count; i++) {
        const hy_step *s = &schedule->steps[i];
        if (s->kind == HY_STEP_SIGNAL) signals[s->peer] = 1;
        if (s->kind == HY_STEP_WAIT) w->inbox_bytes[s->peer] += line_bytes(s->len);
    }
}

static int list_one_way_peers(hy_wired *w, const uint8_t *signals)
{
    size_t size = (size_t)w->group->size;
    w->asked = malloc(size * sizeof *w->asked);
    w->told = malloc(size * sizeof *w->told);
    if (!w->asked || !w->told) return wired_layout_no_memory(w);
    for (int peer = 0; peer < w->group->size; peer++) {
        if (signals[peer] && !w->inbox_bytes[peer]) w->asked[w->asked_count++] = peer;
        if (!signals[peer] && w->inbox_bytes[peer]) w->told[w->told_count++] = peer;
    }
    return HAYATE_OK;
}

/* Allocates the counts, then the inboxes, each `depth` times. */
static int take_lines(hy_wired *w)
{
    uint64_t bytes = (uint64_t)w->group->size * HY_SLOT_STRIDE;
    for (int peer = 0; peer < w->group->size; peer++) {
        w->inbox[peer] = bytes;
        w->inbox_bytes[peer] *= w->depth;
        bytes += w->inbox_bytes[peer];
    }
    w->lines = hy_job_alloc(w->group->job, bytes);
    if (!w->lines) return hy_job_alloc_code(w->group->job);
    memset(w->lines, 0, bytes);
    return HAYATE_OK;
}

static int take_prepared(hy_wired *w, const hy_schedule *schedule)
{
    hy_job *job = w->group->job;
    if (schedule->tmp_bytes && !(w->tmp = hy_job_alloc(job, schedule->tmp_bytes)))
        return hy_job_alloc_code(job);
    w->box_turn = hy_round_up(schedule->box_bytes, HY_SLOT_STRIDE);
    if (w->box_turn && !(w->box = hy_job_alloc(job, w->box_turn * w->depth)))
        return hy_job_alloc_code(job);
    w->base[HY_TMP] = w->tmp;
    w->bytes[HY_TMP] = schedule->tmp_bytes;
    w->base[HY_BOX] = w->box;
    w->bytes[HY_BOX] = w->box_turn * w->depth;
    return HAYATE_OK;
}

int hy_wired_open(hy_wired *w, hy_group *group, const hy_schedule *schedule)
{
    size_t size = (size_t)group->size;
    w->group = group;
    w->depth = hy_wired_depth(&schedule->shape);
    w->job = group->job;
    w->rank = group->rank;
    w->size = group->size;
    w->inbox = calloc(size, sizeof *w->inbox);
    w->inbox_bytes = calloc(size, sizeof *w->inbox_bytes);
    uint8_t *signals = calloc(size, 1);
    int rc = w->inbox && w->inbox_bytes && signals ? HAYATE_OK : wired_layout_no_memory(w);
    if (!rc) count_lines(w, schedule, signals);
    if (!rc) rc = list_one_way_peers(w, signals);
    if (!rc) rc = take_lines(w);
    if (!rc) rc = take_prepared(w, schedule);
    free(signals);
    return rc;
}

/* ---- wires ---- */

static hy_exposed expose(const hy_wired *w, int region, const hy_block *block)
{
    const hy_job *job = w->group->job;
    const uint8_t *base = w->base[region];
    uint64_t len = w->bytes[region];
    if (!base) return (hy_exposed){.offset = HY_NOT_IN_HEAP};
    if (block) base += block->off, len = block->len;
    bool user = region == HY_IN || region == HY_OUT;
    return (hy_exposed){.offset = user ? hy_job_user_offset(job, base, len)
                                       : hy_job_offset(job, base, len),
                        .address = (uint64_t)(uintptr_t)base,
                        .len = len};
}

void hy_wired_wires(const hy_wired *w, const hy_schedule *schedule, int peer, hy_wires *wires)
{
    uint64_t lines = (uint64_t)(w->lines - w->group->job->part);
    *wires = (hy_wires){.inbox = lines + w->inbox[peer],
                        .inbox_bytes = w->inbox_bytes[peer],
                        .count = lines + (uint64_t)peer * HY_SLOT_STRIDE,
                        .box_turn = w->box_turn};
    for (int region = HY_IN; region < HY_REGIONS; region++) {
        const hy_block *blocks = hy_shape_view(&schedule->shape, (hy_region)region);
        wires->regions[region] = expose(w, region, blocks ? &blocks[peer] : NULL);
    }
}

/* ---- connect ---- */

typedef struct connection {
    hy_wired *w;
    const hy_schedule *schedule;
    const hy_wires *theirs;
    uint64_t *sent, *taken; /* [size]: bytes of lines of a run that are assigned so far */
} connection;

static int lies(const connection *c, int peer)
{
    int rank = hy_group_member(c->w->group, peer);
    return hy_fail_peer(HAYATE_ERR_CORRUPT, rank, "rank %d sent an address outside its memory",
                        rank);
}

static int differs(const connection *c, int peer)
{
    int rank = hy_group_member(c->w->group, peer);
    return hy_fail_peer(
        HAYATE_ERR_MISMATCH, rank,
        "rank %d has prepared a different schedule: the tuning files, rules files or "
        "HAYATE_COLL settings of the ranks differ",
        rank);
}

static int connect_signal(connection *c, const hy_step *s, hy_wired_step *to)
{
    const hy_wires *wires = &c->theirs[s->peer];
    uint64_t turn = wires->inbox_bytes / c->w->depth;
    to->remote = wires->inbox + c->sent[s->peer];
    to->remote_turn = turn;
    c->sent[s->peer] += line_bytes(s->len);
    return c->sent[s->peer] > turn ? differs(c, s->peer) : HAYATE_OK;
}

static void connect_wait(connection *c, const hy_step *s, hy_wired_step *to)
{
    const hy_wired *w = c->w;
    const uint8_t *line = w->lines + w->inbox[s->peer] + c->taken[s->peer];
    to->remote = (uint64_t)(uintptr_t)line;
    to->remote_turn = w->inbox_bytes[s->peer] / w->depth;
    c->taken[s->peer] += line_bytes(s->len);
}

static int need_op(hy_wired *w)
{
    if (!w->op) w->op = malloc(sizeof *w->op);
    return w->op ? HAYATE_OK : wired_layout_no_memory(w);
}

static int connect_remote(connection *c, const hy_step *s, hy_wired_step *to)
{
    const hy_wires *wires = &c->theirs[s->peer];
    const hy_exposed *region = &wires->regions[s->remote];
    uint64_t room = s->remote == HY_BOX ? wires->box_turn : region->len; /* of a run */
    if (s->remote_off > room || s->len > room - s->remote_off) return differs(c, s->peer);
    to->heap = region->offset != HY_NOT_IN_HEAP;
    to->remote = (to->heap ? region->offset : region->address) + s->remote_off;
    if (to->heap && !hy_ep_is_far(to->ep)) return HAYATE_OK;
    if (!to->heap && !to->ep->single)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s", to->ep->why_not_single);
    return s->kind == HY_STEP_REDUCE ? hy_fold_room(&c->w->fold) : HAYATE_OK;
}

static int connect_step(connection *c, const hy_step *s, hy_wired_step *to)
{
    hy_wired *w = c->w;
    bool own = s->kind == HY_STEP_COPY || (s->kind == HY_STEP_REDUCE && s->peer == w->group->rank);
    *to = (hy_wired_step){.kind = s->kind, .flags = s->flags, .peer = s->peer, .len = s->len};
    if (s->len) to->local = w->base[s->local] + s->local_off;
    if (s->local == HY_BOX) to->local_turn = w->box_turn;
    if (!own) to->ep = w->eps[s->peer];
    to->far = !own && s->kind != HY_STEP_WAIT && hy_ep_is_far(to->ep);
    if (s->kind == HY_STEP_SIGNAL) return connect_signal(c, s, to);
    if (s->kind == HY_STEP_WAIT) {
        connect_wait(c, s, to);
        return HAYATE_OK;
    }
    if (s->remote == HY_BOX) to->remote_turn = own ? w->box_turn : c->theirs[s->peer].box_turn;
    if (!own) return connect_remote(c, s, to);
    to->remote = (uint64_t)(uintptr_t)(w->base[s->remote] + s->remote_off);
    return HAYATE_OK;
}

/* Data from peers are used only after this check. */
static int check_wires(const connection *c, int peer)
{
    const hy_wires *wires = &c->theirs[peer];
    const hy_ep *ep = c->w->eps[peer];
    if (!hy_ep_contains(ep, wires->inbox, wires->inbox_bytes) || wires->inbox % HY_LINE ||
        wires->inbox_bytes % c->w->depth || !hy_ep_contains(ep, wires->count, HY_LINE) ||
        wires->count % HY_LINE)
        return lies(c, peer);
    for (int region = HY_IN; region < HY_REGIONS; region++) {
        const hy_exposed *exposed = &wires->regions[region];
        if (exposed->offset != HY_NOT_IN_HEAP && !hy_ep_contains(ep, exposed->offset, exposed->len))
            return lies(c, peer);
    }
    uint64_t box = wires->regions[HY_BOX].len;
    return wires->box_turn > box / c->w->depth ? lies(c, peer) : HAYATE_OK;
}

static bool moves_nothing(const hy_wired_step *s)
{
    return s->kind == HY_STEP_COPY && s->remote == (uint64_t)(uintptr_t)s->local &&
           s->remote_turn == s->local_turn;
}

static int connect_all(connection *c)
{
    hy_wired *w = c->w;
    int rc = HAYATE_OK, rank = w->group->rank;
    for (int peer = 0; peer < w->group->size; peer++) {
        if (peer == rank) continue;
        w->eps[peer] = hy_job_ep(w->group->job, hy_group_member(w->group, peer));
        if ((rc = check_wires(c, peer))) return rc;
        if (hy_ep_is_far(w->eps[peer]) && need_op(w)) return HAYATE_ERR_NO_MEMORY;
        w->count_at[peer] = c->theirs[peer].count;
    }
    for (uint32_t i = 0; i < c->schedule->count; i++) {
        hy_wired_step *to = &w->steps[w->count];
        if ((rc = connect_step(c, &c->schedule->steps[i], to))) return rc;
        if (!moves_nothing(to)) w->count++;
    }
    for (int peer = 0; peer < w->group->size; peer++) {
        if (peer != rank && c->sent[peer] * w->depth != c->theirs[peer].inbox_bytes)
            return differs(c, peer);
    }
    return HAYATE_OK;
}

int hy_wired_connect(hy_wired *w, const hy_schedule *schedule, const hy_wires *theirs)
{
    size_t size = (size_t)w->group->size;
    connection c = {.w = w, .schedule = schedule, .theirs = theirs};
    c.sent = calloc(size, sizeof *c.sent);
    c.taken = calloc(size, sizeof *c.taken);
    w->count_at = calloc(size, sizeof *w->count_at);
    w->eps = calloc(size, sizeof *w->eps);
    size_t steps = hy_round_up((schedule->count + 1) * sizeof *w->steps, HY_LINE);
    w->steps = aligned_alloc(HY_LINE, steps);
    int rc = c.sent && c.taken && w->count_at && w->eps && w->steps ? connect_all(&c)
                                                                    : wired_layout_no_memory(w);
    if (rc) { /* this rank does not know where to signal, so it signals nobody */
        free(w->count_at);
        w->count_at = NULL;
    }
    free(c.sent);
    free(c.taken);
    return rc;
}

/* ---- close ---- */

static void wired_layout_give_back(const hy_wired *w, uint8_t *memory, bool late)
{
    if (memory && late) hy_job_release_late(w->job, memory);
    else if (memory) hy_job_release(w->job, memory);
}

static int step_under_way(void *context)
{
    const hy_wired *w = context;
    hy_ep *ep = w->eps[w->member];
    return hy_op_test(ep->ops, ep, w->op);
}

/* What is under way uses memory of this object. It ends when it has arrived, or its peer has
 * failed. Its test polls the network. */
static void wired_finish(hy_wired *w)
{
    if (!w->under_way) return;
    hy_job_await(&(hy_await){.job = w->job, .step = step_under_way, .context = w});
    w->under_way = false;
}

void hy_wired_close(hy_wired *w, bool late)
{
    if (!w->job) return;
    wired_finish(w);
    wired_layout_give_back(w, w->lines, late);
    wired_layout_give_back(w, w->box, late);
    wired_layout_give_back(w, w->tmp, late);
    free(w->steps);
    free(w->asked);
    free(w->told);
    free(w->inbox);
    free(w->inbox_bytes);
    free(w->count_at);
    hy_fold_release(&w->fold);
    free(w->op);
    free(w->eps);
    *w = (hy_wired){0};
}
