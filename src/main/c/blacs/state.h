/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contexts of a process. A table finds a grid by the number of its context; a grid has three
 * scopes, each with a communicator, and lanes for messages between its members.
 *
 * Ownership and locking: a call owns its grid from hy_grid_enter() to hy_grid_leave(), and the
 * grid's end owns it until its memory becomes another grid, which others can find. The memory of
 * grids is never freed: a thread may have found one just before it ended, and then sees that it has
 * an owner, or that it is another one. The lock protects changes of the table, which others read
 * without it.
 */
#ifndef HY_BLACS_STATE_H
#define HY_BLACS_STATE_H

#include "base/busy.h"
#include "base/handles.h"
#include "base/worklist.h"
#include "blacs/blacs.h"
#include "blacs/lanes.h"
#include "choose/hint.h"
#include "coll/comm.h"
#include "job/shrinkers.h"

struct hy_grid;

/* Some processes of a grid: all, or a row or a column of it. */
typedef struct hy_members {
    int comm; /* FMPL_COMM_NULL: this process is alone */
    int size, rank;
    int messages; /* for hayate_blacs_message_id() */
    /* A broadcast whose root has returned: broadcast.c */
    hy_work work; /* of blacs->worker, while `sending` */
    _Atomic uint32_t sending;
    hy_failure failure; /* how it ended; written before `sending` becomes 0 */
} hy_members;

enum { HY_ALL, HY_ROW, HY_COLUMN, HY_SCOPES };

typedef struct hy_grid {
    _Atomic uint32_t busy;
    struct hy_blacs *blacs;
    int number;
    int rows, columns, row, column;
    hy_members members[HY_SCOPES];
    hy_lanes *lanes;
    int rings[2], branches[2]; /* of broadcasts and combines */
    int repeatable, coherent;
    /* values with locations, then a column of values, then one of distances; from the heap, grown
     * on demand, and kept */
    uint8_t *records;
    uint64_t records_bytes;
    struct hy_grid *next; /* in blacs->ended */
} hy_grid;

typedef struct hy_blacs {
    hy_job *job;
    hy_comms *comms;
    bool crowded; /* a node has more ranks than cores; the same on all ranks */
    _Atomic uint32_t closed;
    pthread_mutex_t lock; /* for changes of the following */
    hy_handles grids;     /* of hy_grid */
    hy_grid *ended;       /* whose memory can be used again */
    hy_all_lanes lanes;
    hy_worker worker;     /* of broadcasts whose root has returned */
    hy_shrinker shrinker; /* returns idle eager buffers to the heap */
} hy_blacs;

/* ---- contexts.c ---- */

/* The BLACS of the process; NULL: STATE or CLOSED. */
hy_blacs *hy_process_blacs(void);

/* NULL: no such context, or ended; no error. */
hy_grid *hy_grid_find(int context);

/* Becomes the owner of a grid: ARGUMENT, BUSY, CLOSED. */
int hy_grid_enter(int context, hy_grid **grid);
static inline int hy_grid_leave(hy_grid *grid, int result)
{
    hy_busy_leave(&grid->busy);
    return result;
}

/* A grid under a number that nobody can find yet, owned by the caller, else 0: NO_MEMORY. */
int hy_context_take(hy_blacs *blacs, hy_grid **grid);
/* Frees the number of a grid that the caller owns: nobody can find it any more. */
void hy_context_give(hy_grid *grid);
/* Gives back the memory of such a grid. */
void hy_grid_free(hy_grid *grid);

/* ---- grid.c ---- */

/* Where the processes of a grid of m x n are: process (i, j) is numbers[i + j * ld] of a
 * communicator. numbers NULL: the first m * n, row by row or column by column. */
typedef struct hy_map {
    int m, n;
    const int *numbers;
    int ld;
    bool by_columns;
} hy_map;

/* Collective over the members of the communicator `from`; *grid becomes NULL where this process is
 * not in the map. ARGUMENT: of this process alone, which has not taken part. MISMATCH, NO_MEMORY:
 * on all processes. The grid has a number, under which nobody can find it yet. */
int hy_grid_open(hy_blacs *blacs, int from, const hy_map *map, hy_grid **grid);
/* The caller owns the grid, which nobody can find any more. */
int hy_grid_close(hy_grid *grid);

/* The members of a scope: ARGUMENT. */
int hy_grid_scope(hy_grid *grid, char scope, hy_members **members);

/* The number of a process within a scope of this process: ARGUMENT if it is out of the grid. Within
 * a row only the column counts, and within a column only the row, as with netlib. what: "DEST" or
 * "SRC". */
int hy_grid_place(const hy_grid *grid, const hy_members *members, const char *what, int row,
                  int column, int *place);

/* ---- broadcast.c ---- */

/* Waits for the scope's broadcast that is under way. Returns its failure, if it has one. */
int hy_members_finish(hy_grid *grid, hy_members *members);
static inline int hy_members_settle(hy_grid *grid, hy_members *members)
{
    if (hy_likely(!hy_load_acquire(&members->sending) && !members->failure.code)) return HAYATE_OK;
    return hy_members_finish(grid, members);
}

/* While the BLACS are opened. */
void hy_broadcasts_open(hy_blacs *blacs);

/* ---- located.c ---- */

/* Records of an element and the distance of its process behind the receiver, for combines with
 * locations. The functions copy between `count` values and as many records. */
typedef struct hy_records {
    void (*pack)(void *records, const void *values, size_t count, int32_t distance);
    void (*unpack)(const void *records, void *values, int32_t *distances, size_t count);
    uint32_t bytes; /* of a record */
} hy_records;

const hy_records *hy_records_of(hy_element element);

/* ---- topology.c ---- */

/* The schedule that a topology of netlib's asks for, of a broadcast or a combine, to one process or
 * to all; NULL: the library's choice. ARGUMENT. */
int hy_topology_hint(const hy_grid *grid, char top, bool combines, bool all, const hy_hint **hint);

#endif
