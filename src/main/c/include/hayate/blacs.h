/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The BLACS over Hayate: the communication layer of ScaLAPACK, with the names and the arguments of
 * netlib's BLACS. The library is libhayate-blacs.so; man page hayate-blacs(7).
 *
 * Programs that were linked against another BLACS, such as Debian's libscalapack-openmpi.so, use
 * this one unchanged if it is loaded first: `hayate run --blacs`, LD_PRELOAD, or an earlier place
 * in the link order. MPI is then loaded, but never called.
 *
 * A *context* is a grid of m x n processes, which are named by their row and column from 0 on. All
 * matrices are stored column by column; lda is the distance of columns in elements. Sizes are int
 * (a libscalapack for 64-bit integers is refused). The functions here are for C. Fortran has the
 * same without the C and with a trailing underscore, and with pointers to all arguments:
 * dgesd2d_(int *context, int *m, ...). Fortran's hidden lengths of strings are ignored.
 *
 * Blocking: sends and the root's part of a broadcast are *locally blocking*: they return when the
 * matrix may be changed, and never wait for a receiver. Messages that nobody has received yet are
 * copied into memory that grows. Receives, combines and the barrier are *globally blocking*.
 *
 * Threads: different threads may use different contexts at the same time. A second thread in the
 * same context is an error.
 *
 * Errors, as with netlib: an error prints
 *
 *    BLACS ERROR 'what was wrong'
 *    from {row,column}, pnum=rank, Contxt=context, on line -1 of file 'ROUTINE'.
 *
 * on stderr and ends all processes of the job: an illegal size, scope, topology or context, a
 * process outside of the grid, a message of another length than its receive, matrices of different
 * lengths in a broadcast or a combine, a process that died. A warning prints the same with WARNING,
 * and the call goes on: lda < m (taken as m), UPLO and DIAG that netlib does not know (taken as
 * lower, and non-unit), an illegal request to blacs_get() or blacs_set() (which does nothing).
 */
#ifndef HAYATE_BLACS_H
#define HAYATE_BLACS_H

#include <hayate/hayate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the process ---- */

/** Joins the job if the process has not joined it yet. *rank becomes its number, 0 to *size - 1.
 * The first call is collective over the job. */
HAYATE_API void Cblacs_pinfo(int *rank, int *size);
/** The same. */
HAYATE_API void Cblacs_setup(int *rank, int *size);
/** Ends all contexts of this process, after its sends and broadcasts under way. If `stay` is 0, it
 * also leaves the job: the process cannot use the BLACS again. */
HAYATE_API void Cblacs_exit(int stay);
/** Prints a line on stderr and ends all processes of the job; this one with exit code `code`. */
HAYATE_API void Cblacs_abort(int context, int code);
/** Does nothing: buffers are freed when their messages have been received. */
HAYATE_API void Cblacs_freebuff(int context, int wait);

/* ---- contexts ---- */

/**
 * *context is a system handle before the call: 0 for all processes, or what Cblacs_get() returns
 * for a context. Afterwards it is the new context, or -1 if this process is not in the grid. A call
 * is collective over the processes of the system handle. gridinit takes the first m * n of them,
 * row by row, or for order "C" column by column. gridmap takes map[i + j * ldm] as process {i, j}.
 */
HAYATE_API void Cblacs_gridinit(int *context, const char *order, int m, int n);
HAYATE_API void Cblacs_gridmap(int *context, const int *map, int ldm, int m, int n);
/** Local: ends a context, after the broadcasts of this process that are under way. */
HAYATE_API void Cblacs_gridexit(int context);
/** Local. All become -1 if there is no such context. */
HAYATE_API void Cblacs_gridinfo(int context, int *m, int *n, int *row, int *column);
/** The number of process {row, column} in the grid, row by row; -1 if it is out of the grid. */
HAYATE_API int Cblacs_pnum(int context, int row, int column);
HAYATE_API void Cblacs_pcoord(int context, int number, int *row, int *column);

/**
 * what: 0 the system handle of all processes; 1 range of message numbers (two ints); 2 debug level;
 * of the context: 10 its system handle, 11 and 12 rings (topology m) and branches (topology t) of
 * broadcasts, 13 and 14 of combines, 15 whether sums are repeatable, 16 whether they are coherent
 * (which they always are). 11 to 16 can be set.
 */
HAYATE_API void Cblacs_get(int context, int what, int *value);
HAYATE_API void Cblacs_set(int context, int what, const int *value);

/** System handles of communicators of MPI: MPI_COMM_WORLD is 0, and no others are possible. */
HAYATE_API int Csys2blacs_handle(void *communicator);
HAYATE_API void *Cblacs2sys_handle(int system);
HAYATE_API void Cfree_blacs_system_handle(int system);

/** Waits until all processes of the scope (below) have come. */
HAYATE_API void Cblacs_barrier(int context, const char *scope);

/** Seconds since some moment of the past. */
HAYATE_API double Cdwalltime00(void);
/** Seconds of processor time of this process. */
HAYATE_API double Cdcputime00(void);

/** Message numbers, which netlib has for programs that also call its transport. */
HAYATE_API int Cksendid(int context, int row, int column);
HAYATE_API int Ckrecvid(int context, int row, int column);
HAYATE_API int Ckbsid(int context, const char *scope);
HAYATE_API int Ckbrid(int context, const char *scope);

/* ---- data ---- */

/**
 * For each type: v is i (int), s (float), d (double), c and z (complex numbers of two floats and
 * two doubles).
 *
 * Cv ge: m x n matrices. Cv tr: trapezoids of them: uplo "U" or "L", and diag "U" for those without
 * the diagonal.
 *
 * sd2d sends to process {row, column}, rv2d receives from it. Messages from one process to another
 * in a context arrive in order.
 *
 * bs2d is the root's part of a broadcast, br2d that of the others, who name the root. scope: "R"
 * the row of this process, "C" its column, "A" the whole grid. top: a topology, which is a wish
 * (" " is best); all must pass the same one.
 *
 * gsum2d, gamx2d, gamn2d combine the matrices of a scope element by element: sum, and largest and
 * smallest absolute value (|re| + |im|). The result is in the matrix of {row, column}, or of all if
 * one of these is -1. Unless ldia is -1, ra and ca become m x n matrices (distance of columns ldia)
 * of the coordinates of the process whose element was taken. Of equal absolute values, that of the
 * process with the smallest distance behind the receiver is taken; with ldia = -1 the larger
 * value. NaN counts as larger than any number for gamx2d, and as smaller for gamn2d; with
 * ldia = -1 the result is then a NaN that may be of no process, for complex numbers in both parts.
 * All processes get the same bits.
 */
#define HAYATE_BLACS_POINT(v, type) \
    HAYATE_API void C##v##gesd2d(int context, int m, int n, const type *a, int lda, int row, \
                                 int column); \
    HAYATE_API void C##v##gerv2d(int context, int m, int n, type *a, int lda, int row, \
                                 int column); \
    HAYATE_API void C##v##trsd2d(int context, const char *uplo, const char *diag, int m, int n, \
                                 const type *a, int lda, int row, int column); \
    HAYATE_API void C##v##trrv2d(int context, const char *uplo, const char *diag, int m, int n, \
                                 type *a, int lda, int row, int column);

#define HAYATE_BLACS_BROADCAST(v, type) \
    HAYATE_API void C##v##gebs2d(int context, const char *scope, const char *top, int m, int n, \
                                 const type *a, int lda); \
    HAYATE_API void C##v##gebr2d(int context, const char *scope, const char *top, int m, int n, \
                                 type *a, int lda, int row, int column); \
    HAYATE_API void C##v##trbs2d(int context, const char *scope, const char *top, \
                                 const char *uplo, const char *diag, int m, int n, const type *a, \
                                 int lda); \
    HAYATE_API void C##v##trbr2d(int context, const char *scope, const char *top, \
                                 const char *uplo, const char *diag, int m, int n, type *a, \
                                 int lda, int row, int column);

#define HAYATE_BLACS_COMBINE(v, type) \
    HAYATE_API void C##v##gsum2d(int context, const char *scope, const char *top, int m, int n, \
                                 type *a, int lda, int row, int column); \
    HAYATE_API void C##v##gamx2d(int context, const char *scope, const char *top, int m, int n, \
                                 type *a, int lda, int *ra, int *ca, int ldia, int row, \
                                 int column); \
    HAYATE_API void C##v##gamn2d(int context, const char *scope, const char *top, int m, int n, \
                                 type *a, int lda, int *ra, int *ca, int ldia, int row, \
                                 int column);

#define HAYATE_BLACS(v, type) \
    HAYATE_BLACS_POINT(v, type) \
    HAYATE_BLACS_BROADCAST(v, type) \
    HAYATE_BLACS_COMBINE(v, type)

HAYATE_BLACS(i, int)
HAYATE_BLACS(s, float)
HAYATE_BLACS(d, double)
HAYATE_BLACS(c, float)
HAYATE_BLACS(z, double)

#ifdef __cplusplus
}
#endif
#endif
