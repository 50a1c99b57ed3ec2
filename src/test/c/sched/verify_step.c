/* SPDX-License-Identifier: Apache-2.0 */
/* One step of one rank on the symbolic machine: what the executor does, with every assumption of
 * schedule.h checked. Steps are not trusted. */
#include <string.h>

#include "base/status.h"
#include "sched/verify_machine.h"
#include "sched/verify_terms.h"

static int check_region(const hy_machine *m, int rank, uint8_t region)
{
    const hy_shape *shape = hy_machine_shape(m, rank);
    if (region == HY_NONE || region >= HY_REGIONS)
        return hy_machine_violation(m, rank, "there is no such region");
    if (region == HY_IN && shape->coll < HY_COLL_GATHER)
        return hy_machine_violation(m, rank, "IN is no region of an in-place collective");
    if (region == HY_BOX && !hy_shape_has_boxes(shape))
        return hy_machine_violation(m, rank, "there are no BOXes");
    return HAYATE_OK;
}

/* The cells that `rank` names as [off, off + len) of owner's region. */
static int find_span(const hy_machine *m, int rank, int owner, uint8_t region, uint64_t off,
                     uint64_t len, hy_span *span)
{
    const hy_shape *shape = hy_machine_shape(m, rank);
    int rc = check_region(m, rank, region);
    if (rc != HAYATE_OK) return rc;
    hy_block view = hy_terms_view(hy_machine_schedules(m, rank), rank, owner, (hy_region)region);
    if (off > view.len || len > view.len - off)
        return hy_machine_violation(
            m, rank, "reaches beyond %s of rank %d, %s %llu B", hy_region_name((hy_region)region),
            owner, view.off ? "in which its block has" : "which has", (unsigned long long)view.len);
    if (off % shape->unit != 0 || len % shape->unit != 0)
        return hy_machine_violation(m, rank, "cuts an element of %u B", shape->unit);
    uint64_t grain = m->memory.grain;
    *span = hy_machine_span(m, rank, owner, (hy_region)region, (view.off + off) / grain,
                            len / grain);
    return HAYATE_OK;
}

/* Reads a span, all of which must have been written, into values. */
static int load(hy_machine *m, int rank, hy_span span, hy_value *values)
{
    int rc = hy_machine_touch(m, rank, span, false);
    const hy_cell *cells = hy_memory_cells(&m->memory, span);
    for (uint64_t i = 0; rc == HAYATE_OK && i < span.count; i++) {
        values[i] = cells[i].value;
        if (values[i].ranks == 0)
            rc = hy_machine_violation(m, rank, "reads %s+%llu of rank %d, which was never written",
                                      hy_region_name(span.region),
                                      (unsigned long long)((span.first + i) * m->memory.grain),
                                      span.rank);
    }
    return rc;
}

static int check_writable(const hy_machine *m, int rank, hy_span span)
{
    if (span.region != HY_IN) return HAYATE_OK;
    return hy_machine_violation(m, rank, "writes into IN of rank %d, which is read only",
                                span.rank);
}

static int store(hy_machine *m, int rank, hy_span span, const hy_value *values)
{
    int rc = check_writable(m, rank, span);
    if (rc == HAYATE_OK) rc = hy_machine_touch(m, rank, span, true);
    hy_cell *cells = hy_memory_cells(&m->memory, span);
    for (uint64_t i = 0; rc == HAYATE_OK && i < span.count; i++) {
        if (cells[i].value.index == HY_VERIFY_GAP)
            return hy_machine_violation(m, rank, "writes %s+%llu of rank %d, which is in no block",
                                        hy_region_name(span.region),
                                        (unsigned long long)((span.first + i) * m->memory.grain),
                                        span.rank);
        cells[i].value = values[i];
    }
    return rc;
}

static int combine(const hy_machine *m, int rank, hy_value *into, const hy_value *from)
{
    if (into->ranks == 0)
        return hy_machine_violation(m, rank, "reduces into an element that was never written");
    if (into->index != from->index || into->run != from->run)
        return hy_machine_violation(m, rank,
                                    "reduces element %u of run %u into element %u of run "
                                    "%u",
                                    from->index, from->run, into->index, into->run);
    hy_coll coll = hy_machine_shape(m, rank)->coll;
    if (into->ranks & from->ranks)
        return hy_machine_violation(m, rank,
                                    "reduces the contribution of rank %d into element %u twice",
                                    __builtin_ctzll(into->ranks & from->ranks), into->index);
    bool scans = coll == HY_COLL_SCAN || coll == HY_COLL_EXSCAN;
    if (scans && 64 - __builtin_clzll(into->ranks) != __builtin_ctzll(from->ranks))
        return hy_machine_violation(m, rank,
                                    "reduces ranks 0x%llx into ranks 0x%llx of element %u, which "
                                    "are not those just below",
                                    (unsigned long long)from->ranks,
                                    (unsigned long long)into->ranks, into->index);
    into->ranks |= from->ranks;
    return HAYATE_OK;
}

static int fold(hy_machine *m, int rank, hy_span span, const hy_value *values)
{
    int rc = check_writable(m, rank, span);
    if (rc == HAYATE_OK) rc = hy_machine_touch(m, rank, span, false);
    if (rc == HAYATE_OK) rc = hy_machine_touch(m, rank, span, true);
    hy_cell *cells = hy_memory_cells(&m->memory, span);
    for (uint64_t i = 0; rc == HAYATE_OK && i < span.count; i++)
        rc = combine(m, rank, &cells[i].value, &values[i]);
    return rc;
}

static int check_signal(const hy_machine *m, int rank, const hy_step *s)
{
    if (s->len > HY_SCHED_PAYLOAD)
        return hy_machine_violation(m, rank, "a payload has at most %d B", HY_SCHED_PAYLOAD);
    if ((s->flags & HY_STEP_EXPOSE) && s->len > 0)
        return hy_machine_violation(m, rank, "exposes a region and has a payload");
    if (s->flags & HY_STEP_EXPOSE) return check_region(m, rank, s->local);
    return HAYATE_OK;
}

/* What rank does later is not ordered by this signal: its own clock moves on. */
static void fill_message(hy_machine *m, int rank, const hy_step *s, uint32_t message)
{
    uint32_t *clock = hy_memory_clock(&m->memory, rank);
    size_t ranks = (size_t)m->size;
    m->channels.messages[message] = (hy_message){
        .run = m->actors[rank].run,
        .step = m->actors[rank].step,
        .exposed = s->flags & HY_STEP_EXPOSE ? s->local : HY_NONE,
        .len = s->len,
    };
    memcpy(m->channels.clocks + message * ranks, clock, ranks * sizeof *clock);
    clock[rank]++;
}

static int step_signal(hy_machine *m, int rank, const hy_step *s)
{
    hy_channel *channel = hy_channel_of(&m->channels, hy_machine_wire(m, rank), rank, s->peer);
    hy_span from = {0};
    int rc = check_signal(m, rank, s);
    if (rc == HAYATE_OK && channel->count == HY_SCHED_DEPTH) return HY_BLOCKED;
    if (rc == HAYATE_OK && s->len > 0)
        rc = find_span(m, rank, rank, s->local, s->local_off, s->len, &from);
    if (rc == HAYATE_OK && s->len > 0) rc = load(m, rank, from, m->buffer);
    if (rc != HAYATE_OK) return rc;
    uint32_t i = hy_channel_post(&m->channels, channel);
    if (i == UINT32_MAX)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the signals of %d ranks", m->size);
    fill_message(m, rank, s, i);
    memcpy(m->channels.values + i * m->channels.cells, m->buffer, from.count * sizeof *m->buffer);
    return HY_MOVED;
}

static int check_taken(const hy_machine *m, int rank, const hy_step *s, const hy_message *message)
{
    uint8_t wanted = s->flags & HY_STEP_EXPOSE ? s->remote : HY_NONE;
    if (message->run != m->actors[rank].run)
        return hy_machine_violation(m, rank, "takes a signal of run %u, step %u", message->run,
                                    message->step);
    if (message->exposed != wanted)
        return hy_machine_violation(m, rank, "expects a signal that exposes %s, step %u exposes %s",
                                    hy_region_name((hy_region)wanted), message->step,
                                    hy_region_name((hy_region)message->exposed));
    if (message->len != s->len)
        return hy_machine_violation(m, rank, "expects a payload of %llu B, step %u sends %llu B",
                                    (unsigned long long)s->len, message->step,
                                    (unsigned long long)message->len);
    return HAYATE_OK;
}

static int take_payload(hy_machine *m, int rank, const hy_step *s, uint32_t message)
{
    const hy_value *values = m->channels.values + message * m->channels.cells;
    hy_span to;
    int rc = find_span(m, rank, rank, s->local, s->local_off, s->len, &to);
    if (rc != HAYATE_OK) return rc;
    return s->flags & HY_STEP_FOLD ? fold(m, rank, to, values) : store(m, rank, to, values);
}

static int step_wait(hy_machine *m, int rank, const hy_step *s)
{
    size_t ranks = (size_t)m->size;
    hy_channel *channel = hy_channel_of(&m->channels, hy_machine_wire(m, rank), s->peer, rank);
    if (channel->count == 0) return HY_BLOCKED;
    uint32_t message = channel->first;
    int rc = check_taken(m, rank, s, &m->channels.messages[message]);
    if (rc != HAYATE_OK) return rc;
    hy_machine_join(m, rank, m->channels.clocks + message * ranks);
    uint8_t *learned = &m->learned[(size_t)rank * ranks + (size_t)s->peer];
    *learned |= HY_HEARD;
    if (s->flags & HY_STEP_EXPOSE) *learned |= (uint8_t)(1u << s->remote);
    if (s->len > 0) rc = take_payload(m, rank, s, message);
    hy_channel_drop(&m->channels, channel);
    return rc == HAYATE_OK ? HY_MOVED : rc;
}

/* May rank reach into a peer's region? Wired regions are known from the start, but nobody knows of
 * a BOX that its owner is in this run unless the owner says so. */
static int check_reach(const hy_machine *m, int rank, const hy_step *s)
{
    uint8_t learned = m->learned[(size_t)rank * (size_t)m->size + (size_t)s->peer];
    int rc = check_region(m, rank, s->remote);
    if (rc != HAYATE_OK) return rc;
    if (s->remote == HY_BOX && !(learned & HY_HEARD))
        return hy_machine_violation(m, rank, "reaches into BOX of rank %d without a signal from it",
                                    s->peer);
    if (!hy_machine_shape(m, rank)->wired && !(learned >> s->remote & 1))
        return hy_machine_violation(m, rank, "%s of rank %d was not exposed to it",
                                    hy_region_name((hy_region)s->remote), s->peer);
    return HAYATE_OK;
}

static int check_overlap(const hy_machine *m, int rank, hy_span a, hy_span b)
{
    uint64_t from = a.base + a.first, to = b.base + b.first;
    if (a.rank == b.rank && from < to + b.count && to < from + a.count)
        return hy_machine_violation(m, rank, "source and destination overlap");
    return HAYATE_OK;
}

/* The own block is where it is copied to: nothing is moved. */
static bool is_in_place(const hy_machine *m, const hy_step *s, hy_span local, hy_span remote)
{
    return m->in_place && s->kind == HY_STEP_COPY && local.region != remote.region &&
           local.base + local.first == remote.base + remote.first;
}

/* Both ends of a PUT, GET, COPY or REDUCE. */
static int find_ends(const hy_machine *m, int rank, const hy_step *s, hy_span *local,
                     hy_span *remote)
{
    int owner = s->kind == HY_STEP_COPY ? rank : s->peer;
    int rc = owner == rank ? HAYATE_OK : check_reach(m, rank, s);
    if (rc == HAYATE_OK) rc = find_span(m, rank, rank, s->local, s->local_off, s->len, local);
    if (rc == HAYATE_OK) rc = find_span(m, rank, owner, s->remote, s->remote_off, s->len, remote);
    return rc;
}

static int step_move(hy_machine *m, int rank, const hy_step *s)
{
    hy_span local, remote;
    int rc = find_ends(m, rank, s, &local, &remote);
    if (rc != HAYATE_OK) return rc;
    if (is_in_place(m, s, local, remote)) return HY_MOVED;
    rc = check_overlap(m, rank, local, remote);
    if (rc != HAYATE_OK) return rc;
    bool put = s->kind == HY_STEP_PUT;
    rc = load(m, rank, put ? local : remote, m->buffer);
    if (rc != HAYATE_OK) return rc;
    if (s->kind == HY_STEP_REDUCE) rc = fold(m, rank, local, m->buffer);
    else rc = store(m, rank, put ? remote : local, m->buffer);
    return rc == HAYATE_OK ? HY_MOVED : rc;
}

static int check_form(const hy_machine *m, int rank, const hy_step *s)
{
    static const uint8_t flags[] = {
        [HY_STEP_SIGNAL] = HY_STEP_EXPOSE,
        [HY_STEP_WAIT] = HY_STEP_EXPOSE | HY_STEP_FOLD,
        [HY_STEP_REDUCE] = 0,
    };
    if (s->kind > HY_STEP_REDUCE)
        return hy_machine_violation(m, rank, "there is no such kind of step");
    if (s->flags & ~flags[s->kind] || s->flags == (HY_STEP_EXPOSE | HY_STEP_FOLD))
        return hy_machine_violation(m, rank, "the flags 0x%x do not fit the step", s->flags);
    if (s->peer < 0 || s->peer >= m->size)
        return hy_machine_violation(m, rank, "there is no rank %d", s->peer);
    if (s->peer == rank && s->kind != HY_STEP_COPY && s->kind != HY_STEP_REDUCE)
        return hy_machine_violation(m, rank, "the peer is the rank itself");
    return HAYATE_OK;
}

int hy_machine_step(hy_machine *m, int rank, const hy_step *step)
{
    int rc = check_form(m, rank, step);
    if (rc != HAYATE_OK) return rc;
    if (step->kind == HY_STEP_SIGNAL) return step_signal(m, rank, step);
    if (step->kind == HY_STEP_WAIT) return step_wait(m, rank, step);
    return step_move(m, rank, step);
}
