/* SPDX-License-Identifier: Apache-2.0 */
/* Room for the symbolic machine: how large everything is, and where. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sched/verify_machine.h"
#include "sched/verify_terms.h"

#define HY_VERIFY_MANY 4096

static int check_sequence(const hy_schedule *schedules, int n, int rounds)
{
    if (n < 1 || rounds < 1 || n > HY_VERIFY_MANY || rounds > HY_VERIFY_MANY)
        return hy_fail(HAYATE_ERR_ARGUMENT, "verify: %d collectives, %d rounds, expected 1 .. %d",
                       n, rounds, HY_VERIFY_MANY);
    int size = schedules[0].shape.size;
    if (size < 1 || size > HY_VERIFY_RANKS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "verify: %d ranks, expected 1 .. %d", size,
                       HY_VERIFY_RANKS);
    for (int i = 0; i < n; i++) {
        const hy_schedule *all = &schedules[(size_t)i * (size_t)size];
        if (all->shape.size != size)
            return hy_fail(HAYATE_ERR_ARGUMENT,
                           "verify: collective %d has %d ranks, expected as many as the first "
                           "one, %d",
                           i, all->shape.size, size);
        int rc = hy_terms_check(all, size);
        if (rc != HAYATE_OK) return rc;
    }
    return HAYATE_OK;
}

/* Largest cell of which all elements consist. */
static uint64_t common_grain(const hy_machine *m)
{
    uint64_t grain = 0;
    for (int i = 0; i < m->n; i++) {
        const hy_shape *s = &m->schedules[(size_t)i * (size_t)m->size].shape;
        for (uint64_t other = s->bytes > 0 || s->uneven ? s->unit : 0; other != 0;) {
            uint64_t rest = grain % other;
            grain = other;
            other = rest;
        }
    }
    return grain > 0 ? grain : 1;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t cells_of(uint64_t bytes, uint64_t grain)
{
    return bytes / grain + (bytes % grain != 0);
}

/* What all ranks have at least. */
typedef struct extents {
    uint64_t in, out, tmp, box;
} extents;

static extents measure(const hy_machine *m, int coll, uint64_t grain)
{
    extents e = {0};
    for (int rank = 0; rank < m->size; rank++) {
        const hy_schedule *s = &m->schedules[(size_t)coll * (size_t)m->size + (size_t)rank];
        e.in = larger(e.in, cells_of(hy_region_bytes(&s->shape, HY_IN), grain));
        e.out = larger(e.out, cells_of(hy_region_bytes(&s->shape, HY_OUT), grain));
        e.tmp = larger(e.tmp, cells_of(s->tmp_bytes, grain));
        e.box = larger(e.box, cells_of(s->box_bytes, grain));
    }
    return e;
}

static bool has_boxes(const hy_machine *m, int coll)
{
    const hy_schedule *all = &m->schedules[(size_t)coll * (size_t)m->size];
    bool has = all[0].shape.wired;
    for (int rank = 0; rank < m->size; rank++) has = has || all[rank].box_bytes > 0;
    return has;
}

/* IN, OUT and the TMP of all that has no BOXes, then TMP and BOXes of each other collective. Sums
 * of too large extents saturate, for hy_memory_open() to refuse. */
static uint64_t lay_out(hy_machine *m, uint64_t grain)
{
    uint64_t end = 0, most = UINT64_C(1) << 40;
    for (int i = 0; i < m->n; i++) {
        extents e = measure(m, i, grain);
        m->in_cells = larger(m->in_cells, e.in);
        m->out_cells = larger(m->out_cells, e.out);
        if (!has_boxes(m, i)) m->tmp_cells = larger(m->tmp_cells, e.tmp);
        if (e.tmp > most || e.box > most) return UINT64_MAX;
    }
    if (m->in_cells > most || m->out_cells > most) return UINT64_MAX;
    uint64_t shared = m->in_cells + m->out_cells;
    end = shared + m->tmp_cells;
    for (int i = 0, boxed = 0; i < m->n; i++) {
        extents e = measure(m, i, grain);
        m->layouts[i] = (hy_layout){.tmp = shared};
        if (!has_boxes(m, i)) continue;
        m->layouts[i] = (hy_layout){end, end + e.tmp, e.box,
                                    1 + HY_WIRED_DEPTH * (uint32_t)boxed++};
        end += e.tmp + HY_WIRED_DEPTH * e.box;
    }
    return end;
}

/* Whom the schedules signal, and the longest payload. */
static uint64_t survey(hy_machine *m)
{
    uint64_t longest = 0;
    for (size_t i = 0; i < (size_t)m->n * (size_t)m->size; i++)
        for (uint32_t j = 0; j < m->schedules[i].count; j++) {
            const hy_step *s = &m->schedules[i].steps[j];
            if (s->kind != HY_STEP_SIGNAL || s->peer < 0 || s->peer >= m->size) continue;
            m->signalled[i] |= UINT64_C(1) << s->peer;
            longest = larger(longest, s->len);
        }
    return longest < HY_SCHED_PAYLOAD ? longest : HY_SCHED_PAYLOAD;
}

static uint32_t lines_of(const hy_machine *m)
{
    uint32_t lines = 1;
    for (int i = 0; i < m->n; i++) lines += has_boxes(m, i) ? HY_WIRED_DEPTH : 0;
    return lines;
}

static int open_state(hy_machine *m)
{
    uint64_t grain = common_grain(m);
    int rc = hy_memory_open(&m->memory, m->size, grain, lay_out(m, grain));
    if (rc != HAYATE_OK) return rc;
    return hy_channels_open(&m->channels, m->size, lines_of(m), (size_t)cells_of(survey(m), grain));
}

static int no_memory(const hy_machine *m)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to verify %d ranks", m->size);
}

static int open_tables(hy_machine *m)
{
    size_t ranks = (size_t)m->size;
    m->layouts = calloc((size_t)m->n, sizeof *m->layouts);
    m->signalled = calloc((size_t)m->n * ranks, sizeof *m->signalled);
    m->actors = calloc(ranks, sizeof *m->actors);
    m->learned = calloc(ranks * ranks, sizeof *m->learned);
    m->entries = calloc(ranks * m->runs, sizeof *m->entries);
    m->leaves = calloc((size_t)lines_of(m) * ranks * ranks, sizeof *m->leaves);
    if (m->layouts && m->signalled && m->actors && m->learned && m->entries && m->leaves)
        return HAYATE_OK;
    return no_memory(m);
}

int hy_machine_open(hy_machine *m, const hy_schedule *schedules, int n, int rounds, bool in_place)
{
    memset(m, 0, sizeof *m);
    int rc = check_sequence(schedules, n, rounds);
    if (rc != HAYATE_OK) return rc;
    m->schedules = schedules;
    m->n = n;
    m->in_place = in_place;
    m->size = schedules[0].shape.size;
    m->runs = (uint32_t)n * (uint32_t)rounds;
    rc = open_tables(m);
    if (rc == HAYATE_OK) rc = open_state(m);
    if (rc == HAYATE_OK) {
        m->buffer = calloc((size_t)m->memory.rank_cells + 1, sizeof *m->buffer);
        if (!m->buffer) rc = no_memory(m);
    }
    if (rc != HAYATE_OK) hy_machine_close(m);
    return rc;
}

void hy_machine_reset(hy_machine *m)
{
    size_t ranks = (size_t)m->size;
    hy_memory_reset(&m->memory);
    hy_channels_reset(&m->channels);
    memset(m->actors, 0, ranks * sizeof *m->actors);
    memset(m->learned, 0, ranks * ranks * sizeof *m->learned);
    memset(m->entries, 0, ranks * m->runs * sizeof *m->entries);
}

void hy_machine_close(hy_machine *m)
{
    hy_memory_close(&m->memory);
    hy_channels_close(&m->channels);
    free(m->layouts);
    free(m->signalled);
    free(m->actors);
    free(m->learned);
    free(m->entries);
    free(m->leaves);
    free(m->buffer);
    memset(m, 0, sizeof *m);
}
