/* SPDX-License-Identifier: Apache-2.0 */
/* Grids: who takes part, who shares a row or a column, and the communicators of these scopes. */
#include <ctype.h>
#include <stdlib.h>

#include "blacs/state.h"

/* Whether the map names processes of `from`, each at most once; and where in it this one is, row by
 * row, -1: nowhere. */
static int check_map(const hy_comm *from, const int *map, int ldm, int m, int n, int *place)
{
    int rc = HAYATE_OK, size = from->group.size;
    bool *seen = calloc((size_t)size, sizeof *seen);
    if (!seen) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a grid");
    *place = -1;
    for (int64_t i = 0; i < (int64_t)m * n && !rc; i++) {
        int row = (int)(i / n), column = (int)(i % n), its = map[(int64_t)column * ldm + row];
        if (its < 0 || its >= size)
            rc = hy_fail(HAYATE_ERR_ARGUMENT,
                         "Illegal grid: process {%d,%d} is number %d, expected 0 to %d", row,
                         column, its, size - 1);
        else if (seen[its])
            rc = hy_fail(HAYATE_ERR_ARGUMENT, "Illegal grid: process number %d occurs twice", its);
        else if (its == from->group.rank) *place = (int)i;
        if (!rc) seen[its] = true;
    }
    free(seen);
    return rc;
}

static int check_grid(const hy_comm *from, const int *map, int ldm, int m, int n, int *place)
{
    if (m < 1 || n < 1 || (int64_t)m * n > from->group.size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal grid (%d x %d), #procs=%d", m, n,
                       from->group.size);
    if (!map || ldm < m)
        return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal grid map: leading dimension %d, %d rows", ldm,
                       m);
    return check_map(from, map, ldm, m, n, place);
}

static hy_grid *make(hy_blacs *blacs, int place, int m, int n)
{
    hy_grid *grid = aligned_alloc(HY_LINE, hy_round_up(sizeof *grid, HY_LINE));
    if (!grid) {
        hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a grid");
        return NULL;
    }
    *grid = (hy_grid){.blacs = blacs,
                      .rows = m,
                      .columns = n,
                      .row = place / n,
                      .column = place % n,
                      .rings = {1, 1},
                      .branches = {1, 1}};
    grid->members[HY_ALL] = (hy_members){.comm = FMPL_COMM_NULL, .size = m * n, .rank = place};
    grid->members[HY_ROW] = (hy_members){.comm = FMPL_COMM_NULL, .size = n, .rank = place % n};
    grid->members[HY_COLUMN] = (hy_members){.comm = FMPL_COMM_NULL, .size = m, .rank = place / n};
    return grid;
}

/* A row or column of one process needs no communicator. */
static int open_scopes(hy_grid *grid)
{
    hy_comms *comms = grid->blacs->comms;
    hy_members *row = &grid->members[HY_ROW], *column = &grid->members[HY_COLUMN];
    int all = grid->members[HY_ALL].comm, rc = HAYATE_OK;
    if (row->size > 1) rc = hy_comm_split(comms, all, grid->row, grid->column, &row->comm);
    if (!rc && column->size > 1)
        rc = hy_comm_split(comms, all, grid->column, grid->row, &column->comm);
    return rc ? rc : hy_lanes_open(comms, all, &grid->lanes);
}

static int check_members(const hy_grid *grid)
{
    const hy_members *all = &grid->members[HY_ALL];
    const hy_comm *comm = hy_comm_find(grid->blacs->comms, all->comm);
    if (comm && comm->group.size == all->size && comm->group.rank == all->rank) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_MISMATCH, "the processes of a grid disagree on its map");
}

int hy_grid_open(hy_blacs *blacs, int from, const int *map, int ldm, int m, int n, hy_grid **result)
{
    int place = -1, all = FMPL_COMM_NULL;
    hy_grid *grid = NULL;
    *result = NULL;
    const hy_comm *parent = hy_comm_find(blacs->comms, from);
    if (!parent) return HAYATE_ERR_ARGUMENT;
    int rc = check_grid(parent, map, ldm, m, n, &place);
    if (!rc && place >= 0 && !(grid = make(blacs, place, m, n))) rc = HAYATE_ERR_NO_MEMORY;
    if (!rc) rc = hy_comm_split(blacs->comms, from, grid ? 0 : -1, place, &all);
    if (rc || !grid) {
        free(grid);
        return rc;
    }
    grid->members[HY_ALL].comm = all;
    rc = check_members(grid);
    if (!rc) rc = open_scopes(grid);
    if (rc) hy_grid_close(grid);
    else *result = grid;
    return rc;
}

int hy_grid_close(hy_grid *grid)
{
    hy_comms *comms = grid->blacs->comms;
    hy_failure failure = {0};
    for (int i = 0; i < HY_SCOPES; i++) {
        hy_members *members = &grid->members[i];
        if (members->comm == FMPL_COMM_NULL) continue;
        int rc = hy_members_settle(grid, members);
        int freed = hy_comm_free(comms, members->comm);
        if (!failure.code) failure = hy_failure_of(rc ? rc : freed);
    }
    if (grid->lanes) hy_lanes_close(grid->lanes);
    if (grid->records) hy_job_release(grid->blacs->job, grid->records);
    free(grid);
    return hy_fail_again(&failure);
}

int hy_grid_scope(hy_grid *grid, char scope, hy_members **members)
{
    switch (tolower((unsigned char)scope)) {
    case 'a': *members = &grid->members[HY_ALL]; return HAYATE_OK;
    case 'r': *members = &grid->members[HY_ROW]; return HAYATE_OK;
    case 'c': *members = &grid->members[HY_COLUMN]; return HAYATE_OK;
    default: return hy_fail(HAYATE_ERR_ARGUMENT, "Unknown scope '%c'", scope);
    }
}

int hy_grid_place(const hy_grid *grid, const hy_members *members, const char *what, int row,
                  int column, int *place)
{
    bool in_row = members == &grid->members[HY_ROW],
         in_column = members == &grid->members[HY_COLUMN];
    if (!in_row && (row < 0 || row >= grid->rows))
        return hy_fail(HAYATE_ERR_ARGUMENT, "R%s out of range; R%s=%d, NPROW=%d", what, what, row,
                       grid->rows);
    if (!in_column && (column < 0 || column >= grid->columns))
        return hy_fail(HAYATE_ERR_ARGUMENT, "C%s out of range; C%s=%d, NPCOL=%d", what, what,
                       column, grid->columns);
    *place = in_row ? column : in_column ? row : row * grid->columns + column;
    return HAYATE_OK;
}
