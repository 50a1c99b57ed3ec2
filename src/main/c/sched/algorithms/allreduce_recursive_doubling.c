/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allreduce, recursive doubling: partners over distances 1, 2, 4 ... exchange what they have so far
 * and fold; both compute the same bits because the operation commutes. When P is not a power of
 * two, the first 2 (P - 2^floor(log2 P)) ranks pair up: the even one gives its data to the odd one
 * before, and gets the result after. Thakur, Rabenseifner, Gropp, "Optimization of collective
 * communication operations in MPICH", 2005.
 *
 * Partners exchange HY_WINDOW pieces at a time: both send before they take, which must fit into
 * HY_SCHED_DEPTH signals.
 *
 *   T = (floor(log2 P) + (2 when P is no power of two)) (W + [2 k o + n (Gp + Gr)])
 */
#include "sched/algorithms/algorithms.h"

#define HY_WINDOW 8
_Static_assert(HY_WINDOW <= HY_SCHED_DEPTH, "a window is posted before anything is taken");

static int floor_log2(int n)
{
    int log = hy_log2_ceil(n);
    return (INT64_C(1) << log) == n ? log : log - 1;
}

static void exchange(hy_schedule *s, int peer)
{
    uint64_t bytes = s->shape.bytes, window = HY_WINDOW * hy_piece(&s->shape);
    for (uint64_t off = 0; off < bytes; off += window) {
        uint64_t len = hy_min(window, bytes - off);
        hy_emit_send(s, peer, HY_AT(HY_OUT, off), len);
        hy_emit_fold(s, peer, HY_AT(HY_OUT, off), len);
        if (s->count == 0) /* out of memory */
            break;
    }
}

/* Ranks below 2 * extra go in pairs, the odd one of which takes part; `place` in 0 .. 2^log. */
static void doubling(hy_schedule *s, int place, int extra, int log)
{
    for (int i = 0; i < log; i++) {
        int partner = place ^ (1 << i);
        exchange(s, partner < extra ? 2 * partner + 1 : partner + extra);
    }
}

static int build(hy_schedule *s)
{
    int rank = s->shape.rank, log = floor_log2(s->shape.size);
    int extra = s->shape.size - (1 << log);
    hy_place out = HY_AT(HY_OUT, 0);
    uint64_t bytes = s->shape.bytes;
    if (rank >= 2 * extra) {
        doubling(s, rank - extra, extra, log);
    } else if (rank % 2 == 0) {
        hy_emit_send(s, rank + 1, out, bytes);
        hy_emit_recv(s, rank + 1, out, bytes);
    } else {
        hy_emit_fold(s, rank - 1, out, bytes);
        doubling(s, rank / 2, extra, log);
        hy_emit_send(s, rank - 1, out, bytes);
    }
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    int log = floor_log2(s->size), rounds = log + ((1 << log) == s->size ? 0 : 2);
    double one = 2 * m->overhead * hy_pieces(s) +
                 (double)s->bytes * (m->byte_payload + m->byte_reduce);
    return rounds * (hy_cost_phase(m, s->size) + hy_cost_parallel(m, s->size, one));
}

const hy_algorithm hy_allreduce_doubling = {
    .name = "recursive_doubling",
    .title = "exchanges over doubling distances",
    .coll = HY_COLL_ALLREDUCE,
    .applies = hy_applies_payload,
    .build = build,
    .cost = cost,
};
