/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, flat get: the root exposes its data, every other rank gets all of it with one copy and
 * says that it is finished. The root's memory feeds about HY_STREAMS readers at full speed.
 *
 *   T = 2 W + 2 (P - 1) o + [n Gd] max(1, min(P - 1, c) / HY_STREAMS)
 */
#include "sched/algorithms/algorithms.h"

#define HY_STREAMS 8.0

static void root_side(hy_schedule *s)
{
    for (int i = 1; i < s->shape.size; i++) hy_emit_expose(s, hy_next_rank(&s->shape, i), HY_OUT);
    for (int i = 1; i < s->shape.size; i++) hy_emit_wait(s, hy_next_rank(&s->shape, i));
}

static int build(hy_schedule *s)
{
    int root = s->shape.root;
    if (s->shape.rank == root) {
        root_side(s);
    } else {
        hy_emit_learn(s, root, HY_OUT);
        hy_emit_get(s, root, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), s->shape.bytes);
        hy_emit_signal(s, root);
    }
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    int readers = s->size - 1 < m->cpus ? s->size - 1 : m->cpus;
    double crowd = readers > HY_STREAMS ? readers / HY_STREAMS : 1;
    double copy = hy_cost_parallel(m, s->size, (double)s->bytes * m->byte_direct);
    return 2 * hy_cost_phase(m, s->size) + 2 * (s->size - 1) * m->overhead + copy * crowd;
}

const hy_algorithm hy_bcast_flat_get = {
    .name = "flat_get",
    .title = "every rank copies straight from the root's memory",
    .coll = HY_COLL_BCAST,
    .applies = hy_applies_always,
    .build = build,
    .cost = cost,
};
