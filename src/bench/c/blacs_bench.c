/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times the BLACS: one binary, linked with Debian's libscalapack-openmpi, which `hayate run
 * --blacs` runs over Hayate and mpirun over Open MPI. Linked with blacs_limit.c instead (and
 * POINT_TO_POINT_ONLY), it tells what the machine allows.
 *
 * Every sender writes its matrix before it sends, and every receiver reads what it got: a library
 * that leaves data in another cache pays for that. The time for both is measured, too, and does not
 * count in the ping-pong; nor does that of reading the clock.
 *
 * Usage: blacs_bench [SECONDS]    for each line, default 0.2
 * Prints "case bytes microseconds" on rank 0.
 */
#include <hayate/blacs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LARGEST (8 << 20)

static int rank, size, line; /* line: the context of 1 x size */
static double seconds_each = 0.2, clock_cost;
static double *memory;
static volatile double seen; /* what was read is used */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double cost_of_clock(void)
{
    double start = now(), end = start;
    for (int i = 0; i < 10000; i++) end = now();
    return (end - start) / 10000;
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

/* Writes, and for the partner reads before, what travels; returns the seconds that it took. */
static double touch(const matrix *x, bool reads, bool writes, int value)
{
    double start = now();
    if (reads) read_all(x);
    if (writes) write_all(x, value);
    return now() - start - clock_cost;
}

/* Returns the seconds of half a round trip, without those of writing and reading. */
static double ping(const matrix *x, int rounds)
{
    double all = 0, mine = 0, theirs = 0;
    Cblacs_barrier(line, "A");
    for (int i = 0; i < rounds && rank < 2; i++) {
        double start = now();
        if (rank == 1) receive_from(x, 0);
        mine += touch(x, rank == 1, true, i);
        send_to(x, !rank);
        if (rank == 0) {
            receive_from(x, 1);
            mine += touch(x, true, false, i);
        }
        all += now() - start;
    }
    if (rank == 1) Cdgesd2d(line, 1, 1, &mine, 1, 0, 0);
    if (rank == 0) Cdgerv2d(line, 1, 1, &theirs, 1, 0, 1);
    /* Between the first and the last of a round trip the clock was read seven times. */
    return (all - mine - theirs) / rounds / 2 - 3.5 * clock_cost;
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

static void point_to_point(void)
{
    for (size_t bytes = 8; bytes <= LARGEST; bytes *= 4) {
        small_case("gesd2d", matrix_of(bytes / 8, 'G', 1), -1);
        small_case("gesd2d-strided", matrix_of(bytes / 8, 'G', 2), -1);
        small_case("trsd2d", matrix_of(bytes / 8, 'U', 1), -1);
    }
}

#ifndef POINT_TO_POINT_ONLY
static void collectives(void)
{
    small_case("gebs2d", matrix_of(1024, 'G', 1), BROADCAST);
    for (size_t bytes = 8; bytes <= 256 << 10; bytes = bytes == 8 ? 8 << 10 : bytes * 32)
        small_case("gsum2d", matrix_of(bytes / 8, 'G', 1), SUM);
    small_case("gamx2d", matrix_of(1, 'G', 1), EXTREME);
    small_case("gamx2d", matrix_of(1024, 'G', 1), EXTREME);
}
#endif

int main(int argc, char **argv)
{
    if (argc > 1) seconds_each = atof(argv[1]);
    Cblacs_pinfo(&rank, &size);
    Cblacs_get(-1, 0, &line);
    Cblacs_gridinit(&line, "R", 1, size);
    memory = calloc(2, LARGEST * 2);
    if (!memory || size < 2) return 1;
    clock_cost = cost_of_clock();
    point_to_point();
#ifndef POINT_TO_POINT_ONLY
    collectives();
#endif
    Cblacs_gridexit(line);
    Cblacs_exit(0);
    return 0;
}
