/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a context disagree on a call: one of them differs from the others, each in turn.
 * All of them learn of it in that call, or in one of the next ones that wait for others. */
#include "blacs/grids_fixture.h"

#define MOST 20001

static const hy_locations nowhere;
static double data[MOST];

static hy_matrix of(int elements)
{
    return (hy_matrix){.memory = {.address = (uint8_t *)data},
                       .m = elements,
                       .n = 1,
                       .lda = elements,
                       .element = HY_ELEMENT_DOUBLE};
}

static int broadcast(const grid *g, int root, int elements)
{
    const hy_matrix matrix = of(elements);
    const hy_where all = {g->context, 'a', ' '};
    if (g->place == root) return hayate_blacs_broadcast(all, &matrix);
    return hayate_blacs_receive_broadcast(all, &matrix, 0, root);
}

/* receiver -1: all */
static int combine(const grid *g, hy_combine operation, int elements, int receiver)
{
    const hy_matrix matrix = of(elements);
    const hy_where all = {g->context, 'a', ' '};
    int row = receiver < 0 ? -1 : 0;
    return hayate_blacs_combine(all, operation, &matrix, nowhere, row, receiver);
}

static int barrier_of(const grid *g)
{
    return hayate_blacs_barrier((hy_where){g->context, 'a', ' '});
}

/* ---- what one process does differently ---- */

typedef int call(const grid *g, bool differs);

static int short_broadcast(const grid *g, bool differs)
{
    return broadcast(g, 0, differs ? 3 : 2);
}
static int long_broadcast(const grid *g, bool differs)
{
    return broadcast(g, 0, differs ? MOST - 1 : MOST);
}
static int broadcast_from_another(const grid *g, bool differs)
{
    return broadcast(g, differs ? g->n - 1 : 0, MOST);
}
/* Each takes the next one for the root: all wait, in a circle. */
static int broadcast_from_the_next(const grid *g, bool differs)
{
    (void)differs;
    return broadcast(g, (g->place + 1) % g->n, 2);
}
static int short_sum(const grid *g, bool differs)
{
    return combine(g, HY_COMBINE_SUM, differs ? 3 : 2, -1);
}
static int long_sum(const grid *g, bool differs)
{
    return combine(g, HY_COMBINE_SUM, differs ? MOST - 1 : MOST, -1);
}
static int sum_for_another(const grid *g, bool differs)
{
    return combine(g, HY_COMBINE_SUM, 2, differs ? g->n - 1 : 0);
}
static int long_sum_for_one(const grid *g, bool differs)
{
    return combine(g, HY_COMBINE_SUM, differs ? MOST - 1 : MOST, 0);
}
static int another_operation(const grid *g, bool differs)
{
    return combine(g, differs ? HY_COMBINE_AMX : HY_COMBINE_SUM, 2, -1);
}
static int barrier_or_sum(const grid *g, bool differs)
{
    return differs ? barrier_of(g) : combine(g, HY_COMBINE_SUM, MOST, -1);
}
static int barrier_or_broadcast(const grid *g, bool differs)
{
    return differs ? barrier_of(g) : broadcast(g, 0, MOST);
}
static int context_or_sum(const grid *g, bool differs)
{
    int system, context;
    if (!differs) return combine(g, HY_COMBINE_SUM, 2, -1);
    CHECK_OK(hayate_blacs_get(g->context, HY_BLACS_CONTEXT_SYSTEM, &system));
    return hayate_blacs_gridinit(system, 'r', 1, g->n, &context);
}

/* ---- */

static void disagree(call *run, int odd)
{
    grid g = grid_of(1, size);
    int rc = run(&g, g.place == odd);
    for (int i = 0; i < 3 && rc == HAYATE_OK; i++) rc = barrier_of(&g);
    CHECK_CODE(rc, HAYATE_ERR_MISMATCH);
    CHECK(hayate_error_peer() >= 0 && hayate_error_peer() != rank);
    CHECK_CODE(barrier_of(&g), HAYATE_ERR_MISMATCH); /* from now on, nobody waits */
    rc = hayate_blacs_gridexit(g.context);
    CHECK(rc == HAYATE_OK || rc == HAYATE_ERR_MISMATCH);
}

static void disagree_each(call *run)
{
    for (int odd = 0; odd < size; odd++) {
        disagree(run, odd);
        barrier();
    }
}

#define TELL_ALL(name) \
    SCENARIO(should_tell_all_##name) \
    { \
        disagree_each(name); \
    }
TELL_ALL(short_broadcast)
TELL_ALL(long_broadcast)
TELL_ALL(broadcast_from_another)
TELL_ALL(broadcast_from_the_next)
TELL_ALL(short_sum)
TELL_ALL(long_sum)
TELL_ALL(sum_for_another)
TELL_ALL(long_sum_for_one)
TELL_ALL(another_operation)
TELL_ALL(barrier_or_sum)
TELL_ALL(barrier_or_broadcast)
TELL_ALL(context_or_sum)

int main(int argc, char **argv)
{
    start_ranks(1);
    Cblacs_pinfo(&rank, &size);
    int rc = scenarios_run(argc, argv);
    Cblacs_exit(1);
    end_ranks();
    return rc;
}
