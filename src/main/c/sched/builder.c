/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appends steps to a schedule, and maps the steps of a part (schedule.h, hy_scope) to ranks and
 * places of the whole.
 */
#include "sched/builder.h"

#include <stdlib.h>

#include "base/status.h"
#include "sched/nodes.h"
#include "sched/pool.h"

/* The capacity of a schedule that ran out of memory. It owns no steps, so that the generator can
 * continue to emit and check for the error once, at its end. */
#define HY_EMIT_FAILED UINT32_MAX
#define HY_EMIT_LIMIT (UINT32_C(1) << 30)

static bool failed(const hy_schedule *s)
{
    return s->capacity == HY_EMIT_FAILED;
}

static void builder_give_up(hy_schedule *s)
{
    free(s->steps);
    s->steps = NULL;
    s->count = 0;
    s->capacity = HY_EMIT_FAILED;
}

static bool builder_grow(hy_schedule *s)
{
    uint32_t capacity = s->capacity ? s->capacity * 2 : 16;
    hy_step *steps = NULL;
    if (capacity <= HY_EMIT_LIMIT) steps = realloc(s->steps, capacity * sizeof *steps);
    if (!steps) {
        builder_give_up(s);
        return false;
    }
    s->steps = steps;
    s->capacity = capacity;
    return true;
}

/* ---- scopes ---- */

/* The place of a part's region on a rank of the whole. */
static hy_place origin(const hy_scope *scope, int32_t rank, uint8_t region)
{
    switch (region) {
    case HY_IN: return hy_pool_place(scope->pool, rank, HY_IN, scope->in);
    case HY_OUT: return hy_pool_place(scope->pool, rank, HY_OUT, scope->out);
    case HY_TMP: return HY_AT(HY_TMP, hy_pool_tmp(scope->pool, rank));
    default: return HY_AT((hy_region)region, 0);
    }
}

static void place(const hy_scope *scope, int32_t rank, bool moves, uint8_t *region, uint64_t *off)
{
    hy_place begin = origin(scope, rank, *region);
    *region = (uint8_t)begin.region;
    if (moves) *off += begin.off;
}

static int32_t member(const hy_scope *scope, int32_t number)
{
    const hy_shape *whole = &scope->pool->shape;
    const hy_nodes *nodes = whole->nodes;
    if (scope->node < 0) return hy_nodes_leader(nodes, number, hy_pool_root(whole));
    return nodes->members[nodes->first[scope->node] + number];
}

/* Turns a step of a part into a step of the whole. */
static void widen(const hy_schedule *s, hy_step *step)
{
    const hy_scope *scope = &s->scope;
    if (!scope->pool) return;
    int32_t rank = scope->pool->shape.rank;
    step->peer = member(scope, step->peer);
    place(scope, rank, step->len > 0, &step->local, &step->local_off);
    place(scope, step->peer, step->len > 0, &step->remote, &step->remote_off);
}

static void emit(hy_schedule *s, hy_step step)
{
    if (failed(s)) return;
    uint64_t index = s->emitted++;
    if (index < s->first || index - s->first >= s->limit) return;
    if (s->count == s->capacity && !builder_grow(s)) return;
    widen(s, &step);
    s->steps[s->count++] = step;
}

bool hy_emit_enough(const hy_schedule *s)
{
    return failed(s) || (s->emitted >= s->first && s->emitted - s->first >= s->limit);
}

static void emit_move(hy_schedule *s, hy_step_kind kind, int peer, hy_place local, hy_place remote,
                      uint64_t len)
{
    if (len == 0) return;
    emit(s, (hy_step){.kind = (uint8_t)kind,
                      .local = (uint8_t)local.region,
                      .remote = (uint8_t)remote.region,
                      .peer = peer,
                      .local_off = local.off,
                      .remote_off = remote.off,
                      .len = len});
}

void hy_emit_signal(hy_schedule *s, int peer)
{
    emit(s, (hy_step){.kind = HY_STEP_SIGNAL, .peer = peer});
}

void hy_emit_wait(hy_schedule *s, int peer)
{
    emit(s, (hy_step){.kind = HY_STEP_WAIT, .peer = peer});
}

void hy_emit_expose(hy_schedule *s, int peer, hy_region region)
{
    emit(s, (hy_step){.kind = HY_STEP_SIGNAL,
                      .flags = HY_STEP_EXPOSE,
                      .local = (uint8_t)region,
                      .peer = peer});
}

void hy_emit_learn(hy_schedule *s, int peer, hy_region region)
{
    emit(s, (hy_step){.kind = HY_STEP_WAIT,
                      .flags = HY_STEP_EXPOSE,
                      .remote = (uint8_t)region,
                      .peer = peer});
}

/* Both sides split by the same rule, so that every WAIT meets a payload of its length. */
static void emit_pieces(hy_schedule *s, hy_step step)
{
    uint64_t left = step.len, piece = hy_piece(&s->shape);
    while (left > 0 && !hy_emit_enough(s)) {
        step.len = left < piece ? left : piece;
        emit(s, step);
        step.local_off += step.len;
        left -= step.len;
    }
}

void hy_emit_send(hy_schedule *s, int peer, hy_place from, uint64_t len)
{
    emit_pieces(s, (hy_step){.kind = HY_STEP_SIGNAL,
                             .local = (uint8_t)from.region,
                             .peer = peer,
                             .local_off = from.off,
                             .len = len});
}

void hy_emit_recv(hy_schedule *s, int peer, hy_place to, uint64_t len)
{
    emit_pieces(s, (hy_step){.kind = HY_STEP_WAIT,
                             .local = (uint8_t)to.region,
                             .peer = peer,
                             .local_off = to.off,
                             .len = len});
}

void hy_emit_fold(hy_schedule *s, int peer, hy_place into, uint64_t len)
{
    emit_pieces(s, (hy_step){.kind = HY_STEP_WAIT,
                             .flags = HY_STEP_FOLD,
                             .local = (uint8_t)into.region,
                             .peer = peer,
                             .local_off = into.off,
                             .len = len});
}

void hy_emit_put(hy_schedule *s, int peer, hy_place from, hy_place to, uint64_t len)
{
    emit_move(s, HY_STEP_PUT, peer, from, to, len);
}

void hy_emit_get(hy_schedule *s, int peer, hy_place from, hy_place to, uint64_t len)
{
    emit_move(s, HY_STEP_GET, peer, to, from, len);
}

static bool same_place(const hy_schedule *s, hy_place a, hy_place b)
{
    const hy_scope *scope = &s->scope;
    if (scope->pool) {
        hy_place of_a = origin(scope, scope->pool->shape.rank, (uint8_t)a.region);
        hy_place of_b = origin(scope, scope->pool->shape.rank, (uint8_t)b.region);
        a = HY_AT(of_a.region, of_a.off + a.off), b = HY_AT(of_b.region, of_b.off + b.off);
    }
    return a.region == b.region && a.off == b.off;
}

void hy_emit_copy(hy_schedule *s, hy_place from, hy_place to, uint64_t len)
{
    if (same_place(s, from, to)) return;
    emit_move(s, HY_STEP_COPY, s->shape.rank, to, from, len);
}

void hy_emit_reduce(hy_schedule *s, int peer, hy_place from, hy_place into, uint64_t len)
{
    emit_move(s, HY_STEP_REDUCE, peer, into, from, len);
}

void hy_emit_tmp(hy_schedule *s, uint64_t bytes)
{
    const hy_pool *pool = s->scope.pool;
    if (pool) bytes += hy_pool_tmp(pool, pool->shape.rank);
    if (bytes > s->tmp_bytes) s->tmp_bytes = bytes;
}

void hy_emit_box(hy_schedule *s, uint64_t bytes)
{
    if (bytes > s->box_bytes) s->box_bytes = bytes;
}

int hy_emit_end(const hy_schedule *s)
{
    if (failed(s))
        return hy_fail(HAYATE_ERR_NO_MEMORY,
                       "no memory for the schedule of %s of %llu B on %d ranks; choose an "
                       "algorithm that does not split it into payloads",
                       hy_coll_name(s->shape.coll), (unsigned long long)s->shape.bytes,
                       s->shape.size);
    return HAYATE_OK;
}

void hy_slice(uint64_t bytes, uint32_t unit, int parts, int index, uint64_t *off, uint64_t *len)
{
    uint64_t elements = bytes / unit, n = (uint64_t)parts, i = (uint64_t)index;
    uint64_t base = elements / n, extra = elements % n;
    *off = (i * base + (i < extra ? i : extra)) * unit;
    *len = (base + (i < extra)) * unit;
}
