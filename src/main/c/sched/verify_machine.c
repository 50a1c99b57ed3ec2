/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify_machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sched/print.h"

static int check_shapes(const hy_shape *shapes, int n, int rounds)
{
    if (n < 1 || rounds < 1 || n > 4096 || rounds > 4096)
        return hy_fail(HAYATE_ERR_ARGUMENT, "verify: %d collectives, %d rounds, expected 1 .. 4096",
                       n, rounds);
    for (int i = 0; i < n; i++) {
        const hy_shape *s = &shapes[i];
        if (s->size < 1 || s->size > HY_VERIFY_RANKS || s->size != shapes[0].size)
            return hy_fail(HAYATE_ERR_ARGUMENT,
                           "verify: collective %d has %d ranks, expected as many as the first one "
                           "and 1 .. %d",
                           i, s->size, HY_VERIFY_RANKS);
        if (s->unit < 1 || s->bytes % s->unit != 0 || s->root < 0 || s->root >= s->size ||
            (unsigned)s->coll >= HY_COLL_COUNT)
            return hy_fail(HAYATE_ERR_ARGUMENT, "verify: the shape of collective %d is not valid",
                           i);
    }
    return HAYATE_OK;
}

/* Largest cell of which all elements consist. */
static uint64_t common_grain(const hy_shape *shapes, int n)
{
    uint64_t grain = 0;
    for (int i = 0; i < n; i++)
        for (uint64_t other = shapes[i].bytes > 0 ? shapes[i].unit : 0; other != 0;) {
            uint64_t rest = grain % other;
            grain = other;
            other = rest;
        }
    return grain > 0 ? grain : 1;
}

static int open_state(hy_machine *m)
{
    uint64_t grain = common_grain(m->shapes, m->n), out = 0, tmp = 0;
    for (int i = 0; i < m->n; i++)
        if (m->shapes[i].bytes > out) out = m->shapes[i].bytes;
    for (int i = 0; i < m->n * m->size; i++)
        if (m->schedules[i].tmp_bytes > tmp) tmp = m->schedules[i].tmp_bytes;
    int rc = hy_memory_open(&m->memory, m->size, grain, out, tmp);
    if (rc != HAYATE_OK) return rc;
    uint64_t payload = HY_SCHED_PAYLOAD / grain, cells = m->memory.rank_cells;
    return hy_channels_open(&m->channels, m->size, (size_t)(payload < cells ? payload : cells));
}

int hy_machine_open(hy_machine *m, const hy_schedule *schedules, const hy_shape *shapes, int n,
                    int rounds)
{
    memset(m, 0, sizeof *m);
    int rc = check_shapes(shapes, n, rounds);
    if (rc != HAYATE_OK) return rc;
    m->schedules = schedules;
    m->shapes = shapes;
    m->n = n;
    m->size = shapes[0].size;
    m->runs = (uint32_t)n * (uint32_t)rounds;
    rc = open_state(m);
    size_t ranks = (size_t)m->size;
    m->actors = calloc(ranks, sizeof *m->actors);
    m->learned = calloc(ranks * ranks, sizeof *m->learned);
    m->entries = calloc(ranks * m->runs, sizeof *m->entries);
    m->buffer = calloc((size_t)m->memory.rank_cells + 1, sizeof *m->buffer);
    if (rc == HAYATE_OK && (!m->actors || !m->learned || !m->entries || !m->buffer))
        rc = hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to verify %d ranks", m->size);
    if (rc != HAYATE_OK) hy_machine_close(m);
    return rc;
}

void hy_machine_reset(hy_machine *m)
{
    size_t ranks = (size_t)m->size;
    hy_memory_reset(&m->memory);
    hy_channels_reset(&m->channels);
    memset(m->actors, 0, ranks * sizeof *m->actors);
    memset(m->entries, 0, ranks * m->runs * sizeof *m->entries);
}

void hy_machine_close(hy_machine *m)
{
    hy_memory_close(&m->memory);
    hy_channels_close(&m->channels);
    free(m->actors);
    free(m->learned);
    free(m->entries);
    free(m->buffer);
    memset(m, 0, sizeof *m);
}

static void describe_step(const hy_machine *m, int rank, char *text, size_t size)
{
    const hy_actor *actor = &m->actors[rank];
    const hy_schedule *schedule = hy_machine_schedule(m, rank, rank);
    if (actor->step >= schedule->count) {
        snprintf(text, size, "at its end");
        return;
    }
    int used = snprintf(text, size, "step %u (", actor->step);
    hy_step_text(&schedule->steps[actor->step], text + used, size - (size_t)used);
    size_t len = strlen(text);
    snprintf(text + len, size - len, ")");
}

int hy_machine_violation(const hy_machine *m, int rank, const char *format, ...)
{
    char detail[200], where[200];
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    const hy_shape *shape = hy_machine_shape(m, rank);
    const hy_schedule *schedule = hy_machine_schedule(m, rank, rank);
    describe_step(m, rank, where, sizeof where);
    return hy_fail(
        HAYATE_ERR_CORRUPT, "%s %s of %llu B on %d ranks, root %d, run %u: rank %d, %s: %s",
        hy_coll_name(shape->coll), schedule->algorithm ? schedule->algorithm->name : "(hand-made)",
        (unsigned long long)shape->bytes, m->size, shape->root, m->actors[rank].run, rank, where,
        detail);
}

int hy_machine_touch(hy_machine *m, int rank, hy_span span, bool write)
{
    uint64_t at = 0;
    int racer = write ? hy_memory_write(&m->memory, rank, span, &at)
                      : hy_memory_read(&m->memory, rank, span, &at);
    if (racer < 0) return HAYATE_OK;
    return hy_machine_violation(m, rank,
                                "%s %s+%llu of rank %d, which no signal orders after an "
                                "access by rank %d",
                                write ? "writes" : "reads", hy_region_name(span.region),
                                (unsigned long long)(at * m->memory.grain), span.rank, racer);
}

static hy_span whole(const hy_machine *m, int rank, hy_region region)
{
    uint64_t bytes = region == HY_OUT ? hy_machine_shape(m, rank)->bytes
                                      : hy_machine_schedule(m, rank, rank)->tmp_bytes;
    uint64_t grain = m->memory.grain;
    return (hy_span){rank, region, 0, (bytes + grain - 1) / grain};
}

/* What the caller has in OUT at the start; 0: nothing that may be read. */
static uint64_t given(const hy_shape *shape, int rank)
{
    if (shape->coll == HY_COLL_BCAST) return rank == shape->root ? UINT64_C(1) << rank : 0;
    return UINT64_C(1) << rank;
}

static uint64_t promised(const hy_shape *shape, int rank)
{
    uint64_t all = shape->size == 64 ? UINT64_MAX : (UINT64_C(1) << shape->size) - 1;
    if (shape->coll == HY_COLL_BCAST) return UINT64_C(1) << shape->root;
    if (shape->coll == HY_COLL_REDUCE && rank != shape->root) return UINT64_C(1) << rank;
    return all;
}

/* The caller writes `ranks` into OUT and leaves nothing defined in TMP. */
static int rewrite(hy_machine *m, int rank, uint64_t ranks)
{
    const hy_span spans[2] = {whole(m, rank, HY_OUT), whole(m, rank, HY_TMP)};
    for (int i = 0; i < 2; i++) {
        int rc = hy_machine_touch(m, rank, spans[i], true);
        if (rc != HAYATE_OK) return rc;
        hy_cell *cells = hy_memory_cells(&m->memory, spans[i]);
        for (uint64_t c = 0; c < spans[i].count; c++)
            cells[c].value = (hy_value){i == 0 ? ranks : 0, m->actors[rank].run, (uint32_t)c};
    }
    return HAYATE_OK;
}

static int enter(hy_machine *m, int rank)
{
    hy_actor *actor = &m->actors[rank];
    uint32_t *clock = hy_memory_clock(&m->memory, rank);
    m->entries[(size_t)actor->run * (size_t)m->size + (size_t)rank] = ++clock[rank];
    memset(m->learned + (size_t)rank * (size_t)m->size, 0, (size_t)m->size);
    actor->step = 0;
    actor->inside = true;
    return rewrite(m, rank, given(hy_machine_shape(m, rank), rank));
}

static int check_barrier(const hy_machine *m, int rank)
{
    const uint32_t *clock = hy_memory_clock(&m->memory, rank);
    const uint32_t *entries = m->entries + (size_t)m->actors[rank].run * (size_t)m->size;
    for (int peer = 0; peer < m->size; peer++)
        if (entries[peer] == 0 || clock[peer] < entries[peer])
            return hy_machine_violation(m, rank, "leaves without knowing that rank %d has come",
                                        peer);
    return HAYATE_OK;
}

static int check_result(hy_machine *m, int rank)
{
    const hy_shape *shape = hy_machine_shape(m, rank);
    hy_span out = whole(m, rank, HY_OUT);
    uint64_t ranks = promised(shape, rank);
    int rc = hy_machine_touch(m, rank, out, false);
    const hy_cell *cells = hy_memory_cells(&m->memory, out);
    for (uint64_t i = 0; rc == HAYATE_OK && i < out.count; i++) {
        const hy_value *v = &cells[i].value;
        if (v->ranks != ranks || v->index != i || v->run != m->actors[rank].run)
            rc = hy_machine_violation(m, rank,
                                      "OUT+%llu holds element %u of ranks 0x%llx, expected "
                                      "element %llu of ranks 0x%llx",
                                      (unsigned long long)(i * m->memory.grain), v->index,
                                      (unsigned long long)v->ranks, (unsigned long long)i,
                                      (unsigned long long)ranks);
    }
    return rc;
}

static int leave(hy_machine *m, int rank)
{
    int rc = hy_machine_shape(m, rank)->coll == HY_COLL_BARRIER ? check_barrier(m, rank)
                                                                : check_result(m, rank);
    if (rc == HAYATE_OK) rc = rewrite(m, rank, 0);
    if (rc != HAYATE_OK) return rc;
    m->actors[rank].inside = false;
    m->actors[rank].run++;
    return HY_MOVED;
}

int hy_machine_advance(hy_machine *m, int rank)
{
    hy_actor *actor = &m->actors[rank];
    if (actor->run == m->runs) return HY_OVER;
    if (!actor->inside) {
        int rc = enter(m, rank);
        return rc == HAYATE_OK ? HY_MOVED : rc;
    }
    const hy_schedule *schedule = hy_machine_schedule(m, rank, rank);
    if (actor->step == schedule->count) return leave(m, rank);
    int rc = hy_machine_step(m, rank, &schedule->steps[actor->step]);
    if (rc == HY_MOVED) actor->step++;
    return rc;
}

static int left_signal(const hy_machine *m, int from, int to)
{
    uint32_t head = hy_channel_head(&m->channels, from, to);
    if (head == UINT32_MAX) return HAYATE_OK;
    const hy_message *message = &m->channels.messages[head];
    return hy_fail(HAYATE_ERR_CORRUPT,
                   "rank %d never takes the signal that rank %d sent it in run "
                   "%u, step %u",
                   to, from, message->run, message->step);
}

int hy_machine_finish(const hy_machine *m)
{
    for (int rank = 0; rank < m->size; rank++) {
        if (m->actors[rank].run == m->runs) continue;
        const hy_schedule *schedule = hy_machine_schedule(m, rank, rank);
        const hy_step *step = &schedule->steps[m->actors[rank].step];
        const hy_actor *peer = &m->actors[step->peer];
        return hy_machine_violation(
            m, rank, "deadlock: %s, and rank %d is in run %u of %u, step %u",
            step->kind == HY_STEP_WAIT ? "the signal never comes" : "too many signals on their way",
            step->peer, peer->run, m->runs, peer->step);
    }
    for (int to = 0; to < m->size; to++)
        for (int from = 0; from < m->size; from++) {
            int rc = left_signal(m, from, to);
            if (rc != HAYATE_OK) return rc;
        }
    return HAYATE_OK;
}
