/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the executable come before those of all libraries; each function here calls the one
 * that would have been called without it. A call that the library makes itself counts once. */
#define _GNU_SOURCE
#include "blacs_time.h"

#include <dlfcn.h>
#include <hayate/blacs.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds, began;
static long calls, depth;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double blacs_seconds(void)
{
    return seconds;
}

long blacs_calls(void)
{
    return calls;
}

static void enter(void)
{
    if (depth++ == 0) began = now();
}

static void leave(void)
{
    if (--depth > 0) return;
    seconds += now() - began;
    calls++;
}

static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found) return found;
    fprintf(stderr, "there is no %s\n", name);
    exit(1);
}

#define TIMED(name, parameters, arguments) \
    void name parameters; \
    void name parameters \
    { \
        static void(*call) parameters; \
        if (!call) *(void **)&call = next(#name); \
        enter(); \
        call arguments; \
        leave(); \
    }

/* In C: c context, m rows, n columns, a matrix, l its leading dimension, r and k the partner's row
 * and column, s scope, t topology, u uplo, d diag, x and y locations, z their leading dimension. In
 * Fortran all of them are addresses. */
#define C_POINT(v, type) \
    TIMED(C##v##gesd2d, (int c, int m, int n, const type *a, int l, int r, int k), \
          (c, m, n, a, l, r, k)) \
    TIMED(C##v##gerv2d, (int c, int m, int n, type *a, int l, int r, int k), \
          (c, m, n, a, l, r, k)) \
    TIMED(C##v##trsd2d, \
          (int c, const char *u, const char *d, int m, int n, const type *a, int l, int r, int k), \
          (c, u, d, m, n, a, l, r, k)) \
    TIMED(C##v##trrv2d, \
          (int c, const char *u, const char *d, int m, int n, type *a, int l, int r, int k), \
          (c, u, d, m, n, a, l, r, k))

#define C_BROADCAST(v, type) \
    TIMED(C##v##gebs2d, (int c, const char *s, const char *t, int m, int n, const type *a, int l), \
          (c, s, t, m, n, a, l)) \
    TIMED(C##v##gebr2d, \
          (int c, const char *s, const char *t, int m, int n, type *a, int l, int r, int k), \
          (c, s, t, m, n, a, l, r, k)) \
    TIMED(C##v##trbs2d, \
          (int c, const char *s, const char *t, const char *u, const char *d, int m, int n, \
           const type *a, int l), \
          (c, s, t, u, d, m, n, a, l)) \
    TIMED(C##v##trbr2d, \
          (int c, const char *s, const char *t, const char *u, const char *d, int m, int n, \
           type *a, int l, int r, int k), \
          (c, s, t, u, d, m, n, a, l, r, k))

#define C_COMBINE(v, type) \
    TIMED(C##v##gsum2d, \
          (int c, const char *s, const char *t, int m, int n, type *a, int l, int r, int k), \
          (c, s, t, m, n, a, l, r, k)) \
    TIMED(C##v##gamx2d, \
          (int c, const char *s, const char *t, int m, int n, type *a, int l, int *x, int *y, \
           int z, int r, int k), \
          (c, s, t, m, n, a, l, x, y, z, r, k)) \
    TIMED(C##v##gamn2d, \
          (int c, const char *s, const char *t, int m, int n, type *a, int l, int *x, int *y, \
           int z, int r, int k), \
          (c, s, t, m, n, a, l, x, y, z, r, k))

#define F_ALL(v) \
    TIMED(v##gesd2d_, (void *c, void *m, void *n, void *a, void *l, void *r, void *k), \
          (c, m, n, a, l, r, k)) \
    TIMED(v##gerv2d_, (void *c, void *m, void *n, void *a, void *l, void *r, void *k), \
          (c, m, n, a, l, r, k)) \
    TIMED(v##trsd2d_, \
          (void *c, void *u, void *d, void *m, void *n, void *a, void *l, void *r, void *k), \
          (c, u, d, m, n, a, l, r, k)) \
    TIMED(v##trrv2d_, \
          (void *c, void *u, void *d, void *m, void *n, void *a, void *l, void *r, void *k), \
          (c, u, d, m, n, a, l, r, k)) \
    TIMED(v##gebs2d_, (void *c, void *s, void *t, void *m, void *n, void *a, void *l), \
          (c, s, t, m, n, a, l)) \
    TIMED(v##gebr2d_, \
          (void *c, void *s, void *t, void *m, void *n, void *a, void *l, void *r, void *k), \
          (c, s, t, m, n, a, l, r, k)) \
    TIMED(v##trbs2d_, \
          (void *c, void *s, void *t, void *u, void *d, void *m, void *n, void *a, void *l), \
          (c, s, t, u, d, m, n, a, l)) \
    TIMED(v##trbr2d_, \
          (void *c, void *s, void *t, void *u, void *d, void *m, void *n, void *a, void *l, \
           void *r, void *k), \
          (c, s, t, u, d, m, n, a, l, r, k)) \
    TIMED(v##gsum2d_, \
          (void *c, void *s, void *t, void *m, void *n, void *a, void *l, void *r, void *k), \
          (c, s, t, m, n, a, l, r, k)) \
    TIMED(v##gamx2d_, \
          (void *c, void *s, void *t, void *m, void *n, void *a, void *l, void *x, void *y, \
           void *z, void *r, void *k), \
          (c, s, t, m, n, a, l, x, y, z, r, k)) \
    TIMED(v##gamn2d_, \
          (void *c, void *s, void *t, void *m, void *n, void *a, void *l, void *x, void *y, \
           void *z, void *r, void *k), \
          (c, s, t, m, n, a, l, x, y, z, r, k))

C_POINT(i, int)
C_BROADCAST(i, int)
C_COMBINE(i, int)
C_POINT(d, double)
C_BROADCAST(d, double)
C_COMBINE(d, double)
F_ALL(i)
F_ALL(d)

TIMED(Cblacs_barrier, (int c, const char *s), (c, s))
TIMED(blacs_barrier_, (void *c, void *s), (c, s))
