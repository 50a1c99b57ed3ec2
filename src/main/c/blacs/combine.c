/* SPDX-License-Identifier: Apache-2.0 */
/* Combines: sums and extremes over a scope, to one of its processes or to all. With locations, the
 * elements travel as records with the distance of their process (located.c). */
#include "blacs/matrix.h"
#include "blacs/state.h"
#include "coll/collective.h"

/* A call that was checked. It is filled member by member: to clear all of it takes as long as the
 * checks. */
typedef struct combine {
    hy_grid *grid;
    hy_members *members;
    const hy_matrix *matrix;
    hy_strided section;
    hy_locations locations;
    uint64_t records; /* bytes */
    int receiver;     /* in the scope; -1: all */
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
    if (!grid->records) return hy_job_alloc_code(job);
    memset(grid->records, 0, bytes); /* the gaps in records travel, too */
    grid->records_bytes = bytes;
    return HAYATE_OK;
}

/* Where the column begins in the memory of the matrix. */
static uint64_t column_at(const hy_matrix *matrix, int column)
{
    return (uint64_t)column * (uint64_t)matrix->lda * hy_element_bytes(matrix->element);
}

/* A column as native memory: where it is, or the place for one behind the records. */
static uint8_t *column_values(const combine *c, int column)
{
    if (c->matrix->memory.address) return c->matrix->memory.address + column_at(c->matrix, column);
    return c->grid->records + c->records;
}

static size_t column_bytes(const hy_matrix *matrix)
{
    return (size_t)matrix->m * hy_element_bytes(matrix->element);
}

static uint8_t *read_column(const combine *c, int column)
{
    const hy_matrix *matrix = c->matrix;
    uint8_t *values = column_values(c, column);
    if (matrix->memory.managed)
        hy_buffer_read(&matrix->memory, column_at(matrix, column), values, column_bytes(matrix));
    return values;
}

static void write_column(const combine *c, int column, const uint8_t *values)
{
    const hy_matrix *matrix = c->matrix;
    if (matrix->memory.managed)
        hy_buffer_write(&matrix->memory, column_at(matrix, column), values, column_bytes(matrix));
}

/* The first process from which distances are counted. */
static int origin(const combine *c)
{
    return c->receiver < 0 ? 0 : c->receiver;
}

static void pack_records(const combine *c)
{
    const hy_matrix *matrix = c->matrix;
    const hy_records *records = hy_records_of(matrix->element);
    size_t m = (size_t)matrix->m;
    int size = c->members->size;
    int32_t distance = (size + c->members->rank - origin(c)) % size;
    uint8_t *to = c->grid->records;
    for (int j = 0; j < matrix->n; j++, to += m * records->bytes)
        records->pack(to, read_column(c, j), m, distance);
}

/* The coordinates of the processes at some distances. */
static void find_places(const combine *c, const int32_t *distances, int *rows, int *columns)
{
    const hy_grid *grid = c->grid;
    uint32_t size = (uint32_t)c->members->size, n = (uint32_t)grid->columns;
    for (int i = 0; i < c->matrix->m; i++) {
        uint32_t number = (uint32_t)distances[i] + (uint32_t)origin(c);
        if (number >= size)
            number = number < 2 * size ? number - size : 0; /* 0: no such distance */
        bool in_row = c->members == &grid->members[HY_ROW];
        bool in_column = c->members == &grid->members[HY_COLUMN];
        rows[i] = in_row ? grid->row : in_column ? (int)number : (int)(number / n);
        columns[i] = in_row ? (int)number : in_column ? grid->column : (int)(number % n);
    }
}

static void unpack_records(const combine *c)
{
    const hy_matrix *matrix = c->matrix;
    const hy_records *records = hy_records_of(matrix->element);
    size_t m = (size_t)matrix->m;
    int32_t *distances = (int32_t *)(void *)(c->grid->records + c->records + m * HY_ELEMENT_MOST);
    const uint8_t *from = c->grid->records;
    for (int j = 0; j < matrix->n; j++, from += m * records->bytes) {
        size_t place = (size_t)j * (size_t)c->locations.ldi;
        uint8_t *values = column_values(c, j);
        records->unpack(from, values, distances, m);
        write_column(c, j, values);
        find_places(c, distances, c->locations.rows + place, c->locations.columns + place);
    }
}

/* ---- the call ---- */

/* The scope is this process: its elements get the form of results. */
static int run_alone(combine *c)
{
    hy_normal normal = hy_coll_reduces(c->call.coll) ? hy_reductions[c->call.op].normal : NULL;
    if (!normal) return HAYATE_OK;
    c->records = 0;
    int rc = c->matrix->memory.managed ? records_grow(c->grid, column_bytes(c->matrix)) : HAYATE_OK;
    for (int j = 0; !rc && j < c->matrix->n; j++) {
        uint8_t *values = read_column(c, j);
        normal(values, (size_t)c->matrix->m);
        write_column(c, j, values);
    }
    return rc;
}

static int run(combine *c)
{
    if (c->members->comm == FMPL_COMM_NULL) return run_alone(c);
    int rc = hy_members_settle(c->grid, c->members);
    return rc ? rc : hy_collective(c->grid->blacs->comms, c->members->comm, &c->call, false);
}

static int run_located(combine *c)
{
    c->records = hy_round_up((uint64_t)c->call.count * hy_records_of(c->matrix->element)->bytes,
                             16);
    int rc = records_grow(c->grid, c->records + (uint64_t)c->matrix->m * (HY_ELEMENT_MOST + 4));
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

#define OF_ALL_TYPES(operation) \
    { \
        FMPL_INT_##operation, FMPL_FLOAT_##operation, FMPL_DOUBLE_##operation, \
            FMPL_COMPLEX_FLOAT_##operation, FMPL_COMPLEX_DOUBLE_##operation \
    }

static int reduction_of(hy_combine operation, hy_element element, bool located)
{
    static const int values[][HY_ELEMENTS] = {[HY_COMBINE_SUM] = OF_ALL_TYPES(SUM),
                                              [HY_COMBINE_AMX] = OF_ALL_TYPES(ABS_MAX),
                                              [HY_COMBINE_AMN] = OF_ALL_TYPES(ABS_MIN)};
    static const int records[][HY_ELEMENTS] = {
        [HY_COMBINE_AMX] = OF_ALL_TYPES(ABS_MAX_LOC), [HY_COMBINE_AMN] = OF_ALL_TYPES(ABS_MIN_LOC)};
    return (located ? records : values)[operation][element];
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
        .op = reduction_of(operation, c->matrix->element, located),
        .root = c->receiver < 0 ? 0 : c->receiver,
    };
    return rc ? rc : hy_topology_hint(c->grid, where.top, true, c->receiver < 0, &c->call.hint);
}

int hayate_blacs_combine(hy_where where, hy_combine operation, const hy_matrix *matrix,
                         hy_locations locations, int row, int column)
{
    combine c;
    uint64_t bytes;
    c.matrix = matrix;
    c.locations = locations;
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
    combine c;
    c.call = (hy_collective_call){.coll = HY_COLL_BARRIER};
    int rc = hy_grid_enter(where.context, &c.grid);
    if (rc) return rc;
    rc = hy_grid_scope(c.grid, where.scope, &c.members);
    return hy_grid_leave(c.grid, rc ? rc : run(&c));
}
