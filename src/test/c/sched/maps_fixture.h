/* SPDX-License-Identifier: Apache-2.0 */
/* Ways in which ranks lie on nodes. */
#ifndef HY_TEST_MAPS_FIXTURE_H
#define HY_TEST_MAPS_FIXTURE_H

#include "base/test.h"
#include "sched/nodes.h"

enum {
    BLOCKS_OF_2,
    BLOCKS_OF_5,
    CYCLIC_ON_2,
    CYCLIC_ON_5,
    GROWING,
    ONE_AND_THE_REST,
    TANGLED,
    MAPS
};

static inline int32_t node_on(int map, int32_t rank)
{
    int32_t node = 0;
    switch (map) {
    case BLOCKS_OF_2: return rank / 2;
    case BLOCKS_OF_5: return rank / 5;
    case CYCLIC_ON_2: return 7 - rank % 2; /* numbers in no order */
    case CYCLIC_ON_5: return rank % 5 * -3;
    case GROWING: /* 1, 2, 3 ... */
        for (int32_t end = 1; rank >= end; end += node + 1) node++;
        return node;
    case ONE_AND_THE_REST: return rank == 1;
    default: return rank * rank % 7;
    }
}

/* NULL: they are all on one. */
static inline hy_nodes *nodes_by(int map, int32_t size)
{
    int32_t of[4096];
    hy_nodes *nodes = NULL;
    for (int32_t rank = 0; rank < size; rank++) of[rank] = node_on(map, rank);
    assert_ok(hy_nodes_make(of, size, &nodes));
    return nodes;
}

/* The usual ones: `size` ranks, `each` to a node. */
static inline hy_nodes *nodes_of(int32_t size, int32_t each)
{
    int32_t of[4096];
    hy_nodes *nodes = NULL;
    for (int32_t rank = 0; rank < size; rank++) of[rank] = rank / each;
    assert_ok(hy_nodes_make(of, size, &nodes));
    return nodes;
}

#endif
