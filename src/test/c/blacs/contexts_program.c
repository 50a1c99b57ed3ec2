/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of the BLACS: how they begin and end, what must not wait, and what is refused. */
#include <limits.h>
#include <pthread.h>

#include "base/scarce_fixture.h"
#include "blacs/grids_fixture.h"
#include "init/join.h"
#include "job/shrinkers.h"

static hy_matrix doubles(double *a, int m, int n, int lda)
{
    return (hy_matrix){.memory = {.address = (uint8_t *)a},
                       .m = m,
                       .n = n,
                       .lda = lda,
                       .element = HY_ELEMENT_DOUBLE};
}

static hy_where in(int context, char scope)
{
    return (hy_where){context, scope, ' '};
}

static const hy_locations nowhere;

/* ---- what must not wait ---- */

#define SENDS 10
#define LARGEST (1 << 17) /* doubles */

SCENARIO_AS("sends", should_send_ten_times_to_each_before_any_receive)
{
    grid g = grid_of(1, size);
    double *a = malloc(LARGEST * sizeof *a);
    for (int k = 0; k < SENDS; k++) {
        for (int to = 0; to < size; to++) {
            int n = 1 << (k * 17 / (SENDS - 1));
            for (int i = 0; i < n; i++) a[i] = 100 * g.place + k;
            Cdgesd2d(g.context, n, 1, a, n, 0, to);
        }
    }
    for (int from = 0; from < size; from++) {
        for (int k = 0; k < SENDS; k++) {
            int n = 1 << (k * 17 / (SENDS - 1));
            Cdgerv2d(g.context, n, 1, a, n, 0, from);
            for (int i = 0; i < n; i++) CHECK(a[i] == 100 * from + k);
        }
    }
    free(a);
    Cblacs_gridexit(g.context);
}

/* The receivers of a broadcast come only when its root has told them, by a message after it. */
SCENARIO_AS("roots", should_broadcast_without_waiting_for_receivers)
{
    grid g = grid_of(1, size);
    double *a = malloc(LARGEST * sizeof *a), word = 0;
    for (int root = 0; root < size; root++) {
        for (int n = 1; n <= LARGEST; n *= 16) {
            if (g.place == root) {
                for (int i = 0; i < n; i++) a[i] = root + n;
                Cdgebs2d(g.context, "R", " ", n, 1, a, n);
                memset(a, 0, (size_t)n * sizeof *a);
                for (int to = 0; to < size; to++)
                    if (to != root) Cdgesd2d(g.context, 1, 1, &word, 1, 0, to);
                continue;
            }
            Cdgerv2d(g.context, 1, 1, &word, 1, 0, root);
            Cdgebr2d(g.context, "R", " ", n, 1, a, n, 0, root);
            for (int i = 0; i < n; i++) CHECK(a[i] == root + n);
        }
    }
    free(a);
    Cblacs_gridexit(g.context);
}

SCENARIO_AS("ends", should_finish_a_broadcast_before_its_context_ends)
{
    double a[4096];
    grid g = grid_of(size, 1);
    for (int i = 0; i < 4096; i++) a[i] = g.place == 0 ? i : -1;
    if (g.place == 0) Cdgebs2d(g.context, "C", " ", 64, 64, a, 64);
    else Cdgebr2d(g.context, "C", " ", 64, 64, a, 64, 0, 0);
    Cblacs_gridexit(g.context);
    CHECK(a[4095] == 4095);
}

/* ---- contexts ---- */

SCENARIO_AS("map", should_name_processes_by_the_map)
{
    int *map = malloc((size_t)size * sizeof *map), context = 0, m, n, row, column;
    for (int i = 0; i < size; i++) map[i] = size - 1 - i;
    Cblacs_gridmap(&context, map, 1, 1, size);
    Cblacs_gridinfo(context, &m, &n, &row, &column);
    CHECK(m == 1 && n == size && row == 0 && column == size - 1 - rank);
    int number = 0, mine = Cblacs_pnum(context, 0, column);
    CHECK(mine == column && Cblacs_pnum(context, 0, size) == -1);
    Cigsum2d(context, "A", " ", 1, 1, &number, 1, -1, -1);
    Cblacs_gridexit(context);
    Cblacs_gridinfo(context, &m, &n, &row, &column);
    CHECK(m == -1 && n == -1 && row == -1 && column == -1);
    free(map);
}

void blacs_gridinit_(int *context, const char *order, const int *m, const int *n);

/* With netlib, Fortran's number of a communicator is a system handle. */
SCENARIO_AS("fortran", should_take_the_world_of_every_mpi_from_fortran)
{
    const int worlds[] = {0 /* Open MPI */, 0x44000000 /* MPICH */}, one = 1;
    for (int i = 0; i < 2; i++) {
        int context = worlds[i], sum = 1;
        blacs_gridinit_(&context, "R", &one, &size);
        Cigsum2d(context, "A", " ", 1, 1, &sum, 1, -1, -1);
        CHECK(sum == size);
        Cblacs_gridexit(context);
    }
}

/* Those that are not in the first context do not call for the second one. */
SCENARIO_AS("second", should_make_a_context_of_the_processes_of_another)
{
    int few = size > 1 ? size - 1 : 1, system, one = 1;
    grid g = grid_of(few, 1);
    CHECK((g.context == -1) == (rank >= few));
    if (g.context == -1) return;
    Cblacs_get(g.context, 10, &system);
    int second = system;
    Cblacs_gridinit(&second, "R", 1, few);
    Cigsum2d(second, "R", " ", 1, 1, &one, 1, -1, -1);
    CHECK(one == few);
    Cblacs_gridexit(g.context);
    Cblacs_gridexit(second);
}

#define MANY 40

SCENARIO_AS("many", should_keep_many_contexts_apart)
{
    int contexts[MANY];
    for (int i = 0; i < MANY; i++) {
        contexts[i] = 0;
        Cblacs_gridinit(&contexts[i], "R", 1, size);
        for (int j = 0; j < i; j++) CHECK(contexts[j] != contexts[i]);
    }
    for (int i = 0; i < MANY; i++) Cigesd2d(contexts[i], 1, 1, &i, 1, 0, (rank + 1) % size);
    for (int i = MANY - 1; i >= 0; i--) { /* in another order */
        int got = -1, all_of = i;
        Cigerv2d(contexts[i], 1, 1, &got, 1, 0, (rank + size - 1) % size);
        CHECK(got == i);
        Cigsum2d(contexts[i], "A", " ", 1, 1, &all_of, 1, -1, -1);
        CHECK(all_of == i * size);
        Cblacs_gridexit(contexts[i]);
    }
}

static int count_work(const hy_job *job)
{
    int count = 0;
    for (const hy_work *work = job->background.first; work; work = work->next) count++;
    return count;
}

static int count_shrinkers(const hy_job *job)
{
    int count = 0;
    for (const hy_shrinker *s = job->shrinkers; s; s = s->next) count++;
    return count;
}

/* A wait looks at none of the contexts that send nothing. */
SCENARIO_AS("idle", should_not_slow_down_progress_by_idle_contexts)
{
    hy_job *job = hy_process_job();
    int contexts[MANY], work = count_work(job), shrinkers = count_shrinkers(job);
    for (int i = 0; i < MANY; i++) {
        contexts[i] = 0;
        Cblacs_gridinit(&contexts[i], "R", 1, size);
    }
    CHECK(count_work(job) == work);
    CHECK(count_shrinkers(job) == shrinkers);
    for (int i = 0; i < MANY; i++) Cblacs_gridexit(contexts[i]);
}

/* ---- agreement ---- */

/* The codes of all processes, each at its place. */
static void exchange_codes(const grid *g, int mine, int codes[])
{
    for (int i = 0; i < size; i++) codes[i] = i == g->place ? mine : 0;
    Cigsum2d(g->context, "A", " ", size, 1, codes, size, -1, -1);
}

/* One process has no memory for its first allocation, for its second one, and so on. */
SCENARIO_AS("memory", should_fail_on_all_processes_if_one_has_no_memory)
{
    int *codes = malloc((size_t)size * sizeof *codes), context;
    grid g = grid_of(1, size);
    for (int poor = 0; poor < size; poor++) {
        for (int allocation = 1, failed = 1; failed; allocation++) {
            CHECK(allocation < 100);
            if (g.place == poor) scarce = allocation;
            int rc = hayate_blacs_gridinit(0, 'r', size % 2 ? 1 : 2, size % 2 ? size : size / 2,
                                           &context);
            scarce = 0;
            CHECK(rc == HAYATE_OK || rc == HAYATE_ERR_NO_MEMORY);
            CHECK(rc == HAYATE_OK || context == -1);
            exchange_codes(&g, rc, codes);
            for (int i = 0; i < size; i++) CHECK_CODE(codes[i], rc);
            failed = rc != HAYATE_OK;
            CHECK(failed || allocation > 2); /* what an attempt leaves serves the next one */
            if (!failed) CHECK_OK(hayate_blacs_gridexit(context));
        }
    }
    Cblacs_gridexit(g.context);
    free(codes);
}

/* One process takes the grid for a column, which the others take for a row; or it numbers them the
 * other way around, or leaves one out. */
SCENARIO_AS("maps", should_fail_on_all_processes_if_their_maps_differ)
{
    int *codes = malloc((size_t)size * sizeof *codes), *map = malloc((size_t)size * sizeof *map);
    grid g = grid_of(1, size);
    for (int kind = 0; kind < 3 && size > 1; kind++) {
        bool differs = g.place == 0;
        int context, few = kind == 2 && differs ? size - 1 : size;
        for (int i = 0; i < size; i++) map[i] = kind == 1 && differs ? size - 1 - i : i;
        int m = kind == 0 && differs ? few : 1;
        exchange_codes(&g, hayate_blacs_gridmap(0, map, m, m, few / m, &context), codes);
        for (int i = 0; i < size; i++) CHECK_CODE(codes[i], HAYATE_ERR_MISMATCH);
        CHECK(context == -1);
    }
    Cblacs_gridexit(g.context);
    free(map);
    free(codes);
}

SCENARIO_AS("values", should_keep_the_values_that_are_set)
{
    grid g = grid_of(1, size);
    for (int what = 11; what <= 16; what++) {
        int value = 3 + what, got = 0, zero = 0;
        CHECK_OK(hayate_blacs_set(g.context, what, &value));
        CHECK_OK(hayate_blacs_get(g.context, what, &got));
        CHECK(got == value);
        CHECK_CODE(hayate_blacs_set(g.context, what, &zero),
                   what <= 14 ? HAYATE_ERR_UNSUPPORTED : HAYATE_OK);
    }
    int value = INT_MAX, range[2], one = 1;
    CHECK_OK(hayate_blacs_set(g.context, 12, &value));
    CHECK_OK(hayate_blacs_set(g.context, 14, &value));
    Cigsum2d(g.context, "A", "t", 1, 1, &one, 1, 0, 0);
    if (g.place == 0) Cigebs2d(g.context, "A", "t", 1, 1, &one, 1);
    else Cigebr2d(g.context, "A", "t", 1, 1, &one, 1, 0, 0);
    CHECK(one == size);
    CHECK_CODE(hayate_blacs_set(g.context, 10, &value), HAYATE_ERR_UNSUPPORTED);
    CHECK_CODE(hayate_blacs_get(g.context, 17, &value), HAYATE_ERR_UNSUPPORTED);
    CHECK_CODE(hayate_blacs_get(999, 15, &value), HAYATE_ERR_ARGUMENT);
    CHECK_OK(hayate_blacs_get(-1, 1, range));
    CHECK(range[0] == 0 && range[1] >= 32767);
    Cblacs_gridexit(g.context);
}

/* ---- bad input ---- */

SCENARIO_AS("refuse", should_refuse_bad_arguments)
{
    double a[64] = {0};
    int locations[64], context = -7;
    grid g = grid_of(1, size);
    const hy_matrix good = doubles(a, 2, 2, 2);
    const hy_matrix bad[] = {doubles(a, -1, 2, 2), doubles(a, 2, -1, 2), doubles(a, 3, 2, 2),
                             doubles(NULL, 2, 2, 2)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_CODE(hayate_blacs_send(g.context, &bad[i], 0, 0), HAYATE_ERR_ARGUMENT);
        CHECK_CODE(hayate_blacs_receive(g.context, &bad[i], 0, 0), HAYATE_ERR_ARGUMENT);
        CHECK_CODE(hayate_blacs_broadcast(in(g.context, 'a'), &bad[i]), HAYATE_ERR_ARGUMENT);
        CHECK_CODE(hayate_blacs_combine(in(g.context, 'a'), HY_COMBINE_SUM, &bad[i], nowhere, 0, 0),
                   HAYATE_ERR_ARGUMENT);
    }
    CHECK_CODE(hayate_blacs_send(g.context, &good, 1, 0), HAYATE_ERR_ARGUMENT);
    CHECK(strstr(hayate_error(), "RDEST out of range") != NULL);
    CHECK_CODE(hayate_blacs_send(g.context, &good, 0, size), HAYATE_ERR_ARGUMENT);
    CHECK(strstr(hayate_error(), "CDEST out of range") != NULL);
    CHECK_CODE(hayate_blacs_receive(g.context, &good, 0, -1), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_send(12345, &good, 0, 0), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_barrier(in(g.context, 'x')), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_broadcast((hy_where){g.context, 'a', '?'}, &good), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_receive_broadcast(in(g.context, 'a'), &good, 0, rank),
               HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_combine(in(g.context, 'a'), HY_COMBINE_AMX, &good,
                                    (hy_locations){locations, locations, 1}, -1, -1),
               HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_gridinit(0, 'r', 0, 1, &context), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_gridinit(0, 'r', size + 1, 1, &context), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_gridinit(777, 'r', 1, 1, &context), HAYATE_ERR_ARGUMENT);
    for (int communicator = 1; communicator < 9; communicator++) /* as Fortran has MPI's */
        CHECK_CODE(hayate_blacs_gridinit(communicator, 'r', 1, 1, &context), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_gridmap(0, &size, 1, 1, 1, &context), HAYATE_ERR_ARGUMENT);
    CHECK(context == -1);
    Cblacs_barrier(g.context, "A"); /* nothing of this has harmed the context */
    Cblacs_gridexit(g.context);
    CHECK_CODE(hayate_blacs_gridexit(g.context), HAYATE_ERR_ARGUMENT);
    CHECK_CODE(hayate_blacs_barrier(in(g.context, 'a')), HAYATE_ERR_ARGUMENT);
}

/* A shorter message is lost, a longer one can be received with the right matrix. */
SCENARIO_AS("length", should_refuse_a_message_of_another_length_and_go_on)
{
    double a[20000] = {0};
    grid g = grid_of(1, size);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int n = 1; n <= 5000; n *= 10) {
        const hy_matrix sent = doubles(a, n, 2, n);
        const hy_matrix less = doubles(a, n, 1, n), more = doubles(a, n, 3, n);
        for (int round = 0; round < 2; round++) {
            a[0] = 5 + round;
            CHECK_OK(hayate_blacs_send(g.context, &sent, 0, to));
            CHECK_CODE(hayate_blacs_receive(g.context, round ? &more : &less, 0, from),
                       HAYATE_ERR_MISMATCH);
            CHECK(strstr(hayate_error(), "must be the same on both") != NULL);
            if (round) CHECK_OK(hayate_blacs_send(g.context, &sent, 0, to));
            a[0] = 0;
            CHECK_OK(hayate_blacs_receive(g.context, &sent, 0, from));
            CHECK(a[0] == 5 + round);
        }
    }
    Cblacs_gridexit(g.context);
}

/* The receivers come when the sender has left the context and opened another one, which frees what
 * is left of those that have ended. */
SCENARIO_AS("deliver", should_deliver_what_was_sent_before_the_context_ended)
{
    double *a = calloc(LARGEST, sizeof *a);
    grid g = grid_of(1, size), other;
    for (int to = 1; rank == 0 && to < size; to++) {
        for (int n = 1; n <= LARGEST; n *= 8) {
            a[n - 1] = n + to;
            Cdgesd2d(g.context, n, 1, a, n, 0, to);
        }
    }
    if (rank == 0) Cblacs_gridexit(g.context);
    other = grid_of(1, size);
    for (int n = 1; rank != 0 && n <= LARGEST; n *= 8) {
        Cdgerv2d(g.context, n, 1, a, n, 0, 0);
        CHECK(a[n - 1] == n + rank);
    }
    if (rank != 0) Cblacs_gridexit(g.context);
    Cblacs_gridexit(other.context);
    free(a);
}

/* The thread is the second one until it finds the context free. */
static void *wait_for_a_message(void *context)
{
    int got = 0, rc;
    const hy_matrix matrix = {.memory = {.address = (uint8_t *)&got}, .m = 1, .n = 1, .lda = 1};
    do rc = hayate_blacs_receive(*(int *)context, &matrix, 0, 0);
    while (rc == HAYATE_ERR_BUSY);
    CHECK(rc == HAYATE_OK && got == 4711);
    return NULL;
}

SCENARIO_AS("busy", should_refuse_a_second_thread_in_a_context)
{
    pthread_t thread;
    grid g = grid_of(1, size), other = grid_of(1, size);
    int rc = HAYATE_OK, value = 4711;
    if (rank != 0) CHECK(pthread_create(&thread, NULL, wait_for_a_message, &g.context) == 0);
    while (rank != 0 && rc != HAYATE_ERR_BUSY) {
        int unused;
        rc = hayate_blacs_get(g.context, 15, &unused);
        pause_us(20);
    }
    Cblacs_barrier(other.context, "A"); /* another context is free */
    for (int to = 1; rank == 0 && to < size; to++) Cigesd2d(g.context, 1, 1, &value, 1, 0, to);
    if (rank != 0) CHECK(pthread_join(thread, NULL) == 0);
    Cblacs_gridexit(g.context);
    Cblacs_gridexit(other.context);
}

#define ENDS 25

typedef struct asking {
    int context;
    _Atomic uint32_t stop;
} asking;

static void *ask_a_context(void *of)
{
    asking *a = of;
    while (!hy_load_acquire(&a->stop)) {
        int value, rc = hayate_blacs_get(a->context, 15, &value);
        CHECK(rc == HAYATE_OK || rc == HAYATE_ERR_BUSY || rc == HAYATE_ERR_ARGUMENT);
    }
    return NULL;
}

/* The thread finds the context, and it may end before the thread has entered it. */
SCENARIO_AS("end", should_refuse_a_context_that_another_thread_ends)
{
    pthread_t thread;
    grid g = grid_of(1, size);
    asking a = {.context = g.context};
    Cblacs_gridexit(g.context);
    CHECK(pthread_create(&thread, NULL, ask_a_context, &a) == 0);
    for (int i = 0, rc; i < ENDS; i++) {
        g = grid_of(1, size);
        CHECK(g.context == a.context);
        while ((rc = hayate_blacs_gridexit(g.context)) == HAYATE_ERR_BUSY) pause_us(1);
        CHECK_OK(rc);
    }
    hy_store_release(&a.stop, 1);
    CHECK(pthread_join(thread, NULL) == 0);
}

/* Broadcasts that are left behind are stepped by whichever thread waits. */
static void *use_a_context(void *context)
{
    int which = *(int *)context;
    double *a = malloc(5000 * sizeof *a), sum;
    for (int i = 0; i < 120; i++) {
        int root = i % size, n = 1 + i * i * 7 % 5000;
        for (int k = 0; k < n; k++) a[k] = rank == root ? i + which : -1;
        if (rank == root) Cdgebs2d(which, "A", " ", n, 1, a, n);
        else Cdgebr2d(which, "A", " ", n, 1, a, n, 0, root);
        CHECK(a[0] == i + which && a[n - 1] == i + which);
        sum = rank;
        if (i % 5 == 0) Cdgsum2d(which, "A", " ", 1, 1, &sum, 1, -1, -1);
        CHECK(i % 5 || sum == size * (size - 1) / 2);
        Cdgesd2d(which, n, 1, a, n, 0, (rank + 1) % size);
        Cdgerv2d(which, n, 1, a, n, 0, (rank + size - 1) % size);
    }
    free(a);
    return NULL;
}

SCENARIO_AS("threads", should_let_each_thread_use_a_context)
{
    pthread_t thread;
    grid mine = grid_of(1, size), its = grid_of(1, size);
    CHECK(pthread_create(&thread, NULL, use_a_context, &its.context) == 0);
    use_a_context(&mine.context);
    CHECK(pthread_join(thread, NULL) == 0);
    Cblacs_gridexit(mine.context);
    Cblacs_gridexit(its.context);
}

int main(int argc, char **argv)
{
    return run_with_blacs(argc, argv);
}
