/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs that test the BLACS share: grids of all shapes that the job's size has, random
 * matrices of every type, and netlib's routines by type. */
#ifndef HY_TEST_GRIDS_FIXTURE_H
#define HY_TEST_GRIDS_FIXTURE_H

#include <hayate/blacs.h>

#include "blacs/matrix.h"
#include "fmpl/scenario.h"

typedef void send_ge(int, int, int, const void *, int, int, int);
typedef void receive_ge(int, int, int, void *, int, int, int);
typedef void send_tr(int, const char *, const char *, int, int, const void *, int, int, int);
typedef void receive_tr(int, const char *, const char *, int, int, void *, int, int, int);
typedef void cast_ge(int, const char *, const char *, int, int, const void *, int);
typedef void recast_ge(int, const char *, const char *, int, int, void *, int, int, int);
typedef void cast_tr(int, const char *, const char *, const char *, const char *, int, int,
                     const void *, int);
typedef void recast_tr(int, const char *, const char *, const char *, const char *, int, int,
                       void *, int, int, int);
typedef void sum_ge(int, const char *, const char *, int, int, void *, int, int, int);
typedef void extreme_ge(int, const char *, const char *, int, int, void *, int, int *, int *, int,
                        int, int);

typedef struct routines {
    const char *name;
    send_ge *gesd;
    receive_ge *gerv;
    send_tr *trsd;
    receive_tr *trrv;
    cast_ge *gebs;
    recast_ge *gebr;
    cast_tr *trbs;
    recast_tr *trbr;
    sum_ge *gsum;
    extreme_ge *amx, *amn;
} routines;

#define ROUTINES(v) \
    { \
#v, (send_ge *)C##v##gesd2d, (receive_ge *)C##v##gerv2d, (send_tr *)C##v##trsd2d, \
            (receive_tr *)C##v##trrv2d, (cast_ge *)C##v##gebs2d, (recast_ge *)C##v##gebr2d, \
            (cast_tr *)C##v##trbs2d, (recast_tr *)C##v##trbr2d, (sum_ge *)C##v##gsum2d, \
            (extreme_ge *)C##v##gamx2d, (extreme_ge *)C##v##gamn2d \
    }

/* In the order of hy_element. */
static const routines all[HY_ELEMENTS] = {ROUTINES(i), ROUTINES(s), ROUTINES(d), ROUTINES(c),
                                          ROUTINES(z)};

/* ---- random numbers that all ranks draw alike ---- */

static uint64_t drawn = 1;

static inline int draw(int below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((drawn >> 33) % (uint64_t)below);
}

/* ---- grids ---- */

static inline int run_with_blacs(int argc, char **argv)
{
    start_ranks(1);
    Cblacs_pinfo(&rank, &size);
    int rc = scenarios_run(argc, argv);
    Cblacs_exit(1);
    end_ranks();
    return rc;
}

typedef struct grid {
    int context, m, n, row, column, place;
} grid;

/* The grid of m x n; context -1 where this rank is not in it. */
static inline grid grid_of(int m, int n)
{
    grid g = {0};
    Cblacs_gridinit(&g.context, draw(2) ? "R" : "c", m, n);
    Cblacs_gridinfo(g.context, &g.m, &g.n, &g.row, &g.column);
    g.place = g.context < 0 ? -1 : g.row * g.n + g.column;
    CHECK(g.context < 0 || (g.m == m && g.n == n));
    return g;
}

static inline void each_grid(void (*run)(const grid *g))
{
    for (int m = 1; m <= size; m++) {
        if (size % m) continue;
        grid g = grid_of(m, size / m);
        run(&g);
        Cblacs_gridexit(g.context);
    }
}

/* ---- matrices ---- */

typedef struct section {
    int element, m, n, lda;
    char uplo, diag; /* G: general */
} section;

static inline section draw_section(void)
{
    static const char shapes[][3] = {"GN", "UN", "UU", "LN", "LU"};
    const char *shape = shapes[draw(5)];
    section s = {draw(HY_ELEMENTS), draw(draw(8) ? 12 : 200), draw(draw(8) ? 12 : 90), 0, 0, 0};
    s.lda = s.m + (draw(2) ? draw(7) : 0);
    if (s.lda == 0) s.lda = 1;
    s.uplo = shape[0];
    s.diag = shape[1];
    return s;
}

/* netlib's definition of the trapezoids, element by element. */
static inline bool belongs_to(const section *s, int i, int j)
{
    int below = i - j - (s->m > s->n && s->uplo == 'U' ? s->m - s->n : 0) -
                (s->m < s->n && s->uplo == 'L' ? s->m - s->n : 0);
    if (s->uplo == 'G') return true;
    if (below == 0) return s->diag != 'U';
    return s->uplo == 'U' ? below < 0 : below > 0;
}

static inline size_t room_of(const section *s)
{
    return (size_t)s->lda * (size_t)s->n * hy_element_bytes((hy_element)s->element);
}

static inline uint8_t *element_of(const section *s, void *memory, int i, int j)
{
    return (uint8_t *)memory +
           ((size_t)j * (size_t)s->lda + (size_t)i) * hy_element_bytes((hy_element)s->element);
}

/* What an element is when the matrix was made from `seed`. */
static inline void value_at(const section *s, uint64_t seed, int i, int j, uint8_t *value)
{
    fill(value, hy_element_bytes((hy_element)s->element), seed + 1000 * (uint64_t)j + (uint64_t)i);
}

#define GUARD 0x5b

static inline uint8_t *make_matrix(const section *s, uint64_t seed)
{
    bool heap = draw(2);
    uint8_t *memory = memory_of(heap, room_of(s) + 1);
    memset(memory, GUARD, room_of(s) + 1);
    for (int j = 0; seed && j < s->n; j++)
        for (int i = 0; i < s->m; i++) value_at(s, seed, i, j, element_of(s, memory, i, j));
    memory[room_of(s)] = heap; /* remembered behind it */
    return memory;
}

static inline void free_matrix(const section *s, uint8_t *memory)
{
    uint8_t heap = memory[room_of(s)];
    CHECK(heap <= 1);
    memory_free(heap, memory);
}

/* The elements that belong to the section are those of `seed`, everything else is untouched. */
static inline void check_received(const section *s, uint8_t *memory, uint64_t seed)
{
    size_t bytes = hy_element_bytes((hy_element)s->element);
    for (int j = 0; j < s->n; j++) {
        for (int i = 0; i < s->lda; i++) {
            uint8_t expected[16], *its = element_of(s, memory, i, j);
            bool inside = i < s->m && belongs_to(s, i, j);
            if (inside) value_at(s, seed, i, j, expected);
            CHECK(inside ? memcmp(its, expected, bytes) == 0 : all_are(its, bytes, GUARD));
        }
    }
}

#endif
