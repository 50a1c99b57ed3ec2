/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes that end a job, with netlib's words on stderr: one, named by the argument. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

#include "blacs/grids_fixture.h"

static double a[16];
static grid g;

static void rows(void)
{
    Cdgesd2d(g.context, -1, 1, a, 1, 0, 0);
}
static void columns(void)
{
    Czgebs2d(g.context, "A", " ", 1, -2, a, 1);
}
static void out_of_the_grid(void)
{
    Cdgerv2d(g.context, 1, 1, a, 1, 0, 99);
}
static void context(void)
{
    Cdgsum2d(4242, "A", " ", 1, 1, a, 1, -1, -1);
}
static void scope(void)
{
    Cblacs_barrier(g.context, "X");
}
static void topology(void)
{
    Cdgamx2d(g.context, "A", "?", 1, 1, a, 1, NULL, NULL, -1, -1, -1);
}
static void too_large(void)
{
    int more = 0;
    Cblacs_gridinit(&more, "R", 100, 100);
}
static void ended(void)
{
    Cblacs_gridexit(g.context);
    Cblacs_gridexit(g.context);
}
static void give_up(void)
{
    Cblacs_abort(g.context, 42);
}
static void other_length(void)
{
    Cdgesd2d(g.context, 3, 2, a, 4, 0, g.place);
    Cdgerv2d(g.context, 3, 1, a, 4, 0, g.place);
}
static void *wait_for_nothing(void *unused)
{
    Cdgerv2d(g.context, 1, 1, a, 1, 0, g.place);
    return unused;
}
/* One of the two is the second one, and ends the job. */
static void second_thread(void)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_for_nothing, NULL) == 0);
    for (int value;; pause_us(20)) Cblacs_get(g.context, 15, &value);
}
/* A peer dies in the middle of a combine. */
static void death(void)
{
    if (g.place == 1) raise(SIGKILL);
    Cdgsum2d(g.context, "A", " ", 4, 4, a, 4, -1, -1);
}
/* Who uses this libscalapack begins another grid. */
static void long_library(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/netlib/long_numroc.so", getenv("HAYATE_TEST_BIN"));
    CHECK(dlopen(path, RTLD_NOW | RTLD_GLOBAL) != NULL);
    grid_of(1, size);
}
static void no_map(void)
{
    int more = 0;
    Cblacs_gridmap(&more, NULL, 1, 1, size);
}
static void long_map(void)
{
    const int64_t map[] = {0, 1};
    int more = 0;
    Cblacs_gridmap(&more, (const int *)map, 4, 4, 1);
}
/* Only a warning: lda is taken as m. */
static void leading(void)
{
    double b[4] = {0};
    for (int i = 0; i < 4; i++) a[i] = i;
    Cdgesd2d(g.context, 2, 2, a, 1, 0, g.place);
    Cdgerv2d(g.context, 2, 2, b, 2, 0, g.place);
    CHECK(b[3] == 3);
}

int main(int argc, char **argv)
{
    static const scenario mistakes[] = {
        {"rows", rows},           {"columns", columns},
        {"out", out_of_the_grid}, {"context", context},
        {"scope", scope},         {"topology", topology},
        {"too_large", too_large}, {"ended", ended},
        {"length", other_length}, {"thread", second_thread},
        {"abort", give_up},       {"death", death},
        {"leading", leading},     {"long_library", long_library},
        {"long_map", long_map},   {"no_map", no_map},
    };
    alarm(420);
    if (argc > 1 && strcmp(argv[1], "early") == 0) Cblacs_barrier(0, "A");
    Cblacs_pinfo(&rank, &size);
    g = grid_of(1, size);
    for (size_t i = 0; argc > 1 && i < sizeof mistakes / sizeof *mistakes; i++)
        if (strcmp(mistakes[i].name, argv[1]) == 0) mistakes[i].run();
    Cblacs_exit(0);
    return 0;
}
