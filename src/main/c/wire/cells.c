/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cells of a group are. */
#include "wire/cells.h"

#include <stdlib.h>

static uint64_t row_bytes(uint64_t payload)
{
    return HY_CELLS_LINES_BYTES + HY_CELLS_DEPTH * payload;
}

/* Payload bytes for each turn in a group of this size; *fits: whether it has cells at all. */
static uint64_t payload_of(uint64_t size, bool *fits)
{
    uint64_t each = HY_CELLS_MOST / size;
    *fits = size > 1 && each >= HY_CELLS_LINES_BYTES;
    if (!*fits) return 0;
    uint64_t payload = (each - HY_CELLS_LINES_BYTES) / HY_CELLS_DEPTH / HY_LINE * HY_LINE;
    return payload < HY_CELLS_PAYLOAD ? payload : HY_CELLS_PAYLOAD;
}

#define BOXES_BYTES (HY_CELLS_BOXES * HY_CELLS_BOX)

static uint64_t area_bytes(uint64_t ranks, uint64_t each)
{
    uint64_t all = ranks < HY_CELLS_MOST / each ? ranks * each : HY_CELLS_MOST;
    return sizeof(hy_cells_head) + all;
}

/* Where the boxes of an area are. */
static uint64_t boxes_at(const hy_cells *cells, const hy_group *group)
{
    return sizeof(hy_cells_head) + (uint64_t)group->size * row_bytes(cells->payload);
}

/* A smaller group has more places, but no larger area than this. */
uint64_t hy_cells_bytes(uint64_t ranks)
{
    return area_bytes(ranks, row_bytes(HY_CELLS_PAYLOAD)) + BOXES_BYTES;
}

uint64_t hy_cells_cleared(uint64_t ranks)
{
    return area_bytes(ranks, HY_CELLS_LINES_BYTES);
}

/* A member's lines and places in an area. */
static void cells_find(const hy_cells *cells, const hy_group *group, uint8_t *area, int member,
                       uint8_t **lines, uint8_t **places)
{
    uint64_t size = (uint64_t)group->size, index = (uint64_t)member;
    *lines = area + sizeof(hy_cells_head) + index * HY_CELLS_LINES_BYTES;
    *places = area + sizeof(hy_cells_head) + size * HY_CELLS_LINES_BYTES +
              index * HY_CELLS_DEPTH * cells->payload;
}

static int open_row(hy_cells *cells, const hy_group *group, int member)
{
    hy_job *job = group->job;
    int rank = hy_group_member(group, member);
    uint64_t theirs = hy_group_areas_of(group, member).cells_offset;
    if (member == group->rank || hy_job_is_far(job, rank)) return HAYATE_OK;
    const hy_ep *ep = hy_job_ep(job, rank);
    hy_cells_row *row = &cells->rows[member];
    uint64_t all = boxes_at(cells, group) + BOXES_BYTES;
    if (theirs && (theirs % HY_LINE || !hy_ep_contains(ep, theirs, all)))
        return hy_fail_peer(HAYATE_ERR_CORRUPT, rank, "rank %d sent areas outside its memory",
                            rank);
    row->bell = ep->bell;
    if (cells->own)
        cells_find(cells, group, (uint8_t *)cells->own, member, &row->in, &row->in_places);
    if (!theirs) return HAYATE_OK;
    row->boxes = theirs + boxes_at(cells, group);
    row->head = (const hy_cells_head *)(const void *)(ep->part + theirs);
    cells_find(cells, group, ep->part + theirs, group->rank, &row->out, &row->out_places);
    return HAYATE_OK;
}

/* The same on all members: each of them knows the areas of all. */
static bool has_boxes(const hy_cells *cells, const hy_group *group)
{
    for (int member = 0; member < group->size; member++)
        if (member != group->rank && !cells->rows[member].out) return false;
    return cells->own != NULL;
}

int hy_cells_open(hy_cells *cells, const hy_group *group)
{
    bool fits;
    *cells = (hy_cells){.payload = payload_of((uint64_t)group->size, &fits)};
    if (!fits) return HAYATE_OK;
    if (group->own.cells_offset)
        cells->own = (hy_cells_head *)(void *)(group->job->part + group->own.cells_offset);
    cells->rows = calloc((size_t)group->size, sizeof *cells->rows);
    if (!cells->rows)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to run collectives on %d ranks",
                       group->size);
    int rc = HAYATE_OK;
    for (int member = 0; member < group->size && !rc; member++) rc = open_row(cells, group, member);
    if (!rc && has_boxes(cells, group))
        cells->boxes = (uint8_t *)cells->own + boxes_at(cells, group);
    return rc;
}

void hy_cells_close(hy_cells *cells)
{
    free(cells->rows);
    *cells = (hy_cells){0};
}
