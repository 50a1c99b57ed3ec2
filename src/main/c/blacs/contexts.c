/* SPDX-License-Identifier: Apache-2.0 */
/* The BLACS of the process and their contexts: opens them on the job, finds a grid by its number,
 * and ends them. A system handle is 0 for all processes, else the number of a context, plus 1. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#include "blacs/state.h"
#include "init/join.h"
#include "job/progress.h"
#include "job/setup.h"
#include "job/shrinkers.h"

/* What hy_comms may spin for a call that must not block: the root of a broadcast. */
#define SPIN_LIMIT 400
#define TABLE_FIRST 16

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static hy_blacs *_Atomic current;

hy_blacs *hy_process_blacs(void)
{
    hy_blacs *blacs = hy_load_acquire(&current);
    if (hy_unlikely(!blacs)) hy_fail(HAYATE_ERR_STATE, "no BLACS: call blacs_pinfo() first");
    else if (hy_likely(!hy_load_relaxed(&blacs->closed))) return blacs;
    else hy_fail(HAYATE_ERR_CLOSED, "the BLACS were left by blacs_exit()");
    return NULL;
}

/* ---- the table ---- */

hy_grid *hy_grid_find(int context)
{
    hy_blacs *blacs = hy_load_acquire(&current);
    const hy_grid_table *table = blacs ? hy_load_acquire(&blacs->table) : NULL;
    if (!table || context < 0 || context >= table->count) return NULL;
    return hy_load_acquire(&table->grids[context]);
}

int hy_grid_enter(int context, hy_grid **result)
{
    if (hy_unlikely(!hy_process_blacs()))
        return hy_load_relaxed(&current) ? HAYATE_ERR_CLOSED : HAYATE_ERR_STATE;
    hy_grid *grid = hy_grid_find(context);
    if (hy_unlikely(!grid))
        return hy_fail(HAYATE_ERR_ARGUMENT, "Invalid context handle: %d", context);
    if (hy_unlikely(!hy_busy_take(&grid->busy)))
        return hy_fail(HAYATE_ERR_BUSY, "another thread is in a call with context %d", context);
    *result = grid;
    return HAYATE_OK;
}

/* Under the lock. */
static int grow(hy_blacs *blacs)
{
    hy_grid_table *old = hy_load_relaxed(&blacs->table);
    int count = old ? 2 * old->count : TABLE_FIRST;
    hy_grid_table *table = calloc(1, sizeof *table + (size_t)count * sizeof table->grids[0]);
    if (!table) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d contexts", count);
    table->older = old;
    table->count = count;
    for (int i = 0; old && i < old->count; i++)
        hy_store_relaxed(&table->grids[i], hy_load_relaxed(&old->grids[i]));
    hy_store_release(&blacs->table, table);
    return HAYATE_OK;
}

static int put_in(hy_blacs *blacs, hy_grid *grid)
{
    int rc = HAYATE_OK, place = 0;
    pthread_mutex_lock(&blacs->lock);
    hy_grid_table *table = hy_load_relaxed(&blacs->table);
    while (table && place < table->count && hy_load_relaxed(&table->grids[place])) place++;
    if (!table || place == table->count) rc = grow(blacs);
    if (!rc) {
        grid->number = place;
        table = hy_load_relaxed(&blacs->table);
        hy_store_release(&table->grids[place], grid);
    }
    pthread_mutex_unlock(&blacs->lock);
    return rc;
}

/* The caller owns the grid. */
static void contexts_take_out(hy_blacs *blacs, const hy_grid *grid)
{
    pthread_mutex_lock(&blacs->lock);
    hy_store_relaxed(&hy_load_relaxed(&blacs->table)->grids[grid->number], NULL);
    pthread_mutex_unlock(&blacs->lock);
}

/* ---- the BLACS ---- */

static bool progress(void *blacs)
{
    return hy_broadcasts_progress(blacs);
}

/* Returns idle eager buffers of the communicators when the heap is full. */
static bool contexts_give(void *comms)
{
    return hy_comms_trim(comms) != 0;
}

static int open_on(hy_blacs *blacs, hy_job *job)
{
    *blacs = (hy_blacs){.job = job};
    pthread_mutex_init(&blacs->lock, NULL);
    hy_worklist_open(&blacs->broadcasts);
    int rc = hy_setup_enter(job, NULL);
    if (rc) return rc;
    rc = hy_comms_open(&blacs->comms, job, SPIN_LIMIT);
    hy_setup_leave(job);
    if (!rc) rc = hy_extremes_open(blacs);
    if (!rc) rc = hy_shrinker_add(job, contexts_give, blacs->comms);
    return rc ? rc : hy_progress_add(job, progress, blacs);
}

/* The memory stays: other threads may be inside a call. After an error as well, since a second
 * attempt would not find the other processes. */
static int open_first(hy_job *job)
{
    hy_blacs *blacs = aligned_alloc(HY_LINE, hy_round_up(sizeof *blacs, HY_LINE));
    if (!blacs) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the BLACS");
    int rc = open_on(blacs, job);
    if (!rc) hy_store_release(&current, blacs);
    return rc;
}

static bool is_open(void)
{
    const hy_blacs *blacs = hy_load_acquire(&current);
    return blacs && !hy_load_relaxed(&blacs->closed);
}

static int open_on_process_job(void)
{
    if (hayate_rank() < 0) {
        int rc = hayate_init();
        if (rc) return rc;
    }
    return open_first(hy_process_job());
}

int hayate_blacs_open(int *rank, int *size)
{
    int rc = HAYATE_OK;
    if (!is_open()) {
        pthread_mutex_lock(&opening);
        if (!is_open()) rc = open_on_process_job();
        pthread_mutex_unlock(&opening);
    }
    if (rc) return rc;
    const hy_blacs *blacs = hy_load_acquire(&current);
    *rank = blacs->job->rank;
    *size = blacs->job->size;
    return HAYATE_OK;
}

int hayate_blacs_open_on(hy_job *job)
{
    if (job->in_team)
        return hy_fail(
            HAYATE_ERR_UNSUPPORTED,
            "the ranks of this job are threads of one process, which has one BLACS: start "
            "each rank as a process, with hayate run");
    pthread_mutex_lock(&opening);
    int rc = is_open() ? hy_fail(HAYATE_ERR_STATE, "the BLACS of this process are open already: "
                                                   "close them first")
                       : open_first(job);
    pthread_mutex_unlock(&opening);
    return rc;
}

static int close_all(hy_blacs *blacs)
{
    hy_failure failure = {0};
    const hy_grid_table *table = hy_load_acquire(&blacs->table);
    for (int i = 0; table && i < table->count; i++) {
        if (!hy_load_acquire(&table->grids[i])) continue;
        int rc = hayate_blacs_gridexit(i);
        if (!failure.code) failure = hy_failure_of(rc);
    }
    return hy_fail_again(&failure);
}

static int end(hy_blacs *blacs)
{
    int rc = hy_lanes_end();
    hy_store_relaxed(&blacs->closed, 1);
    hy_progress_remove(blacs->job, blacs);
    hy_shrinker_remove(blacs->job, blacs->comms);
    hy_comms_close(blacs->comms);
    return rc;
}

int hayate_blacs_exit(bool stay)
{
    hy_blacs *blacs = hy_process_blacs();
    if (!blacs) return hy_load_relaxed(&current) ? HAYATE_ERR_CLOSED : HAYATE_ERR_STATE;
    int rc = close_all(blacs);
    if (stay) return rc;
    int sent = end(blacs);
    if (!rc) rc = sent;
    hayate_finalize();
    return rc;
}

int hayate_blacs_close(void)
{
    hy_blacs *blacs = hy_process_blacs();
    if (!blacs) return HAYATE_OK;
    int rc = close_all(blacs), sent = end(blacs);
    return rc ? rc : sent;
}

/* ---- grids ---- */

bool hayate_blacs_has_system(int system)
{
    return system == 0 || (system > 0 && hy_grid_find(system - 1));
}

/* Makes the grid while this call owns the context from which it comes. */
static int open_from(hy_blacs *blacs, int system, const int *map, int ldm, int m, int n,
                     hy_grid **grid)
{
    hy_grid *parent;
    if (system == 0) return hy_grid_open(blacs, FMPL_COMM_WORLD, map, ldm, m, n, grid);
    if (!hayate_blacs_has_system(system))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "No system context corresponding to BLACS system context handle %d", system);
    int rc = hy_grid_enter(system - 1, &parent);
    if (rc) return rc;
    rc = hy_members_settle(parent, &parent->members[HY_ALL]);
    if (!rc) rc = hy_grid_open(blacs, parent->members[HY_ALL].comm, map, ldm, m, n, grid);
    return hy_grid_leave(parent, rc);
}

int hayate_blacs_gridmap(int system, const int *map, int ldm, int m, int n, int *context)
{
    hy_grid *grid;
    *context = -1;
    hy_blacs *blacs = hy_process_blacs();
    if (!blacs) return hy_load_relaxed(&current) ? HAYATE_ERR_CLOSED : HAYATE_ERR_STATE;
    int rc = open_from(blacs, system, map, ldm, m, n, &grid);
    if (rc || !grid) return rc;
    rc = put_in(blacs, grid);
    if (rc) hy_grid_close(grid);
    else *context = grid->number;
    return rc;
}

int hayate_blacs_gridinit(int system, char order, int m, int n, int *context)
{
    *context = -1;
    if (m < 1 || n < 1 || (int64_t)m * n > INT_MAX / (int64_t)sizeof(int))
        return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal grid (%d x %d)", m, n);
    int *map = malloc((size_t)m * (size_t)n * sizeof *map);
    if (!map) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a grid of %d x %d", m, n);
    bool by_columns = tolower((unsigned char)order) == 'c';
    for (int column = 0; column < n; column++) {
        for (int row = 0; row < m; row++)
            map[column * m + row] = by_columns ? column * m + row : row * n + column;
    }
    int rc = hayate_blacs_gridmap(system, map, m, m, n, context);
    free(map);
    return rc;
}

int hayate_blacs_gridexit(int context)
{
    hy_grid *grid;
    int rc = hy_grid_enter(context, &grid);
    if (rc == HAYATE_ERR_ARGUMENT)
        return hy_fail_over(rc, "Trying to exit non-existent context %d", context);
    if (rc) return rc;
    contexts_take_out(grid->blacs, grid);
    return hy_grid_close(grid);
}

void hayate_blacs_gridinfo(int context, int *m, int *n, int *row, int *column)
{
    const hy_grid *grid = hy_grid_find(context);
    *m = grid ? grid->rows : -1;
    *n = grid ? grid->columns : -1;
    *row = grid ? grid->row : -1;
    *column = grid ? grid->column : -1;
}

static int find(int context, hy_grid **grid)
{
    *grid = hy_grid_find(context);
    if (*grid) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "Invalid context handle: %d", context);
}

int hayate_blacs_pnum(int context, int row, int column, int *number)
{
    hy_grid *grid;
    int rc = find(context, &grid);
    if (rc) return rc;
    bool inside = row >= 0 && row < grid->rows && column >= 0 && column < grid->columns;
    *number = inside ? row * grid->columns + column : -1;
    return HAYATE_OK;
}

int hayate_blacs_pcoord(int context, int number, int *row, int *column)
{
    hy_grid *grid;
    int rc = find(context, &grid);
    if (rc) return rc;
    bool inside = number >= 0 && number < grid->rows * grid->columns;
    *row = inside ? number / grid->columns : -1;
    *column = inside ? number % grid->columns : -1;
    return HAYATE_OK;
}

int hayate_blacs_message_id(hy_where where, int *id)
{
    hy_grid *grid;
    hy_members *members;
    int rc = find(where.context, &grid);
    if (!rc) rc = hy_grid_scope(grid, where.scope, &members);
    if (rc) return rc;
    *id = members->messages;
    members->messages = members->messages == INT_MAX ? 0 : members->messages + 1;
    return HAYATE_OK;
}
