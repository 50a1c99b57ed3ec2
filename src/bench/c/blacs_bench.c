/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times the BLACS and ScaLAPACK: one binary, linked with Debian's libscalapack-openmpi, which
 * `hayate run --blacs` runs over Hayate and mpirun over Open MPI.
 *
 * Every sender writes its matrix before it sends, and every receiver reads what it got: a library
 * that leaves data in another cache pays for that. The time for both is measured, too, and does not
 * count in the ping-pong.
 *
 * Usage: blacs_bench SECONDS [N ..]    time for each line of the small cases; orders of matrices
 * Prints "case bytes microseconds" or "case order microseconds" on rank 0.
 */
#include <hayate/blacs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NB 64
#define LARGEST (8 << 20)

void pdgetrf_(const int *, const int *, double *, const int *, const int *, const int *, int *,
              int *);
void pdpotrf_(const char *, const int *, double *, const int *, const int *, const int *, int *);
void pdgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
             const double *, const int *, const int *, const int *, const double *, const int *,
             const int *, const int *, const double *, double *, const int *, const int *,
             const int *);
int numroc_(const int *, const int *, const int *, const int *, const int *);
void descinit_(int *, const int *, const int *, const int *, const int *, const int *, const int *,
               const int *, const int *, int *);

static int rank, size, line; /* line: the context of 1 x size */
static double seconds_each = 0.2;
static double *memory;
static volatile double seen; /* what was read is used */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- matrices ---- */

typedef struct matrix {
    int m, n, lda;
    char shape; /* G, or U: the upper triangle */
} matrix;

static int rows_of(const matrix *x, int column)
{
    return x->shape == 'U' && column + 1 < x->m ? column + 1 : x->m;
}

static void write_all(const matrix *x, double value)
{
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < rows_of(x, j); i++)
            memory[(size_t)j * (size_t)x->lda + (size_t)i] = value;
}

static void read_all(const matrix *x)
{
    double sum = 0;
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < rows_of(x, j); i++)
            sum += memory[(size_t)j * (size_t)x->lda + (size_t)i];
    seen = sum;
}

/* Of about so many elements, as square as powers of two can be. */
static matrix matrix_of(size_t elements, char shape, int stretch)
{
    matrix x = {1, 1, 1, shape};
    while ((size_t)x.m * (size_t)x.n < elements) {
        if (x.m <= x.n) x.m *= 2;
        else x.n *= 2;
    }
    if (shape == 'U') {
        x.m = 1;
        while ((size_t)x.m * (size_t)(x.m + 1) / 2 < elements) x.m++;
        x.n = x.m;
    }
    x.lda = stretch * x.m;
    return x;
}

/* ---- point to point: processes 0 and 1 ---- */

static void send_to(const matrix *x, int to)
{
    if (x->shape == 'G') Cdgesd2d(line, x->m, x->n, memory, x->lda, 0, to);
    else Cdtrsd2d(line, "U", "N", x->m, x->n, memory, x->lda, 0, to);
}

static void receive_from(const matrix *x, int from)
{
    if (x->shape == 'G') Cdgerv2d(line, x->m, x->n, memory, x->lda, 0, from);
    else Cdtrrv2d(line, "U", "N", x->m, x->n, memory, x->lda, 0, from);
}

/* Returns the seconds of half a round trip, without those of writing and reading. */
static double ping(const matrix *x, int rounds)
{
    double start = 0, out = 0, touch, theirs = 0;
    touch = 0;
    Cblacs_barrier(line, "A");
    for (int i = 0; i < rounds && rank < 2; i++) {
        double before = now();
        if (rank == 1) receive_from(x, 0);
        if (rank == 1) {
            start = now();
            read_all(x);
        }
        if (rank == 0) start = now();
        write_all(x, i);
        touch += now() - start;
        send_to(x, !rank);
        if (rank == 0) {
            receive_from(x, 1);
            start = now();
            read_all(x);
            touch += now() - start;
        }
        out += now() - before;
    }
    if (rank == 1) Cdgesd2d(line, 1, 1, &touch, 1, 0, 0);
    if (rank == 0) Cdgerv2d(line, 1, 1, &theirs, 1, 0, 1);
    return (out - touch - theirs) / rounds / 2;
}

/* ---- one call of a collective ---- */

typedef enum kind { BROADCAST, SUM, EXTREME } kind;

static double collective(const matrix *x, kind what, int rounds)
{
    static int rows[LARGEST / 8], columns[LARGEST / 8];
    Cblacs_barrier(line, "A");
    double start = now();
    for (int i = 0; i < rounds; i++) {
        int root = i % size;
        if (what != BROADCAST || root == rank) write_all(x, i);
        if (what == SUM) Cdgsum2d(line, "A", " ", x->m, x->n, memory, x->lda, -1, -1);
        else if (what == EXTREME)
            Cdgamx2d(line, "A", " ", x->m, x->n, memory, x->lda, rows, columns, x->m, -1, -1);
        else if (root == rank) Cdgebs2d(line, "A", " ", x->m, x->n, memory, x->lda);
        else Cdgebr2d(line, "A", " ", x->m, x->n, memory, x->lda, 0, root);
        if (what != BROADCAST || root != rank) read_all(x);
    }
    Cblacs_barrier(line, "A");
    return (now() - start) / rounds;
}

/* ---- measuring ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double once(const matrix *x, int what, int rounds)
{
    return what < 0 ? ping(x, rounds) : collective(x, (kind)what, rounds);
}

/* All agree on the number of rounds: the one of rank 0. */
static void small_case(const char *name, matrix x, int what)
{
    double samples[9];
    int rounds = 1;
    once(&x, what, 2);
    double start = now();
    once(&x, what, 8);
    rounds = (int)(seconds_each / 9 / ((now() - start) / 8 + 1e-9));
    rounds = rounds < 4 ? 4 : rounds > 100000 ? 100000 : rounds;
    if (rank != 0) rounds = 0;
    Cigsum2d(line, "A", " ", 1, 1, &rounds, 1, -1, -1);
    for (int i = 0; i < 9; i++) samples[i] = once(&x, what, rounds);
    qsort(samples, 9, sizeof *samples, compare);
    size_t elements = 0;
    for (int j = 0; j < x.n; j++) elements += (size_t)rows_of(&x, j);
    if (rank == 0) printf("%s %zu %.3f\n", name, elements * 8, samples[4] * 1e6);
    fflush(stdout);
}

static void small_cases(void)
{
    for (size_t bytes = 8; bytes <= LARGEST; bytes *= 8) {
        small_case("gesd2d", matrix_of(bytes / 8, 'G', 1), -1);
        small_case("gesd2d-strided", matrix_of(bytes / 8, 'G', 2), -1);
        small_case("trsd2d", matrix_of(bytes / 8, 'U', 1), -1);
    }
    small_case("gesd2d", matrix_of(LARGEST / 8, 'G', 1), -1);
    small_case("gesd2d-strided", matrix_of(LARGEST / 8, 'G', 2), -1);
    small_case("trsd2d", matrix_of(LARGEST / 8, 'U', 1), -1);
    small_case("gebs2d", matrix_of(1024, 'G', 1), BROADCAST);
    for (size_t bytes = 8; bytes <= 256 << 10; bytes = bytes == 8 ? 8 << 10 : bytes * 32)
        small_case("gsum2d", matrix_of(bytes / 8, 'G', 1), SUM);
    small_case("gamx2d", matrix_of(1, 'G', 1), EXTREME);
    small_case("gamx2d", matrix_of(1024, 'G', 1), EXTREME);
}

/* ---- ScaLAPACK ---- */

static void factor(const char *name, int n)
{
    const int one = 1, zero = 0, nb = NB;
    const double alpha = 1, beta = 0;
    int grid, m, k, row, column, info, rows = 1, descriptor[9];
    for (int r = 1; r * r <= size; r++)
        if (size % r == 0) rows = r;
    Cblacs_get(-1, 0, &grid);
    Cblacs_gridinit(&grid, "R", rows, size / rows);
    Cblacs_gridinfo(grid, &m, &k, &row, &column);
    int mine = numroc_(&n, &nb, &row, &zero, &m), its = numroc_(&n, &nb, &column, &zero, &k);
    int lda = mine > 1 ? mine : 1;
    size_t elements = (size_t)lda * (size_t)(its > 1 ? its : 1);
    descinit_(descriptor, &n, &n, &nb, &nb, &zero, &zero, &grid, &lda, &info);
    double *a = calloc(elements, 8), *b = calloc(elements, 8), *c = calloc(elements, 8);
    int *pivots = calloc((size_t)(mine + NB), sizeof *pivots);
    for (int j = 0; j < its; j++) {
        for (int i = 0; i < mine; i++) {
            int gi = (i / NB * m + row) * NB + i % NB, gj = (j / NB * k + column) * NB + j % NB;
            a[(size_t)j * (size_t)lda + (size_t)i] = gi == gj
                                                         ? 2.0 * n
                                                         : 1.0 /
                                                               (1 + (gi > gj ? gi - gj : gj - gi));
        }
    }
    memcpy(b, a, elements * 8);
    Cblacs_barrier(grid, "A");
    double start = now();
    if (strcmp(name, "pdgetrf") == 0) pdgetrf_(&n, &n, a, &one, &one, descriptor, pivots, &info);
    else if (strcmp(name, "pdpotrf") == 0) pdpotrf_("L", &n, a, &one, &one, descriptor, &info);
    else
        pdgemm_("N", "N", &n, &n, &n, &alpha, a, &one, &one, descriptor, b, &one, &one, descriptor,
                &beta, c, &one, &one, descriptor);
    Cblacs_barrier(grid, "A");
    if (rank == 0) printf("%s %d %.0f\n", name, n, (now() - start) * 1e6);
    fflush(stdout);
    free(a);
    free(b);
    free(c);
    free(pivots);
    Cblacs_gridexit(grid);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"pdgetrf", "pdpotrf", "pdgemm"};
    if (argc > 1) seconds_each = atof(argv[1]);
    Cblacs_pinfo(&rank, &size);
    Cblacs_get(-1, 0, &line);
    Cblacs_gridinit(&line, "R", 1, size);
    memory = calloc(2, LARGEST * 2);
    if (!memory || size < 2) return 1;
    if (seconds_each > 0) small_cases();
    for (int i = 2; i < argc; i++)
        for (int which = 0; which < 3; which++) factor(names[which], atoi(argv[i]));
    Cblacs_gridexit(line);
    Cblacs_exit(0);
    return 0;
}
