/* SPDX-License-Identifier: Apache-2.0 */
/* Combines: sums and extremes over a scope, to one of its processes or to all. With locations, the
 * elements travel as records with the distance of their process (extremes.c). */
#include "blacs/matrix.h"
#include "blacs/state.h"
#include "coll/collective.h"

/* A call that was checked. */
typedef struct combine {
    hy_grid *grid;
    hy_members *members;
    const hy_matrix *matrix;
    hy_strided section;
    hy_locations locations;
    int receiver; /* in the scope; -1: all */
    hy_collective_call call;
} combine;

/* ---- records ---- */

static int records_grow(hy_grid *grid, uint64_t bytes)
{
    hy_job *job = grid->blacs->job;
    if (hy_likely(grid->records_bytes >= bytes)) return HAYATE_OK;
    if (grid->records) hy_job_release(job, grid->records);
    grid->records_bytes = 0;
    grid->records = hy_job_alloc(job, bytes);
    if (!grid->records) return HAYATE_ERR_NO_MEMORY;
    memset(grid->records, 0, bytes); /* the gaps in records travel, too */
    grid->records_bytes = bytes;
    return HAYATE_OK;
}

static uint64_t element_at(const hy_matrix *matrix, int row, int column)
{
    return ((uint64_t)column * (uint64_t)matrix->lda + (uint64_t)row) *
           hy_element_bytes(matrix->element);
}

/* The first process from which distances are counted. */
static int origin(const combine *c)
{
    return c->receiver < 0 ? 0 : c->receiver;
}

static void pack_records(const combine *c)
{
    const hy_matrix *matrix = c->matrix;
    uint32_t element = hy_element_bytes(matrix->element);
    uint32_t record = hy_record_bytes(matrix->element), at = hy_record_distance(matrix->element);
    int size = c->members->size;
    uint32_t distance = (uint32_t)((size + c->members->rank - origin(c)) % size);
    uint8_t *to = c->grid->records;
    for (int column = 0; column < matrix->n; column++) {
        for (int row = 0; row < matrix->m; row++, to += record) {
            hy_buffer_read(&matrix->memory, element_at(matrix, row, column), to, element);
            memcpy(to + at, &distance, sizeof distance);
        }
    }
}

/* The coordinates of a process of the scope. */
static void place_of(const combine *c, int number, int *row, int *column)
{
    const hy_grid *grid = c->grid;
    bool all = c->members == &grid->members[HY_ALL];
    *row = all ? number / grid->columns : grid->row;
    *column = all ? number % grid->columns : grid->column;
    if (c->members == &grid->members[HY_ROW]) *column = number;
    if (c->members == &grid->members[HY_COLUMN]) *row = number;
}

static void unpack_records(const combine *c)
{
    const hy_matrix *matrix = c->matrix;
    uint32_t element = hy_element_bytes(matrix->element);
    uint32_t record = hy_record_bytes(matrix->element), at = hy_record_distance(matrix->element);
    const uint8_t *from = c->grid->records;
    for (int column = 0; column < matrix->n; column++) {
        for (int row = 0; row < matrix->m; row++, from += record) {
            size_t place = (size_t)column * (size_t)c->locations.ldi + (size_t)row;
            uint32_t distance;
            memcpy(&distance, from + at, sizeof distance);
            hy_buffer_write(&matrix->memory, element_at(matrix, row, column), from, element);
            place_of(c, (int)((distance + (uint32_t)origin(c)) % (uint32_t)c->members->size),
                     &c->locations.rows[place], &c->locations.columns[place]);
        }
    }
}

/* ---- the call ---- */

static int run(combine *c)
{
    if (c->members->comm == FMPL_COMM_NULL) return HAYATE_OK;
    int rc = hy_members_settle(c->grid, c->members);
    return rc ? rc : hy_collective(c->grid->blacs->comms, c->members->comm, &c->call, false);
}

static int run_located(combine *c)
{
    uint64_t bytes = (uint64_t)c->call.count * hy_record_bytes(c->matrix->element);
    int rc = records_grow(c->grid, bytes);
    if (rc) return rc;
    pack_records(c);
    c->call.buffer = (hy_buffer){.address = c->grid->records};
    rc = run(c);
    if (!rc && (c->receiver < 0 || c->receiver == c->members->rank)) unpack_records(c);
    return rc;
}

static int check_locations(const hy_matrix *matrix, hy_locations locations)
{
    if (!locations.rows != !locations.columns)
        return hy_fail(HAYATE_ERR_ARGUMENT, "RA and CA: pass both, or neither");
    if (locations.rows && matrix->n > 1 && locations.ldi < matrix->m)
        return hy_fail(HAYATE_ERR_ARGUMENT, "LDIA too small (LDIA=%d, but M=%d)", locations.ldi,
                       matrix->m);
    return HAYATE_OK;
}

static int number_of(const hy_blacs *blacs, hy_combine operation, const hy_matrix *matrix,
                     bool located)
{
    static const int sums[HY_ELEMENTS] = {FMPL_INT_SUM, FMPL_FLOAT_SUM, FMPL_DOUBLE_SUM,
                                          FMPL_COMPLEX_FLOAT_SUM, FMPL_COMPLEX_DOUBLE_SUM};
    if (operation == HY_COMBINE_SUM) return sums[matrix->element];
    return blacs->extremes[operation == HY_COMBINE_AMN][located][matrix->element];
}

/* row, column: of the receiver. */
static int set_up(combine *c, hy_where where, hy_combine operation, int row, int column)
{
    bool located = c->locations.rows != NULL;
    int rc = hy_grid_scope(c->grid, where.scope, &c->members);
    c->receiver = -1;
    if (!rc && row != -1 && column != -1)
        rc = hy_grid_place(c->grid, c->members, "DEST", row, column, &c->receiver);
    c->call = (hy_collective_call){
        .coll = c->receiver < 0 ? HY_COLL_ALLREDUCE : HY_COLL_REDUCE,
        .buffer = hy_strided_buffer(&c->section),
        .count = (int64_t)c->matrix->m * c->matrix->n,
        .op = number_of(c->grid->blacs, operation, c->matrix, located),
        .root = c->receiver < 0 ? 0 : c->receiver,
    };
    return rc ? rc : hy_topology_hint(c->grid, where.top, true, c->receiver < 0, &c->call.hint);
}

int hayate_blacs_combine(hy_where where, hy_combine operation, const hy_matrix *matrix,
                         hy_locations locations, int row, int column)
{
    combine c = {.matrix = matrix, .locations = locations};
    uint64_t bytes;
    int rc = hy_matrix_section(matrix, &c.section, &bytes);
    if (!rc) rc = check_locations(matrix, locations);
    if (!rc) rc = hy_grid_enter(where.context, &c.grid);
    if (rc) return rc;
    rc = set_up(&c, where, operation, row, column);
    if (!rc) rc = locations.rows ? run_located(&c) : run(&c);
    return hy_grid_leave(c.grid, rc);
}

int hayate_blacs_barrier(hy_where where)
{
    combine c = {.call = {.coll = HY_COLL_BARRIER}};
    int rc = hy_grid_enter(where.context, &c.grid);
    if (rc) return rc;
    rc = hy_grid_scope(c.grid, where.scope, &c.members);
    return hy_grid_leave(c.grid, rc ? rc : run(&c));
}
