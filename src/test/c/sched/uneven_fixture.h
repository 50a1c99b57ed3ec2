/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of unequal length for all ranks of a collective: empty ones, gaps between them, in the
 * order of the ranks or against it. */
#ifndef HY_TEST_UNEVEN_FIXTURE_H
#define HY_TEST_UNEVEN_FIXTURE_H

#include "sched/schedule.h"

#define MAX_RANKS 64

typedef struct world {
    hy_shape shape; /* collective, size, root, unit, wired */
    hy_block in[MAX_RANKS][MAX_RANKS], out[MAX_RANKS][MAX_RANKS]; /* [rank][peer] */
} world;

#define LONG_SEED 3 /* blocks of many elements */

/* Elements that `from` has for `to`: 0 to 3, or many, or one block only. */
static inline uint64_t elements_of(const world *w, int from, int to, int seed)
{
    uint32_t x = (uint32_t)(from * 7919 + to * 104729 + seed * 31 + 17) * 2654435761u;
    if (w->shape.coll != HY_COLL_ALLTOALL && seed == 0) return from == w->shape.size / 2 ? 5 : 0;
    return (x >> 13) % 4 * (seed == LONG_SEED ? 12 : 1);
}

/* With gaps between some blocks, upwards or downwards. */
static inline void lay_out(const world *w, hy_block *blocks, const uint64_t *elements, int seed)
{
    uint64_t at = (uint64_t)(seed % 3);
    int size = w->shape.size;
    for (int i = 0; i < size; i++) {
        int peer = seed & 1 ? size - 1 - i : i;
        blocks[peer] = (hy_block){at * w->shape.unit, elements[peer] * w->shape.unit};
        at += elements[peer] + (uint64_t)((i + seed) % 3);
    }
}

static inline void make_world(world *w, int seed)
{
    const int size = w->shape.size;
    const bool each = w->shape.coll == HY_COLL_ALLTOALL;
    for (int rank = 0; rank < size; rank++) {
        uint64_t in[MAX_RANKS], out[MAX_RANKS];
        for (int peer = 0; peer < size; peer++) {
            in[peer] = elements_of(w, each ? rank : peer, each ? peer : 0, seed);
            out[peer] = elements_of(w, peer, each ? rank : 0, seed);
        }
        lay_out(w, w->in[rank], in, each ? seed + rank : seed);
        lay_out(w, w->out[rank], out, each ? seed + rank + 1 : seed);
    }
}

static inline hy_shape uneven_shape(void *context, int collective, int rank)
{
    (void)collective;
    const world *w = context;
    hy_shape shape = w->shape;
    shape.rank = rank;
    shape.uneven = true;
    bool root = rank == shape.root, all = shape.coll == HY_COLL_ALLTOALL;
    if (all || shape.coll == HY_COLL_REDUCE_SCATTER || (root && shape.coll == HY_COLL_SCATTER))
        shape.in_blocks = w->in[rank];
    if (all || shape.coll == HY_COLL_ALLGATHER || (root && shape.coll == HY_COLL_GATHER))
        shape.out_blocks = w->out[rank];
    shape.bytes = w->in[rank][rank].len;
    return shape;
}

#endif
