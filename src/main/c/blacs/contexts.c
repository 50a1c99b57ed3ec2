/* SPDX-License-Identifier: Apache-2.0 */
/* The BLACS of the process and their contexts: opens them on the job, finds a grid by its number,
 * and ends them. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#include "blacs/state.h"
#include "init/join.h"
#include "job/setup.h"

/* What hy_comms may spin for a call that must not block: the root of a broadcast. */
#define SPIN_LIMIT 400

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
    const hy_blacs *blacs = hy_load_acquire(&current);
    return blacs ? hy_handles_get(&blacs->grids, context) : NULL;
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
    if (hy_unlikely(hy_grid_find(context) != grid)) { /* it ended before it had this owner */
        hy_busy_leave(&grid->busy);
        return hy_fail(HAYATE_ERR_ARGUMENT, "Invalid context handle: %d", context);
    }
    *result = grid;
    return HAYATE_OK;
}

/* Under the lock. */
static hy_grid *grid_allocate(hy_blacs *blacs)
{
    hy_grid *grid = blacs->ended;
    if (grid) {
        blacs->ended = grid->next;
        return grid;
    }
    grid = aligned_alloc(HY_LINE, hy_round_up(sizeof *grid, HY_LINE));
    if (grid) hy_store_relaxed(&grid->busy, HY_BUSY_OWNED);
    else hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a grid");
    return grid;
}

int hy_context_take(hy_blacs *blacs, hy_grid **result)
{
    int number;
    pthread_mutex_lock(&blacs->lock);
    int rc = hy_handles_take(&blacs->grids, &number);
    hy_grid *grid = rc ? NULL : grid_allocate(blacs);
    if (!rc && !grid) hy_handles_give(&blacs->grids, number);
    pthread_mutex_unlock(&blacs->lock);
    if (!grid) return HAYATE_ERR_NO_MEMORY;
    const size_t kept = offsetof(hy_grid, busy) + sizeof grid->busy;
    memset((uint8_t *)grid + kept, 0, sizeof *grid - kept);
    grid->blacs = blacs;
    grid->number = number;
    *result = grid;
    return HAYATE_OK;
}

static void context_put(hy_grid *grid)
{
    hy_blacs *blacs = grid->blacs;
    hy_busy_leave(&grid->busy);
    pthread_mutex_lock(&blacs->lock);
    hy_handles_put(&blacs->grids, grid->number, grid);
    pthread_mutex_unlock(&blacs->lock);
}

void hy_context_give(hy_grid *grid)
{
    hy_blacs *blacs = grid->blacs;
    pthread_mutex_lock(&blacs->lock);
    hy_handles_give(&blacs->grids, grid->number);
    pthread_mutex_unlock(&blacs->lock);
}

void hy_grid_free(hy_grid *grid)
{
    hy_blacs *blacs = grid->blacs;
    pthread_mutex_lock(&blacs->lock);
    grid->next = blacs->ended;
    blacs->ended = grid;
    pthread_mutex_unlock(&blacs->lock);
}

/* ---- the BLACS ---- */

static void contexts_give(hy_shrinker *shrinker)
{
    hy_blacs *blacs = (hy_blacs *)((uint8_t *)shrinker - offsetof(hy_blacs, shrinker));
    hy_all_lanes_trim(&blacs->lanes);
    hy_comms_trim(blacs->comms);
}

static int open_on(hy_blacs *blacs, hy_job *job)
{
    *blacs = (hy_blacs){.job = job};
    pthread_mutex_init(&blacs->lock, NULL);
    hy_broadcasts_open(blacs);
    int rc = hy_setup_enter(job, NULL);
    if (rc) return rc;
    rc = hy_comms_open(&blacs->comms, job, SPIN_LIMIT);
    hy_setup_leave(job);
    if (rc) return rc;
    int nodes = hy_job_nodes(job);
    blacs->crowded = (job->size + nodes - 1) / nodes > blacs->comms->model.cpus;
    hy_all_lanes_open(&blacs->lanes, blacs->comms);
    blacs->shrinker.give = contexts_give;
    hy_shrinker_add(job, &blacs->shrinker);
    return HAYATE_OK;
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
    for (int i = 0; i < hy_handles_places(&blacs->grids); i++) {
        if (!hy_handles_get(&blacs->grids, i)) continue;
        int rc = hayate_blacs_gridexit(i);
        if (!failure.code) failure = hy_failure_of(rc);
    }
    return hy_fail_again(&failure);
}

static int end(hy_blacs *blacs)
{
    int rc = hy_all_lanes_end(&blacs->lanes);
    hy_store_relaxed(&blacs->closed, 1);
    hy_worker_leave(&blacs->job->background, &blacs->worker, NULL);
    hy_shrinker_remove(blacs->job, &blacs->shrinker);
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
    return system == 0 || (system >= HY_BLACS_SYSTEMS && hy_grid_find(system - HY_BLACS_SYSTEMS));
}

/* Makes the grid while this call owns the context from which it comes. */
static int open_from(hy_blacs *blacs, int system, const hy_map *map, hy_grid **grid)
{
    hy_grid *parent;
    if (system == 0) return hy_grid_open(blacs, FMPL_COMM_WORLD, map, grid);
    if (!hayate_blacs_has_system(system))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "No system context corresponding to BLACS system context handle %d", system);
    int rc = hy_grid_enter(system - HY_BLACS_SYSTEMS, &parent);
    if (rc) return rc;
    rc = hy_members_settle(parent, &parent->members[HY_ALL]);
    if (!rc) rc = hy_grid_open(blacs, parent->members[HY_ALL].comm, map, grid);
    return hy_grid_leave(parent, rc);
}

static int open_mapped(int system, const hy_map *map, int *context)
{
    hy_grid *grid;
    *context = -1;
    hy_blacs *blacs = hy_process_blacs();
    if (!blacs) return hy_load_relaxed(&current) ? HAYATE_ERR_CLOSED : HAYATE_ERR_STATE;
    int rc = open_from(blacs, system, map, &grid);
    if (rc || !grid) return rc;
    *context = grid->number;
    context_put(grid);
    return HAYATE_OK;
}

int hayate_blacs_gridmap(int system, const int *map, int ldm, int m, int n, int *context)
{
    *context = -1;
    if (!map) return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal grid map: it is null");
    if (ldm < m)
        return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal grid map: leading dimension %d, %d rows", ldm,
                       m);
    return open_mapped(system, &(hy_map){.m = m, .n = n, .numbers = map, .ld = ldm}, context);
}

int hayate_blacs_gridinit(int system, char order, int m, int n, int *context)
{
    const hy_map map = {.m = m, .n = n, .by_columns = tolower((unsigned char)order) == 'c'};
    return open_mapped(system, &map, context);
}

int hayate_blacs_gridexit(int context)
{
    hy_grid *grid;
    int rc = hy_grid_enter(context, &grid);
    if (rc == HAYATE_ERR_ARGUMENT)
        return hy_fail_over(rc, "Trying to exit non-existent context %d", context);
    if (rc) return rc;
    hy_context_give(grid);
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
    int rc = hy_grid_enter(where.context, &grid);
    if (rc) return rc;
    rc = hy_grid_scope(grid, where.scope, &members);
    if (rc) return hy_grid_leave(grid, rc);
    *id = members->messages;
    members->messages = members->messages == INT_MAX ? 0 : members->messages + 1;
    return hy_grid_leave(grid, HAYATE_OK);
}
