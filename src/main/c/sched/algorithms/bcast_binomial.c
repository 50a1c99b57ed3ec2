/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, binomial tree: in round i the 2^i ranks that have the data pass them on, each to one
 * more rank. A rank serves its largest subtree first. Thakur, Rabenseifner, Gropp, "Optimization of
 * collective communication operations in MPICH", 2005; with straight methods and counters, this is
 * the broadcast whose times for put and get the paper on persistent collectives gives:
 *
 *   T = d M(n) + (d + 1) S   put        T = d M(n) + 2 S   get
 */
#include "sched/algorithms/bcast_tree.h"

static int bcast_binomial_build(hy_schedule *s)
{
    hy_tree tree = hy_tree_binomial(&s->shape);
    return hy_bcast_tree_build(s, &tree);
}

const hy_algorithm hy_bcast_binomial = {
    .name = "binomial",
    .title = "down a binomial tree",
    .coll = HY_COLL_BCAST,
    .ways = HY_WAYS_ALL,
    .traits = HY_TRAIT_SEGMENTS,
    .applies = hy_applies_always,
    .build = bcast_binomial_build,
    .formula = hy_formula_paper,
};
