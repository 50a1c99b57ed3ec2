/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BLACS of one process: contexts, each with a grid of processes, and what they exchange: matrix
 * sections. libhayate.so exports these functions for two callers: libhayate-blacs.so, which has
 * netlib's names, and Java. A context is a small number, as with netlib.
 *
 * Unless stated otherwise, functions return HAYATE_OK or a negative code, with a reason that has
 * netlib's words where netlib has any. Different threads may use different contexts at the same
 * time; a second thread in the same context gets BUSY. ARGUMENT: also no such context. CLOSED: also
 * the BLACS have been left. PEER_FAILED, CORRUPT and NO_MEMORY as in the rooms below.
 */
#ifndef HY_BLACS_BLACS_H
#define HY_BLACS_BLACS_H

#include <hayate/hayate.h>

#include "base/buffer.h"

/* The types of netlib's BLACS: i s d c z. */
typedef enum hy_element {
    HY_ELEMENT_INT,
    HY_ELEMENT_FLOAT,
    HY_ELEMENT_DOUBLE,
    HY_ELEMENT_COMPLEX_FLOAT,
    HY_ELEMENT_COMPLEX_DOUBLE,
    HY_ELEMENTS
} hy_element;

typedef enum hy_uplo { HY_GENERAL, HY_UPPER, HY_LOWER } hy_uplo;

/*
 * A section of a matrix in column-major order: m rows, n columns, and lda elements from one column
 * to the next. HY_UPPER and HY_LOWER are netlib's trapezoids: the upper one of a tall matrix ends
 * at its last row and column, and so does the lower one of a wide matrix. unit: without the
 * diagonal. ARGUMENT: a negative size; lda < m where there is more than one column.
 */
typedef struct hy_matrix {
    hy_buffer memory; /* from the first element of the first column on */
    int32_t m, n, lda;
    uint8_t element; /* hy_element */
    uint8_t uplo;    /* hy_uplo */
    bool unit;
} hy_matrix;

/* What a call exchanges in: 'r' this process's row of the grid, 'c' its column, 'a' the whole grid.
 * Upper case is as good. top: a topology of netlib's, ' ' for the library's choice; the members of
 * a call must pass the same one. */
typedef struct hy_where {
    int context;
    char scope, top;
} hy_where;

typedef enum hy_combine { HY_COMBINE_SUM, HY_COMBINE_AMX, HY_COMBINE_AMN } hy_combine;

/* System handles: 0 for all processes, and this plus its number for those of a context. To Fortran
 * programs of netlib, communicators of MPI are system handles: Open MPI numbers them from 0, those
 * of MPICH are 0x44000000 and above, or negative. None of these may pass for a context. */
#define HY_BLACS_SYSTEMS 0x20000000

/* For what hayate_blacs_get() and hayate_blacs_set() exchange: netlib's numbers. */
enum {
    HY_BLACS_SYSTEM = 0,              /* get only: the system handle of all processes */
    HY_BLACS_MESSAGE_IDS = 1,         /* get only: two numbers */
    HY_BLACS_DEBUG_LEVEL = 2,         /* get only */
    HY_BLACS_CONTEXT_SYSTEM = 10,     /* get only: the system handle of a context's processes */
    HY_BLACS_BROADCAST_RINGS = 11,    /* of topology m; not 0 */
    HY_BLACS_BROADCAST_BRANCHES = 12, /* of topology t; 1 or more */
    HY_BLACS_COMBINE_RINGS = 13,
    HY_BLACS_COMBINE_BRANCHES = 14,
    HY_BLACS_REPEATABLE = 15, /* not 0: a sum adds in the same order in every run */
    HY_BLACS_COHERENT = 16,   /* not 0: all get the same bits, which is always so here */
};

/* ---- contexts.c ---- */

/* Joins the job if the process has not joined one (hayate_init()), and opens the BLACS on it.
 * Collective over the job at the first call; later calls are local. */
HAYATE_API int hayate_blacs_open(int *rank, int *size);

/* Opens the BLACS on a job that the process has joined for Java. Collective over the job. STATE:
 * they are open already. UNSUPPORTED: the ranks of the job are threads. */
struct hy_job;
HAYATE_API int hayate_blacs_open_on(struct hy_job *job);

/* Ends all contexts of this process, after their broadcasts under way. Not collective. Unless
 * `stay`, it also leaves the job. */
HAYATE_API int hayate_blacs_exit(bool stay);
/* Asks the launcher to end all ranks of the job, with `code`; the caller exits next. Returns when
 * there is no job as well. */
HAYATE_API void hayate_blacs_abort(int code);
/* Ends all contexts and the BLACS, but stays in the job. Idempotent. */
HAYATE_API int hayate_blacs_close(void);

/* Makes a context of m x n processes: process (i, j) is number map[i + j * ldm] of those of the
 * system handle. Collective over the processes of the system handle. *context becomes -1 for those
 * that are not in the grid. ARGUMENT: the grid is larger, a number occurs twice or is none of them;
 * only this process fails, and has not taken part. NO_MEMORY, MISMATCH (their maps differ): all
 * processes fail, and can go on with the system handle. */
HAYATE_API int hayate_blacs_gridmap(int system, const int *map, int ldm, int m, int n,
                                    int *context);
/* The same with the first m * n processes, row by row, or, for order 'c', column by column. */
HAYATE_API int hayate_blacs_gridinit(int system, char order, int m, int n, int *context);
/* Local: the context ends; first waits for the broadcasts of this process that are under way. */
HAYATE_API int hayate_blacs_gridexit(int context);

/* Local. All become -1 if there is no such context. */
HAYATE_API void hayate_blacs_gridinfo(int context, int *m, int *n, int *row, int *column);

/* The number of process (row, column) in the grid, row by row; -1: there is none. */
HAYATE_API int hayate_blacs_pnum(int context, int row, int column, int *number);
HAYATE_API int hayate_blacs_pcoord(int context, int number, int *row, int *column);

/* `context` counts for the numbers from HY_BLACS_CONTEXT_SYSTEM on. UNSUPPORTED: no such `what`, it
 * cannot be set, or not to this value. */
HAYATE_API int hayate_blacs_get(int context, int what, int *value);
HAYATE_API int hayate_blacs_set(int context, int what, const int *value);

/* Whether a system handle exists. */
HAYATE_API bool hayate_blacs_has_system(int system);

/* A number for netlib's kbsid() and kbrid(), which grows with each call. */
HAYATE_API int hayate_blacs_message_id(hy_where where, int *id);

/* ---- point.c ---- */

/* Locally blocking: returns when the matrix may be changed, which does not need the receiver.
 * Messages of one process to another one in a context arrive in order. */
HAYATE_API int hayate_blacs_send(int context, const hy_matrix *matrix, int row, int column);
/* Blocks until the message is there. MISMATCH: it has another number of bytes; a longer one stays
 * and can still be received, a shorter one is lost. */
HAYATE_API int hayate_blacs_receive(int context, const hy_matrix *matrix, int row, int column);

/* ---- broadcast.c ---- */

/* Locally blocking, as hayate_blacs_send(). The rest happens in later calls of this process, which
 * get its error: MISMATCH if a process of the scope makes another call, as for all calls in a
 * scope. */
HAYATE_API int hayate_blacs_broadcast(hy_where where, const hy_matrix *matrix);
/* Blocks until the matrix of process (row, column) is there. MISMATCH: it has another number of
 * bytes, or another topology; the context cannot be used afterwards. */
HAYATE_API int hayate_blacs_receive_broadcast(hy_where where, const hy_matrix *matrix, int row,
                                              int column);

/* ---- combine.c ---- */

/*
 * Combines the matrices of all processes of the scope element by element: their sum, or the element
 * of the largest (AMX) or smallest (AMN) absolute value, which is |re| + |im| for complex numbers.
 * The result is in the matrix of process (row, column), or of all if `row` or `column` is -1; the
 * matrices of the others stay as they are. Blocks until the result is there.
 *
 * With rows and columns, they become m x n matrices with stride `ldi`, which tell for each element
 * from which process it comes. Of equal absolute values, the result is then that of the process
 * with the smallest distance behind the receiver (behind the first process if all receive), else
 * the larger value; for complex numbers the larger real, then imaginary part. NaN counts as beyond
 * any other value for AMX and AMN; without locations, the result is then a NaN that may be of no
 * process, for complex numbers in both parts. All processes get the same bits.
 */
typedef struct hy_locations {
    int *rows, *columns; /* NULL: no locations, on all processes of the scope */
    int32_t ldi;
} hy_locations;

HAYATE_API int hayate_blacs_combine(hy_where where, hy_combine operation, const hy_matrix *matrix,
                                    hy_locations locations, int row, int column);

HAYATE_API int hayate_blacs_barrier(hy_where where);

#endif
