/* SPDX-License-Identifier: Apache-2.0 */
/* Grids: who takes part, who shares a row or a column, and the communicators of these scopes. */
#include <ctype.h>
#include <stdlib.h>

#include "blacs/state.h"
#include "coll/split.h"

static int number_at(const hy_map *map, int row, int column)
{
    if (map->numbers) return map->numbers[(int64_t)column * map->ld + row];
    return map->by_columns ? column * map->m + row : row * map->n + column;
}

/* Whether the map names processes of `from`, each at most once; and where in it this one is, row by
 * row, -1: nowhere. */
static int check_map(const hy_comm *from, const hy_map *map, int *place)
{
    int rc = HAYATE_OK, size = from->group.size;
    bool *seen = calloc((size_t)size, sizeof *seen);
    if (!seen) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a grid");
    for (int i = 0; i < map->m * map->n && !rc; i++) {
        int row = i / map->n, column = i % map->n, its = number_at(map, row, column);
        if (its < 0 || its >= size)
            rc = hy_fail(HAYATE_ERR_ARGUMENT,
                         "Illegal grid: process {%d,%d} is number %d, expected 0 to %d", row,
                         column, its, size - 1);
        else if (seen[its])
            rc = hy_fail(HAYATE_ERR_ARGUMENT, "Illegal grid: process number %d occurs twice", its);
        else if (its == from->group.rank) *place = i;
        if (!rc) seen[its] = true;
    }
    free(seen);
    return rc;
}

static int check_grid(const hy_comm *from, const hy_map *map, int *place)
{
    if (map->m < 1 || map->n < 1 || (int64_t)map->m * map->n > from->group.size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal grid (%d x %d), #procs=%d", map->m, map->n,
                       from->group.size);
    return check_map(from, map, place);
}

static hy_grid *allocate(hy_blacs *blacs)
{
    hy_grid *grid;
    if (hy_context_take(blacs, &grid)) return NULL;
    for (int i = 0; i < 2; i++) grid->rings[i] = grid->branches[i] = 1;
    return grid;
}

static void place_in(hy_grid *grid, const hy_map *map, int place)
{
    int m = map->m, n = map->n, row = place / n, column = place % n;
    grid->rows = m;
    grid->columns = n;
    grid->row = row;
    grid->column = column;
    grid->members[HY_ALL] = (hy_members){.comm = FMPL_COMM_NULL, .size = m * n, .rank = place};
    grid->members[HY_ROW] = (hy_members){.comm = FMPL_COMM_NULL, .size = n, .rank = column};
    grid->members[HY_COLUMN] = (hy_members){.comm = FMPL_COMM_NULL, .size = m, .rank = row};
}

static void abandon(hy_grid *grid)
{
    if (!grid) return;
    if (grid->lanes) hy_lanes_abandon(grid->lanes);
    hy_context_give(grid);
    hy_grid_free(grid);
}

/* ---- opening ---- */

/* The communicators of a grid: of its scopes, and of its lanes. */
enum { LANES = HY_SCOPES, PARTS };

_Static_assert(PARTS <= HY_SPLIT_PARTS, "all of them are made in one split");

/* A row or column of one process needs no communicator. */
static void join(const hy_grid *grid, hy_split_part parts[PARTS])
{
    const int colors[PARTS] = {[HY_ROW] = grid->row, [HY_COLUMN] = grid->column};
    for (int i = 0; i < PARTS; i++) {
        const hy_members *members = &grid->members[i == LANES ? HY_ALL : i];
        bool alone = members->size == 1 && (i == HY_ROW || i == HY_COLUMN);
        parts[i] = (hy_split_part){.color = alone ? -1 : colors[i], .key = members->rank};
    }
}

/* With maps that differ, some process finds a communicator that its own map does not have. */
static int check_parts(const hy_grid *grid, const hy_split_part parts[PARTS])
{
    for (int i = 0; i < HY_SCOPES; i++) {
        const hy_members *members = &grid->members[i];
        const hy_comm *comm = parts[i].made.comm;
        if (comm && (comm->group.size != members->size || comm->group.rank != members->rank))
            return hy_fail(HAYATE_ERR_MISMATCH, "the processes of a grid disagree on its map");
    }
    return HAYATE_OK;
}

/* What this process adds by itself, before the processes agree. */
static int complete(hy_grid *grid, const hy_split_part parts[PARTS])
{
    int rc = check_parts(grid, parts);
    if (rc) return rc;
    for (int i = 0; i < HY_SCOPES; i++) grid->members[i].comm = parts[i].made.number;
    const hy_creation *lanes = &parts[LANES].made;
    return hy_lanes_open(&grid->blacs->lanes, lanes->comm, lanes->number, &grid->lanes);
}

int hy_grid_open(hy_blacs *blacs, int from, const hy_map *map, hy_grid **result)
{
    int place = -1;
    hy_grid *grid = NULL;
    hy_split split;
    hy_split_part parts[PARTS];
    *result = NULL;
    const hy_comm *parent = hy_comm_find(blacs->comms, from);
    int rc = parent ? check_grid(parent, map, &place) : HAYATE_ERR_ARGUMENT;
    if (rc == HAYATE_ERR_ARGUMENT) return rc;
    for (int i = 0; i < PARTS; i++) parts[i] = (hy_split_part){.color = -1};
    if (!rc && place >= 0 && !(grid = allocate(blacs))) rc = HAYATE_ERR_NO_MEMORY;
    if (grid) {
        place_in(grid, map, place);
        join(grid, parts);
    }
    rc = hy_split_begin(&split, blacs->comms, from, parts, PARTS, rc);
    if (!rc && grid) rc = complete(grid, parts);
    rc = hy_split_agree(&split, rc);
    if (rc) abandon(grid);
    else *result = grid;
    hy_split_end(&split, rc);
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
    hy_grid_free(grid);
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
