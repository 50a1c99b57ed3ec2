/* SPDX-License-Identifier: Apache-2.0 */
/* What the symbolic machine says of a violation. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "explain/step_text.h"
#include "sched/verify_machine.h"

static void describe_step(const hy_machine *m, int rank, char *text, size_t size)
{
    const hy_actor *actor = &m->actors[rank];
    const hy_schedule *schedule = &hy_machine_schedules(m, rank)[rank];
    if (!actor->inside || actor->step >= schedule->count) {
        snprintf(text, size, actor->inside ? "at its end" : "at its beginning");
        return;
    }
    int used = snprintf(text, size, "step %u (", actor->step);
    hy_step_text(&schedule->steps[actor->step], text + used, size - (size_t)used);
    size_t len = strlen(text);
    snprintf(text + len, size - len, ")");
}

static void describe_schedule(const hy_schedule *s, char *text, size_t size)
{
    int used = snprintf(text, size, "%s ", hy_coll_name(s->shape.coll));
    if (!s->algorithm) {
        snprintf(text + used, size - (size_t)used, "(hand-made)");
        return;
    }
    used += snprintf(text + used, size - (size_t)used, "%s ", s->algorithm->name);
    hy_way_text(s->algorithm, &s->way, text + used, size - (size_t)used);
}

int hy_machine_violation(const hy_machine *m, int rank, const char *format, ...)
{
    char detail[200], where[200], what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    const hy_shape *shape = hy_machine_shape(m, rank);
    describe_schedule(&hy_machine_schedules(m, rank)[rank], what, sizeof what);
    describe_step(m, rank, where, sizeof where);
    return hy_fail(HAYATE_ERR_CORRUPT,
                   "%s%s%s of %llu B on %d ranks, root %d, run %u: rank %d, %s: %s", what,
                   shape->wired ? " wired" : "", shape->uneven ? " uneven" : "",
                   (unsigned long long)shape->bytes, m->size, shape->root, m->actors[rank].run,
                   rank, where, detail);
}

int hy_machine_touch(hy_machine *m, int rank, hy_span span, bool write)
{
    uint64_t at = 0;
    int racer = write ? hy_memory_write(&m->memory, rank, span, &at)
                      : hy_memory_read(&m->memory, rank, span, &at);
    if (racer == HY_NO_RACE) return HAYATE_OK;
    if (racer == HY_RACE_UNKNOWN)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the readers of %d ranks", m->size);
    return hy_machine_violation(m, rank,
                                "%s %s+%llu of rank %d, which no signal orders after an "
                                "access by rank %d",
                                write ? "writes" : "reads", hy_region_name(span.region),
                                (unsigned long long)(at * m->memory.grain), span.rank, racer);
}

static int stuck(const hy_machine *m, int rank)
{
    const hy_actor *actor = &m->actors[rank];
    int gate = hy_machine_gate(m, rank);
    if (!actor->inside)
        return hy_machine_violation(m, rank,
                                    "deadlock: it may not begin, rank %d is in run %u of %u, "
                                    "step %u",
                                    gate, gate < 0 ? 0 : m->actors[gate].run, m->runs,
                                    gate < 0 ? 0 : m->actors[gate].step);
    const hy_step *step = &hy_machine_schedules(m, rank)[rank].steps[actor->step];
    const hy_actor *peer = &m->actors[step->peer];
    return hy_machine_violation(m, rank, "deadlock: %s, and rank %d is in run %u of %u, step %u",
                                step->kind == HY_STEP_WAIT ? "the signal never comes"
                                                           : "too many signals on their way",
                                step->peer, peer->run, m->runs, peer->step);
}

static int left_signal(const hy_machine *m, uint32_t line, int from, int to)
{
    const hy_channel *channel = hy_channel_of(&m->channels, line, from, to);
    if (channel->count == 0) return HAYATE_OK;
    const hy_message *message = &m->channels.messages[channel->first];
    return hy_fail(HAYATE_ERR_CORRUPT,
                   "rank %d never takes the signal that rank %d sent it in run "
                   "%u, step %u",
                   to, from, message->run, message->step);
}

int hy_machine_finish(const hy_machine *m)
{
    int rc = HAYATE_OK;
    for (int rank = 0; rank < m->size; rank++)
        if (m->actors[rank].run != m->runs) return stuck(m, rank);
    for (uint32_t line = 0; line < m->channels.lines; line++)
        for (int to = 0; to < m->size; to++)
            for (int from = 0; rc == HAYATE_OK && from < m->size; from++)
                rc = left_signal(m, line, from, to);
    return rc;
}
