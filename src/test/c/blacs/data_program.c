/* SPDX-License-Identifier: Apache-2.0 */
/* Every data routine of the BLACS against a plain model, with random matrices, on all grids. */
#include <math.h>

#include "blacs/grids_fixture.h"

#define ROUNDS 60

/* ---- point to point ---- */

static void send_one(const grid *g, const section *s, const uint8_t *a, int row, int column)
{
    const routines *r = &all[s->element];
    if (s->uplo == 'G') r->gesd(g->context, s->m, s->n, a, s->lda, row, column);
    else r->trsd(g->context, &s->uplo, &s->diag, s->m, s->n, a, s->lda, row, column);
}

static void receive_one(const grid *g, const section *s, uint8_t *a, int row, int column)
{
    const routines *r = &all[s->element];
    if (s->uplo == 'G') r->gerv(g->context, s->m, s->n, a, s->lda, row, column);
    else r->trrv(g->context, &s->uplo, &s->diag, s->m, s->n, a, s->lda, row, column);
}

/* All send to the process `step` further, then receive from the one `step` before. */
static void exchange(const grid *g)
{
    int count = g->m * g->n, to_row, to_column, from_row, from_column;
    for (int round = 0; round < ROUNDS; round++) {
        section sent = draw_section(), received = sent;
        int step = draw(count);
        received.lda += draw(5);
        Cblacs_pcoord(g->context, (g->place + step) % count, &to_row, &to_column);
        Cblacs_pcoord(g->context, (g->place + count - step) % count, &from_row, &from_column);
        uint8_t *a = make_matrix(&sent, 7 + (uint64_t)g->place), *b = make_matrix(&received, 0);
        send_one(g, &sent, a, to_row, to_column);
        memset(a, 1, room_of(&sent)); /* locally blocking: the matrix may be changed */
        receive_one(g, &received, b, from_row, from_column);
        check_received(&received, b, 7 + (uint64_t)((g->place + count - step) % count));
        free_matrix(&sent, a);
        free_matrix(&received, b);
    }
}

SCENARIO_AS("point", should_move_every_type_and_shape)
{
    each_grid(exchange);
}

/* ---- broadcasts ---- */

static const char tops[] = " i1d2s3hft456789mIDSHFTM";

static void broadcast_one(const grid *g, const char *scope, const char *top, section s, int row,
                          int column)
{
    bool root = g->row == row && g->column == column;
    const routines *r = &all[s.element];
    uint64_t seed = 100 + (uint64_t)(row * g->n + column);
    uint8_t *a = make_matrix(&s, root ? seed : 0);
    if (root && s.uplo == 'G') r->gebs(g->context, scope, top, s.m, s.n, a, s.lda);
    else if (root) r->trbs(g->context, scope, top, &s.uplo, &s.diag, s.m, s.n, a, s.lda);
    else if (s.uplo == 'G') r->gebr(g->context, scope, top, s.m, s.n, a, s.lda, row, column);
    else r->trbr(g->context, scope, top, &s.uplo, &s.diag, s.m, s.n, a, s.lda, row, column);
    if (root) memset(a, 1, room_of(&s));
    else check_received(&s, a, seed);
    free_matrix(&s, a);
}

static void broadcast(const grid *g)
{
    for (int round = 0; round < ROUNDS; round++) {
        section s = draw_section();
        const char *scope = &"arcARC"[draw(6)];
        char top[2] = {tops[draw((int)sizeof tops - 1)], 0};
        int row = draw(g->m), column = draw(g->n);
        if ((*scope | 32) == 'r') row = g->row; /* each row has a root of its own */
        if ((*scope | 32) == 'c') column = g->column;
        broadcast_one(g, scope, top, s, row, column);
    }
}

SCENARIO_AS("broadcast", should_broadcast_in_every_scope_and_topology)
{
    each_grid(broadcast);
}

/* ---- combines ---- */

/* Small whole numbers, so that sums are exact; many are equal in their absolute values. */
static double part_of(int place, int i, int j, int part)
{
    return (double)((int)(word_at((uint64_t)place + 1, (uint64_t)(part + 2 * i + 50 * j)) % 7) - 3);
}

static void put(const section *s, uint8_t *at, const double value[2])
{
    float single[2] = {(float)value[0], (float)value[1]};
    int32_t whole = (int32_t)value[0];
    size_t bytes = hy_element_bytes((hy_element)s->element);
    if (s->element == HY_ELEMENT_INT) memcpy(at, &whole, bytes);
    else if (s->element == HY_ELEMENT_FLOAT || s->element == HY_ELEMENT_COMPLEX_FLOAT)
        memcpy(at, single, bytes);
    else memcpy(at, value, bytes);
}

static bool is_complex(const section *s)
{
    return s->element >= HY_ELEMENT_COMPLEX_FLOAT;
}

static void own_value(const section *s, int place, int i, int j, double value[2])
{
    value[0] = part_of(place, i, j, 0);
    value[1] = is_complex(s) ? part_of(place, i, j, 1) : 0;
}

typedef struct members {
    int count, first, step; /* their places in the grid */
} members;

static members members_of_scope(const grid *g, char scope)
{
    if (scope == 'r') return (members){g->n, g->row * g->n, 1};
    if (scope == 'c') return (members){g->m, g->column, g->n};
    return (members){g->m * g->n, 0, 1};
}

static double absolute(const double v[2])
{
    return (v[0] < 0 ? -v[0] : v[0]) + (v[1] < 0 ? -v[1] : v[1]);
}

static bool is_larger(const double a[2], const double b[2])
{
    return a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
}

/* The result of an element, and the place of the process that it comes from. */
static int model(const section *s, members in, char what, bool located, int origin, int i, int j,
                 double result[2])
{
    int best = -1;
    double value[2];
    result[0] = result[1] = 0;
    for (int k = 0; k < in.count; k++) { /* by distance */
        int place = in.first + (origin + k) % in.count * in.step;
        own_value(s, place, i, j, value);
        if (what == '+') {
            result[0] += value[0];
            result[1] += value[1];
            continue;
        }
        double mine = absolute(result), its = absolute(value);
        bool better = what == '>' ? its > mine : its < mine;
        if (best < 0 || better || (!located && its == mine && is_larger(value, result))) {
            best = place;
            memcpy(result, value, sizeof value);
        }
    }
    return best;
}

typedef struct combining {
    const grid *g;
    section s;
    char scope, what;
    int row, column, ldia;
} combining;

static void check_combined(const combining *c, uint8_t *a, const int *ra, const int *ca)
{
    const grid *g = c->g;
    members in = members_of_scope(g, c->scope);
    bool all_receive = c->row == -1 || c->column == -1;
    bool receives = all_receive || (g->row == c->row && g->column == c->column);
    int origin = all_receive       ? 0
                 : c->scope == 'r' ? c->column
                 : c->scope == 'c' ? c->row
                                   : c->row * g->n + c->column;
    size_t bytes = hy_element_bytes((hy_element)c->s.element);
    for (int j = 0; j < c->s.n; j++) {
        for (int i = 0; i < c->s.m; i++) {
            uint8_t expected[16];
            double value[2];
            int from = model(&c->s, in, c->what, c->ldia != -1, origin, i, j, value);
            if (!receives) own_value(&c->s, g->place, i, j, value);
            put(&c->s, expected, value);
            CHECK(memcmp(element_of(&c->s, a, i, j), expected, bytes) == 0);
            if (!receives || c->what == '+' || c->ldia == -1) continue;
            CHECK(ra[j * c->ldia + i] == from / g->n);
            CHECK(ca[j * c->ldia + i] == from % g->n);
        }
    }
}

static void combine_one(const combining *c, const char *top)
{
    const routines *r = &all[c->s.element];
    const section *s = &c->s;
    uint8_t *a = make_matrix(s, 0);
    size_t places = (size_t)(c->ldia > 0 ? c->ldia : 1) * (size_t)s->n + 1;
    int *ra = calloc(places, sizeof *ra), *ca = calloc(places, sizeof *ca);
    for (int j = 0; j < s->n; j++) {
        for (int i = 0; i < s->m; i++) {
            double value[2];
            own_value(s, c->g->place, i, j, value);
            put(s, element_of(s, a, i, j), value);
        }
    }
    if (c->what == '+')
        r->gsum(c->g->context, &c->scope, top, s->m, s->n, a, s->lda, c->row, c->column);
    else
        (c->what == '>' ? r->amx : r->amn)(c->g->context, &c->scope, top, s->m, s->n, a, s->lda, ra,
                                           ca, c->ldia, c->row, c->column);
    check_combined(c, a, ra, ca);
    free(ra);
    free(ca);
    free_matrix(s, a);
}

static void combine(const grid *g)
{
    for (int round = 0; round < ROUNDS; round++) {
        combining c = {
            .g = g, .s = draw_section(), .scope = "arc"[draw(3)], .what = "+><"[draw(3)]};
        char top[2] = {tops[draw((int)sizeof tops - 1)], 0};
        c.s.uplo = 'G';
        c.ldia = draw(3) ? c.s.m + draw(3) + (c.s.m == 0) : -1;
        c.row = draw(g->m);
        c.column = draw(g->n);
        if (c.scope == 'r') c.row = g->row;
        if (c.scope == 'c') c.column = g->column;
        if (draw(2)) c.row = c.column = -1;
        int repeatable = draw(2);
        Cblacs_set(g->context, 15, &repeatable);
        combine_one(&c, top);
    }
}

SCENARIO_AS("combine", should_combine_in_every_scope_and_topology)
{
    each_grid(combine);
}

static void find_nan(const grid *g)
{
    for (int who = 0; who < g->m * g->n; who++) {
        double a[2] = {g->place == who ? 0.0 / 0.0 : g->place + 1.0, -1.0}, b[2] = {a[0], a[1]};
        int ra[2], ca[2];
        Cdgamx2d(g->context, "A", " ", 2, 1, a, 2, ra, ca, 2, -1, -1);
        CHECK(a[0] != a[0] && ra[0] * g->n + ca[0] == who);
        CHECK(a[1] == -1.0 && ra[1] == 0 && ca[1] == 0);
        Cdgamn2d(g->context, "A", "h", 2, 1, b, 2, NULL, NULL, -1, -1, -1);
        CHECK(b[0] != b[0] && b[1] == -1.0);
    }
}

SCENARIO_AS("nan", should_find_nan_on_every_process)
{
    each_grid(find_nan);
}

/* Both parts, also where a scope is one process. */
static void find_complex_nan(const grid *g)
{
    double a[6] = {0.0 / 0.0, 3, -1, -1, 0.0 / 0.0, 3}, b[2] = {a[0], 3};
    for (int scope = 0; scope < 3; scope++) {
        Czgamx2d(g->context, &"A\0R\0C"[2 * scope], " ", 1, 2, a, 2, NULL, NULL, -1, -1, -1);
        Czgamn2d(g->context, &"A\0R\0C"[2 * scope], " ", 1, 1, b, 1, NULL, NULL, -1, -1, -1);
        CHECK(isnan(a[0]) && isnan(a[1]) && isnan(a[4]) && isnan(a[5]));
        CHECK(isnan(b[0]) && isnan(b[1]));
        CHECK(a[2] == -1 && a[3] == -1);
        a[1] = a[5] = b[1] = 3;
    }
}

SCENARIO_AS("complex nan", should_give_both_parts_of_nan)
{
    each_grid(find_complex_nan);
}

static void check_same_on_all(const grid *g, const void *values, int bytes)
{
    int32_t words[8];
    memcpy(words, values, (size_t)bytes);
    Cigamx2d(g->context, "A", " ", bytes / 4, 1, words, bytes / 4, NULL, NULL, -1, -1, -1);
    CHECK(memcmp(words, values, (size_t)bytes) == 0);
}

/* Zeros of both signs, and NaN that differ. */
static void find_zero_and_nan(const grid *g)
{
    for (int round = 0; round < 5; round++) {
        uint64_t nan = UINT64_C(0x7ff8000000000001) + (uint64_t)g->place;
        double a[4] = {g->place % 2 ? 0.0 : -0.0, 0, 0, g->place % 2 ? -0.0 : 0.0};
        memcpy(&a[1], &nan, sizeof nan);
        a[2] = a[g->place % 2];
        const char *top = &" ifh1"[round];
        Cdgamx2d(g->context, "A", top, 2, 1, a, 2, NULL, NULL, -1, -1, -1);
        Czgamn2d(g->context, "A", top, 1, 1, a + 2, 1, NULL, NULL, -1, -1, -1);
        check_same_on_all(g, a, sizeof a);
        CHECK(a[0] == 0 && signbit(a[0]) == (g->m * g->n == 1));
    }
}

SCENARIO_AS("bits", should_get_the_same_bits_on_every_process)
{
    each_grid(find_zero_and_nan);
}

static void sum_again(const grid *g)
{
    double first[3] = {0, 0, 0};
    int repeatable = 1;
    Cblacs_set(g->context, 15, &repeatable);
    for (int round = 0; round < 5; round++) {
        double a[3];
        for (int i = 0; i < 3; i++) a[i] = 1.0 / (3 + g->place + 17 * i) * (i == 1 ? 1e16 : 1);
        Cdgsum2d(g->context, "A", &" ifh1"[round], 3, 1, a, 3, -1, -1);
        if (round == 0) memcpy(first, a, sizeof a);
        CHECK(memcmp(first, a, sizeof a) == 0); /* whatever the topology */
        check_same_on_all(g, a, sizeof a);
    }
}

SCENARIO_AS("repeatable", should_add_in_the_same_order_when_repeatable)
{
    each_grid(sum_again);
}

int main(int argc, char **argv)
{
    return run_with_blacs(argc, argv);
}
