/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topologies of netlib's as wishes on schedules:
 *    i d s m   rings                     ring
 *    1 .. 9    trees of 2 .. 10 branches binomial, knomial
 *    t         a tree, as set            the same
 *    f         fully connected           linear
 *    h         hypercube                 binomial; recursive doubling if all receive
 * A collective that has no such schedule uses what the library chooses. Repeatable combines have
 * one schedule, whatever the model says.
 */
#include <ctype.h>

#include "blacs/state.h"
#include "choose/hint.h"

static const hy_hint ring = {.algorithm = "ring"};
static const hy_hint linear = {.algorithm = "linear"};
static const hy_hint binomial = {.algorithm = "binomial"};
static const hy_hint doubling = {.algorithm = "recursive_doubling"};

/* Hints live as long as the communicators, and are compared by their addresses. */
#define TREE(arity_) \
    { \
        .algorithm = "knomial", .way = {.arity = arity_ } \
    }
static const hy_hint trees[] = {TREE(3), TREE(4), TREE(5), TREE(6),
                                TREE(7), TREE(8), TREE(9), TREE(10)};
#define TREES ((int)(sizeof trees / sizeof *trees))

/* netlib counts one branch less. */
static const hy_hint *tree(int branches)
{
    if (branches <= 1) return &binomial;
    return branches - 2 < TREES ? &trees[branches - 2] : &linear;
}

/* A reduction to one has `binomial`, one to all has `recursive_doubling`: neither has both. */
static const hy_hint *order_of(bool all)
{
    return all ? &doubling : &binomial;
}

int hy_topology_hint(const hy_grid *grid, char top, bool combines, bool all, const hy_hint **hint)
{
    *hint = NULL;
    if (hy_likely(top == ' ' && !(combines && grid->repeatable))) return HAYATE_OK;
    char kind = (char)tolower((unsigned char)top);
    if (kind >= '1' && kind <= '9') *hint = tree(kind - '0');
    else if (kind == 't') *hint = tree(grid->branches[combines]);
    else if (kind == 'f') *hint = &linear;
    else if (kind == 'h') *hint = order_of(all);
    else if (kind == 'i' || kind == 'd' || kind == 's' || kind == 'm') *hint = &ring;
    else if (kind != ' ') return hy_fail(HAYATE_ERR_ARGUMENT, "Unknown topology '%c'", top);
    if (combines && grid->repeatable) *hint = order_of(all);
    return HAYATE_OK;
}
