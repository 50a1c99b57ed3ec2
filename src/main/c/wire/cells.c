/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cells of a group are. */
#include "wire/cells.h"

#include <stdlib.h>

static uint64_t row_bytes(uint64_t payload)
{
    return HY_CELLS_LINES_BYTES + HY_CELLS_DEPTH * payload;
}

uint64_t hy_cells_payload(uint64_t size, bool *fits)
{
    uint64_t each = HY_CELLS_MOST / size;
    *fits = size > 1 && each >= HY_CELLS_LINES_BYTES;
    if (!*fits) return 0;
    uint64_t payload = (each - HY_CELLS_LINES_BYTES) / HY_CELLS_DEPTH / HY_LINE * HY_LINE;
    return payload < HY_CELLS_PAYLOAD ? payload : HY_CELLS_PAYLOAD;
}

/* A smaller group has longer rows, but no larger area than this. */
uint64_t hy_cells_bytes(uint64_t ranks)
{
    uint64_t all = ranks * row_bytes(HY_CELLS_PAYLOAD);
    return sizeof(hy_cells_head) + (all < HY_CELLS_MOST ? all : HY_CELLS_MOST);
}

static int open_row(hy_cells *cells, const hy_group *group, int member)
{
    hy_job *job = group->job;
    int rank = hy_group_member(group, member);
    uint64_t theirs = hy_group_areas_of(group, member).cells_offset;
    if (member == group->rank || hy_job_is_far(job, rank)) return HAYATE_OK;
    const hy_ep *ep = hy_job_ep(job, rank);
    hy_cells_row *row = &cells->rows[member];
    uint64_t bytes = row_bytes(cells->payload);
    uint64_t all = sizeof(hy_cells_head) + (uint64_t)group->size * bytes;
    if (theirs && (theirs % HY_LINE || !hy_ep_contains(ep, theirs, all)))
        return hy_fail_peer(HAYATE_ERR_CORRUPT, rank, "rank %d sent areas outside its memory",
                            rank);
    row->bell = ep->bell;
    if (group->own.cells_offset)
        row->in = (uint8_t *)cells->own + sizeof(hy_cells_head) + (uint64_t)member * bytes;
    if (!theirs) return HAYATE_OK;
    row->head = (const hy_cells_head *)(const void *)(ep->part + theirs);
    row->out = ep->part + theirs + sizeof(hy_cells_head) + (uint64_t)group->rank * bytes;
    return HAYATE_OK;
}

int hy_cells_open(hy_cells *cells, const hy_group *group)
{
    bool fits;
    *cells = (hy_cells){.payload = hy_cells_payload((uint64_t)group->size, &fits)};
    if (!fits) return HAYATE_OK;
    if (group->own.cells_offset)
        cells->own = (hy_cells_head *)(void *)(group->job->part + group->own.cells_offset);
    cells->rows = calloc((size_t)group->size, sizeof *cells->rows);
    if (!cells->rows)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to run collectives on %d ranks",
                       group->size);
    int rc = HAYATE_OK;
    for (int member = 0; member < group->size && !rc; member++) rc = open_row(cells, group, member);
    return rc;
}

void hy_cells_close(hy_cells *cells)
{
    free(cells->rows);
    *cells = (hy_cells){0};
}
