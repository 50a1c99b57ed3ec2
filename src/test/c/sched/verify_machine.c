/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify_machine.h"

#include <string.h>

#include "base/status.h"
#include "sched/verify_terms.h"

hy_span hy_machine_span(const hy_machine *m, int rank, int owner, hy_region region, uint64_t first,
                        uint64_t count)
{
    const hy_layout *layout = &m->layouts[hy_machine_coll(m, rank)];
    uint64_t base = region == HY_OUT ? m->in_cells : 0, off = 0;
    if (m->in_place && region == hy_terms_alias(hy_machine_schedules(m, rank), owner, &off))
        base = (region == HY_IN ? m->in_cells : 0) + off / m->memory.grain;
    if (region == HY_TMP) base = layout->tmp;
    if (region == HY_BOX) base = layout->box + hy_machine_turn(m, rank) * layout->box_cells;
    return (hy_span){owner, region, base, first, count};
}

static hy_span whole(const hy_machine *m, int rank, hy_region region)
{
    hy_block all = hy_terms_view(hy_machine_schedules(m, rank), rank, rank, region);
    uint64_t grain = m->memory.grain;
    return hy_machine_span(m, rank, rank, region, 0, (all.len + grain - 1) / grain);
}

static hy_terms terms_of(const hy_machine *m, int rank)
{
    return (hy_terms){hy_machine_schedules(m, rank), rank, m->actors[rank].run, m->memory.grain};
}

/* The rank, or its caller, writes m->buffer there. */
static int overwrite(hy_machine *m, int rank, hy_span span)
{
    int rc = hy_machine_touch(m, rank, span, true);
    hy_cell *cells = hy_memory_cells(&m->memory, span);
    for (uint64_t i = 0; rc == HAYATE_OK && i < span.count; i++) cells[i].value = m->buffer[i];
    return rc;
}

/* The rank, or its caller, leaves nothing defined there. */
static int undefine(hy_machine *m, int rank, hy_region region)
{
    hy_span span = whole(m, rank, region);
    for (uint64_t i = 0; i < span.count; i++)
        m->buffer[i] = (hy_value){0, m->actors[rank].run, (uint32_t)i};
    return overwrite(m, rank, span);
}

int hy_machine_gate(const hy_machine *m, int rank)
{
    uint32_t run = m->actors[rank].run, back = (uint32_t)m->n * HY_WIRED_DEPTH;
    size_t coll = hy_machine_coll(m, rank);
    if (!m->layouts[coll].line || run < back) return -1;
    uint64_t left = m->signalled[coll * (size_t)m->size + (size_t)rank];
    for (; left; left &= left - 1) {
        int peer = __builtin_ctzll(left);
        if (m->actors[peer].run <= run - back) return peer;
    }
    return -1;
}

static uint32_t *leave_clock(const hy_machine *m, uint32_t line, int rank)
{
    size_t ranks = (size_t)m->size;
    return m->leaves + ((line - 1) * ranks + (size_t)rank) * ranks;
}

/* The gate is open: what those that it waits for did before is over. Their later leaves are not in
 * there yet, since they cannot leave this run without this rank's signal. */
static void pass_gate(hy_machine *m, int rank)
{
    uint32_t line = hy_machine_line(m, rank);
    if (!line || m->actors[rank].run < (uint32_t)m->n * HY_WIRED_DEPTH) return;
    uint64_t left = m->signalled[hy_machine_coll(m, rank) * (size_t)m->size + (size_t)rank];
    for (; left; left &= left - 1) {
        int peer = __builtin_ctzll(left);
        if (peer != rank) hy_machine_join(m, rank, leave_clock(m, line, peer));
    }
}

static int fill_regions(hy_machine *m, int rank)
{
    hy_terms terms = terms_of(m, rank);
    hy_span in = whole(m, rank, HY_IN), out = whole(m, rank, HY_OUT);
    hy_terms_given_out(&terms, m->buffer, out.count);
    int rc = overwrite(m, rank, out);
    if (rc != HAYATE_OK) return rc;
    hy_terms_given_in(&terms, m->buffer, in.count); /* last: in place it is a part of OUT */
    rc = overwrite(m, rank, in);
    if (rc == HAYATE_OK) rc = undefine(m, rank, HY_TMP);
    if (rc == HAYATE_OK && hy_shape_has_boxes(hy_machine_shape(m, rank)))
        rc = undefine(m, rank, HY_BOX);
    return rc;
}

static int enter(hy_machine *m, int rank)
{
    hy_actor *actor = &m->actors[rank];
    uint32_t *clock = hy_memory_clock(&m->memory, rank);
    if (hy_machine_gate(m, rank) >= 0) return HY_BLOCKED;
    pass_gate(m, rank);
    m->entries[(size_t)actor->run * (size_t)m->size + (size_t)rank] = ++clock[rank];
    memset(m->learned + (size_t)rank * (size_t)m->size, 0, (size_t)m->size);
    actor->step = 0;
    actor->inside = true;
    int rc = fill_regions(m, rank);
    return rc == HAYATE_OK ? HY_MOVED : rc;
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

static bool same(const hy_value *a, const hy_value *b)
{
    return a->ranks == b->ranks && a->run == b->run && a->index == b->index;
}

static int check_result(hy_machine *m, int rank)
{
    hy_terms terms = terms_of(m, rank);
    hy_span out = whole(m, rank, HY_OUT);
    int rc = hy_machine_touch(m, rank, out, false);
    const hy_cell *cells = hy_memory_cells(&m->memory, out);
    hy_terms_promised(&terms, m->buffer, out.count);
    for (uint64_t i = 0; rc == HAYATE_OK && i < out.count; i++) {
        const hy_value *v = &cells[i].value, *want = &m->buffer[i];
        if (!same(v, want))
            rc = hy_machine_violation(m, rank,
                                      "OUT+%llu holds element %u of ranks 0x%llx, expected "
                                      "element %u of ranks 0x%llx",
                                      (unsigned long long)(i * m->memory.grain), v->index,
                                      (unsigned long long)v->ranks, want->index,
                                      (unsigned long long)want->ranks);
    }
    return rc;
}

/* BOX stays as it is: peers may still be reading. */
static int leave(hy_machine *m, int rank)
{
    uint32_t line = hy_machine_line(m, rank), *clock = hy_memory_clock(&m->memory, rank);
    int rc = hy_machine_shape(m, rank)->coll == HY_COLL_BARRIER ? check_barrier(m, rank)
                                                                : check_result(m, rank);
    if (rc == HAYATE_OK) rc = undefine(m, rank, HY_IN);
    if (rc == HAYATE_OK) rc = undefine(m, rank, HY_OUT);
    if (rc == HAYATE_OK) rc = undefine(m, rank, HY_TMP);
    if (rc != HAYATE_OK) return rc;
    if (line) memcpy(leave_clock(m, line, rank), clock, (size_t)m->size * sizeof *clock);
    clock[rank]++;
    m->actors[rank].inside = false;
    m->actors[rank].run++;
    return HY_MOVED;
}

int hy_machine_advance(hy_machine *m, int rank)
{
    hy_actor *actor = &m->actors[rank];
    if (actor->run == m->runs) return HY_OVER;
    if (!actor->inside) return enter(m, rank);
    const hy_schedule *schedule = &hy_machine_schedules(m, rank)[rank];
    if (actor->step == schedule->count) return leave(m, rank);
    int rc = hy_machine_step(m, rank, &schedule->steps[actor->step]);
    if (rc == HY_MOVED) actor->step++;
    return rc;
}
