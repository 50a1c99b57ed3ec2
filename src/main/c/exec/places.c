/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over a schedule and gives each signal the next place of its row. */
#include "exec/places.h"

#include <stdlib.h>

/* What the signals of one direction of a pair have taken so far. */
typedef struct taken {
    uint32_t lines, payload;
} taken;

typedef struct pair {
    taken out, in;
} pair;

static uint32_t payload_bytes(const hy_step *step)
{
    bool short_one = step->len <= HY_CELLS_SHORT || step->flags & HY_STEP_EXPOSE;
    if (short_one) return 0;
    return step->len <= HY_CELLS_PAYLOAD ? (uint32_t)hy_round_up(step->len, HY_LINE) : UINT32_MAX;
}

static uint32_t next_place(taken *row, const hy_step *step, uint64_t room)
{
    uint32_t bytes = payload_bytes(step), at = row->payload;
    if (row->lines == HY_CELLS_LINES || bytes > room - at) return 0;
    row->payload += bytes;
    return ++row->lines | at << 8;
}

/* The places of the steps; returns the number of signals that have one. */
static uint32_t place_all(const hy_schedule *schedule, const hy_cells *cells, pair *pairs,
                          uint32_t *places)
{
    uint32_t placed = 0;
    for (uint32_t i = 0; i < schedule->count; i++) {
        const hy_step *step = &schedule->steps[i];
        const hy_cells_row *row = &cells->rows[step->peer];
        places[i] = 0;
        if (step->kind == HY_STEP_SIGNAL && row->out)
            places[i] = next_place(&pairs[step->peer].out, step, cells->payload);
        if (step->kind == HY_STEP_WAIT && row->in)
            places[i] = next_place(&pairs[step->peer].in, step, cells->payload);
        placed += places[i] != 0;
    }
    return placed;
}

static void list_senders(const hy_schedule *schedule, const pair *pairs, uint32_t *places)
{
    uint32_t *list = places + schedule->count, count = 0;
    for (int member = 0; member < schedule->shape.size; member++)
        if (pairs[member].in.lines) list[++count] = (uint32_t)member;
    list[0] = count;
}

static bool fetches_from_boxes(const hy_schedule *schedule)
{
    return schedule->shape.boxes && hy_way_bit(&schedule->way) == HY_WAY_GET_PREPARED;
}

/* Those to which this rank exposes its BOX. */
static uint64_t find_readers(const hy_schedule *schedule)
{
    uint64_t readers = 0;
    for (uint32_t i = 0; schedule->box_bytes && i < schedule->count; i++) {
        const hy_step *step = &schedule->steps[i];
        bool exposes = step->kind == HY_STEP_SIGNAL && step->flags & HY_STEP_EXPOSE;
        if (exposes && step->local == HY_BOX) readers |= UINT64_C(1) << step->peer;
    }
    return readers;
}

int hy_places_find(hy_schedule *schedule, const hy_cells *cells)
{
    size_t size = (size_t)schedule->shape.size;
    schedule->readers = find_readers(schedule);
    schedule->box_units = fetches_from_boxes(schedule) ? hy_box_units(&schedule->shape) : 0;
    if (!cells->rows || schedule->shape.uneven || schedule->count == 0) return HAYATE_OK;
    pair *pairs = calloc(size, sizeof *pairs);
    uint32_t *places = malloc((schedule->count + 1 + size) * sizeof *places);
    bool made = pairs && places;
    if (made && place_all(schedule, cells, pairs, places)) {
        list_senders(schedule, pairs, places);
        schedule->places = places;
        places = NULL;
    }
    free(pairs);
    free(places);
    return made ? HAYATE_OK : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a schedule");
}
