/* SPDX-License-Identifier: Apache-2.0 */
/* Point to point: a section from one process of the grid to another. */
#include "blacs/matrix.h"
#include "blacs/state.h"

/* A call that was checked. */
typedef struct message {
    hy_grid *grid;
    int peer;
    hy_strided section;
    uint64_t bytes;
} message;

static int begin(message *m, int context, const hy_matrix *matrix, const char *what, int row,
                 int column)
{
    int rc = hy_matrix_section(matrix, &m->section, &m->bytes);
    if (!rc) rc = hy_grid_enter(context, &m->grid);
    if (hy_unlikely(rc)) return rc;
    rc = hy_grid_place(m->grid, &m->grid->members[HY_ALL], what, row, column, &m->peer);
    return hy_unlikely(rc) ? hy_grid_leave(m->grid, rc) : HAYATE_OK;
}

int hayate_blacs_send(int context, const hy_matrix *matrix, int row, int column)
{
    message m;
    int rc = begin(&m, context, matrix, "DEST", row, column);
    if (hy_unlikely(rc)) return rc;
    rc = hy_lanes_send(m.grid->lanes, m.peer, hy_strided_buffer(&m.section), m.bytes);
    return hy_grid_leave(m.grid, rc);
}

static int other_length(int row, int column, uint64_t received, uint64_t bytes)
{
    return hy_fail(HAYATE_ERR_MISMATCH,
                   "the message of process {%d,%d} has %llu bytes, but the matrix of this process "
                   "has %llu: M, N, UPLO and DIAG must be the same on both",
                   row, column, (unsigned long long)received, (unsigned long long)bytes);
}

int hayate_blacs_receive(int context, const hy_matrix *matrix, int row, int column)
{
    message m;
    uint64_t received = 0;
    int rc = begin(&m, context, matrix, "SRC", row, column);
    if (hy_unlikely(rc)) return rc;
    rc = hy_lanes_receive(m.grid->lanes, m.peer, hy_strided_buffer(&m.section), m.bytes, &received);
    if (hy_unlikely(rc == HAYATE_ERR_TRUNCATE || (!rc && received != m.bytes)))
        rc = other_length(row, column, received, m.bytes);
    return hy_grid_leave(m.grid, rc);
}
