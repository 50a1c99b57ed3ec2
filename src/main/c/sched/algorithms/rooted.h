/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of collectives with a root. */
#ifndef HY_SCHED_ROOTED_H
#define HY_SCHED_ROOTED_H

#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/tree.h"

/* The sender's part of M(n), A(n) in formulas; the rest is the receiver's. */
static inline double hy_rooted_share(const hy_model *model, const hy_way *way, uint64_t bytes)
{
    bool prepared = way->buffers == HY_BUFFERS_PREPARED;
    if (way->transfer == HY_TRANSFER_GET) return prepared ? hy_curve_at(&model->copy, bytes) : 0;
    return hy_curve_at(prepared ? &model->payload_out : &model->put, bytes);
}

/* A run of bytes at offset `at` in the upper rank's region and `in` in the lower rank's. */
typedef struct hy_byte_run {
    uint64_t at, in, len;
} hy_byte_run;

/* The blocks of a subtree of `count` ranks from relative rank `child` on, in the region of the rank
 * above it. An inner rank `upper` has the blocks of its own subtree in relative order, so they are
 * one run there; the root has blocks in the order of ranks, where one subtree may wrap around the
 * end and consist of two runs. Returns their number. */
static inline int hy_rooted_runs(const hy_shape *s, int upper, int child, int count,
                                 hy_byte_run run[2])
{
    uint64_t bytes = s->bytes;
    if (upper > 0) {
        run[0] = (hy_byte_run){(uint64_t)(child - upper) * bytes, 0, (uint64_t)count * bytes};
        return 1;
    }
    int first = hy_to_rank(s, child), before = s->size - first < count ? s->size - first : count;
    run[0] = (hy_byte_run){(uint64_t)first * bytes, 0, (uint64_t)before * bytes};
    run[1] = (hy_byte_run){0, run[0].len, (uint64_t)(count - before) * bytes};
    return before < count ? 2 : 1;
}

/* Number of ranks in this rank's subtree of a k-nomial tree. */
static inline int hy_rooted_count(const hy_tree *tree)
{
    return (int)hy_min((uint64_t)tree->span, (uint64_t)(tree->size - tree->self));
}

/*
 * Blocks up or down a binomial tree, those of half of the ranks over its longest edge, without
 * local copies:
 *
 *    T = E S + sum over i < d of (S + M(min(2^i, P - 2^i) n)),
 *        by barriers (d + 1) d S + the sum of M
 */
static inline double hy_rooted_binomial_formula(const hy_model *model, const hy_shape *shape,
                                                const hy_way *way)
{
    double depth = hy_log2_ceil(shape->size), sync = hy_formula_signal(model), moves = 0;
    for (int64_t i = 1; i < shape->size; i *= 2) {
        uint64_t blocks = hy_min((uint64_t)i, (uint64_t)(shape->size - i));
        moves += hy_formula_move(model, way, blocks * shape->bytes);
    }
    if (way->sync == HY_SYNC_BARRIER) return (depth + 1) * depth * sync + moves;
    return (hy_formula_extra(way) + depth) * sync + moves;
}

#endif
