/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, scatter and get: each of the P - 1 ranks that are not the root gets one slice from the
 * root, exposes it to the others, and gets the remaining slices from those who have them. The root
 * is read once instead of P - 1 times: the traffic is spread over everybody's memory. The scatter +
 * allgather broadcast of van de Geijn et al., "Interprocessor collective communication library
 * (InterCom)", 1994, with one-sided gets.
 *
 *   T = 3 W + [4 (P - 1) o] + [n Gd]
 */
#include "sched/algorithms/algorithms.h"

static bool applies(const hy_shape *s)
{
    return s->size > 2;
}

/* The slice that `rank`, not the root, gets from the root. */
static uint64_t slice(const hy_shape *s, int rank, uint64_t *off)
{
    uint64_t len;
    hy_slice(s->bytes, s->unit, s->size - 1, hy_from_root(s, rank) - 1, off, &len);
    return len;
}

static bool has_slice(const hy_shape *s, int rank)
{
    uint64_t off;
    return rank != s->root && slice(s, rank, &off) > 0;
}

static void root_side(hy_schedule *s)
{
    for (int i = 1; i < s->shape.size; i++)
        if (has_slice(&s->shape, hy_next_rank(&s->shape, i)))
            hy_emit_expose(s, hy_next_rank(&s->shape, i), HY_OUT);
    for (int i = 1; i < s->shape.size; i++)
        if (has_slice(&s->shape, hy_next_rank(&s->shape, i)))
            hy_emit_wait(s, hy_next_rank(&s->shape, i));
}

static void get_from(hy_schedule *s, int owner, int rank)
{
    uint64_t off, len = slice(&s->shape, rank, &off);
    hy_emit_learn(s, owner, HY_OUT);
    hy_emit_get(s, owner, HY_AT(HY_OUT, off), HY_AT(HY_OUT, off), len);
    hy_emit_signal(s, owner);
}

/* Only slice r of rank r is read by others, so r may fill the rest of its OUT meanwhile. */
static void leaf_side(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    int self = shape->rank;
    bool own = has_slice(shape, self);
    if (own) get_from(s, shape->root, self);
    for (int i = 1; own && i < shape->size; i++)
        if (hy_next_rank(shape, i) != shape->root)
            hy_emit_expose(s, hy_next_rank(shape, i), HY_OUT);
    for (int i = 1; i < shape->size; i++)
        if (has_slice(shape, hy_next_rank(shape, i)))
            get_from(s, hy_next_rank(shape, i), hy_next_rank(shape, i));
    for (int i = 1; own && i < shape->size; i++)
        if (hy_next_rank(shape, i) != shape->root) hy_emit_wait(s, hy_next_rank(shape, i));
}

static int build(hy_schedule *s)
{
    if (s->shape.rank == s->shape.root) root_side(s);
    else leaf_side(s);
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    double work = 4 * (s->size - 1) * m->overhead + (double)s->bytes * m->byte_direct;
    return 3 * hy_cost_phase(m, s->size) + hy_cost_parallel(m, s->size, work);
}

const hy_algorithm hy_bcast_scatter_get = {
    .name = "scatter_get",
    .title = "a slice from the root, the other slices from each other",
    .coll = HY_COLL_BCAST,
    .applies = applies,
    .build = build,
    .cost = cost,
};
