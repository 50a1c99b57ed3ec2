/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times ScaLAPACK over a BLACS: one binary, linked with Debian's libscalapack-openmpi, which
 * `hayate run --blacs` runs over Hayate and mpirun over Open MPI. The matrices are those of the
 * example DenseSolve, on the same grid, so that its time can be compared.
 *
 * Usage: scalapack_bench [N ..]     orders of matrices
 * Prints "case order microseconds percent" on rank 0: the best of three runs, and the part of it
 * that the processes spent in the BLACS, on average.
 */
#include <hayate/blacs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blacs_time.h"

#define NB 64
#define RUNS 3

typedef const int *in;
void pdgetrf_(in m, in n, double *a, in ia, in ja, in desc, int *pivots, int *info);
void pdpotrf_(const char *uplo, in n, double *a, in ia, in ja, in desc, int *info);
void pdgesv_(in n, in columns, double *a, in ia, in ja, in desc, int *pivots, double *b, in ib,
             in jb, in desc_b, int *info);
void pdgemm_(const char *op_a, const char *op_b, in m, in n, in k, const double *alpha,
             const double *a, in ia, in ja, in desc_a, const double *b, in ib, in jb, in desc_b,
             const double *beta, double *c, in ic, in jc, in desc_c);
int numroc_(in n, in nb, in process, in first, in processes);
void descinit_(int *desc, in m, in n, in mb, in nb, in first_row, in first_column, in context,
               in lld, int *info);

static int grid, rank, size;
static const int one = 1, zero = 0, nb = NB;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- matrices ---- */

typedef struct matrix {
    int desc[9], lda, columns; /* of the local part */
    int grid_rows, grid_columns, row, column;
    size_t bytes;
    double *at;
} matrix;

static matrix matrix_of(int m, int n)
{
    matrix x;
    int info;
    Cblacs_gridinfo(grid, &x.grid_rows, &x.grid_columns, &x.row, &x.column);
    x.lda = numroc_(&m, &nb, &x.row, &zero, &x.grid_rows);
    x.columns = numroc_(&n, &nb, &x.column, &zero, &x.grid_columns);
    if (x.lda == 0) x.lda = 1;
    descinit_(x.desc, &m, &n, &nb, &nb, &zero, &zero, &grid, &x.lda, &info);
    x.bytes = ((size_t)x.lda * (size_t)x.columns + 1) * sizeof(double);
    x.at = malloc(x.bytes);
    if (info || !x.at) exit(1);
    memset(x.at, 0, x.bytes);
    return x;
}

/* The finalizer of SplitMix64. */
static uint64_t mix(uint64_t value)
{
    uint64_t z = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Between -0.5 and 0.5, as the class RandomEntries of DenseSolve makes them. */
static double entry(uint64_t seed, int row, int column)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u;
    uint64_t bits = mix(mix(seed + (uint64_t)row * golden) + (uint64_t)column * golden);
    return (double)(bits >> 11) * 0x1p-53 - 0.5;
}

/* Symmetric, with a diagonal that makes it positive definite; or random. */
static void fill(const matrix *x, uint64_t seed, bool definite, int n)
{
    for (int j = 0; j < x->columns; j++) {
        int column = (j / NB * x->grid_columns + x->column) * NB + j % NB;
        double *to = x->at + (size_t)j * (size_t)x->lda;
        for (int i = 0; i < x->lda; i++) {
            int row = (i / NB * x->grid_rows + x->row) * NB + i % NB;
            if (!definite) to[i] = entry(seed, row, column);
            else if (row == column) to[i] = n;
            else to[i] = entry(seed, row > column ? row : column, row > column ? column : row);
        }
    }
}

/* ---- cases ---- */

typedef struct operands {
    matrix a, b, c;
    int n, *pivots;
} operands;

static void run(const char *name, operands *o)
{
    const double alpha = 1, beta = 0;
    int info = 0;
    if (strcmp(name, "pdgetrf") == 0) {
        pdgetrf_(&o->n, &o->n, o->c.at, &one, &one, o->c.desc, o->pivots, &info);
    } else if (strcmp(name, "pdpotrf") == 0) {
        pdpotrf_("L", &o->n, o->c.at, &one, &one, o->c.desc, &info);
    } else if (strcmp(name, "pdgesv") == 0) {
        pdgesv_(&o->n, &one, o->c.at, &one, &one, o->c.desc, o->pivots, o->b.at, &one, &one,
                o->b.desc, &info);
    } else {
        pdgemm_("N", "N", &o->n, &o->n, &o->n, &alpha, o->a.at, &one, &one, o->a.desc, o->b.at,
                &one, &one, o->b.desc, &beta, o->c.at, &one, &one, o->c.desc);
    }
    if (info) fprintf(stderr, "%s: INFO = %d\n", name, info);
    if (info) exit(1);
}

static void measure(const char *name, int n)
{
    bool solves = strcmp(name, "pdgesv") == 0, multiplies = strcmp(name, "pdgemm") == 0;
    double best = 1e30, share = 0;
    operands o = {matrix_of(n, n), matrix_of(n, solves ? 1 : n), matrix_of(n, n), n, NULL};
    o.pivots = calloc((size_t)(o.a.lda + NB), sizeof *o.pivots);
    if (!o.pivots) exit(1);
    fill(&o.a, 1, strcmp(name, "pdpotrf") == 0, n);
    for (int i = 0; i < RUNS; i++) {
        fill(&o.b, 2, false, n);
        if (!multiplies) memcpy(o.c.at, o.a.at, o.a.bytes);
        Cblacs_barrier(grid, "A");
        double before = blacs_seconds(), start = now();
        run(name, &o);
        double inside = blacs_seconds() - before;
        Cblacs_barrier(grid, "A");
        double seconds = now() - start;
        Cdgsum2d(grid, "A", " ", 1, 1, &inside, 1, -1, -1);
        if (seconds < best) best = seconds, share = inside / size / seconds;
    }
    if (rank == 0) printf("%s %d %.0f %.1f\n", name, n, best * 1e6, share * 100);
    fflush(stdout);
    free(o.a.at);
    free(o.b.at);
    free(o.c.at);
    free(o.pivots);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"pdgetrf", "pdpotrf", "pdgemm", "pdgesv"};
    int rows = 1;
    Cblacs_pinfo(&rank, &size);
    for (int r = 1; r * r <= size; r++)
        if (size % r == 0) rows = r;
    Cblacs_get(-1, 0, &grid);
    Cblacs_gridinit(&grid, "R", rows, size / rows);
    for (int i = 1; i < argc; i++)
        for (int which = 0; which < 4; which++) measure(names[which], atoi(argv[i]));
    Cblacs_gridexit(grid);
    Cblacs_exit(0);
    return 0;
}
